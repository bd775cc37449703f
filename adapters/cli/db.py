"""`broadsheet db`: schema upgrade, check, backup and restore."""

from pathlib import Path

import click

from adapters.cli.context import Runtime, with_runtime
from adapters.cli.output import print_line
from bot.ingest.rebuild import rebuild_if_outdated
from store.database import Database
from store.errors import StoreError
from store.maintenance import backup, health
from store.migrations import upgrade

_file = click.argument("file", type=click.Path(path_type=Path))


@click.group()
def db() -> None:
    """Look after the store."""


@db.command("upgrade")
def upgrade_schema() -> None:
    """Bring the schema up to date."""

    async def action(runtime: Runtime) -> None:
        done = await runtime.database.run(upgrade.upgrade)
        await rebuild_if_outdated(runtime.database, runtime.clock.now())
        state = "is now" if done else "was already"
        print_line(f"{runtime.database.name} {state} at schema {upgrade.head()}.")

    with_runtime(action, upgrade=False)


@db.command("check")
def check_store() -> None:
    """Check the schema, the database and the full-text index; exit 1 if anything is wrong."""

    async def action(runtime: Runtime) -> list[str]:
        _require_file(runtime.database)
        return await runtime.database.run(health.check)

    problems = with_runtime(action, upgrade=False)
    for problem in problems:
        print_line(problem, err=True)
    if problems:
        raise SystemExit(1)
    click.echo("The store is sound.")


@db.command("backup")
@_file
def make_backup(file: Path) -> None:
    """Write all that is stored into a new SQLite file."""

    async def action(runtime: Runtime) -> None:
        _require_file(runtime.database)
        await runtime.database.run(lambda engine: backup.backup(engine, file))

    with_runtime(action, upgrade=False)
    print_line(f"Backed up to {file}.")


@db.command("restore")
@_file
def restore_backup(file: Path) -> None:
    """Replace all that is stored by what a backup holds."""

    async def action(runtime: Runtime) -> None:
        await runtime.database.run(lambda engine: backup.restore(engine, file))

    with_runtime(action, upgrade=False)
    print_line(f"Restored from {file}.")


def _require_file(database: Database) -> None:
    if database.path and not database.path.exists():
        raise StoreError(
            f"There is no store at {database.path}.",
            "Check BROADSHEET_DATABASE_URL, or import something first.",
        )
