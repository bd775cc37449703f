"""`broadsheet papers`: merging and splitting papers by hand."""

import click

from adapters.cli.arguments import AS_JSON, TEXT
from adapters.cli.context import OpenStore, with_store
from adapters.cli.output import moment_utc, print_json, print_line
from bot.library import duplicates
from store.identity import overrides
from store.imports.merge_papers import MergeResult


@click.group()
def papers() -> None:
    """Say which papers are one, and which are not."""


@papers.command("merge")
@click.argument("paper", type=TEXT)
@click.argument("other", type=TEXT)
def merge_papers(*, paper: str, other: str) -> None:
    """Join two papers for good, whatever their ids and titles say."""

    async def action(opened: OpenStore) -> MergeResult:
        return await opened.database.write(duplicates.merge, paper, other, opened.clock.now())

    _print(with_store(action))


@papers.command("split")
@click.argument("paper", type=TEXT)
@click.argument("other", required=False, type=TEXT)
def split_paper(*, paper: str, other: str | None) -> None:
    """Take back what was merged; where nothing was, part an entry from its paper for good.

    With two papers: say that these are two, whatever they have in common.
    """

    async def action(opened: OpenStore) -> MergeResult:
        return await opened.database.write(duplicates.split, paper, other, opened.clock.now())

    _print(with_store(action))


@papers.command("list")
@click.option("--doubtful", is_flag=True, help="List the papers that may be one instead.")
@AS_JSON
def list_manual_overrides(*, doubtful: bool, as_json: bool) -> None:
    """List what was merged and split, and when."""

    async def list_doubtful(opened: OpenStore) -> None:
        found = await opened.database.read(duplicates.doubtful)
        if as_json:
            print_json(duplicates.pairs_json(found))
            return
        for line in duplicates.pair_lines(found):
            print_line(line)

    async def list_overrides(opened: OpenStore) -> None:
        stored = await opened.database.read(overrides.read)
        if as_json:
            print_json(duplicates.overrides_json(stored))
            return
        for merge in stored.merges:
            names = f"{duplicates.in_words(merge.one)} and {duplicates.in_words(merge.other)}"
            print_line(f"merged {moment_utc(merge.at)}  {names}")
        for split in stored.splits:
            print_line(f"split  {moment_utc(split.at)}  {split.ref}")
        for each in stored.separations:
            print_line(f"split  {moment_utc(each.at)}  {each.one} and {each.other}")
        if not (stored.merges or stored.splits or stored.separations):
            click.echo("Nothing was merged or split.")

    with_store(list_doubtful if doubtful else list_overrides)


def _print(result: MergeResult) -> None:
    for line in duplicates.answer(result):
        print_line(line)
