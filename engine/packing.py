"""Weights of a transformers decoder, packed for the native one."""

import ctypes
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


@dataclass(frozen=True, slots=True)
class BoundModel:
    """The struct for the native decoder, and what its pointers point into."""

    struct: abi.Model
    layers: Any
    weights: PackedWeights


def pack(model: Any, *, quantize: bool, max_positions: int) -> PackedWeights:
    """Pack a model; its own linear weights are freed as they are packed.

    ``quantize`` stores linear weights as int8 with one float32 scale an output column; their
    products with 16-bit activations are exact sums of integers.
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


def bind(weights: PackedWeights) -> BoundModel:
    """The struct over packed weights."""
    tensors = weights.tensors
    shape = abi.Shape(**{name: weights.sizes[name] for name, _ in abi.Shape._fields_})
    layers = (abi.Layer * shape.layers)(
        *(
            _bound_layer(tensors, f"layers.{index}", shape, window)
            for index, window in enumerate(tensors["windows"].tolist())
        )
    )
    struct = abi.Model(
        shape=shape,
        embeddings=_bound_embeddings(weights),
        layers=ctypes.cast(layers, ctypes.POINTER(abi.Layer)),
        final_norm=_bound_norm(tensors, "final_norm"),
        lm_head=_bound_matrix(tensors, "lm_head", len(tensors["embeddings"])),
        has_half_cache=weights.is_quantized,
    )
    return BoundModel(struct, layers, weights)


def _bound_embeddings(weights: PackedWeights) -> abi.Embeddings:
    kinds = (torch.float32, torch.float16, torch.bfloat16)
    return abi.Embeddings(
        rows=_address(weights.tensors, "embeddings"),
        positions=_address(weights.tensors, "positions"),
        scale=weights.sizes["embedding_scale"],
        kind=kinds.index(weights.tensors["embeddings"].dtype),
    )


def _bound_layer(tensors: dict[str, Tensor], name: str, shape: abi.Shape, window: int) -> abi.Layer:
    table = "local_" if window and "local_cosines" in tensors else ""
    qkv = (shape.heads + 2 * shape.kv_heads) * shape.head_dim
    return abi.Layer(
        qkv=_bound_matrix(tensors, f"{name}.qkv", qkv),
        attention_out=_bound_matrix(tensors, f"{name}.attention_out", shape.hidden),
        gate_up=_bound_matrix(
            tensors, f"{name}.gate_up", (1 + shape.is_gated) * shape.intermediate
        ),
        down=_bound_matrix(tensors, f"{name}.down", shape.hidden),
        input_norm=_bound_norm(tensors, f"{name}.input_norm"),
        output_norm=_bound_norm(tensors, f"{name}.output_norm"),
        attention_norm=_address(tensors, f"{name}.attention_norm"),
        mlp_norm=_address(tensors, f"{name}.mlp_norm"),
        query_norm=_address(tensors, f"{name}.query_norm"),
        key_norm=_address(tensors, f"{name}.key_norm"),
        cosines=_address(tensors, f"{table}cosines"),
        sines=_address(tensors, f"{table}sines"),
        window=window,
    )


def _bound_norm(tensors: dict[str, Tensor], name: str) -> abi.Norm:
    return abi.Norm(weight=_address(tensors, name), bias=_address(tensors, f"{name}_bias"))


def _bound_matrix(tensors: dict[str, Tensor], name: str, num_outputs: int) -> abi.Matrix:
    return abi.Matrix(
        weights=_address(tensors, f"{name}.weights"),
        scales=_address(tensors, f"{name}.scales"),
        bias=_address(tensors, f"{name}.bias"),
        inputs=tensors[f"{name}.weights"].shape[1],
        outputs=num_outputs,
    )


def _address(tensors: dict[str, Tensor], name: str) -> int | None:
    return tensors[name].data_ptr() if name in tensors else None


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
