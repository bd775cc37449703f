"""A whole review page of invented papers for tests, and what it says."""

from dataclasses import replace

from bot.domain.drafts import EditionDraft
from store.records import Link
from tests.bot.ingest.drafts import without_lines
from tests.bot.ingest.formats.review.documents import copy_of, parse
from tests.bot.ingest.formats.review.page_printer import PLAIN, Markup, print_review_page

_TITLES = {
    "E201": "Routers and Their Regrets",
    "E202": "A Cache That Forgets",
    "E203": "The Bill of Oblivion",
    "E204": "Waiting Is a Skill",
}


def _listed(edition: EditionDraft) -> EditionDraft:
    """Return the edition with its papers' titles and links, as lists have them."""
    entries = [
        replace(
            entry,
            title=_TITLES[str(entry.episode)],
            links=(
                Link("Paper", f"https://arxiv.org/abs/2603.10{str(entry.episode)[1:]}"),
                Link("Project", f"https://{str(entry.episode).lower()}.example.net/"),
            ),
        )
        for entry in edition.entries
    ]
    return without_lines(replace(edition, entries=tuple(entries)))


EDITION = replace(
    _listed(parse(copy_of()).editions[0]), url="https://reviews.example.org/2026-03-15"
)


def page_of(*changes: tuple[str, str], markup: Markup = PLAIN) -> str:
    """Return the whole page with parts of its text replaced, one after the other."""
    text = print_review_page(EDITION, markup)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text
