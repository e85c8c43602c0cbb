"""``genspec serve``, ``genspec pull`` and ``genspec spec``."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from app.deployment import folded_document, make_engine
from app.docs import to_json, to_yaml
from app.document import load_document
from app.lifecycle import Lifecycle
from app.options import make_parser
from app.run import run
from app.server import create_app
from app.settings import Settings, SettingsError, load_settings
from app.telemetry.traces import make_tracing
from engine import ModelLoadError
from engine.hub import HubError, models_home, pull, resolve

EXIT_FAILURE = 1
EXIT_USAGE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. Failures are one line on stderr."""
    # Threads that spin while they wait for work slow down everything else on a shared machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    options = vars(make_parser().parse_args(arguments))
    command = COMMANDS[options.pop("command")]
    try:
        return command(options)
    except SettingsError as exc:
        return _fail(str(exc), EXIT_USAGE)
    except (HubError, ModelLoadError) as exc:
        return _fail(str(exc), EXIT_FAILURE)
    except KeyboardInterrupt:
        return 130


def _serve(options: dict[str, Any]) -> int:
    settings = _settings(options)
    engine = make_engine(settings, _model_path(settings, may_pull=True))
    lifecycle = Lifecycle(engine)
    tracing = make_tracing(load_document()["info"]["version"])
    failure = run(settings, create_app(settings, engine, lifecycle, tracing), lifecycle)
    if tracing is not None:
        tracing.shutdown()
    if failure is not None:
        return _fail(f"the model cannot be served: {failure}", EXIT_FAILURE)
    return 0


def _pull(options: dict[str, Any]) -> int:
    name = options["name"] or Settings.model_fields["model_weight_path"].default
    print(pull(name))
    return 0


def _spec(options: dict[str, Any]) -> int:
    write = to_yaml if options.pop("format") == "yaml" else to_json
    settings = _settings(options)
    engine = make_engine(settings, _model_path(settings, may_pull=False))
    sys.stdout.write(write(folded_document(settings, engine.models())))
    return 0


def _settings(options: dict[str, Any]) -> Settings:
    config = options.pop("config", None) or os.environ.get("GENSPEC_CONFIG")
    return load_settings(options, Path(config) if config else None)


def _model_path(settings: Settings, *, may_pull: bool) -> Path:
    """The model's directory. Raises SettingsError, or HubError where it cannot be fetched."""
    name = settings.model_weight_path
    try:
        found = resolve(name, models_home())
    except HubError as exc:
        raise SettingsError(f"model_weight_path: {exc}") from None
    if found is None and not may_pull:
        raise SettingsError(f"model_weight_path: {name} is not here yet; run: genspec pull {name}")
    return found or pull(name)


def _fail(message: str, status: int) -> int:
    print(f"genspec: error: {' '.join(message.split())}", file=sys.stderr)
    return status


COMMANDS: Mapping[str, Callable[[dict[str, Any]], int]] = {
    "serve": _serve,
    "pull": _pull,
    "spec": _spec,
}
