"""What packed weights say of a transformers model beside its matrices, and of which models they can
say all: who computes from them computes these models exactly."""

from typing import Any

import torch
from torch import Tensor

_MODEL_TYPES = ("llama", "mistral", "qwen2", "qwen3", "gemma", "gemma2", "gemma3_text", "gpt2")
_ACTIVATIONS = ("silu", "gelu_pytorch_tanh", "gelu_new")  # the last two are the same function
_LARGEST_HEAD = 256
_ROPE_TYPES = ("default", "linear", "llama3", "yarn")  # that no other token of a pass changes


def is_known(model: Any) -> bool:
    """Whether packed weights describe exactly this kind of model."""
    config = model.config
    if config.model_type not in _MODEL_TYPES:
        return False
    first, sizes = next(model.parameters()), sizes_of(model)
    return bool(
        first.dtype == torch.float32
        and first.device.type == "cpu"
        and all(sizes[name] % 16 == 0 for name in ("hidden", "intermediate", "head_dim"))
        and sizes["head_dim"] <= _LARGEST_HEAD
        and _activation(config) in _ACTIVATIONS
        and all(_attention(layer).scaling == sizes["scaling"] for layer in layers_of(model))
        and not getattr(config, "add_cross_attention", None)
        and not getattr(config, "use_bidirectional_attention", None)
        and _has_known_layers(model)
        and all(map(_is_known_rope, _ropes(config)))
    )


def layers_of(model: Any) -> Any:
    return model.transformer.h if _is_gpt2(model) else model.model.layers


def sizes_of(model: Any) -> dict[str, float]:
    """The fields of ``abi.Shape``, and what embeddings are multiplied by."""
    config, layer = model.config, layers_of(model)[0]
    attention, is_gpt2 = _attention(layer), _is_gpt2(model)
    score_cap, logit_cap = _caps(config)
    return {
        "layers": config.num_hidden_layers,
        "hidden": config.hidden_size,
        "heads": config.num_attention_heads,
        "kv_heads": config.num_attention_heads if is_gpt2 else config.num_key_value_heads,
        "head_dim": attention.head_dim,
        "intermediate": layer.mlp.c_fc.nf if is_gpt2 else config.intermediate_size,
        "is_gelu": int(_activation(config) != "silu"),
        "is_gated": int(not is_gpt2),
        "epsilon": config.layer_norm_epsilon if is_gpt2 else config.rms_norm_eps,
        "scaling": attention.scaling,
        "score_cap": score_cap,
        "logit_cap": logit_cap,
        "embedding_scale": float(getattr(model.get_input_embeddings(), "embed_scale", 1)),
    }


def windows_of(model: Any) -> list[int]:
    """The positions that a token sees in each layer, its own among them; 0 where it sees all."""
    layers = layers_of(model)
    if model.config.model_type == "mistral":
        return [model.config.sliding_window or 0] * len(layers)
    return [getattr(_attention(layer), "sliding_window", None) or 0 for layer in layers]


def norms_of(model: Any, layer: Any) -> dict[str, Tensor]:
    """A layer's norms: of what attention and MLP take and, where there are any, of what they give,
    and of queries and keys."""
    if _is_gpt2(model):
        norms = {"input_norm": layer.ln_1, "output_norm": layer.ln_2}
    elif hasattr(layer, "pre_feedforward_layernorm"):
        norms = {
            "input_norm": layer.input_layernorm,
            "attention_norm": layer.post_attention_layernorm,
            "output_norm": layer.pre_feedforward_layernorm,
            "mlp_norm": layer.post_feedforward_layernorm,
        }
    else:
        norms = {"input_norm": layer.input_layernorm, "output_norm": layer.post_attention_layernorm}
    if hasattr(_attention(layer), "q_norm"):
        norms |= {"query_norm": layer.self_attn.q_norm, "key_norm": layer.self_attn.k_norm}
    return _norm_tensors(model, norms)


def final_norm_of(model: Any) -> dict[str, Tensor]:
    norm = model.transformer.ln_f if _is_gpt2(model) else model.model.norm
    return _norm_tensors(model, {"final_norm": norm})


