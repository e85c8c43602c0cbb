"""Packed weights on disk, beside the model they were made from, so that a start need not make them
again: they are mapped, not read, and processes with the same model share them in memory."""

import hashlib
import json
import logging
import os
import tempfile
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from engine.native import abi
from engine.packing import PackedWeights

logger = logging.getLogger(__name__)

_FOLDER = ".genspec"
_FORMAT = 4  # of the file; another one makes other names
_CHUNK_BYTES = 1 << 22


class PackedStore:
    """The packed weights of one model directory, under a key made of all that they depend on.

    ``dtype``, "int8" or "float32", is what they compute as; one file is kept of each.
    """

    def __init__(self, model_path: Path, dtype: str, max_positions: int) -> None:
        key = hashlib.sha256(f"{_FORMAT} {abi.PANEL} {max_positions}".encode())
        weights = (*model_path.glob("*.safetensors"), *model_path.glob("*.bin"))
        for path in sorted([*weights, model_path / "config.json"]):
            key.update(path.name.encode())
            with path.open("rb") as file:
                while chunk := file.read(_CHUNK_BYTES):
                    key.update(chunk)
        self._prefix = f"{dtype}-"
        name = f"{self._prefix}{key.hexdigest()[:32]}.safetensors"
        self._path = model_path / _FOLDER / name

    def load(self) -> PackedWeights | None:
        """The weights, or None where they are not there or cannot be read."""
        try:
            with safe_open(self._path, framework="pt") as file:
                sizes = json.loads(file.metadata()["sizes"])
                tensors = {name: file.get_tensor(name) for name in file.keys()}
        except (OSError, SafetensorError, KeyError, TypeError, ValueError):
            return None
        return PackedWeights(sizes, tensors)

    def save(self, weights: PackedWeights) -> None:
        """Write the weights whole or not at all. A directory that cannot be written is no fault."""
        temporary = None
        try:
            self._path.parent.mkdir(exist_ok=True)
            for stale in self._path.parent.glob(f"{self._prefix}*"):
                stale.unlink()
            handle, temporary = tempfile.mkstemp(prefix=self._prefix, dir=self._path.parent)
            os.close(handle)
            tensors = {name: tensor.contiguous() for name, tensor in weights.tensors.items()}
            save_file(tensors, temporary, metadata={"sizes": json.dumps(weights.sizes)})
            os.replace(temporary, self._path)
        except (OSError, SafetensorError) as error:
            logger.warning("the packed weights are not kept, and will be made again: %s", error)
            if temporary is not None:
                Path(temporary).unlink(missing_ok=True)
