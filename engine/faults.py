"""What a failed step may have been, and what smaller ones it can be tried as."""

from collections.abc import Sequence as Sequences
from dataclasses import replace

import torch

from engine.scheduler import Span

# torch's allocator for CPUs has no exception class of its own; the second is of other allocators.
_CPU_MESSAGES = ("can't allocate memory", "not enough memory")


def is_out_of_memory(error: Exception) -> bool:
    """Whether memory ran out, on whatever device."""
    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return isinstance(error, RuntimeError) and any(text in str(error) for text in _CPU_MESSAGES)


def halves(spans: Sequences[Span]) -> tuple[Sequences[Span], ...]:
    """The same work in two steps, one after the other, or without a draft; nothing where it is a
    single token."""
    if len(spans) > 1:
        middle = len(spans) // 2
        return spans[:middle], spans[middle:]
    [span] = spans
    if span.draft_token_ids:
        return ([replace(span, draft_token_ids=())],)
    if span.num_tokens == 1:
        return ()
    first = span.num_tokens // 2
    return [Span(span.sequence, first)], [Span(span.sequence, span.num_tokens - first)]
