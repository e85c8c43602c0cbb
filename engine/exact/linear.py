"""Products with int8 weights, exact in float32's own matrix product."""

from collections.abc import Callable

import torch
from torch import Tensor

from engine.native import abi

_INPUTS = 1024  # 128 * 127 * 1024 < 2^24: no sum over so many inputs leaves what float32 holds
_LOW = 256  # activations are split into a multiple of this and the rest
_INT32_MAX = 2**31 - 1


class Linear:
    """y = x W^T + b with int8 weights and activations of 12 to 16 bits, as the native decoder has
    them. The weights are kept as float32: 4 bytes each, for the speed of the product."""

    def __init__(
        self, packed: Tensor, scales: Tensor, bias: Tensor | None, num_outputs: int
    ) -> None:
        weights = _unpacked(packed)[:num_outputs]
        self._parts = [part.float() for part in torch.split(weights, _INPUTS, dim=1)]
        self._scales = scales[:num_outputs]
        self._bias = None if bias is None else bias[:num_outputs]
        self._limit = min(_INT32_MAX // (127 * weights.shape[1]), 2**15 - 1)

    def __call__(self, x: Tensor) -> Tensor:
        """float32 [rows, inputs] to float32 [rows, outputs]."""
        largest = x.abs().amax(dim=-1, keepdim=True)
        factor = torch.where(largest > 1e-30, self._limit / largest, 0.0)
        integers = (x * factor).round_()
        high = ((integers + _LOW / 2) / _LOW).floor_()
        halves = torch.cat((high, integers - high * _LOW))
        parts = torch.split(halves, _INPUTS, dim=1)
        sums = [(part @ weight.T).double() for part, weight in zip(parts, self._parts, strict=True)]
        total_high, total_low = torch.stack(sums).sum(dim=0).chunk(2)
        total = (total_high * _LOW + total_low).float()
        y = total * (self._scales * (largest / self._limit))
        return y if self._bias is None else y + self._bias


def check_products(multiply: Callable[[Tensor, Tensor], Tensor] = torch.matmul) -> None:
    """Raises RuntimeError where float32's product is not exact: torch can be told to use fewer
    bits."""
    generator = torch.Generator().manual_seed(0)
    x = torch.randint(-128, 129, (3, _INPUTS), generator=generator)
    weight = torch.randint(-127, 128, (_INPUTS, 40), generator=generator)
    weight[:, 0], x[0] = 127, 128
    if not torch.equal(multiply(x.float(), weight.float()).long(), x @ weight):
        raise RuntimeError(
            "torch multiplies float32 with fewer bits here: decoder=exact cannot run"
        )


def _unpacked(packed: Tensor) -> Tensor:
    """[panels, K, PANEL], in pairs of inputs, to [panels * PANEL, K]."""
    panels, num_inputs, _ = packed.shape
    pairs = packed.view(panels, num_inputs // 2, abi.PANEL, 2)
    return pairs.transpose(1, 2).reshape(panels * abi.PANEL, num_inputs)
