"""Weights of a Llama-like transformers decoder, packed for the native one."""

import ctypes
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from engine.native import abi


@dataclass(frozen=True, slots=True)
class PackedWeights:
    """Packed tensors by name, and the fields of ``abi.Shape``."""

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
    config, decoder = model.config, model.model
    sizes = {
        "layers": config.num_hidden_layers,
        "hidden": config.hidden_size,
        "heads": config.num_attention_heads,
        "kv_heads": config.num_key_value_heads,
        "head_dim": decoder.layers[0].self_attn.head_dim,
        "intermediate": config.intermediate_size,
        "epsilon": config.rms_norm_eps,
    }
    embeddings = model.get_input_embeddings().weight.detach()
    tensors = {"embeddings": _compact(embeddings), "final_norm": decoder.norm.weight.detach()}
    tensors |= _named("lm_head", _matrix([model.lm_head], quantize))
    for index, layer in enumerate(decoder.layers):
        tensors |= _named(f"layers.{index}", _layer(layer, quantize))
    tensors["cosines"], tensors["sines"] = _rotary_tables(decoder, max_positions)
    for linear in {model.lm_head, model.get_input_embeddings()}:
        _free(linear)
    return PackedWeights(sizes, tensors)


def bind(weights: PackedWeights) -> BoundModel:
    """The struct over packed weights."""
    tensors, shape = weights.tensors, abi.Shape(**weights.sizes)
    layers = (abi.Layer * shape.layers)(
        *(_bound_layer(tensors, f"layers.{index}", shape) for index in range(shape.layers))
    )
    struct = abi.Model(
        shape=shape,
        layers=ctypes.cast(layers, ctypes.POINTER(abi.Layer)),
        final_norm=tensors["final_norm"].data_ptr(),
        lm_head=_bound_matrix(tensors, "lm_head", len(tensors["embeddings"])),
        cosines=tensors["cosines"].data_ptr(),
        sines=tensors["sines"].data_ptr(),
        has_half_cache=weights.is_quantized,
    )
    return BoundModel(struct, layers, weights)


def _bound_layer(tensors: dict[str, Tensor], name: str, shape: abi.Shape) -> abi.Layer:
    qkv = (shape.heads + 2 * shape.kv_heads) * shape.head_dim
    return abi.Layer(
        qkv=_bound_matrix(tensors, f"{name}.qkv", qkv),
        attention_out=_bound_matrix(tensors, f"{name}.attention_out", shape.hidden),
        gate_up=_bound_matrix(tensors, f"{name}.gate_up", 2 * shape.intermediate),
        down=_bound_matrix(tensors, f"{name}.down", shape.hidden),
        input_norm=_address(tensors, f"{name}.input_norm"),
        output_norm=_address(tensors, f"{name}.output_norm"),
        query_norm=_address(tensors, f"{name}.query_norm"),
        key_norm=_address(tensors, f"{name}.key_norm"),
    )


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


def _layer(layer: Any, quantize: bool) -> dict[str, Tensor]:
    attention, mlp = layer.self_attn, layer.mlp
    matrices = {
        "qkv": [attention.q_proj, attention.k_proj, attention.v_proj],
        "attention_out": [attention.o_proj],
        "gate_up": [mlp.gate_proj, mlp.up_proj],
        "down": [mlp.down_proj],
    }
    tensors = {
        "input_norm": layer.input_layernorm.weight.detach(),
        "output_norm": layer.post_attention_layernorm.weight.detach(),
    }
    if hasattr(attention, "q_norm"):
        tensors["query_norm"] = attention.q_norm.weight.detach()
        tensors["key_norm"] = attention.k_norm.weight.detach()
    for name, linears in matrices.items():
        tensors |= _named(name, _matrix(linears, quantize))
        for linear in linears:
            _free(linear)
    return tensors


def _matrix(linears: list[Any], quantize: bool) -> dict[str, Tensor]:
    """Linear layers over the same input, side by side."""
    weight = torch.cat([linear.weight.detach() for linear in linears])  # [N, K]
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
    """float16 where that loses nothing, as with weights that were stored so."""
    half = weight.half()
    return half if torch.equal(half.float(), weight) else weight


def _named(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {f"{prefix}.{name}": tensor for name, tensor in tensors.items()}


def _rotary_tables(decoder: Any, max_positions: int) -> tuple[Tensor, Tensor]:
    """Cosines and sines [positions, head_dim], as the model's own rotary embedding has them."""
    positions = torch.arange(max_positions)[None]
    with torch.inference_mode():
        cosines, sines = decoder.rotary_emb(torch.zeros(1, dtype=torch.float32), positions)
    return cosines[0].clone(), sines[0].clone()


def _free(module: Any) -> None:
    module.weight = torch.nn.Parameter(module.weight.new_empty(0), requires_grad=False)
