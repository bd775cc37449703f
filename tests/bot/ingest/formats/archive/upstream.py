"""The archive of dair-ai/AI-Papers-of-the-Week as it is printed: an index and a file a year.

The ranges of days, their order and the shape of headings, rows and index are those of the
repository, read in 2026; of its last seven weeks, which came after that, the days go on by the
calendar. Papers and summaries are invented unless others are given.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from bot.domain.drafts import EditionDraft, EntryDraft
from store.records import Link

HOME = "https://raw.githubusercontent.com/dair-ai/AI-Papers-of-the-Week/main"
YEARS = (2023, 2024, 2025, 2026)
# The ranges of 2023 as they are printed, newest first; no heading of that year names it.
_OF_2023 = (
    "December 25 - December 31", "December 18 - December 24", "December 11 - December 17",
    "December 4 - December 10", "November 27 - December 3", "November 20 - November 26",
    "November 13 - November 19", "November 6 - November 12", "October 30 - November 5",
    "October 23 - October 29", "October 16 - October 22", "October 9 - October 15",
    "October 2 - October 8", "September 25 - October 1", "September 18 - September 24",
    "September 11 - September 17", "September 4 - September 10", "August 28 - September 3",
    "August 21 - August 27", "August 14 - August 20", "August 7 - August 13", "July 31 - August 6",
    "July 24 - July 30", "July 17 - July 23", "July 10 - July 16", "July 3 - July 9",
    "June 26 - July 2", "June 19 - June 25", "June 12 - June 18", "June 5 - June 11",
    "May 29-June 4", "May 22-28", "May 15-21", "May 8-14", "May 1-7", "April 24 - April 30",
    "April 17 - April 23", "April 10 - April 16", "April 3 - April 9", "Mar 27-April 2",
    "Mar 20-Mar 26", "Mar 13-Mar 19", "Mar 6-Mar 12", "Feb 27-Mar 5", "Feb 20-26", "Feb 13 - 19",
    "Feb 6 - 12", "Jan 30-Feb 5", "Jan 23-29", "Jan 16-22", "Jan 9-15", "Jan 1-8",
)  # fmt: skip
# The first and the last Monday of each year's weeks.
_MONDAYS = {
    2023: (date(2023, 1, 2), date(2023, 12, 25)),
    2024: (date(2024, 1, 1), date(2024, 12, 23)),
    2025: (date(2024, 12, 30), date(2025, 12, 22)),
    2026: (date(2025, 12, 29), date(2026, 6, 22)),
}
# The weeks that do not go from that Monday to its Sunday, and the one that there is not.
_ODD = {
    date(2023, 1, 2): (date(2023, 1, 1), date(2023, 1, 8)),
    date(2024, 3, 18): (date(2024, 3, 18), date(2024, 3, 25)),
    date(2024, 3, 25): (date(2024, 3, 26), date(2024, 3, 31)),
    date(2025, 4, 7): (date(2025, 4, 6), date(2025, 4, 13)),
    date(2026, 3, 2): (date(2026, 3, 1), date(2026, 3, 8)),
    date(2026, 4, 20): (date(2026, 4, 19), date(2026, 4, 26)),
    date(2026, 4, 27): (date(2026, 4, 26), date(2026, 5, 3)),
}
_NONE = date(2026, 3, 16)
_NAME = "Top AI Papers of the Week"


def days_of(year: int) -> list[tuple[date, date]]:
    """Return the first and last days of the weeks in the file of a year, newest first."""
    first, last = _MONDAYS[year]
    mondays = [first + timedelta(weeks=n) for n in range((last - first).days // 7 + 1)]
    weeks = [_ODD.get(each, (each, each + timedelta(days=6))) for each in mondays if each != _NONE]
    return weeks[::-1]


def year_file(year: int, known: Mapping[date, EditionDraft] | None = None) -> str:
    """Print the file of a year; weeks that are known have the titles and links of their papers."""
    head = (
        f"# AI Papers of the Week \u2014 {year}",
        "",
        "[\u2190 Back to main index](../README.md)",
        "",
        f"All issues of **AI Papers of the Week** from {year}.",
        "",
        "---",
    )
    weeks = (
        _week(first, heading, known or {})
        for (first, _), heading in zip(days_of(year), _headings(year), strict=True)
    )
    return "\n".join([*head, *(line for lines in weeks for line in lines), "", "---", ""])


def index(years: Sequence[int] = YEARS) -> str:
    """Print the index of the weeks, which lead to the files of the years that they end in."""
    lines = []
    for year in reversed(years):
        lines += ["", f"## {year}"]
        lines += [
            f"- [{heading.removesuffix(f' - {year}')}](years/{year}.md#{first})"
            for (first, _), heading in zip(days_of(year), _headings(year), strict=True)
        ]
    before = ("# AI Papers of the Week", "", "[Subscribe](https://kites.org/) to it.")
    return "\n".join([*before, *lines, "", "[Follow us](https://kites.org/us)", ""])


def _headings(year: int) -> Sequence[str]:
    if year == YEARS[0]:
        return [f"{_NAME} ({each})" for each in _OF_2023]
    return [f"{_NAME} ({a:%B} {a.day} - {b:%B} {b.day}) - {year}" for a, b in days_of(year)]


def _week(first: date, heading: str, known: Mapping[date, EditionDraft]) -> Iterator[str]:
    yield from ("", f"## {heading}", "| **Paper**  | **Links** |", "| ------- | ------- |")
    for entry in known[first].entries if first in known else _papers(first):
        links = ", ".join(f"[{link.label}]({link.url})" for link in entry.links)
        yield f"| {entry.rank}) **{entry.title}** - a paper of the week of {first}. | {links} |"


def _papers(first: date) -> Iterator[EntryDraft]:
    for rank in range(1, 11):
        number = first.toordinal() % 1000 * 10 + rank
        link = Link("Paper", f"https://arxiv.org/abs/{first:%y%m}.{number:05}")
        yield EntryDraft(line=0, title=f"Kite {first} {rank}", rank=rank, links=(link,))
