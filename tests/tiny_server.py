"""The application in front of a real engine with a tiny random model, over real sockets."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import httpx

from engine import EngineConfig, LocalEngine, WatermarkConfig
from tests.fake_engine import FakeEngine
from tests.live_server import LiveServer, serving
from tests.streams import parse_frame

MODEL_URL = "/v2/models/tiny"
MAX_PROMPT_TOKENS = 128
VOCAB_SIZE = 400
PROMPT = "The capital of France is"


@dataclass
class TinyServer:
    """A server and a client of it."""

    live: LiveServer
    client: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        limits = httpx.Limits(max_connections=None)
        self.client = httpx.Client(
            base_url=f"http://127.0.0.1:{self.live.port}", timeout=60, limits=limits
        )

    def post(self, operation: str, body: Any, **headers: str) -> httpx.Response:
        """Bytes are sent as they are, anything else as JSON."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.post(f"{MODEL_URL}/{operation}", content=content, headers=headers)

    def generate(self, **body: Any) -> Any:
        """The answer to a prompt, which has details unless asked otherwise."""
        return self._ok("generate", body).json()

    def text(self, **parameters: Any) -> str:
        text: str = self.generate(parameters=parameters)["text_output"]
        return text

    def events(self, **body: Any) -> list[Any]:
        """The events of the same as a stream."""
        raw = self._ok("generate_stream", body).content
        assert raw.endswith(b"\n\n")
        return [parse_frame(frame + b"\n\n") for frame in raw.split(b"\n\n")[:-1]]

    def stats(self) -> Any:
        return self.client.get(f"{MODEL_URL}/stats").json()["model_stats"][0]

    def statuses(self, body: Any, **headers: str) -> list[int]:
        """Of generate and of generate_stream; every refusal has the one shape."""
        replies = [self.post(name, body, **headers) for name in ("generate", "generate_stream")]
        for reply in replies:
            if reply.status_code != 200:
                assert reply.headers["content-type"] == "application/json"
                assert reply.json().keys() == {"error", "error_type"}
        return [reply.status_code for reply in replies]

    def is_alive(self) -> bool:
        """Whether a plain request and the liveness probe are answered."""
        generated = self.post("generate", {"text_input": "a", "parameters": {"max_new_tokens": 1}})
        live = self.client.get("/v2/health/live")
        return (generated.status_code, live.status_code) == (200, 200)

    def is_idle(self) -> bool:
        stats = self.stats()
        return not (stats["num_running"] or stats["num_waiting"] or stats["num_kv_tokens"])

    def _ok(self, operation: str, body: dict[str, Any]) -> httpx.Response:
        body = {"text_input": PROMPT, **body}
        body["parameters"] = {"details": True, **body.get("parameters", {})}
        reply = self.post(operation, body)
        assert reply.status_code == 200, reply.text
        return reply


@contextmanager
def tiny_server(model_path: Path, max_batch: int = 8, max_queue: int = 64) -> Iterator[TinyServer]:
    """Serve the model of ``save_model``."""
    config = EngineConfig(
        model_path=model_path,
        model_name="tiny",
        model_version="1",
        max_seq_len=256,
        max_iter_times=128,
        max_num_seqs=max_batch,
        max_num_batched_tokens=32,
        max_waiting=max_queue,
        max_waiting_tokens=1_000_000,
        step_timeout=60,
        max_kv_tokens=None,
        kv_memory_fraction=0.5,
        max_prefix_tokens=0,
        max_draft_tokens=0,
        device="cpu",
        dtype="float32",
        num_threads=1,
        decoder="auto",
        allow_pickles=False,
        watermark=WatermarkConfig(hashing_key=7, greenlist_ratio=0.5, bias=4.0),
    )
    # The server needs no more of an engine than the protocol that both keep.
    engine = cast(FakeEngine, LocalEngine(config))
    with serving(engine, max_seq_len=256, max_iter_times=128) as live:
        server = TinyServer(live)
        with server.client:
            while server.client.get("/v2/health/ready").status_code != 200:
                assert live.lifecycle.failure is None
            yield server
