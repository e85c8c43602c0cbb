"""Everything the engine can refuse or fail with: a closed, picklable set that knows no HTTP.

Each class carries only its message, which is safe to show to a client: no paths, no class
names, no echo of the prompt.
"""

NOT_READY = "the model is not ready"
SHUTTING_DOWN = "the server is shutting down"


class EngineError(Exception):
    """Base of every error that crosses the engine's boundary."""


class InvalidRequestError(EngineError):
    """The request can never be served as it is, for example a prompt that is too long.

    ``field`` is the dotted name of the offending field as the client wrote it.
    """

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(field, problem)
        self.field = field
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.field}: {self.problem}"


class ModelNotFoundError(EngineError):
    """No model of that name or version is served here."""


class EngineOverloadedError(EngineError):
    """The queue is full; try again after ``retry_after`` seconds."""

    def __init__(self, problem: str, retry_after: int) -> None:
        super().__init__(problem, retry_after)
        self.problem = problem
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.problem


class EngineUnavailableError(EngineError):
    """The engine is not loaded yet, is shutting down, or has died."""


class GenerationError(EngineError):
    """The model failed on this request alone, for example with non-finite logits."""


class RequestTimeoutError(EngineError):
    """The time limit of the request, or of the server, passed before an answer."""


class ModelLoadError(EngineError):
    """The model directory cannot be served; raised by ``Engine.start`` only."""
