"""Posts under `kill -9`, lost connections, limits, failures and clocks that jump; then a verdict.

    python -m tests.chaos [--seed N] [--deliveries N] [--seconds S] [--database NAME…]

The bot's real clients post to the fakes, from a process of its own (`worker.py`). Each edition that
is owed has to stand in its channel once and whole, or to be unknown where the platform lets nobody
look; else it says what is wrong and ends with exit code 1. A seed repeats what is chosen: which
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
from pathlib import Path

from tests.chaos.report import found_wrong, table
from tests.chaos.running import run
from tests.chaos.stage import Plan
from tests.conftest import fresh_postgres, own_postgres

_DATABASES = ("sqlite", "postgres")
_MOST_NAMED = 20
_LOGS = Path(".chaos")


def main() -> int:
    """Run on each database, print what happened, and return the exit code."""
    options = _options()
    plan = Plan(options.seed, options.deliveries, options.seconds)
    wrong = [each for name in options.database for each in _ran(name, plan)]
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
            url = stack.enter_context(_url(name, folder))
        except ImportError as error:
            if os.environ.get("CI") == "true":
                raise
            _print(f"{name} is left out: {error}")
            return []
        told = asyncio.run(run(url, plan, folder))
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
def _url(name: str, folder: Path) -> Iterator[str]:
    """Give the URL of an empty database."""
    if name == "sqlite":
        yield f"sqlite:///{folder / 'store.db'}"
        return
    with own_postgres() as server, fresh_postgres(server) as url:
        yield url


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("tests.chaos")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    parser.add_argument("--deliveries", type=int, default=300, help="of a platform")
    parser.add_argument(
        "--seconds", type=float, default=3600.0, help="begin no further week after so many"
    )
    parser.add_argument(
        "--database", choices=_DATABASES, nargs="+", default=_DATABASES, help="one after the other"
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
