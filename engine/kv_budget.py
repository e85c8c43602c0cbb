"""How many tokens of keys and values may be held at once."""

import psutil
import torch

from engine.config import EngineConfig
from engine.errors import ModelLoadError

_GROWTH = 1.5  # a cache that grows holds more than its tokens for a moment


def plan_kv_tokens(
    config: EngineConfig,
    max_positions: int,
    bytes_per_token: int,
    device: str,
    num_mapped_bytes: int = 0,
) -> int:
    """The KV budget in tokens: what was set, else what a full batch of the longest sequences can
    use, as far as ``kv_memory_fraction`` of the memory that is free now allows. Mapped weights
    count as used: the system calls their pages free, but each step needs all of them.

    Raises ModelLoadError where the longest sequence would not fit.
    """
    longest = min(config.max_seq_len, max_positions) + 1
    num_bytes = config.kv_memory_fraction * max(0, _free_bytes(device) - num_mapped_bytes)
    affordable = int(num_bytes / (_GROWTH * bytes_per_token)) - config.max_prefix_tokens
    planned = config.max_kv_tokens or min(config.max_num_seqs * longest, affordable)
    if planned < longest:
        raise ModelLoadError(
            f"the KV cache has room for {max(0, planned)} tokens, less than the {longest} of the"
            f" longest sequence ({bytes_per_token} bytes a token): lower max_seq_len, or raise"
            " max_kv_tokens or kv_memory_fraction"
        )
    return planned


def _free_bytes(device: str) -> int:
    if device.startswith("cuda"):
        free, _ = torch.cuda.mem_get_info(device)
        return int(free)
    return int(psutil.virtual_memory().available)
