"""The attention of a step's spans: those of one row, as decoding has them, side by side."""

from collections.abc import Iterator
from collections.abc import Sequence as Sequences
from typing import Protocol

import torch
from torch import Tensor

from engine.exact.attention import Attention, attend, attend_side_by_side
from engine.exact.cached import Cached, copy, write
from engine.kv_pool import CachedSpan

_MAX_ELEMENTS = 1 << 22  # of keys that are copied to stand side by side


class Spans:
    """Writes keys and values and attends to them, layer by layer."""

    def __init__(self, spans: Sequences[CachedSpan]) -> None:
        places = [
            Cached(*span.cache.tensors).between(span.start, span.start + span.num_tokens).unbind()
            for span in spans
        ]
        self._places = list(zip(*places, strict=True))
        self._groups: list[_Group] = [
            _Alone(members[0])
            if len(members) == 1
            else _SideBySide(sorted(members, key=lambda span: span.offset))
            for members in _grouped(spans)
        ]

    def attend(
        self, layer: int, queries: Tensor, keys: Tensor, values: Tensor, attention: Attention
    ) -> Tensor:
        """Of float32 [T, heads, D] of all spans: [T, H, D]."""
        write(self._places[layer], keys, values)
        if len(self._groups) == 1:
            return self._groups[0].attend(layer, queries, attention)
        mixed = torch.empty(queries.shape)
        for group in self._groups:
            mixed[group.rows] = group.attend(layer, queries[group.rows], attention)
        return mixed


class _Group(Protocol):
    @property
    def rows(self) -> slice | Tensor:
        """Where its tokens stand in the batch."""
        ...

    def attend(self, layer: int, queries: Tensor, attention: Attention) -> Tensor: ...


class _Alone:
    def __init__(self, span: CachedSpan) -> None:
        self.rows = slice(span.offset, span.offset + span.num_tokens)
        self._start = span.start
        self._layers = Cached(*span.cache.tensors).unbind()

    def attend(self, layer: int, queries: Tensor, attention: Attention) -> Tensor:
        return attend(queries, self._layers[layer], self._start, attention)


class _SideBySide:
    """Sequences with one row each, whose keys and values are copied into one tensor: a copy costs
    less than operations of their own would."""

    def __init__(self, spans: Sequences[CachedSpan]) -> None:
        self.rows = torch.tensor([span.offset for span in spans])
        self._starts = tuple(span.start for span in spans)
        kept = [Cached(*span.cache.tensors).between(0, span.start + 1) for span in spans]
        self._sources = list(zip(*(cached.unbind() for cached in kept), strict=True))
        self._all = _zeros(self._sources[0], max(self._starts) + 1)
        self._targets = [
            cached.between(0, start + 1)
            for cached, start in zip(self._all.unbind(), self._starts, strict=True)
        ]

    def attend(self, layer: int, queries: Tensor, attention: Attention) -> Tensor:
        copy(self._targets, self._sources[layer])
        return attend_side_by_side(queries, self._all, self._starts, attention)


def _grouped(spans: Sequences[CachedSpan]) -> Iterator[list[CachedSpan]]:
    """Those of one row together, where that pads none to more than twice its positions."""
    yield from ([span] for span in spans if span.num_tokens > 1)
    group: list[CachedSpan] = []
    for span in sorted((span for span in spans if span.num_tokens == 1), key=_start, reverse=True):
        if group and not _fits(span, group):
            yield group
            group = []
        group.append(span)
    if group:
        yield group


def _start(span: CachedSpan) -> int:
    return span.start


def _fits(span: CachedSpan, group: list[CachedSpan]) -> bool:
    """Beside those of a group, of which the first is the longest."""
    longest = group[0].start + 1
    _, num_heads, _, size = span.cache.tensors[0].shape
    num_elements = (len(group) + 1) * longest * num_heads * size
    return 2 * (span.start + 1) >= longest and num_elements <= _MAX_ELEMENTS


def _zeros(sources: Sequences[Cached], num_positions: int) -> Cached:
    """Room for so many positions of each: integers as float64, as they are multiplied."""
    num_heads, _, size = sources[0].keys.shape
    shape = (len(sources), num_heads, num_positions)
    integers = [torch.zeros(*shape, size, dtype=torch.float64) for _ in range(2)]
    scales = [torch.zeros(*shape, 1) for _ in range(2)]
    return Cached(integers[0], scales[0], integers[1], scales[1])
