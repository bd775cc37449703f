"""Prints a parsed archive as the Markdown that the parser reads.

The printer is the parser's other half in round trips: it knows how an archive is written,
escapes what Markdown would take for a mark, and knows nothing of how any of it is read.
"""

import re
from collections.abc import Iterator

from bot.domain.drafts import EditionDraft, EntryDraft, ParsedDocument, YearRule
from store.records import Highlight, Link

# Signs that part titles, leads and bullets from text have no escape but their number.
_PARTING = re.compile("[-:\u2013\u2014\u25cf\u2022\u25aa\u25e6\u2023]")
_MARKING = re.compile(r"[\\`*_\[\]<>|&~#!]")

_HEAD = ("| **Paper** | **Links** |", "| --- | --- |")


def print_archive(document: ParsedDocument) -> str:
    """Print the title, an index of the weeks whose year it gave, and every week's table."""
    return "\n".join([f"# {document.source_title}", "", *_index(document), *_weeks(document)])


def _index(document: ParsedDocument) -> Iterator[str]:
    year = None
    for edition in document.editions:
        if edition.year_rule is not YearRule.INDEX:
            continue
        if edition.last_day.year != year:
            year = edition.last_day.year
            yield f"\n## {year}"
        yield f"- [{edition.title}](./#somewhere)"


def _weeks(document: ParsedDocument) -> Iterator[str]:
    for edition in document.editions:
        yield ""
        yield f"## {edition.title}{_year(edition)}"
        yield from _HEAD
        yield from map(_row, edition.entries)
    yield from ("", "---", "", "Written by hand every week.", "")


def _year(edition: EditionDraft) -> str:
    stated = edition.year_rule is YearRule.HEADING
    return f" - {edition.last_day.year}" if stated else ""


def _row(entry: EntryDraft) -> str:
    summary = f" - {escaped(entry.summary)}" if entry.summary else ""
    bullets = "".join(map(_bullet, entry.highlights))
    links = ", ".join(map(_link, entry.links))
    return f"| {entry.rank}) **{escaped(entry.title)}**{summary}{bullets} | {links} |"


def _bullet(highlight: Highlight) -> str:
    lead = f"{escaped(highlight.lead)} \u2013 " if highlight.lead else ""
    return f"<br>\u25cf {lead}{escaped(highlight.text)}"


def _link(link: Link) -> str:
    return f"[{escaped(link.label)}]({link.url})"


def escaped(text: str) -> str:
    """Write plain text so that Markdown reads it as it is."""
    marked = _MARKING.sub(r"\\\g<0>", text)
    return _PARTING.sub(lambda match: f"&#{ord(match[0])};", marked)
