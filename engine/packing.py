"""Weights of a transformers decoder, packed for the native one."""

import ctypes
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from engine.native import abi


@dataclass(slots=True)
class PackedModel:
    """The struct for the native decoder and the tensors that its pointers point into."""

    struct: abi.Model
    tensors: list[Tensor] = field(default_factory=list)
    layers: Any = None

    def keep(self, tensor: Tensor) -> int:
        """Hold a contiguous copy for as long as the model lives. Returns its address."""
        self.tensors.append(tensor.contiguous())
        return self.tensors[-1].data_ptr()


def pack(model: Any, *, quantize: bool, max_positions: int) -> PackedModel:
    """Pack a model of the Llama family; its own linear weights are freed as they are packed.

    ``quantize`` stores linear weights as int8 with one float32 scale an output column; the
    arithmetic stays float32.
    """
    config, decoder = model.config, model.model
    packed = PackedModel(abi.Model())
    packed.struct.shape = abi.Shape(
        layers=config.num_hidden_layers,
        hidden=config.hidden_size,
        heads=config.num_attention_heads,
        kv_heads=config.num_key_value_heads,
        head_dim=decoder.layers[0].self_attn.head_dim,
        intermediate=config.intermediate_size,
        epsilon=config.rms_norm_eps,
    )
    packed.layers = (abi.Layer * config.num_hidden_layers)()
    packed.struct.lm_head = _matrix(packed, [model.lm_head], quantize)
    for index, layer in enumerate(decoder.layers):
        packed.layers[index] = _layer(packed, layer, quantize)
    if model.lm_head.weight is not model.get_input_embeddings().weight:
        _free(model.lm_head)
    packed.struct.layers = ctypes.cast(packed.layers, ctypes.POINTER(abi.Layer))
    packed.struct.final_norm = packed.keep(decoder.norm.weight.detach())
    cosines, sines = _rotary_tables(decoder, max_positions)
    packed.struct.cosines = packed.keep(cosines)
    packed.struct.sines = packed.keep(sines)
    return packed


def _layer(packed: PackedModel, layer: Any, quantize: bool) -> abi.Layer:
    attention, mlp = layer.self_attn, layer.mlp
    struct = abi.Layer(
        qkv=_matrix(packed, [attention.q_proj, attention.k_proj, attention.v_proj], quantize),
        attention_out=_matrix(packed, [attention.o_proj], quantize),
        gate_up=_matrix(packed, [mlp.gate_proj, mlp.up_proj], quantize),
        down=_matrix(packed, [mlp.down_proj], quantize),
        input_norm=packed.keep(layer.input_layernorm.weight.detach()),
        output_norm=packed.keep(layer.post_attention_layernorm.weight.detach()),
    )
    if hasattr(attention, "q_norm"):
        struct.query_norm = packed.keep(attention.q_norm.weight.detach())
        struct.key_norm = packed.keep(attention.k_norm.weight.detach())
    for linear in (attention.q_proj, attention.k_proj, attention.v_proj, attention.o_proj):
        _free(linear)
    for linear in (mlp.gate_proj, mlp.up_proj, mlp.down_proj):
        _free(linear)
    return struct


def _matrix(packed: PackedModel, linears: list[Any], quantize: bool) -> abi.Matrix:
    """Linear layers over the same input, side by side."""
    weight = torch.cat([linear.weight.detach() for linear in linears])  # [N, K]
    num_outputs, num_inputs = weight.shape
    scales = None
    if quantize:
        weight, scales = quantize_rows(weight)
    bias = None
    if linears[0].bias is not None:
        bias = torch.cat([linear.bias.detach() for linear in linears])
    return abi.Matrix(
        weights=packed.keep(pack_panels(weight)),
        scales=packed.keep(_padded(scales)) if scales is not None else None,
        bias=packed.keep(_padded(bias)) if bias is not None else None,
        inputs=num_inputs,
        outputs=num_outputs,
    )


def quantize_rows(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Symmetric int8 of each row of a float32 [N, K]. Returns int8 [N, K] and scales [N]."""
    scales = weight.abs().amax(dim=1).clamp_min(torch.finfo(torch.float32).tiny) / 127
    return (weight / scales[:, None]).round_().to(torch.int8), scales


def pack_panels(weight: Tensor) -> Tensor:
    """[N, K] to [panels, K, PANEL], with zeros for the columns that the last panel lacks."""
    padded = _padded(weight)
    return padded.view(-1, abi.PANEL, weight.shape[1]).transpose(1, 2).contiguous()


def _padded(rows: Tensor) -> Tensor:
    missing = -len(rows) % abi.PANEL
    return torch.cat([rows, rows.new_zeros((missing, *rows.shape[1:]))]) if missing else rows


def _rotary_tables(decoder: Any, max_positions: int) -> tuple[Tensor, Tensor]:
    """Cosines and sines [positions, head_dim], as the model's own rotary embedding has them."""
    positions = torch.arange(max_positions)[None]
    like = torch.zeros(1, dtype=torch.float32)
    with torch.inference_mode():
        cosines, sines = decoder.rotary_emb(like, positions)
    return cosines[0].clone(), sines[0].clone()


def _free(linear: Any) -> None:
    linear.weight = torch.nn.Parameter(linear.weight.new_empty(0), requires_grad=False)
