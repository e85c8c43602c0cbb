"""Ray: processes for replicas, and calls into them. The only module that imports it.

What blocks, for seconds where Ray starts or ends, is done by a thread of its own.
"""

import logging
import os
import subprocess
import sys
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from engine.errors import ModelLoadError
from engine.replicas.folder import environment, is_alive, make_folder, servers, start_reaper
from engine.replicas.host import ReplicaConfig, ReplicaProcess

logger = logging.getLogger(__name__)

if TYPE_CHECKING:
    import psutil

T = TypeVar("T")

_OBJECT_STORE_BYTES = 80 * 2**20  # a little over the least; only texts of 100 kB and more use it
_CALLS_AT_ONCE = 10_000  # of one replica; what may wait there is bounded by its engine
_END_SECONDS = 10.0  # that the reaper gets
_NAMESPACE = "genspec"


class ReplicaLostError(Exception):
    """The process of the replica, or its engine, has ended or does not answer any more."""


def is_ray_installed() -> bool:
    return find_spec("ray") is not None


class Cluster:
    """A Ray of our own on this machine, or with ``address`` one that runs already.

    All is done by one thread, which lasts as long as the cluster: Linux ends the processes of Ray
    when the thread that started them ends.
    """

    def __init__(self, address: str | None) -> None:
        self._address = address
        self._folder: Path | None = None
        self._reaper: subprocess.Popen[bytes] | None = None
        self._servers: list[psutil.Process] = []
        self.thread = ThreadPoolExecutor(1, thread_name_prefix="genspec-ray")

    def start(self) -> None:
        """Raises ModelLoadError."""
        os.environ["RAY_ENABLE_AUTO_CONNECT"] = "0"  # a late call must not start another Ray
        if self._address is None:
            self._folder = make_folder()
            os.environ.update(environment(self._folder))
            self._reaper = start_reaper(self._folder)
        import ray
        from ray._private import worker

        # Its news of lost processes, which are told by us, would go to standard output.
        worker.print_to_stdstream = lambda *_, **__: None
        try:
            ray.init(
                **self._options(),
                namespace=_NAMESPACE,
                log_to_driver=False,
                logging_level=logging.CRITICAL,  # what fails is raised
            )
        except Exception as exc:
            raise ModelLoadError(f"Ray cannot be used: {type(exc).__name__}: {exc}") from exc
        if self._folder is not None:
            self._servers = servers(self._folder)

    def has_ended(self) -> bool:
        """Whether no replica can be had any more; of a Ray that is not ours nobody knows."""
        return not all(map(is_alive, self._servers))

    def begin(self, config: ReplicaConfig, num_replicas: int) -> Any:
        """A replica in a process of its own, by its handle; nothing is loaded yet."""
        import ray

        num_nodes = sum(node["Alive"] for node in ray.nodes())
        num_gpus = ray.cluster_resources().get("GPU", 0.0)
        options = {
            "num_cpus": 0,  # Ray's own bookkeeping must not keep a replica from being placed
            "num_gpus": _share(num_gpus, num_replicas) if _may_use_gpu(config) else 0,
            "max_concurrency": _CALLS_AT_ONCE,
            "max_restarts": 0,  # a new one is begun by us
            "scheduling_strategy": "SPREAD",
        }
        num_sharing = -(-num_replicas // max(1, num_nodes))
        return ray.remote(ReplicaProcess).options(**options).remote(config, num_sharing)

    def end(self, handle: Any) -> None:
        """Kill a replica, whatever it does."""
        import ray

        try:
            ray.kill(handle)
        except Exception as exc:  # Ray itself has ended
            logger.debug("a replica could not be killed: %s", exc)

    @staticmethod
    async def answer(reference: Awaitable[T]) -> T:
        """What a call into a replica gave. Raises ReplicaLostError."""
        from ray.exceptions import RayError, RayTaskError

        try:
            return await reference
        except RayTaskError:  # a fault of ours
            raise
        except RayError as exc:
            raise ReplicaLostError(f"its process has ended ({type(exc).__name__})") from exc

    def stop(self) -> None:
        """End Ray where it is ours, else leave it; no process of ours stays."""
        if "ray" in sys.modules:
            sys.modules["ray"].shutdown()
        if self._reaper is not None and self._reaper.stdin is not None:
            self._reaper.stdin.close()
            with suppress(subprocess.TimeoutExpired):  # it goes on by itself
                self._reaper.wait(_END_SECONDS)

    def _options(self) -> dict[str, Any]:
        if self._folder is None:
            return {"address": self._address}
        return {
            "address": "local",
            "num_cpus": 0,  # no processes in advance
            "include_dashboard": False,
            "object_store_memory": _OBJECT_STORE_BYTES,
            "_temp_dir": str(self._folder),
            "_node_ip_address": "127.0.0.1",
        }


def _may_use_gpu(config: ReplicaConfig) -> bool:
    return getattr(config, "device", "cpu") != "cpu"


def _share(num_gpus: float, num_replicas: int) -> float:
    """GPUs of one replica: whole ones, or a part of one that several share."""
    share = num_gpus / num_replicas
    return float(int(share)) if share >= 1 else share
