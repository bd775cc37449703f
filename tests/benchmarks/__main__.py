"""`python -m tests.benchmarks [--only PART…] [--runs N] [--json FILE] …`: measure the bot."""

import argparse
import gc
import sys
from pathlib import Path

from tests.benchmarks.all_figures import PARTS, Extent, measured
from tests.benchmarks.figures.fan_out import BusyHour
from tests.benchmarks.figures.response_times import Commands
from tests.benchmarks.inputs.documents import real_or_generated
from tests.benchmarks.report import machine, table, to_json


def main() -> None:
    """Measure everything and print a table; the exit code is 0 whatever the figures."""
    options = _options()
    gc.freeze()  # as the program itself does once everything is imported
    corpus = real_or_generated()
    print_line(f"{machine()}; {options.runs} runs by turns, floor and product")
    for origin in corpus.origins:
        print_line(f"read: {origin}")
    extent = Extent(chat=Commands(options.commands), busy_hour=BusyHour(options.seconds))
    figures = list(measured(corpus, options.runs, extent, options.only))
    print_line(f"\n{table(figures)}")
    if options.json:
        options.json.write_text(to_json(figures, options.runs, corpus.origins), encoding="utf-8")


def print_line(line: str) -> None:
    """Write a line and flush it, so that it is visible before the measurement."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("tests.benchmarks", description=__doc__)
    parser.add_argument("--runs", type=_count, default=9, help="runs of each figure")
    parser.add_argument(
        "--commands",
        type=_count,
        default=Commands().in_a_run,
        help="commands asked on a chat platform in each of its runs",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=BusyHour().seconds,
        help="how long a hundred commands a second are typed",
    )
    parser.add_argument(
        "--only", nargs="+", choices=PARTS, default=(), metavar="PART", help=", ".join(PARTS)
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every run there too")
    return parser.parse_args()


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least one run is needed")
    return number


if __name__ == "__main__":
    main()
