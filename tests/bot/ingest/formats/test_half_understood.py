"""Rows that looked like papers and were dropped count, whatever they were taken for."""

import pytest

from bot.ingest.pipeline import ImportOptions, ingest
from store.database import Database
from tests.bot.ingest.formats.own_list.reading import NAP, SLEEPY, WEEK, parse
from tests.bot.ingest.imports import NOW

_DREAM, _DOZE = "https://arxiv.org/abs/2607.33333", "https://arxiv.org/abs/2607.44444"
_WEEK = "Top AI Papers of the Week (January 5 - January 11)"
_LETTER = f"{_WEEK}\n\n1. Sleepy\n\nIt sleeps.\n\n2. Nap\n\nIt naps.\n\n"
_ROW = f"| 1) **Sleepy** - it sleeps. | [Paper]({SLEEPY}) |\n"
_ARCHIVE = f"# Papers\n\n## {_WEEK} - 2026\n| **Paper** | **Links** |\n| --- | --- |\n{_ROW}"
_LISTED = f"# Papers\n\n- [Sleepy]({SLEEPY})\n\n"
_SHEET = f"Sleepy,{SLEEPY}\nNap,{NAP}\n"
_DAILY = (
    '[{{"paper": {{"id": "2603.00001", "title": "A", "upvotes": 1,'
    ' "submittedOnDailyAt": "2026-03-02T00:00:00Z"}}}}{}]'
)


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        (f"{_LISTED}Sleepy two: {SLEEPY}2\nSee also [Nap]({NAP}).\n", 2),
        (f"{_LISTED}Title,URL\n{_SHEET}", 2),
        (f"{_LISTED}TY  - JOUR\nTI  - Nap\nUR  - {NAP}\nER  - \n", 1),
        (f"{_LISTED}```\n- [Nap]({NAP})\n- [Dream]({_DREAM}) too\n```\n", 2),
        (f"{_LISTED}| Model | URL |\n|---|---|\n| Nap | {NAP} |\n| Dream | {_DREAM} |\n", 2),
        (
            f"## [Survey]({SLEEPY}) of naps\n\n"
            + "".join(f"- [Nap {i}]({_DOZE[:-1]}{i})\n" for i in range(4)),
            4,
        ),
        (f"@misc{{a, title={{Sleepy}}}}\n\n- [Nap]({NAP})\n\nTY  - JOUR\nTI  - Nap\n", 2),
        ("TY  - JOUR\nTI  - Sleepy\nER  - \n@misc{a,\ntitle={Nap}}\n", 2),
        ('["Nap", 7, {"title": "Sleepy"}]', 2),
        (f'{{"papers": [{{"title": "A"}}], "old": [{{"title": "B", "url": "{NAP}"}}]}}', 1),
        (_DAILY.format(', {"paper": {"id": "2603.00002"}}, "2603.00003"'), 2),
        (f"{_LETTER}- [Dream]({_DREAM}): it dreams.\n- [Doze]({_DOZE}) - it dozes.\n", 2),
        (f"{_LETTER}7. Dream\n\nIt dreams.\n\n8. Doze\n\nIt dozes.\n", 2),
        (f"{_ARCHIVE}\n## Other\n\n- [Nap]({NAP})\n- [Dream]({_DREAM})\n", 2),
        (f"{_ARCHIVE}\n## {_WEEK.replace('5', '12')} - 2026\n1. [Nap]({NAP})\n", 1),
        (f"{_ARCHIVE}\n| 2) **Nap** | [Paper]({NAP}) |\n", 0),
        (f"{_ARCHIVE}\n## Top AI Papers of the Week\n{_ROW}", 1),
    ],
)
def test_a_row_that_was_dropped_as_another_kind_counts(text: str, unread: int) -> None:
    """An item, a row or a reference that leads to a paper is not understood if it is left out."""
    week = WEEK if "Top AI" not in text and '"paper"' not in text else None
    parsed = parse(text, week=week)
    assert parsed.unread_rows == unread
    assert bool(parsed.warnings) or not unread


@pytest.mark.parametrize(
    "rest",
    [
        f"[![arXiv](a.svg)]({NAP}) [![code](b.svg)](https://a.example)\n",
        f"Paper: {NAP}\n",
        "## Contents\n\n- [Vision](#vision)\n- [Text](#text)\n- [More](more.md)\n",
        "Write to us.\n\nWe meet on Mondays.\n\nCome.\n",
        f"```bibtex\n@misc{{a,\n  url = {{{NAP}}}\n}}\n```\n",
        "| Model | Size |\n|---|---|\n| A | 1 |\n| B | 2 |\n",
        f"## [Nap]({NAP})\n- It rests.\n- [code](https://a.example)\n- [Sleepy]({SLEEPY}) is\n",
        "<table><tr><td><img src='a'></td><td>b</td></tr></table>\n",
    ],
)
def test_what_is_no_row_does_not_count(rest: str) -> None:
    """Prose, badges, menus, notes below a paper and tables of numbers are understood."""
    assert parse(f"{_LISTED}{rest}").unread_rows == 0


async def test_a_document_of_which_half_was_dropped_is_told(database: Database) -> None:
    """More than half of the rows, of whatever kind, make the import one that failed."""
    for rows, is_mostly_unread in ((1, False), (2, True)):
        rest = "".join(f"- [Nap {i}]({_DOZE[:-1]}{i})\n" for i in range(rows))
        text = f"{_ARCHIVE}\n## Other\n\n{rest}"
        report = await ingest(database, "a.md", text.encode(), ImportOptions(), NOW)
        assert (report.error, report.kind) == (None, "archive")
        assert (report.unread_rows, report.is_mostly_unread) == (rows, is_mostly_unread)
