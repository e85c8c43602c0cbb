"""Packed weights as the structs that the native decoder reads."""

import ctypes
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from engine.native import abi
from engine.packing import PackedWeights


@dataclass(frozen=True, slots=True)
class BoundModel:
    """The struct for the native decoder, and what its pointers point into."""

    struct: abi.Model
    layers: Any
    weights: PackedWeights


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
    return abi.Embeddings(
        rows=_address(weights.tensors, "embeddings"),
        positions=_address(weights.tensors, "positions"),
        scale=weights.sizes["embedding_scale"],
        kind=_kind(weights.tensors["embeddings"]),
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
        kind=_kind(tensors[f"{name}.weights"]),
    )


def _kind(tensor: Tensor) -> int:
    return abi.KINDS.index(str(tensor.dtype).removeprefix("torch."))


def _address(tensors: dict[str, Tensor], name: str) -> int | None:
    return tensors[name].data_ptr() if name in tensors else None
