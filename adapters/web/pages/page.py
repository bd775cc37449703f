"""A page as plain facts, and what pages are made from."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from bot.domain.page_paths import paper_path
from store.database import Session
from store.library import mentions, related
from store.records import Entry


@dataclass(frozen=True, slots=True)
class Library:
    """The imported library as pages read it: one transaction, and the day (UTC) it is read on.

    `known` keeps what related papers are found by, where many pages are made from one reading.
    """

    session: Session
    day: date
    known: related.Known | None = None

    def paths(self, entries: Iterable[Entry]) -> dict[int, str]:
        """Return the paths of the papers of entries by the papers' database ids."""
        papers = {entry.paper for entry in entries if entry.paper is not None}
        named = mentions.names_of_papers(self.session, papers)
        return {paper: paper_path(*name) for paper, name in named.items()}


@dataclass(frozen=True, slots=True)
class PageFacts:
    """The facts of a page.

    `path` is its own one, `template` the name of the file in `templates/`, `facts` its variables.
    `description` is one sentence for previews and search engines. `feeds` are the paths of feeds
    by title. `json` makes the same facts for programs, `None` where there are none. `card` is the
    path of the picture that previews show. `missing` is set where the page says that what was
    asked for is not there.
    """

    path: str
    template: str
    title: str
    description: str
    facts: Mapping[str, Any]
    feeds: Mapping[str, str] = field(default_factory=dict)
    json: Callable[[], str] | None = None
    card: str | None = None
    missing: bool = False


def numbered_title(title: str, number: int) -> str:
    """Return the title of a page of several, of which the first has no number."""
    return title if number == 1 else f"{title}, page {number}"


@dataclass(frozen=True, slots=True)
class Moved:
    """The path that a page has instead of the one that was asked for, for good or for now."""

    path: str
    for_good: bool = True
