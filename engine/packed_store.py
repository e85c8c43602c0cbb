"""Packed weights on disk, beside the model they were made from, so that a start need not make them
again: they are mapped, not read, and processes with the same model share them in memory."""

import hashlib
import json
import logging
import os
import shutil
import tempfile
import time
from functools import cached_property
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from engine.model_files import files_of
from engine.native import abi
from engine.packing import PackedWeights

logger = logging.getLogger(__name__)

_FOLDER = ".genspec"
_FORMAT = 4  # of the file; another one makes other names
_CHUNK_BYTES = 1 << 22
_PART = ".part"
_ABANDONED = 24 * 60 * 60  # seconds after which whoever wrote a part has died


class PackedStore:
    """The packed weights of one model directory, under a key made of all that they depend on.

    ``dtype``, "int8" or "float32", is what they compute as; one file is kept of each.
    """

    def __init__(self, model_path: Path, dtype: str, max_positions: int) -> None:
        self._model_path = model_path
        self._folder = model_path / _FOLDER
        self._pattern = f"{dtype}-*.safetensors"
        self._max_positions = max_positions

    @cached_property
    def _path(self) -> Path:
        """Takes as long as it takes to read the model."""
        key = hashlib.sha256(f"{_FORMAT} {abi.PANEL} {self._max_positions}".encode())
        for path in files_of(self._model_path):
            key.update(os.path.relpath(path, self._model_path).encode())
            with path.open("rb") as file:
                while chunk := file.read(_CHUNK_BYTES):
                    key.update(chunk)
        return self._folder / self._pattern.replace("*", key.hexdigest()[:32])

    def load(self) -> PackedWeights | None:
        """The weights, or None where they are not there or cannot be read."""
        if not any(self._folder.glob(self._pattern)):
            return None
        try:
            with safe_open(self._path, framework="pt") as file:
                sizes = json.loads(file.metadata()["sizes"])
                tensors = {name: file.get_tensor(name) for name in file.keys()}
        except (OSError, SafetensorError, RuntimeError, KeyError, TypeError, ValueError):
            # RuntimeError: another process has put a newer one in its place in this moment.
            return None
        return PackedWeights(sizes, tensors)

    def save(self, weights: PackedWeights) -> None:
        """Write the weights whole or not at all. A directory that cannot be written is no fault."""
        temporary = None
        try:
            self._folder.mkdir(exist_ok=True)
            handle, temporary = tempfile.mkstemp(suffix=_PART, dir=self._folder)
            os.close(handle)
            tensors = {name: tensor.contiguous() for name, tensor in weights.tensors.items()}
            save_file(tensors, temporary, metadata={"sizes": json.dumps(weights.sizes)})
            # Who may read the model may read this too.
            shutil.copymode(self._model_path / "config.json", temporary)
            os.replace(temporary, self._path)
            self._remove_stale()
        except (OSError, SafetensorError, RuntimeError) as error:  # the last: tensors that overlap
            logger.warning("the packed weights are not kept, and will be made again: %s", error)
            if temporary is not None:
                Path(temporary).unlink(missing_ok=True)

    def _remove_stale(self) -> None:
        abandoned = time.time() - _ABANDONED
        for path in self._folder.iterdir():
            is_old = path.match(self._pattern) and path != self._path
            if is_old or (path.suffix == _PART and path.stat().st_mtime < abandoned):
                path.unlink(missing_ok=True)
