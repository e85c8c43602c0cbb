"""The command line: one option for each setting, made from the settings themselves."""

import argparse
from collections.abc import Collection
from typing import Any, NoReturn

from app.settings import Settings

ALIASES = {"model_weight_path": ("--model",)}
EXAMPLES = """\
examples:
  genspec generate "The capital of France is"
  genspec serve --port 8080       then open http://127.0.0.1:8080/ui/
  genspec COMMAND --help          all about one command

Settings come from options, GENSPEC_* variables and a TOML file (--config).
"""
# Titles of the groups in the help; a setting that none names is in the last.
GROUPS = {
    "model": ("model_weight_path", "model_name", "model_version", "max_seq_len", "max_iter_times"),
    "computing": (
        "device",
        "dtype",
        "num_threads",
        "decoder",
        "max_batch_size",
        "max_queue_size",
        "max_prefill_tokens",
    ),
    "watermark": ("watermark_hashing_key", "watermark_greenlist_ratio", "watermark_bias"),
    "log": ("log_level", "log_format", "log_prompts"),
}
LAST_GROUP = "connections and limits"
# What commands without a server show of the settings; they take all of them.
LOCAL_SETTINGS = frozenset({"model_weight_path", "device", "dtype", "num_threads"})
# Fields of the document that ``generate`` takes as options.
BODY_FIELDS = {
    "max_new_tokens": "most tokens to generate",
    "temperature": "how much chance has a say; 0 is none",
    "top_k": "choose among so many tokens; 0 is all",
    "top_p": "choose among the likeliest tokens of this share",
    "seed": "the same seed gives the same text again",
    "repetition_penalty": "above 1 makes repetition less likely",
    "stop": "end before this text",
}
BODY_PREFIX = "body."  # of the names of these options, beside those of the settings


class Parser(argparse.ArgumentParser):
    """Complains in one line that says where to read on."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"genspec: error: {' '.join(message.split())}; see: {self.prog} --help\n")


def make_parser() -> Parser:
    parser = Parser(
        prog="genspec",
        usage="genspec COMMAND ...",
        description="Generate text with a local model, here or as an HTTP server.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", title="commands", prog="genspec"
    )
    _add_generate(commands)
    _add_serve(commands)
    pull = commands.add_parser("pull", help="fetch a known model", description="Fetch a model.")
    pull.add_argument("name", nargs="?", metavar="NAME", help="the default model if not given")
    commands.add_parser(
        "models",
        help="list known models, their sizes and licences",
        description="List known models, their sizes and licences.",
    )
    _add_bench(commands)
    _add_spec(commands)
    return parser


def _add_generate(commands: Any) -> None:
    parser = commands.add_parser(
        "generate",
        help="continue a text, printed as it comes",
        usage='genspec generate "TEXT" [--OPTION VALUE]...',
        description="Continue a text. Every setting of `genspec serve` is an option here too.",
        formatter_class=_Help,
    )
    parser.add_argument(
        "text", nargs="?", metavar="TEXT", help="what to continue; - or nothing: standard input"
    )
    for name, text in BODY_FIELDS.items():
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            dest=BODY_PREFIX + name,
            metavar="VALUE",
            default=argparse.SUPPRESS,
            help=text,
        )
    _add_settings(parser, LOCAL_SETTINGS)


def _add_serve(commands: Any) -> None:
    parser = commands.add_parser(
        "serve",
        help="serve a model over HTTP",
        usage="genspec serve [--config FILE] [--SETTING VALUE]...",
        description="Serve a model; it is fetched first where it is known and not here yet.",
        formatter_class=_Help,
    )
    _add_settings(parser)


def _add_bench(commands: Any) -> None:
    parser = commands.add_parser(
        "bench",
        help="measure how fast a model is on this machine",
        usage="genspec bench [--OPTION VALUE]...",
        description="Measure a model. Every setting of `genspec serve` is an option here too.",
        formatter_class=_Help,
    )
    parser.add_argument(
        "--at-once",
        metavar="N,N...",
        type=_counts,
        default=(1, 8, 16),
        help="numbers of requests at once (default 1,8,16)",
    )
    parser.add_argument(
        "--tokens", metavar="N", type=int, default=64, help="tokens of each (default 64)"
    )
    _add_settings(parser, LOCAL_SETTINGS)


def _add_spec(commands: Any) -> None:
    parser = commands.add_parser(
        "spec",
        help="print the document that would be served",
        usage="genspec spec [--format yaml|json] [--SETTING VALUE]...",
        description="Print the OpenAPI document with the limits of these settings.",
        formatter_class=_Help,
    )
    parser.add_argument(
        "--format", choices=("yaml", "json"), default="yaml", help="how to print it (default yaml)"
    )
    _add_settings(parser)


def _add_settings(parser: argparse.ArgumentParser, shown: Collection[str] | None = None) -> None:
    """An option for each setting; the help has those ``shown``, or all in their groups."""
    parser.add_argument("--config", metavar="FILE", help="TOML file of settings (GENSPEC_CONFIG)")
    groups: dict[str, Any] = {}
    if shown is None:
        groups = {title: parser.add_argument_group(title) for title in (*GROUPS, LAST_GROUP)}
    for name, field in Settings.model_fields.items():
        is_hidden = shown is not None and name not in shown
        groups.get(_group(name), parser).add_argument(
            *ALIASES.get(name, ()),
            f"--{name.replace('_', '-')}",
            dest=name,
            metavar="VALUE",
            default=argparse.SUPPRESS,
            help=argparse.SUPPRESS
            if is_hidden
            else f"{field.description}{_default(field.default)}",
        )


def _group(name: str) -> str:
    return next((title for title, names in GROUPS.items() if name in names), LAST_GROUP)


def _default(value: Any) -> str:
    shown = ",".join(value) if isinstance(value, tuple) else value
    shown = str(shown).lower() if isinstance(shown, bool) else shown
    return "" if shown in (None, "") else f" (default {shown})"


def _counts(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.isascii() and part.isdecimal() and 0 < int(part) for part in parts):
        raise argparse.ArgumentTypeError("must be numbers above 0 with commas between")
    return tuple(int(part) for part in parts)


class _Help(argparse.HelpFormatter):
    """Room for the longest of the options beside their meaning."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=36)
