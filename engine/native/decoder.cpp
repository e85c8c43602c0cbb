// A whole decoder forward pass in one call: the blocks of Llama, Gemma and GPT-2 over packed
// sequences.
//
// A team of threads shares out each operation of the pass in small pieces. Every thread begins with
// a range of its own and then takes what is left of the others', so that one which the machine
// keeps waiting, or which is slower, holds nobody up; between passes the team sleeps.

#include <atomic>
#include <climits>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include "abi.h"

namespace {

constexpr int kRowBlock = 96;      // rows whose activations stay in the cache beside a panel
constexpr int kHeads = 4;          // query heads that go through the cache together
constexpr int kOperations = 12;     // that are shared out, a layer, at most
constexpr int kOtherOperations = 4;  // before and after the layers, at most
constexpr int kSpins = 4000;       // looks at a counter before the core is offered to others

inline void pause(int turn) {
  if (turn >= kSpins) return std::this_thread::yield();
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// How far each range of an operation's pieces is, each in a cache line of its own.
struct alignas(64) Counter {
  std::atomic<int> value{0};
};

struct Worker {
  int index, count;
  float* scores;  // [kHeads, stride], for all positions
  int stride;
  Counter* operation;  // the next one: a counter for each worker's range, and one of what is done

  // Do `body(repeat, item)` for all of them, whoever of the team does it, and return when all is
  // done. Which items a worker takes decides nothing but who computes them.
  template <typename Body>
  void share(int items, int repeats, const Body& body) {
    Counter* const ranges = operation;
    operation += count + 1;
    int mine = 0;
    for (int turn = 0; turn < count; ++turn) {
      const int owner = (index + turn) % count;
      const int first = int(int64_t(items) * owner / count);
      const int width = int(int64_t(items) * (owner + 1) / count) - first;
      std::atomic<int>& next = ranges[owner].value;
      for (int i; next.load(std::memory_order_relaxed) < width * repeats &&
                  (i = next.fetch_add(1, std::memory_order_relaxed)) < width * repeats; ++mine)
        body(i / width, first + i % width);
    }
    std::atomic<int>& done = ranges[count].value;
    done.fetch_add(mine, std::memory_order_acq_rel);
    for (int turn = 0; done.load(std::memory_order_acquire) < items * repeats; ++turn) pause(turn);
  }
};

struct Workspace {
  float *hidden, *normed, *wide, *narrow;  // [tokens, hidden | the widest | the widest input]
  int16_t* quantized;             // [tokens, inputs], of the product that comes next
  float* row_scales;              // [tokens]
};

// exp by 2^n times a polynomial, the same on every machine and for every neighbour (Cephes). Always
// inline: outside of the loops over it, it would be compiled for no instruction set's vectors.
[[gnu::always_inline]] inline float exponential(float x) {
  x = x < -87.0f ? -87.0f : (x > 88.0f ? 88.0f : x);
  const float n = __builtin_floorf(x * 1.44269504088896341f + 0.5f);
  const float r = x - n * 0.693359375f + n * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float y = p * r * r + r + 1.0f;
  const uint32_t bits = uint32_t(int32_t(n) + 127) << 23;
  float power;
  std::memcpy(&power, &bits, sizeof power);
  return y * power;
}

inline float to_float(float value) { return value; }

inline float to_float(Brief brief) {
  const uint32_t bits = uint32_t(brief.bits) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline float to_float(Half half) {
  const uint32_t sign = uint32_t(half & 0x8000u) << 16, magnitude = half & 0x7fffu;
  float value;
  if (magnitude < 0x0400u) {  // below the normal numbers: a count of 2^-24
    value = float(magnitude) * 0x1p-24f;
    return sign ? -value : value;
  }
  const uint32_t exponent = magnitude >= 0x7c00u ? 0x70000000u : 0x38000000u;
  const uint32_t bits = sign | ((magnitude << 13) + exponent);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Rounds to the nearest, ties to even; what is too large becomes infinite.
inline Half to_half(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  const uint32_t sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return Half(sign | 0x7e00u);   // not a number
  if (magnitude >= 0x477ff000u) return Half(sign | 0x7c00u);  // 65520 and above
  if (magnitude < 0x38800000u) {                              // below the normal numbers
    float scaled;
    std::memcpy(&scaled, &magnitude, sizeof scaled);
    return Half(sign | uint32_t(__builtin_rintf(scaled * 0x1p24f)));
  }
  const uint32_t rounded = magnitude + 0x0fffu + ((magnitude >> 13) & 1u);
  return Half(sign | ((rounded - 0x38000000u) >> 13));
}

using Forward = void (*)(Worker&, const Model&, const Batch&, const Workspace&);

// Functions between these two are compiled for the instruction sets named.
#define PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define FOR_TARGET(names) \
  PRAGMA(clang attribute push(__attribute__((target(names))), apply_to = function))
#define END_TARGET PRAGMA(clang attribute pop)
#else
#define FOR_TARGET(names) PRAGMA(GCC push_options) PRAGMA(GCC target(names))
#define END_TARGET PRAGMA(GCC pop_options)
#endif

#if defined(__x86_64__)
FOR_TARGET("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2,fma,f16c")
#define LANES 16
#define VNNI
namespace avx512vnni {
#include "kernels.inc"
}
#undef VNNI
#undef LANES
END_TARGET

FOR_TARGET("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma,f16c")
#define LANES 16
namespace avx512 {
#include "kernels.inc"
}
#undef LANES
END_TARGET

FOR_TARGET("avx2,fma,f16c")
#define LANES 8
namespace avx2 {
#include "kernels.inc"
}
#undef LANES
END_TARGET
#endif

#define LANES 4
namespace portable {
#include "kernels.inc"
}
#undef LANES

struct Choice {
  const char* name;
  Forward forward;
};

#if defined(__x86_64__)
// By the instructions themselves: some compilers' libraries leave __builtin_cpu_supports without
// an answer. Both bits of what an instruction set needs: of the processor's and of the system's.
Choice best_choice() {
  unsigned a, b, c, d, states, unused;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_AVX) ||
      !(c & bit_FMA) || !(c & bit_F16C))
    return {"portable", portable::forward};
  __asm__("xgetbv" : "=a"(states), "=d"(unused) : "c"(0));
  constexpr unsigned kAvxStates = 0x6, kAvx512States = 0xe6;
  if ((states & kAvxStates) != kAvxStates || !__get_cpuid_count(7, 0, &a, &b, &c, &d) ||
      !(b & bit_AVX2))
    return {"portable", portable::forward};
  constexpr unsigned kAvx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512VL | bit_AVX512DQ;
  if ((states & kAvx512States) != kAvx512States || (b & kAvx512) != kAvx512)
    return {"avx2", avx2::forward};
  if (!(c & bit_AVX512VNNI)) return {"avx512", avx512::forward};
  return {"avx512vnni", avx512vnni::forward};
}
#else
Choice best_choice() { return {"portable", portable::forward}; }
#endif

// Threads that run one forward pass at a time. The caller is the first of them.
class Team {
 public:
  Team(const Model& model, int max_tokens, int max_positions, int count)
      : model_(model), choice_(best_choice()),
        counters_(size_t(model.shape.layers * kOperations + kOtherOperations) * (count + 1)) {
    const Shape& s = model.shape;
    const int64_t qkv = int64_t(s.heads + 2 * s.kv_heads) * s.head_dim;
    const int64_t wide = qkv > 2 * s.intermediate ? qkv : 2 * s.intermediate;
    const int64_t heads = int64_t(s.heads) * s.head_dim;
    const int64_t narrow = heads > s.intermediate ? heads : s.intermediate;
    const int64_t scores = int64_t(max_positions) + kBlock;
    const int64_t inputs = narrow > s.hidden ? narrow : s.hidden;
    memory_.resize((2 * s.hidden + wide + narrow + 1) * max_tokens + kHeads * scores * count);
    if (model.lm_head.scales) quantized_.resize(inputs * max_tokens);
    float* next = memory_.data();
    const auto take = [&next](int64_t n) { float* p = next; next += n; return p; };
    const int64_t hidden = int64_t(s.hidden) * max_tokens;
    work_ = {take(hidden),           take(hidden),      take(wide * max_tokens),
             take(narrow * max_tokens), quantized_.data(), take(max_tokens)};
    for (int i = 0; i < count; ++i)
      workers_.push_back({i, count, take(kHeads * scores), int(scores), nullptr});
  }

  // Not in the constructor, so that where a thread cannot be had the destructor joins the others.
  void start() {
    threads_.reserve(workers_.size());
    const int count = int(workers_.size());
    for (int i = 1; i < count; ++i) threads_.emplace_back([this, i] { serve(i); });
  }

  ~Team() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_closing_ = true;
    }
    called_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void forward(const Batch& batch) {
    for (Counter& counter : counters_) counter.value.store(0, std::memory_order_relaxed);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      batch_ = &batch;
      ++passes_;
      is_open_ = true;
    }
    called_.notify_all();
    run(workers_[0]);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_open_ = false;  // who has not woken up yet has missed it
    }
    for (int turn = 0; num_helping_.load(std::memory_order_acquire) > 0; ++turn) pause(turn);
  }

  const char* instructions() const { return choice_.name; }

 private:
  void run(Worker& worker) {
    worker.operation = counters_.data();
    choice_.forward(worker, model_, *batch_, work_);
  }

  void serve(int index) {
    for (int64_t seen = 0;;) {
      {
        std::unique_lock<std::mutex> lock(mutex_);
        called_.wait(lock, [&] { return is_closing_ || (is_open_ && passes_ > seen); });
        if (is_closing_) return;
        seen = passes_;
        num_helping_.fetch_add(1, std::memory_order_relaxed);
      }
      run(workers_[index]);
      num_helping_.fetch_sub(1, std::memory_order_release);
    }
  }

  const Model model_;
  const Choice choice_;
  std::vector<Counter> counters_;
  std::vector<float> memory_;
  std::vector<int16_t> quantized_;
  Workspace work_{};
  std::vector<Worker> workers_;
  std::mutex mutex_;
  std::condition_variable called_;
  const Batch* batch_ = nullptr;
  int64_t passes_ = 0;
  bool is_open_ = false, is_closing_ = false;
  std::atomic<int> num_helping_{0};
  std::vector<std::thread> threads_;
};

}  // namespace

extern "C" {

// What the caller's structs have to measure, in bytes.
int32_t genspec_struct_bytes() {
  return sizeof(Model) + sizeof(Layer) + sizeof(Span) + sizeof(Batch);
}

// Null where there is no memory for the team, or with `lacks_threads` set, none of its threads.
void* genspec_team_new(const Model* model, int32_t max_tokens, int32_t max_positions,
                       int32_t threads, int32_t* lacks_threads) {
  *lacks_threads = 0;
  try {
    auto team = std::make_unique<Team>(*model, max_tokens, max_positions, threads);
    team->start();
    return team.release();
  } catch (const std::system_error&) {
    *lacks_threads = 1;
  } catch (const std::exception&) {
  }
  return nullptr;
}

void genspec_team_delete(void* team) { delete static_cast<Team*>(team); }

void genspec_team_forward(void* team, const Batch* batch) {
  static_cast<Team*>(team)->forward(*batch);
}

const char* genspec_team_instructions(void* team) {
  return static_cast<Team*>(team)->instructions();
}
}
