"""A store of invented editions: real papers, in sentences of our own.

The newest week is made for the pictures. The weeks before it are the bundled samples, moved to
other days and to the sources that people follow; of those before them there are titles alone.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from importlib.resources import files
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from bot.ingest import samples
from bot.ingest.pipeline import ImportOptions, ingest
from bot.sources.followed import follow_predefined
from store.database import Database
from store.migrations.upgrade import upgrade
from tests.adapters.common.services import NOW
from tests.bot.ingest.formats.archive.documents import archive, row, week

_FOLDER = Path(__file__).parent / "documents"
_NAME = "Top AI Papers of the Week"
_NEWEST = {"dair": "weekly.txt", "paperdive": "review.txt", "hf-daily": "daily.json"}
# The days that a sample has are replaced by these.
_EARLIER = {
    "weekly-2025-06-09.txt": ("dair", "December 15-21, 2025"),
    "weekly-2025-06-16.txt": ("dair", "December 22-28, 2025"),
    "weekly-2025-06-23.txt": ("dair", "December 29, 2025 - January 4, 2026"),
    "review-2025-06-09.txt": ("paperdive", "December 22–28, 2025"),
    "review-2025-06-16.txt": ("paperdive", "December 29, 2025 – January 4, 2026"),
}
_WEEKLY_HEAD = re.compile(r".*?(?=^1\. )", re.DOTALL | re.MULTILINE)
_REVIEW_DAY = re.compile(r"(?<=episodes · )[^·]+(?= ·)")
_REVIEW_TITLE = re.compile(r"^Sample Week in Review: .*$", re.MULTILINE)
_REVIEW_FIRST = re.compile(r"^This review is a sample, [^.]*\. ", re.MULTILINE)


async def fill(path: Path) -> None:
    """Make a store with these editions, in a file that can be copied."""
    async with Database(f"sqlite:///{path}") as database:
        await database.run(upgrade)
        await follow_predefined(database)
        # In the order of the weeks, as they came out.
        for source, name, text in (*_titles(), *_earlier(), *_newest()):
            report = await ingest(database, name, text.encode(), ImportOptions(source=source), NOW)
            assert not report.error, report.error


async def import_list(database: Database) -> None:
    """Import the list of a team, of the newest week."""
    text = (_FOLDER / "list.md").read_bytes()
    report = await ingest(database, "list.md", text, ImportOptions(source="team"), NOW)
    assert not report.error, report.error


def _newest() -> Iterator[tuple[str, str, str]]:
    for source, name in _NEWEST.items():
        yield source, name, (_FOLDER / name).read_text(encoding="utf-8")


def _earlier() -> Iterator[tuple[str, str, str]]:
    for name, (source, span) in _EARLIER.items():
        text = (files(samples) / name).read_text(encoding="utf-8")
        yield source, name, _weekly(text, span) if source == "dair" else _review(text, span)


def _titles() -> Iterator[tuple[str, str, str]]:
    """Give an archive of titles and arXiv ids, a line of the file each: day, id, title."""
    lines = (_FOLDER / "titles.tsv").read_text(encoding="utf-8").splitlines()
    days = groupby((line.split("\t") for line in lines), key=itemgetter(0))
    weeks = [_titles_of(date.fromisoformat(day), list(rows)) for day, rows in days]
    yield "dair", "archive.md", archive(*reversed(weeks))


def _titles_of(first: date, papers: list[list[str]]) -> str:
    last = first + timedelta(days=6)
    days = f"({first:%B} {first.day} - {last:%B} {last.day}) - {last.year}"
    rows = (
        row(rank, f"**{title}**", f"[Paper](https://arxiv.org/abs/{arxiv_id})")
        for rank, (_, arxiv_id, title) in enumerate(papers, start=1)
    )
    return week(days, list(rows))


def _weekly(text: str, span: str) -> str:
    head = f"AI Newsletter\n{_NAME} ({span})\n"
    return _WEEKLY_HEAD.sub(head, text, count=1)


def _review(text: str, span: str) -> str:
    last = "Dec 28, 2025" if "28" in span else "Jan 4, 2026"
    text = _REVIEW_DAY.sub(last, text, count=1)
    text = _REVIEW_TITLE.sub(f"AI Papers Week in Review: {span}", text, count=1)
    return _REVIEW_FIRST.sub("", text, count=1)
