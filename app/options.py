"""The command line: what each command takes."""

import argparse
from typing import Any, NoReturn

from app.mock_options import add_mock, positive
from app.setting_options import Help, add_settings

EXAMPLES = """\
examples:
  genspec generate "The capital of France is"
  genspec serve --port 8080       then open http://127.0.0.1:8080/

Settings come from options, GENSPEC_* variables and a TOML file (--config).
"""
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
        usage="genspec COMMAND ...     (all about one: genspec COMMAND --help)",
        description="Generate text with a local model, here or as an HTTP server.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
    )
    # Whoever reads the help knows of it: its lines are for the commands.
    parser.add_argument("-h", "--help", action="help", help=argparse.SUPPRESS)
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", title="commands", prog="genspec"
    )
    _add_generate(commands)
    _add_serve(commands)
    add_mock(commands)
    pull = commands.add_parser("pull", help="fetch a known model", description="Fetch a model.")
    pull.add_argument("name", nargs="?", metavar="NAME", help="the default model if not given")
    commands.add_parser(
        "models",
        help="list known models, their sizes and licences",
        description="List known models, their sizes and licences.",
    )
    _add_bench(commands)
    _add_spec(commands)
    _add_keys(commands)
    _add_conform(commands)
    return parser


def _add_generate(commands: Any) -> None:
    parser = commands.add_parser(
        "generate",
        help="continue a text, printed as it comes",
        usage='genspec generate "TEXT" [--OPTION VALUE]...',
        description="Continue a text. Every setting of `genspec serve` is an option here too.",
        formatter_class=Help,
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
    add_settings(parser, LOCAL_SETTINGS)


def _add_serve(commands: Any) -> None:
    parser = commands.add_parser(
        "serve",
        help="serve a model over HTTP",
        usage="genspec serve [--config FILE] [--SETTING VALUE]...",
        description="Serve a model; it is fetched first where it is known and not here yet.",
        formatter_class=Help,
    )
    add_settings(parser)


def _add_bench(commands: Any) -> None:
    parser = commands.add_parser(
        "bench",
        help="measure how fast a model is on this machine",
        usage="genspec bench [--OPTION VALUE]...",
        description="Measure a model. Every setting of `genspec serve` is an option here too.",
        formatter_class=Help,
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
    add_settings(parser, LOCAL_SETTINGS)


def _add_spec(commands: Any) -> None:
    parser = commands.add_parser(
        "spec",
        help="print the document that would be served",
        usage="genspec spec [--format yaml|json] [--SETTING VALUE]...",
        description="Print the OpenAPI document with the limits of these settings.",
        formatter_class=Help,
    )
    parser.add_argument(
        "--format", choices=("yaml", "json"), default="yaml", help="how to print it (default yaml)"
    )
    add_settings(parser)


def _add_conform(commands: Any) -> None:
    parser = commands.add_parser(
        "conform",
        help="compare any server of this interface with the contract",
        usage="genspec conform URL [--OPTION VALUE]...",
        description="Ask a server, and print how it differs: status 0 where it does not, else 1.",
        formatter_class=Help,
    )
    parser.add_argument("url", metavar="URL", help="of the server, as http://127.0.0.1:8000")
    parser.add_argument("--model", metavar="NAME", help="asked of the server's document if not set")
    parser.add_argument("--api-key", metavar="KEY", help="or GENSPEC_API_KEY, if one is needed")
    parser.add_argument(
        "--format",
        choices=("text", "json", "junit", "html"),
        default="text",
        help="how to print the differences (default text)",
    )
    parser.add_argument(
        "--timeout", metavar="N", type=positive, default=60, help="seconds an answer (default 60)"
    )


def _add_keys(commands: Any) -> None:
    parser = commands.add_parser(
        "keys",
        help="make, list and remove API keys",
        usage="genspec keys ACTION [NAME] --api-keys-file FILE",
        description="Change the file of API keys. A new key is shown once; the file has its hash.",
        formatter_class=Help,
    )
    parser.add_argument("action", choices=("add", "list", "remove"), help="add, list or remove")
    parser.add_argument("name", nargs="?", metavar="NAME", help="of the key, as the log has it")
    for name in ("concurrency", "requests_per_minute"):
        text = f"most of the new key, instead of key_{name}"
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, metavar="N", default=argparse.SUPPRESS, help=text)
    add_settings(parser, {"api_keys_file"})


def _counts(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.isascii() and part.isdecimal() and 0 < int(part) for part in parts):
        raise argparse.ArgumentTypeError("must be numbers above 0 with commas between")
    return tuple(int(part) for part in parts)
