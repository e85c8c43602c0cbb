"""Which decoder computes a model, and making the ones of packed weights."""

from engine import native
from engine.compiled_decoder import CompiledDecoder
from engine.config import EngineConfig
from engine.errors import ModelLoadError
from engine.exact import ExactDecoder
from engine.fused_runner import Decoder
from engine.packing import PackedWeights


def make_decoder(
    name: str, weights: PackedWeights, *, max_tokens: int, max_positions: int, num_threads: int
) -> Decoder:
    """The decoder ``native`` or ``exact``; the limits are of one pass and one sequence."""
    if name == "exact":
        return ExactDecoder(weights)
    return CompiledDecoder(
        weights, max_tokens=max_tokens, max_positions=max_positions, num_threads=num_threads
    )


def pick_decoder(config: EngineConfig) -> str:
    """Which one computes the model if it can. Raises ModelLoadError where none is left."""
    is_int8 = config.dtype == "int8"
    wanted = config.decoder
    if wanted == "auto":
        wanted = "native" if native.is_available() else "exact" if is_int8 else "transformers"
    if wanted == "native" and not native.is_available():
        raise ModelLoadError("decoder=native cannot run: it was not compiled at the installation")
    if wanted == "transformers" and is_int8:
        raise ModelLoadError("decoder=transformers has no int8: name another dtype or decoder")
    if wanted == "exact" and not is_int8:
        raise ModelLoadError(
            "decoder=exact computes int8 alone: name dtype=int8 or another decoder"
        )
    return wanted
