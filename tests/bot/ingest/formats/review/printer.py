"""Prints a review's edition as the plain-text copy that the parser reads.

The printer is the parser's other half in round trips: it places the lines, the marks and the
lists as a copied page has them, and knows nothing of how they are read.
"""

from collections.abc import Iterator
from datetime import date
from itertools import groupby

from bot.domain.drafts import EditionDraft, EntryDraft

SITE = "paperdive.ai"


def print_review(edition: EditionDraft, site: str = SITE) -> str:
    """Return the copy, elements parted by one empty line and without a line end at the last."""
    return "\n\n".join([*_head(edition, site), *_overview(edition), *_body(edition)])


def _head(edition: EditionDraft, site: str) -> Iterator[str]:
    length = f"{edition.minutes} min" if edition.minutes is not None else ""
    player = [f"The Show — {edition.title} — cover art", site, "Review", edition.title, "0:00"]
    yield "← all reviews"
    yield " · ".join(_facts(edition, length))
    yield edition.title
    yield "\n".join([*player, length] if length else player)
    if edition.url:
        yield edition.url


def _facts(edition: EditionDraft, length: str) -> Iterator[str]:
    yield "Weekly review"
    yield f"{len(edition.entries)} episodes"
    if edition.published_on:
        yield _day(edition.published_on)
    if length:
        yield length


def _day(day: date) -> str:
    return f"{day:%b} {day.day}, {day.year}"


def _overview(edition: EditionDraft) -> Iterator[str]:
    """Print the overview with the marks of all episodes in its first paragraph."""
    if edition.overview is None:
        return
    first, *rest = edition.overview.split("\n\n")
    yield _marked(first, " ".join(str(entry.episode) for entry in edition.entries))
    yield from rest


def _body(edition: EditionDraft) -> Iterator[str]:
    for heading in edition.headings:
        yield heading.title
        if heading.tagline is not None:
            yield heading.tagline
        entries = [entry for entry in edition.entries if entry.heading == heading.title]
        for section, group in groupby(entries, key=lambda entry: entry.section):
            if section is not None:
                yield section
            for entry in group:
                yield from _texts(entry)
        yield "\n".join(["Episodes in this topic", *_listed(entries)])


def _texts(entry: EntryDraft) -> Iterator[str]:
    if entry.summary is not None:
        first, *rest = entry.summary.split("\n\n")
        yield _marked(first, str(entry.episode))
        yield from rest


def _listed(entries: list[EntryDraft]) -> Iterator[str]:
    """List the entries that have a title of their paper's or a link, or no text at all."""
    for entry in entries:
        if entry.links or entry.summary is None:
            links = [link.url.removeprefix("https://arxiv.org/abs/") for link in entry.links]
            yield " · ".join([f"{entry.episode} {entry.title}", *links, "12 min"])


def _marked(text: str, marks: str) -> str:
    """Put marks at the end of a text, before its full stop as reviews do."""
    return f"{text[:-1]} {marks}." if text.endswith(".") else f"{text} {marks}"
