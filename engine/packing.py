"""Weights of a transformers decoder, packed for the native one."""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from engine import shapes
from engine.native import abi


@dataclass(frozen=True, slots=True)
class PackedWeights:
    """Packed tensors by name, and sizes: ``engine.shapes`` says which.

    Tensors: ``embeddings`` [V, hidden]; ``windows`` [layers], of positions that a token sees, 0
    where it sees all; rotary ``cosines`` and ``sines`` [positions, head_dim], and where layers with
    a window have others ``local_cosines`` and ``local_sines``, or instead of them ``positions``
    [positions, hidden], which are added to embeddings; ``final_norm`` and each layer's norms,
    RMSNorms but LayerNorms where there is a ``_bias`` too; ``weights`` [panels, inputs, PANEL] of
    each matrix, with ``scales`` and ``bias``.
    """

    sizes: dict[str, float]
    tensors: dict[str, Tensor]

    @property
    def is_quantized(self) -> bool:
        return self.tensors["lm_head.weights"].dtype == torch.int8


def pack(model: Any, *, quantize: bool, max_positions: int) -> PackedWeights:
    """Pack a model; its own linear weights are freed as they are packed.

    ``quantize`` stores linear weights as int8 with one float32 scale an output column; their
    products with 16-bit activations are exact sums of integers. Else a matrix whose numbers all fit
    into 16 bits is stored so, and computes the same as in float32.
    """
    embeddings = model.get_input_embeddings().weight.detach()
    tensors = {
        "embeddings": _compact(embeddings),
        "windows": torch.tensor(shapes.windows_of(model), dtype=torch.int32),
        **shapes.final_norm_of(model),
        **shapes.position_tables(model, max_positions),
        **_named("lm_head", _matrix([model.lm_head], quantize)),
    }
    for index, layer in enumerate(shapes.layers_of(model)):
        matrices = shapes.matrices_of(model, layer)
        parts = {**shapes.norms_of(model, layer), **_matrices(matrices, quantize)}
        tensors |= _named(f"layers.{index}", parts)
    for linear in {model.lm_head, model.get_input_embeddings()}:
        _free(linear)
    return PackedWeights(shapes.sizes_of(model), tensors)


def _matrices(matrices: dict[str, list[Any]], quantize: bool) -> dict[str, Tensor]:
    tensors: dict[str, Tensor] = {}
    for name, linears in matrices.items():
        tensors |= _named(name, _matrix(linears, quantize))
        for linear in linears:
            _free(linear)
    return tensors


def _matrix(linears: list[Any], quantize: bool) -> dict[str, Tensor]:
    """Linear layers over the same input, side by side."""
    weight = torch.cat([shapes.weight_of(linear) for linear in linears])  # [N, K]
    tensors = {}
    if quantize:
        weight, scales = quantize_rows(weight)
        tensors["scales"] = _padded(scales)
    else:
        weight = _compact(weight)
    if linears[0].bias is not None:
        tensors["bias"] = _padded(torch.cat([linear.bias.detach() for linear in linears]))
    return {"weights": pack_panels(weight), **tensors}


def quantize_rows(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Symmetric int8 of each row of a float32 [N, K]. Returns int8 [N, K] and scales [N]."""
    scales = weight.abs().amax(dim=1).clamp_min(torch.finfo(torch.float32).tiny) / 127
    return (weight / scales[:, None]).round_().to(torch.int8), scales


def pack_panels(weight: Tensor) -> Tensor:
    """[N, K] to [panels, K, PANEL], with zeros for the columns that the last panel lacks.

    int8 weights lie in pairs of inputs, as [panels, K / 2, PANEL, 2].
    """
    num_inputs = weight.shape[1]
    together = 2 if weight.dtype == torch.int8 else 1
    panels = _padded(weight).view(-1, abi.PANEL, num_inputs // together, together)
    return panels.transpose(1, 2).contiguous().view(-1, num_inputs, abi.PANEL)


def _padded(rows: Tensor) -> Tensor:
    missing = -len(rows) % abi.PANEL
    return torch.cat([rows, rows.new_zeros((missing, *rows.shape[1:]))]) if missing else rows


def _compact(weight: Tensor) -> Tensor:
    """16 bits wide where that loses nothing, as with weights that were stored so."""
    for dtype in (torch.float16, torch.bfloat16):
        short = weight.to(dtype)
        if torch.equal(short.float(), weight):
            return short
    return weight


def _named(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {f"{prefix}.{name}": tensor for name, tensor in tensors.items()}


def _free(module: Any) -> None:
    module.weight = torch.nn.Parameter(module.weight.new_empty(0), requires_grad=False)
