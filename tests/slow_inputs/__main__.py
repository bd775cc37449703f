"""Run the search, print what was found, and end with exit code 1 if anything was."""

import argparse
import secrets
import sys
import tempfile
from functools import partial
from pathlib import Path as File

from store.database import Database
from store.migrations.upgrade import upgrade
from tests.slow_inputs.chats import chat_paths
from tests.slow_inputs.commands import command_paths
from tests.slow_inputs.documents import document_calls, document_paths
from tests.slow_inputs.remembering import memory_of
from tests.slow_inputs.searching import Path, Search, search

_SECONDS = 150.0
_SHOWN = 12


def main() -> int:
    """Search along all paths, or those named, and return the exit code."""
    options = _options()
    with tempfile.TemporaryDirectory(prefix="broadsheet-slow-") as made:
        folder = File(made)
        _empty_store(folder / "empty.db")
        with (
            memory_of(partial(document_calls, folder)) as memory,
            command_paths(folder) as commands,
        ):
            every = [*document_paths(folder), *chat_paths(), *commands]
            paths = [path for path in every if _is_wanted(path, options.path)]
            done = search(paths, options.seed, options.seconds, _print, memory=memory)
    _print_report(done)
    if done.findings:
        _print(f"{len(done.findings)} slow inputs; the same choices again: SEED={options.seed}")
    return 1 if done.findings else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.slow_inputs")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**6), help="of the choices")
    parser.add_argument("--seconds", type=float, default=_SECONDS, help="how long to search")
    parser.add_argument("--path", action="append", default=[], help="a part of a path's name")
    return parser.parse_args()


def _is_wanted(path: Path, names: list[str]) -> bool:
    return not names or any(name in path.name for name in names)


def _empty_store(path: File) -> None:
    database = Database(f"sqlite:///{path}")
    upgrade(database.engine)
    database.close()


def _print_report(done: Search) -> None:
    tried = sum(done.tried.values())
    _print(f"{tried:,} inputs along {len(done.tried)} paths; the most expensive for their length:")
    ranked = sorted(done.slowest.items(), key=lambda each: -each[1][0])
    for name, (seconds, literal) in ranked[:_SHOWN]:
        _print(f"  {1e6 * seconds:8.1f} microseconds a character: {name}\n    {literal}")
    for name, (taken, literal) in sorted(done.largest.items(), key=lambda each: -each[1][0]):
        _print(f"  {taken / 1024 / 1024:8.1f} MB: {name}\n    {literal}")


def _print(line: object) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
