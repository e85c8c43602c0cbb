"""The commands of ``genspec``."""

import asyncio
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from app.body import InvalidBodyError
from app.command_settings import read_settings, sources
from app.console.output import FULL_DISK, print_no_more
from app.deployment import folded_document, make_engine, make_mock
from app.docs import to_json, to_yaml
from app.document import load_document
from app.exposure import check_exposure
from app.options import BODY_PREFIX, make_parser
from app.pace import Pace
from app.settings import Settings, SettingsError
from engine import Engine, EngineError
from engine.hub import HubError, models_home, pull, resolve

EXIT_FAILURE = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status. Failures are one line on stderr."""
    # Threads that spin while they wait for work slow down everything else on a shared machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    options = vars(make_parser().parse_args(arguments))
    command = COMMANDS[options.pop("command")]
    given = sources(options)  # before the command takes any of them
    try:
        status = command(options)
        if sys.stdout is not None:  # as in a process that was started without one
            sys.stdout.flush()
        return status
    except SettingsError as exc:
        return _fail(given.explain(str(exc)), EXIT_USAGE)
    except InvalidBodyError as exc:
        return _fail(str(exc), EXIT_USAGE)
    except (HubError, EngineError) as exc:
        return _fail(str(exc), EXIT_FAILURE)
    except BrokenPipeError:  # whoever reads what we print has seen enough
        print_no_more()
        return EXIT_FAILURE
    except OSError as exc:
        if exc.errno not in FULL_DISK:
            raise
        print_no_more()
        return _fail(f"cannot write: {exc.strerror}", EXIT_FAILURE)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _serve(options: dict[str, Any]) -> int:
    settings = read_settings(options, logs=True)
    check_exposure(settings)
    return _run(settings, make_engine(settings, _model_path(settings, may_pull=True)))


def _mock(options: dict[str, Any]) -> int:
    pace = Pace(**{name: options.pop(name) for name in Pace.__slots__})
    settings = read_settings(options, logs=True)
    check_exposure(settings)
    return _run(settings, make_mock(settings, pace))


def _run(settings: Settings, engine: Engine) -> int:
    """Serve until a signal."""
    from app.console.session import working
    from app.lifecycle import Lifecycle
    from app.run import run
    from app.server import create_app
    from app.telemetry.traces import make_tracing

    tracing = make_tracing(load_document()["info"]["version"])
    lifecycle = Lifecycle(engine)
    if settings.log_format != "json":
        lifecycle.show_loading = partial(working, f"Loading {engine.models()[0].name}")
    failure = run(settings, create_app(settings, engine, lifecycle, tracing), lifecycle)
    if tracing is not None:
        tracing.shutdown()
    status = 0
    if failure is not None:
        status = _fail(f"the model cannot be served: {failure}", EXIT_FAILURE)
    if lifecycle.is_stuck:
        sys.stderr.flush()
        os._exit(status)  # the usual end would wait for the threads that do not
    return status


def _generate(options: dict[str, Any]) -> int:
    from app.console.generate import generate, to_body

    text = options.pop("text")
    names = [name for name in options if name.startswith(BODY_PREFIX)]
    fields = {name.removeprefix(BODY_PREFIX): options.pop(name) for name in names}
    settings, engine = _local(options)
    body = to_body(_standard_input() if text in (None, "-") else text, fields)
    asyncio.run(generate(settings, engine, body))
    return 0


def _bench(options: dict[str, Any]) -> int:
    from app.console.bench import bench

    levels, tokens = options.pop("at_once"), options.pop("tokens")
    settings, engine = _local(options)
    asyncio.run(bench(settings, engine, levels, tokens))
    return 0


def _models(_options: dict[str, Any]) -> int:
    from app.console.models import print_models

    print_models()
    return 0


def _pull(options: dict[str, Any]) -> int:
    name = options["name"] or Settings.model_fields["model_weight_path"].default
    print(pull(name))
    return 0


def _spec(options: dict[str, Any]) -> int:
    write = to_yaml if options.pop("format") == "yaml" else to_json
    settings = read_settings(options)
    engine = make_engine(settings, _model_path(settings, may_pull=False))
    sys.stdout.write(write(folded_document(settings, engine.models())))
    return 0


def _keys(options: dict[str, Any]) -> int:
    from app.console.keys import change_keys

    action, name = options.pop("action"), options.pop("name")
    given = {"concurrency", "requests_per_minute"} & options.keys()
    limits = {limit: options.pop(limit) for limit in given}
    change_keys(read_settings(options), action, name, limits)
    return 0


def _conform(options: dict[str, Any]) -> int:
    from app.conform.report import FORMATS
    from app.conform.run import conform
    from app.conform.target import Target

    key = options["api_key"] or os.environ.get("GENSPEC_API_KEY")
    report = conform(Target(options["url"], key, options["timeout"]), options["model"])
    sys.stdout.write(FORMATS[options["format"]](report))
    return EXIT_FAILURE if report.differences else 0


def _local(options: dict[str, Any]) -> tuple[Settings, Engine]:
    """What a command without a server works with; the engine is not started yet."""
    settings = read_settings(options)
    return settings, make_engine(settings, _model_path(settings, may_pull=True))


def _standard_input() -> str:
    if sys.stdin.isatty():
        print("Type the text to continue, then Ctrl-D on a line of its own:", file=sys.stderr)
    # A text is continued where it ends: the line's own end is not a part of it.
    return sys.stdin.read().removesuffix("\n")


def _model_path(settings: Settings, *, may_pull: bool) -> Path:
    """The model's directory. Raises SettingsError, or HubError where it cannot be fetched."""
    name = settings.model_weight_path
    try:
        found = resolve(name, models_home())
    except HubError as exc:
        raise SettingsError(f"model_weight_path: {exc}; see: genspec models") from None
    if found is None and not may_pull:
        raise SettingsError(f"model_weight_path: {name} is not here yet; run: genspec pull {name}")
    return found or pull(name)


def _fail(message: str, status: int) -> int:
    print(f"genspec: error: {' '.join(message.split())}", file=sys.stderr)
    return status


COMMANDS: Mapping[str, Callable[[dict[str, Any]], int]] = {
    "generate": _generate,
    "serve": _serve,
    "mock": _mock,
    "pull": _pull,
    "models": _models,
    "bench": _bench,
    "spec": _spec,
    "keys": _keys,
    "conform": _conform,
}
