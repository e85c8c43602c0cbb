"""What crosses the engine's boundary: frozen, picklable values without torch or HTTP."""

from dataclasses import dataclass
from enum import StrEnum


class FinishReason(StrEnum):
    """Why a generation ended; the wire names of the interface."""

    EOS_TOKEN = "eos_token"
    STOP_SEQUENCE = "stop_sequence"
    LENGTH = "length"


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingParams:
    """How to pick tokens and when to end. No defaults here: the document has filled them.

    ``None`` means that the feature is off. ``seed`` is an unsigned 64-bit integer.
    """

    do_sample: bool
    temperature: float
    top_k: int  # 0: off
    top_p: float  # 1.0: off
    typical_p: float | None
    min_p: float  # 0.0: off
    repetition_penalty: float
    presence_penalty: float
    frequency_penalty: float
    logit_bias: tuple[tuple[int, float], ...]
    bad_words: tuple[str, ...]
    seed: int
    watermark: bool
    max_new_tokens: int
    min_new_tokens: int
    stop: tuple[str, ...]
    stop_token_ids: tuple[int, ...]
    ignore_eos: bool
    skip_special_tokens: bool
    logprobs: int | None  # None: off; 0: the chosen token alone; n: the n likeliest as well


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationRequest:
    """One generation to run. ``request_id`` is unique in the process; a client's id is not."""

    request_id: str
    model: str
    prompt: str | tuple[int, ...]  # text, or token ids
    sampling_params: SamplingParams
    priority: int  # 1 runs first


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationPlan:
    """What a request would come to. ``max_output_tokens`` has room beside the prompt."""

    num_prompt_tokens: int
    max_output_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenLogprob:
    """One candidate for a position, with its natural-log probability under the model alone."""

    token_id: int
    text: str
    logprob: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One generated token. ``elapsed_ms`` is counted from the token before it, and for the
    first token from the arrival of the request. ``text`` is the token by itself."""

    token_id: int
    text: str
    elapsed_ms: float
    logprob: float | None  # None unless asked for
    top_logprobs: tuple[TokenLogprob, ...]  # likeliest first, empty unless asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One step of one generation.

    ``text`` is what may be shown now: it can be empty while the bytes of a character or the
    beginning of a stop string are held back. ``token`` is None only where a request ends without
    a new token, because it was cancelled. ``finish_reason`` is set on the last chunk alone.
    """

    token: Token | None
    text: str
    num_prompt_tokens: int
    finish_reason: FinishReason | None
    queue_ms: float | None = None  # from the arrival to the first computed token, if known


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInfo:
    """The facts of a served model that do not need its weights."""

    name: str
    version: str
    platform: str  # `<project>_<format>`, as the Open Inference Protocol writes it
    vocab_size: int
    max_position_embeddings: int
    max_seq_len: int  # most tokens of prompt and output together
    max_iter_times: int  # most tokens of output
    max_prompt_tokens: int
    max_num_seqs: int  # sequences running at once
    max_waiting: int  # requests waiting for them
    eos_token_ids: tuple[int, ...]
    architecture: str
    device: str
    dtype: str
    decoder: str  # native, exact or transformers; as configured until the model is loaded
    is_load_invariant: bool  # whether an answer never depends on what runs beside it


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenizedText:
    """A text as the model reads it. ``offsets`` are [start, end) in characters (Unicode code
    points) of the text for each token, None where the tokenizer cannot tell them."""

    token_ids: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatermarkDetection:
    """How green a text is, of the ``num_tokens`` that were scored (arXiv:2301.10226)."""

    num_tokens: int
    green_fraction: float
    z_score: float
    p_value: float
    is_watermarked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineStats:
    """A snapshot of the engine's load; counts unless said otherwise."""

    num_running: int
    num_waiting: int
    num_kv_tokens: int  # token slots held by running sequences
    num_finished: int
    num_cancelled: int
    num_failed: int
    num_prompt_tokens: int  # of all requests that have left the queue
    num_generated_tokens: int
    num_steps: int
    num_preemptions: int  # of running sequences that were put back to be computed again
    num_reused_tokens: int  # taken over from ended sequences that began alike
    num_drafted_tokens: int  # guessed from the tokens before, and computed
    num_accepted_tokens: int  # of those, found right: each saved a step
    batch_sizes: tuple[tuple[int, int], ...]  # sequences in a step, and how many steps had so many
