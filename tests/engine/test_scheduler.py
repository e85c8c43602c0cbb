from engine.scheduler import Scheduler
from engine.sequence import Sequence
from tests.params import params


def make_sequence(name: str, num_prompt_tokens: int = 3, priority: int = 5) -> Sequence:
    return Sequence(name, tuple(range(num_prompt_tokens)), params(), priority, 16)


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
    scheduler = Scheduler(max_num_seqs=4, max_num_batched_tokens=64)
    scheduler.add(make_sequence("a", 10))
    assert [compute(scheduler) for _ in range(3)] == [[("a", 10)], [("a", 1)], [("a", 1)]]


def test_a_long_prompt_is_computed_in_chunks_beside_decoding_sequences() -> None:
    scheduler = Scheduler(max_num_seqs=4, max_num_batched_tokens=8)
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


def test_no_step_computes_more_than_its_budget() -> None:
    scheduler = Scheduler(max_num_seqs=4, max_num_batched_tokens=8)
    for index in range(6):
        scheduler.add(make_sequence(str(index), 5 + index))
    for _ in range(20):
        assert sum(num_tokens for _, num_tokens in compute(scheduler)) <= 8


def test_no_more_sequences_run_at_once_than_allowed_and_the_next_joins_when_one_leaves() -> None:
    scheduler = Scheduler(max_num_seqs=2, max_num_batched_tokens=64)
    sequences = [make_sequence(name) for name in "abc"]
    for sequence in sequences:
        scheduler.add(sequence)
    assert [name for name, _ in compute(scheduler)] == ["a", "b"]
    scheduler.remove(sequences[0])
    assert [name for name, _ in compute(scheduler)] == ["b", "c"]
    assert scheduler.num_waiting == 0


def test_waiting_sequences_start_by_priority_and_then_by_arrival() -> None:
    scheduler = Scheduler(max_num_seqs=1, max_num_batched_tokens=64)
    for name, priority in (("a", 5), ("b", 1), ("c", 5), ("d", 1)):
        scheduler.add(make_sequence(name, priority=priority))
    started = []
    while scheduler.has_work:
        scheduler.schedule()
        started.append(scheduler.running[0].request_id)
        scheduler.remove(scheduler.running[0])
    assert started == ["b", "d", "a", "c"]


def test_a_waiting_sequence_can_be_removed() -> None:
    scheduler = Scheduler(max_num_seqs=1, max_num_batched_tokens=64)
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
