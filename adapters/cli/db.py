"""`broadsheet db`: schema upgrade, check, backup, restore and copy."""

from pathlib import Path

import click

from adapters.cli.arguments import TEXT
from adapters.cli.context import OpenStore, with_store
from adapters.cli.output import print_line, progress
from bot.ingest.rebuild import rebuild_if_outdated
from bot.replies.wording import count
from store.database import Database
from store.errors import BadDatabaseURL, StoreError
from store.maintenance import backup, health
from store.maintenance.copy_store import Copied, copy_store
from store.migrations import upgrade

_file = click.argument("file", type=click.Path(path_type=Path))


@click.group()
def db() -> None:
    """Look after the store."""


@db.command("upgrade")
def upgrade_schema() -> None:
    """Bring the schema up to date."""

    async def action(opened: OpenStore) -> None:
        done = await _bring_up_to_date(opened)
        state = "is now" if done else "was already"
        print_line(f"{opened.database.name} {state} at schema {upgrade.head()}.")

    with_store(action, upgrade=False)


@db.command("check")
def check_store() -> None:
    """Check the schema, the database and the full-text index; exit 1 if anything is wrong."""

    async def action(opened: OpenStore) -> list[str]:
        _require_file(opened.database)
        return await opened.database.run(health.check)

    problems = with_store(action, upgrade=False)
    for problem in problems:
        print_line(problem, err=True)
    if problems:
        raise SystemExit(1)
    click.echo("The store is sound.")


@db.command("backup")
@_file
def make_backup(file: Path) -> None:
    """Write all that is stored into a new SQLite file."""

    async def action(opened: OpenStore) -> None:
        _require_file(opened.database)
        await opened.database.run(lambda engine: backup.backup(engine, file))

    with_store(action, upgrade=False)
    print_line(f"Backed up to {file}.")


@db.command("restore")
@_file
def restore_backup(file: Path) -> None:
    """Replace all that is stored by what a backup holds."""

    async def action(opened: OpenStore) -> None:
        await opened.database.run(lambda engine: backup.restore(engine, file))

    with_store(action, upgrade=False)
    print_line(f"Restored from {file}.")


@db.command("copy", context_settings={"allow_extra_args": True})
@click.argument("url", type=TEXT)
@click.pass_context
def copy(context: click.Context, url: str) -> None:
    """Copy all that is stored to an empty database, and compare it there."""
    if context.args:  # not repeated: they may be pieces of a password
        raise click.UsageError("Give one URL, in quotes.")
    try:
        target = Database(url)
    except BadDatabaseURL as error:
        raise BadDatabaseURL(error.reason, "The URL to copy to") from None

    async def action(opened: OpenStore) -> Copied:
        _require_file(opened.database)
        await _bring_up_to_date(opened)
        with progress(target.name) as shown:

            def watch(what: str, done: int, total: int) -> None:
                if shown:
                    shown.rename(what)
                    shown.counting("row")(done, total)

            async with target:
                return await copy_store(opened.database, target, watch)

    copied = with_store(action, upgrade=False)
    print_line(
        f"Copied {count(copied.rows, 'row')} of {count(copied.tables, 'table')} to {target.name};"
        " counts and digests agree."
    )


async def _bring_up_to_date(opened: OpenStore) -> bool:
    done = await opened.database.run(upgrade.upgrade)
    await rebuild_if_outdated(opened.database, opened.clock.now())
    return done


def _require_file(database: Database) -> None:
    if database.path and not database.path.exists():
        raise StoreError(
            f"There is no store at {database.path}.",
            "Check BROADSHEET_DATABASE_URL, or import something first.",
        )
