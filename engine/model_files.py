"""Looks at the files of a model directory before anything heavy is made of them.

What libraries say of a damaged file names neither the file nor, often, what is wrong.
"""

import json
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from engine.errors import ModelLoadError

_WEIGHTS = "model.safetensors"
_INDEX = "model.safetensors.index.json"
_PICKLED = "pytorch_model.bin"
_JSON_FILES = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", _INDEX)
_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")
_DAMAGED = "download or copy it again"


def check_files(directory: Path, *, allow_pickles: bool) -> None:
    """Raises ModelLoadError, naming the first file that is not there, not readable or damaged."""
    for name in _JSON_FILES:
        if _is_there(directory / name):
            _read_json(directory / name)
    pickles = _pickled_weights(directory)
    if pickles and not allow_pickles:
        raise ModelLoadError(
            f"its weights are pickles ({pickles[0]}), which can run code when read: convert"
            " them to safetensors, or set allow_pickles=true if you trust who made them"
        )
    for name in [] if pickles else _weight_files(directory):
        _check_weights(directory / name)


def files_of(directory: Path) -> list[Path]:
    """The files that a model is made of: whatever of its configuration and weights is there, and
    whatever an index of weights names, wherever that lies."""
    names = {"config.json", _WEIGHTS, _PICKLED}
    for index in (_INDEX, f"{_PICKLED}.index.json"):
        names |= {index, *_named_in(directory / index)}
    return sorted(path for name in names if (path := directory / name).is_file())


def _named_in(index: Path) -> set[str]:
    """Nothing where it is not there or damaged: whether that matters is for who loads the model."""
    try:
        weight_map = _read_json(index).get("weight_map")
    except ModelLoadError:
        return set()
    return set(map(str, weight_map.values())) if isinstance(weight_map, dict) else set()


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()  # also a link to nothing


def _pickled_weights(directory: Path) -> list[str]:
    """Names of pickles, where there is nothing else to load."""
    names = {path.name for path in directory.iterdir()}
    if any(name.endswith((".safetensors", _INDEX)) for name in names):
        return []
    return sorted(name for name in names if name.endswith(_PICKLES))


def _weight_files(directory: Path) -> list[str]:
    if not _is_there(directory / _INDEX):
        return [_WEIGHTS]
    weight_map = _read_json(directory / _INDEX).get("weight_map")
    if not isinstance(weight_map, dict):
        raise ModelLoadError(f"{_INDEX} of {directory} has no weight_map")
    return sorted({str(name) for name in weight_map.values()})


def _check_weights(path: Path) -> None:
    """The header says how long the file has to be, so that one cut short shows here."""
    try:
        path.open("rb").close()
        with safe_open(path, framework="np"):
            pass
    except OSError as error:
        raise _unreadable(path, error) from None
    except SafetensorError as error:
        raise ModelLoadError(f"{path} is damaged or cut short ({error}): {_DAMAGED}") from None


def _read_json(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise _unreadable(path, error) from None
    except ValueError as error:
        raise ModelLoadError(f"{path} is damaged or cut short ({error}): {_DAMAGED}") from None
    return document if isinstance(document, dict) else {}


def _unreadable(path: Path, error: OSError) -> ModelLoadError:
    return ModelLoadError(f"{path} cannot be read: {error.strerror}")