def matrices_of(model: Any, layer: Any) -> dict[str, list[Any]]:
    """A layer's matrices, as modules over the same input that stand side by side."""
    attention, mlp = _attention(layer), layer.mlp
    if _is_gpt2(model):
        return {
            "qkv": [attention.c_attn],
            "attention_out": [attention.c_proj],
            "gate_up": [mlp.c_fc],
            "down": [mlp.c_proj],
        }
    return {
        "qkv": [attention.q_proj, attention.k_proj, attention.v_proj],
        "attention_out": [attention.o_proj],
        "gate_up": [mlp.gate_proj, mlp.up_proj],
        "down": [mlp.down_proj],
    }


def weight_of(linear: Any) -> Tensor:
    """[outputs, inputs], which GPT-2's Conv1D keeps the other way round."""
    weight: Tensor = linear.weight.detach()
    return weight if isinstance(linear, torch.nn.Linear) else weight.T


def position_tables(model: Any, max_positions: int) -> dict[str, Tensor]:
    """``positions`` [positions, hidden], which are added to embeddings, or rotary tables."""
    if _is_gpt2(model):
        return {"positions": model.transformer.wpe.weight.detach()}
    return _rotary_tables(model, max_positions)


def _rotary_tables(model: Any, max_positions: int) -> dict[str, Tensor]:
    """Cosines and sines [positions, head_dim], as the model's own rotary embedding has them, and
    local ones for the layers with a window where those have others."""
    rotary, x = model.model.rotary_emb, torch.zeros(1, dtype=torch.float32)
    positions = torch.arange(max_positions)[None]
    kinds: dict[str, tuple[str, ...]] = {"": ()}
    if model.config.model_type == "gemma3_text":
        names = {"": "full_attention", "local_": "sliding_attention"}
        kinds = {kind: (name,) for kind, name in names.items() if name in model.config.layer_types}
    tables: dict[str, Tensor] = {}
    with torch.inference_mode():
        for kind, layer_type in kinds.items():
            cosines, sines = rotary(x, positions, *layer_type)
            tables |= {f"{kind}cosines": cosines[0].clone(), f"{kind}sines": sines[0].clone()}
    return tables


def _norm_tensors(model: Any, norms: dict[str, Any]) -> dict[str, Tensor]:
    """What norms multiply by, of which Gemma keeps the distance to 1, and the biases of those that
    have them, which are LayerNorms."""
    offset = 1 if model.config.model_type.startswith("gemma") else 0
    tensors = {name: norm.weight.detach() + offset for name, norm in norms.items()}
    with_bias = {name: norm for name, norm in norms.items() if isinstance(norm, torch.nn.LayerNorm)}
    return tensors | {f"{name}_bias": norm.bias.detach() for name, norm in with_bias.items()}


def _is_gpt2(model: Any) -> bool:
    return bool(model.config.model_type == "gpt2")


def _attention(layer: Any) -> Any:
    return layer.attn if hasattr(layer, "attn") else layer.self_attn


def _caps(config: Any) -> tuple[float, float]:
    """Of attention's scores, which Gemma 3 can be given and ignores, and of logits; 0 for none."""
    kind = config.model_type
    return (
        config.attn_logit_softcapping or 0 if kind == "gemma2" else 0,
        config.final_logit_softcapping or 0 if kind in ("gemma2", "gemma3_text") else 0,
    )


def _activation(config: Any) -> str:
    names = {"gpt2": "activation_function"} | dict.fromkeys(
        ("gemma2", "gemma3_text"), "hidden_activation"
    )
    return str(getattr(config, names.get(config.model_type, "hidden_act")))


def _has_known_layers(model: Any) -> bool:
    """A layer has a window just where its type says so."""
    windows = windows_of(model)
    kinds = getattr(model.config, "layer_types", None)
    return kinds is None or kinds == [
        "sliding_attention" if window else "full_attention" for window in windows
    ]


def _ropes(config: Any) -> list[dict[str, Any]]:
    """The parameters of the rotary embedding, of each type of layers where there are several."""
    parameters = getattr(config, "rope_parameters", None) or {}
    nested = [value for value in parameters.values() if isinstance(value, dict)]
    return nested or [parameters]


def _is_known_rope(rope: dict[str, Any]) -> bool:
    return (
        rope.get("rope_type", "default") in _ROPE_TYPES
        and rope.get("partial_rotary_factor", 1.0) == 1.0
    )
