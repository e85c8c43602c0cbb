from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from engine.scheduler import PLACES_PER_PRIORITY, Scheduler
from engine.sequence import Sequence
from tests.params import params


def make_sequence(name: str, num_prompt_tokens: int = 3, priority: int = 5) -> Sequence:
    return Sequence(name, tuple(range(num_prompt_tokens)), params(), priority, 16)


def make_scheduler(
    max_num_seqs: int,
    max_num_batched_tokens: int,
    max_kv_tokens: int = 1000,
    max_chunk_tokens: int = 1000,
) -> Scheduler:
    def release(sequence: Sequence) -> None:
        sequence.num_computed_tokens = 0

    return Scheduler(
        max_num_seqs=max_num_seqs,
        max_num_batched_tokens=max_num_batched_tokens,
        max_chunk_tokens=max_chunk_tokens,
        max_kv_tokens=max_kv_tokens,
        admit=lambda _sequence: None,
        release=release,
    )


def compute(scheduler: Scheduler) -> list[tuple[str, int]]:
    """One step without a model: compute what was scheduled and pick a token where due."""
    spans = scheduler.schedule()
    for span in spans:
        is_last = span.is_last_of_known_tokens
        span.sequence.num_computed_tokens += span.num_tokens
        if is_last:
            span.sequence.output_token_ids.append(0)
    return [(span.sequence.request_id, span.num_tokens) for span in spans]


def test_a_sequence_is_prefilled_at_once_and_then_decodes_token_by_token() -> None:
    scheduler = make_scheduler(4, 64)
    scheduler.add(make_sequence("a", 10))
    assert [compute(scheduler) for _ in range(3)] == [[("a", 10)], [("a", 1)], [("a", 1)]]


def test_a_long_prompt_is_computed_in_chunks_beside_decoding_sequences() -> None:
    scheduler = make_scheduler(4, 8)
    scheduler.add(make_sequence("short", 2))
    compute(scheduler)
    scheduler.add(make_sequence("long", 20))
    steps = [compute(scheduler) for _ in range(4)]
    assert steps == [
        [("short", 1), ("long", 7)],
        [("short", 1), ("long", 7)],
        [("short", 1), ("long", 6)],
        [("short", 1), ("long", 1)],
    ]


def test_prompts_get_less_of_a_step_while_others_decode() -> None:
    scheduler = make_scheduler(4, 64, max_chunk_tokens=5)
    for name, num_tokens in (("a", 20), ("b", 9)):
        scheduler.add(make_sequence(name, num_tokens))
    assert compute(scheduler) == [("a", 20), ("b", 9)]  # nobody waits for a next token
    for name, num_tokens in (("c", 12), ("d", 4)):
        scheduler.add(make_sequence(name, num_tokens))
    steps = [compute(scheduler)[2:] for _ in range(5)]
    assert steps == [
        [("c", 5)],
        [("c", 5)],
        [("c", 2), ("d", 3)],
        [("c", 1), ("d", 1)],
        [("c", 1), ("d", 1)],
    ]


def test_no_step_computes_more_than_its_budget() -> None:
    scheduler = make_scheduler(4, 8)
    for index in range(6):
        scheduler.add(make_sequence(str(index), 5 + index))
    for _ in range(20):
        assert sum(num_tokens for _, num_tokens in compute(scheduler)) <= 8


def test_no_more_sequences_run_at_once_than_allowed_and_the_next_joins_when_one_leaves() -> None:
    scheduler = make_scheduler(2, 64)
    sequences = [make_sequence(name) for name in "abc"]
    for sequence in sequences:
        scheduler.add(sequence)
    assert [name for name, _ in compute(scheduler)] == ["a", "b"]
    scheduler.remove(sequences[0])
    assert [name for name, _ in compute(scheduler)] == ["b", "c"]
    assert scheduler.num_waiting == 0


def test_waiting_sequences_start_by_priority_and_then_by_arrival() -> None:
    scheduler = make_scheduler(1, 64)
    for name, priority in (("a", 5), ("b", 1), ("c", 5), ("d", 1)):
        scheduler.add(make_sequence(name, priority=priority))
    started = []
    while scheduler.has_work:
        scheduler.schedule()
        started.append(scheduler.running[0].request_id)
        scheduler.remove(scheduler.running[0])
    assert started == ["b", "d", "a", "c"]


@settings(deadline=None)
@given(st.lists(st.integers(1, 5), min_size=2, max_size=400), st.integers(0, 20))
def test_nobody_is_overtaken_more_often_than_its_priority_allows(
    priorities: list[int], num_before: int
) -> None:
    """One comes and one goes, after ``num_before`` have come: each overtakes but a few."""
    scheduler = make_scheduler(1, 64)
    numbers: dict[Sequence, int] = {}
    started = []
    for number, priority in enumerate(priorities):
        sequence = make_sequence(str(number), priority=priority)
        numbers[sequence] = number
        scheduler.add(sequence)
        if number >= num_before:
            started.append(start_one(scheduler))
    while scheduler.has_work:
        started.append(start_one(scheduler))
    for place, sequence in enumerate(started):
        overtaking = [other for other in started[:place] if numbers[other] > numbers[sequence]]
        assert all(other.priority < sequence.priority for other in overtaking)
        assert len(overtaking) <= PLACES_PER_PRIORITY * (sequence.priority - 1)


