"""Options of the command line for settings: one each, made from the settings themselves."""

import argparse
from collections.abc import Collection
from typing import Any

from app.replica_settings import ReplicaSettings
from app.security_settings import SecuritySettings
from app.settings import Settings

ALIASES = {"model_weight_path": ("--model",)}
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
        "max_queue_tokens",
        "max_prefill_tokens",
        "max_chunk_tokens",
        "max_draft_tokens",
    ),
    "replicas": tuple(ReplicaSettings.model_fields),
    "watermark": ("watermark_hashing_key", "watermark_greenlist_ratio", "watermark_bias"),
    "security": tuple(SecuritySettings.model_fields),
    "log": ("log_level", "log_format", "log_prompts"),
}
LAST_GROUP = "connections and limits"


def add_settings(parser: argparse.ArgumentParser, shown: Collection[str] | None = None) -> None:
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


class Help(argparse.HelpFormatter):
    """Room for the longest of the options beside their meaning."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=36)
