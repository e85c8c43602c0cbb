"""How a mock is set up, and what it says of itself."""

from dataclasses import dataclass

from engine.config import WatermarkConfig
from engine.mock.vocabulary import END_ID, NUM_TOKENS
from engine.types import ModelInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class MockConfig:
    """The limits of a deployment, and how fast it seems. Tokens are a second of one request."""

    model_name: str
    model_version: str
    max_seq_len: int
    max_iter_times: int
    max_num_seqs: int
    max_waiting: int
    max_waiting_tokens: int
    watermark: WatermarkConfig
    load_seconds: float
    prompt_tokens_per_second: float
    tokens_per_second: float


def model_info(config: MockConfig) -> ModelInfo:
    """What the mock says of itself."""
    return ModelInfo(
        name=config.model_name,
        version=config.model_version,
        platform="mock",
        vocab_size=NUM_TOKENS,
        max_position_embeddings=config.max_seq_len,
        max_seq_len=config.max_seq_len,
        max_iter_times=config.max_iter_times,
        max_prompt_tokens=config.max_seq_len - config.max_iter_times,
        max_num_seqs=config.max_num_seqs,
        max_waiting=config.max_waiting,
        eos_token_ids=(END_ID,),
        architecture="Mock",
        device="none",
        dtype="none",
        decoder="mock",
        is_load_invariant=True,
    )
