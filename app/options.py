"""The command line: one option for each setting, made from the settings themselves."""

import argparse
from typing import Any

from app.settings import Settings

USAGE = "genspec {} [--config FILE] [--SETTING VALUE]..."
ALIASES = {"model_weight_path": ("--model",)}


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="genspec", description="Serve text generation.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    serve = commands.add_parser(
        "serve", help="serve a model", usage=USAGE.format("serve"), formatter_class=_WideHelp
    )
    _add_settings(serve)
    pull = commands.add_parser("pull", help="fetch a known model")
    pull.add_argument("name", nargs="?", metavar="NAME", help="the default model if not given")
    spec = commands.add_parser(
        "spec",
        help="print the document that would be served",
        usage=USAGE.format("spec [--format yaml|json]"),
        formatter_class=_WideHelp,
    )
    spec.add_argument(
        "--format", choices=("yaml", "json"), default="yaml", help="how to print it (default yaml)"
    )
    _add_settings(spec)
    return parser


def _add_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", help="TOML file of settings (GENSPEC_CONFIG)")
    for name, field in Settings.model_fields.items():
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            *ALIASES.get(name, ()),
            dest=name,
            metavar="VALUE",
            default=argparse.SUPPRESS,
            help=f"{field.description}{_default(field.default)}",
        )


def _default(value: Any) -> str:
    shown = ",".join(value) if isinstance(value, tuple) else value
    return "" if shown in (None, "") else f" (default {shown})"


class _WideHelp(argparse.HelpFormatter):
    """One line for each option, whatever the width of the terminal."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=46, width=160)
