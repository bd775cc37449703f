"""Posts under `kill -9`, lost connections, limits, failures and clocks that jump; then a verdict.

    python -m tests.chaos [--seed N] [--deliveries N] [--seconds S] [--replicas N]
        [--database NAME…]

The bot's real clients post to the fakes, from processes of their own (`worker.py`): three on
Postgres, which is restarted meanwhile, each of them cut off now and then. Each edition that
is owed has to stand in its channel once and whole, or to be unknown where the platform lets nobody
look. Each paper that an alert finds has to be told its owner once, and each digest to come once.
Else it says what is wrong and ends with exit code 1. A seed repeats what is chosen: which
faults, ends and jumps, in what order. When they come depends on the machine.
"""

import argparse
import asyncio
import os
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from tests.chaos.report import found_wrong, table
from tests.chaos.run import run
from tests.chaos.setup import Plan, Store
from tests.conftest import fresh_postgres
from tests.resources.postgres import running_postgres

# How many workers there are on each database.
_REPLICAS = {"sqlite": 1, "postgres": 3}
_DATABASES = tuple(_REPLICAS)
_MOST_NAMED = 20
_LOGS = Path(".chaos")


def main() -> int:
    """Run on each database, print what happened, and return the exit code."""
    options = _options()
    plan = Plan(options.seed, options.deliveries, options.seconds)
    wrong = [
        each
        for name in options.database
        for each in _ran(name, replace(plan, replicas=options.replicas or _REPLICAS[name]))
    ]
    for each in wrong[:_MOST_NAMED]:
        _print(f"WRONG {each}")
    if wrong:
        again = f"make chaos SEED={plan.seed} DELIVERIES={plan.deliveries}"
        _print(f"{len(wrong)} wrong; the same choices again, though at other times: {again}")
    return 1 if wrong else 0


def _ran(name: str, plan: Plan) -> list[str]:
    """Run on a database and print how that went; return what is wrong.

    Raises:
        ImportError: under `CI=true`, where Postgres has no build for the machine.
    """
    with tempfile.TemporaryDirectory(prefix="broadsheet-chaos-") as made, ExitStack() as stack:
        folder = Path(made)
        try:
            store = stack.enter_context(_store(name, folder))
        except ImportError as error:
            if os.environ.get("CI") == "true":
                raise
            _print(f"{name} is left out: {error}")
            return []
        told = asyncio.run(run(store, plan, folder))
        _print(table(name, plan, told))
        wrong = found_wrong(told)
        if wrong:
            _keep(name, folder)
    return [f"{name}: {each}" for each in wrong]


def _keep(name: str, folder: Path) -> None:
    """Keep what the bot logged and what was done to it, for whoever looks for the cause."""
    kept = _LOGS / name
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    for log in folder.glob("*.log"):
        shutil.copy(log, kept)
    _print(f"  logs: {kept}")


@contextmanager
def _store(name: str, folder: Path) -> Iterator[Store]:
    """Give an empty store."""
    if name == "sqlite":
        yield Store(f"sqlite:///{folder / 'store.db'}")
        return
    with running_postgres() as server, fresh_postgres(server.url) as url:
        yield Store(url, server)


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("tests.chaos")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--deliveries", type=int, default=1000, help="of a platform")
    parser.add_argument(
        "--seconds", type=float, default=3600.0, help="begin no further week after so many"
    )
    parser.add_argument(
        "--database", choices=_DATABASES, nargs="+", default=_DATABASES, help="one after the other"
    )
    parser.add_argument("--replicas", type=int, help="workers; one on SQLite, three on Postgres")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
