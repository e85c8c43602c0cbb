"""The command line of ``genspec mock``."""

import argparse
from typing import Any

from app.setting_options import Help, add_settings

# What it makes of the mock's speed, in the names of app.pace.
PACE = {
    "tokens_per_second": (50.0, "tokens of output a second"),
    "prompt_tokens_per_second": (2000.0, "tokens of a prompt a second"),
    "load_seconds": (0.0, "seconds until it is ready"),
}
SETTINGS = frozenset(
    {
        *("host", "port", "model_name", "model_version", "max_seq_len", "max_iter_times"),
        *("max_batch_size", "max_queue_size", "request_timeout", "api_keys_file", "cors_origins"),
    }
)
DESCRIPTION = """\
Serve filler text with the whole interface and no model.
Every setting of `genspec serve` is an option here too.

A prompt asks for a fault with [mock: FAULT], or after N tokens with
[mock: FAULT after N]:
  failure (424), overloaded (429), unavailable (503), timeout (408),
  crash (500), hang (no answer until a time limit)
"""


class MockHelp(Help, argparse.RawDescriptionHelpFormatter):
    """With the lines of the description as they are."""


def add_mock(commands: Any) -> None:
    parser = commands.add_parser(
        "mock",
        help="serve filler text without a model, for developers of clients",
        usage="genspec mock [--OPTION VALUE]...",
        description=DESCRIPTION,
        formatter_class=MockHelp,
    )
    for name, (default, text) in PACE.items():
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            metavar="N",
            type=_not_negative if name == "load_seconds" else positive,
            default=default,
            help=f"{text} (default {default:g})",
        )
    add_settings(parser, SETTINGS)


def positive(text: str) -> float:
    """Of an option. Raises ArgumentTypeError."""
    number = _not_negative(text)
    if not number:
        raise argparse.ArgumentTypeError("must be greater than 0")
    return number


def _not_negative(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError("must be a number") from None
    if not 0 <= number < float("inf"):
        raise argparse.ArgumentTypeError("must be a number of at least 0")
    return number
