"""``genspec models``: what can be served by name, and what is here already."""

from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.settings import Settings
from engine.hub import KNOWN_MODELS, models_home, resolve


def print_models() -> None:
    """Known models, each with the disk space that it takes, or that fetching it needs."""
    home = models_home()
    default = Settings.model_fields["model_weight_path"].default
    table = Table()
    for name in ("model", "size", "licence", "state"):
        table.add_column(name, justify="right" if name == "size" else "left", overflow="fold")
    for name, known in KNOWN_MODELS.items():
        path = resolve(name, home)
        own, packed = _num_bytes(path) if path else (known.peak_bytes, 0)
        table.add_row(
            Text(f"{name} (default)" if name == default else name),
            f"{own / 1e9:.2f}{f' + {packed / 1e9:.2f}' if packed else ''} GB",
            known.license,
            "pulled" if path else f"genspec pull {name}",
        )
    console = Console()
    console.print(table)
    console.print(Text(f"Pulled models are in {home / 'models'}"), soft_wrap=True)
    console.print(
        "The first start with each dtype puts a packed copy beside the model: the second size,"
        " where there are two, is that of these copies.",
        soft_wrap=True,
    )
    if any(resolve(name, home) is None for name in KNOWN_MODELS):
        console.print("The size of one that is not pulled is the free space that pulling it needs.")


def _num_bytes(directory: Path) -> tuple[int, int]:
    """Of the model's own files, and of those in a folder in it, which are made of them."""
    sizes = {True: 0, False: 0}
    for path in directory.rglob("*"):
        if path.is_file():
            sizes[path.parent == directory] += path.stat().st_size
    return sizes[True], sizes[False]
