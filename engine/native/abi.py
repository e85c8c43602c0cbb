"""The structs of abi.h, for ctypes. The order and types of fields must be the same there."""

from ctypes import POINTER, Structure, c_float, c_int32, c_void_p

PANEL = 32  # output columns that are packed together; kPanel
BLOCK = 16  # positions whose keys are packed together; kBlock


KINDS = ("float32", "float16", "bfloat16", "int8")  # of stored numbers; enum Kind


class Matrix(Structure):
    _fields_ = (
        ("weights", c_void_p),
        ("scales", c_void_p),
        ("bias", c_void_p),
        ("inputs", c_int32),
        ("outputs", c_int32),
        ("kind", c_int32),
    )


class Norm(Structure):
    _fields_ = (("weight", c_void_p), ("bias", c_void_p))


class Layer(Structure):
    _fields_ = (
        ("qkv", Matrix),
        ("attention_out", Matrix),
        ("gate_up", Matrix),
        ("down", Matrix),
        ("input_norm", Norm),
        ("output_norm", Norm),
        ("attention_norm", c_void_p),
        ("mlp_norm", c_void_p),
        ("query_norm", c_void_p),
        ("key_norm", c_void_p),
        ("cosines", c_void_p),
        ("sines", c_void_p),
        ("window", c_int32),
    )


class Shape(Structure):
    _fields_ = (
        ("layers", c_int32),
        ("hidden", c_int32),
        ("heads", c_int32),
        ("kv_heads", c_int32),
        ("head_dim", c_int32),
        ("intermediate", c_int32),
        ("is_gelu", c_int32),
        ("is_gated", c_int32),
        ("epsilon", c_float),
        ("scaling", c_float),
        ("score_cap", c_float),
        ("logit_cap", c_float),
    )


class Embeddings(Structure):
    _fields_ = (
        ("rows", c_void_p),
        ("positions", c_void_p),
        ("scale", c_float),
        ("kind", c_int32),
    )


class Model(Structure):
    _fields_ = (
        ("shape", Shape),
        ("embeddings", Embeddings),
        ("layers", POINTER(Layer)),
        ("final_norm", Norm),
        ("lm_head", Matrix),
        ("has_half_cache", c_int32),
    )


class Span(Structure):
    _fields_ = (
        ("keys", c_void_p),
        ("values", c_void_p),
        ("capacity", c_int32),
        ("offset", c_int32),
        ("tokens", c_int32),
        ("start", c_int32),
    )


class Batch(Structure):
    _fields_ = (
        ("token_ids", POINTER(c_int32)),
        ("tokens", c_int32),
        ("spans", POINTER(Span)),
        ("num_spans", c_int32),
        ("sampled", POINTER(c_int32)),
        ("num_sampled", c_int32),
        ("logits", c_void_p),
    )
