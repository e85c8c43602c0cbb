// What Python hands over: plain structs of pointers and sizes, mirrored in engine/native/abi.py.
#pragma once

#include <cstdint>

constexpr int kPanel = 32;  // output columns that are packed together
constexpr int kBlock = 16;  // positions whose keys are packed together

using Half = uint16_t;  // the bits of a half-precision number

// A bfloat16 number: the upper half of a float's bits.
struct Brief {
  uint16_t bits;
};

enum Kind : int32_t { kFloat, kHalf, kBrief, kInt8 };  // of stored numbers

// A linear layer y = x W^T + b. The weights are packed in panels of kPanel output columns,
// [panels][inputs][kPanel], the last one padded with zeros; int8 weights have a scale a column, and
// lie in pairs, [panels][inputs / 2][kPanel][2].
struct Matrix {
  const void* weights;
  const float* scales;  // [panels * kPanel] of int8 weights, else null
  const float* bias;    // [panels * kPanel] or null
  int32_t inputs;
  int32_t outputs;
  Kind kind;  // of the weights
};

// RMSNorm, and with a bias LayerNorm.
struct Norm {
  const float *weight, *bias;
};

struct Layer {
  Matrix qkv, attention_out;
  Matrix gate_up, down;                    // gate and up side by side, or one where none is gated
  Norm input_norm, output_norm;            // [hidden]: of what attention and MLP take
  const float *attention_norm, *mlp_norm;  // [hidden] or null: of what they give, before the sum
  const float *query_norm, *key_norm;      // [head_dim] or null
  const float *cosines, *sines;            // [positions, head_dim], or null: no rotary positions
  int32_t window;  // positions that a token sees, its own among them; 0 where it sees all
};

struct Shape {
  int32_t layers, hidden, heads, kv_heads, head_dim, intermediate;
  int32_t is_gelu;   // the MLP's activation, approximated by tanh; else SiLU
  int32_t is_gated;  // the MLP multiplies what it activates by a product of its own
  float epsilon, scaling;
  float score_cap, logit_cap;  // what attention scores and logits are bent to stay below, or 0
};

// What a token begins with: its row, times the scale, and where there are such its position's.
struct Embeddings {
  const void* rows;        // [vocabulary, hidden]
  const float* positions;  // [positions, hidden] or null
  float scale;
  Kind kind;  // of the numbers in rows
};

struct Model {
  Shape shape;
  Embeddings embeddings;
  const Layer* layers;
  Norm final_norm;  // [hidden]
  Matrix lm_head;
  int32_t has_half_cache;  // keys and values are Half, else float
};

// Tokens of one sequence that stand together in the batch.
struct Span {
  void* keys;    // [layers, kv_heads, capacity / kBlock, head_dim, kBlock]
  void* values;  // [layers, kv_heads, capacity, head_dim]
  int32_t capacity, offset, tokens, start;
};

struct Batch {
  const int32_t* token_ids;  // [tokens]
  int32_t tokens;
  const Span* spans;
  int32_t num_spans;
  const int32_t* sampled;  // rows whose logits are wanted
  int32_t num_sampled;
  float* logits;  // [num_sampled, vocabulary]
};