def test_an_urgent_request_is_not_overtaken_and_one_that_is_not_waits_its_share() -> None:
    scheduler = make_scheduler(1, 64)
    scheduler.add(make_sequence("patient", priority=2))
    for number in range(2 * PLACES_PER_PRIORITY):
        scheduler.add(make_sequence(str(number), priority=1))
    names = []
    while scheduler.has_work:
        names.append(start_one(scheduler).request_id)
    assert names.index("patient") == PLACES_PER_PRIORITY - 1


def start_one(scheduler: Scheduler) -> Sequence:
    """Run whoever is next, and let it leave."""
    scheduler.schedule()
    [sequence] = scheduler.running
    scheduler.remove(sequence)
    return sequence


def test_a_waiting_sequence_can_be_removed() -> None:
    scheduler = make_scheduler(1, 64)
    sequences = [make_sequence(name) for name in "abc"]
    for sequence in sequences:
        scheduler.add(sequence)
    scheduler.remove(sequences[1])
    scheduler.schedule()
    scheduler.remove(sequences[0])
    assert [name for name, _ in compute(scheduler)] == ["c"]


def test_token_ids_run_over_prompt_and_output_alike() -> None:
    sequence = make_sequence("a", 3)
    sequence.output_token_ids.extend([7, 8, 9])
    everything = [0, 1, 2, 7, 8, 9]
    for start in range(7):
        for stop in range(start, 7):
            assert sequence.token_ids(start, stop) == everything[start:stop]


def test_a_sequence_waits_until_its_tokens_fit() -> None:
    scheduler = make_scheduler(4, 64, max_kv_tokens=20)
    sequences = [make_sequence("a", 12), make_sequence("b", 8)]
    for sequence in sequences:
        scheduler.add(sequence)
    assert compute(scheduler) == [("a", 12)]
    scheduler.remove(sequences[0])
    assert compute(scheduler) == [("b", 8)]


def test_the_youngest_gives_way_when_the_cache_is_full_and_is_computed_again() -> None:
    scheduler = make_scheduler(4, 64, max_kv_tokens=20)
    sequences = [make_sequence("a", 8), make_sequence("b", 8)]
    for sequence in sequences:
        scheduler.add(sequence)
    steps = [compute(scheduler) for _ in range(4)]
    assert steps == [[("a", 8), ("b", 8)], [("a", 1), ("b", 1)], [("a", 1), ("b", 1)], [("a", 1)]]
    assert scheduler.num_preemptions == 1
    assert sequences[1].num_output_tokens == 3
    scheduler.remove(sequences[0])
    assert compute(scheduler) == [("b", 11)]
    assert sequences[1].num_output_tokens == 4


def test_the_oldest_of_the_best_priority_always_goes_on() -> None:
    scheduler = make_scheduler(3, 64, max_kv_tokens=24)
    for name, priority in (("a", 5), ("b", 1), ("c", 5)):
        scheduler.add(make_sequence(name, 6, priority))
    for _ in range(12):
        assert "b" in [name for name, _ in compute(scheduler)]


class SchedulerMachine(RuleBasedStateMachine):
    """Any order of arrivals, steps and departures."""

    def __init__(self) -> None:
        super().__init__()
        self.scheduler = make_scheduler(4, 16, max_kv_tokens=48, max_chunk_tokens=6)
        self.alive: list[Sequence] = []

    @rule(num_prompt_tokens=st.integers(1, 24), priority=st.integers(1, 5))
    def add(self, num_prompt_tokens: int, priority: int) -> None:
        sequence = make_sequence(str(len(self.alive)), num_prompt_tokens, priority)
        self.alive.append(sequence)
        self.scheduler.add(sequence)

    @rule(index=st.integers(0, 30))
    def remove(self, index: int) -> None:
        if self.alive:
            self.scheduler.remove(self.alive.pop(index % len(self.alive)))

    @rule()
    def step(self) -> None:
        if not self.alive:
            return
        before = sum(sequence.num_output_tokens for sequence in self.alive)
        num_tokens = sum(num for _, num in compute(self.scheduler))
        assert 0 < num_tokens <= 16
        longest = max(sequence.num_tokens for sequence in self.alive)
        if longest > 40:  # as the engine ends a sequence whose context is full
            self.remove_longest()
        assert sum(sequence.num_output_tokens for sequence in self.alive) >= before - 40

    def remove_longest(self) -> None:
        longest = max(self.alive, key=lambda sequence: sequence.num_tokens)
        self.alive.remove(longest)
        self.scheduler.remove(longest)

    @invariant()
    def nobody_is_lost_and_limits_hold(self) -> None:
        scheduler = self.scheduler
        assert len(scheduler.running) + scheduler.num_waiting == len(self.alive)
        assert len(scheduler.running) <= 4
        assert sum(sequence.num_computed_tokens for sequence in scheduler.running) <= 48
        waiting = [sequence for sequence in self.alive if sequence not in scheduler.running]
        assert all(sequence.num_computed_tokens == 0 for sequence in waiting)


TestSchedulerMachine = SchedulerMachine.TestCase
