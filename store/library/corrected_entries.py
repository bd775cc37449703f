"""Corrected entries: which of them keep their paper, and which are another paper's from now on.

An entry is a place in an edition. A correction may mend its title, or give the place to another
paper, as when a paper is put in between.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher

from sqlalchemy import select
from sqlmodel import Session, col

from store.identity.identifiers import Identifiers
from store.records import Entry
from store.tables.library import EntryRow

_NUMBER = re.compile(r"\d+")
_LEAST_LIKENESS = 0.85  # of a title and the same title with a slip corrected


def of_other_papers(
    session: Session,
    before: Mapping[int, Identifiers],
    written: Mapping[int, tuple[Identifiers, Entry]],
) -> set[int]:
    """Return the ids of entries that are about to become entries of other papers.

    An entry keeps its paper with its title. It also keeps it where it seems to be retitled, and
    neither the paper that it had nor the one that it has is anywhere else in the edition.

    Args:
        session: the transaction of the import, which has not written the entries yet.
        before: the identifiers, by id, of the edition's entries that are changed or removed.
        written: the entries that are about to be written.
    """
    retitled = [
        entry
        for entry, (signs, _) in written.items()
        if entry in before and before[entry].title_key != signs.title_key
    ]
    if not retitled:
        return set()
    had = _by_identifier(before)
    has = _by_identifier({entry: signs for entry, (signs, _) in written.items()})
    query = select(col(EntryRow.id), col(EntryRow.summary)).where(col(EntryRow.id).in_(retitled))
    summaries = {row.id: row.summary for row in session.connection().execute(query)}
    return {
        entry
        for entry in retitled
        if any(has[each] - {entry} for each in _identifiers(before[entry]))
        or any(had[each] - {entry} for each in _identifiers(written[entry][0]))
        or not _is_retitled(before[entry], summaries[entry], written[entry][1], written[entry][0])
    }


def _by_identifier(entries: Mapping[int, Identifiers]) -> Mapping[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for entry, signs in entries.items():
        for each in _identifiers(signs):
            found[each].add(entry)
    return found


def _identifiers(signs: Identifiers) -> Iterator[str]:
    yield f"title:{signs.title_key}"
    if signs.arxiv_id:
        yield f"arxiv:{signs.arxiv_id}"
    if signs.doi:
        yield f"doi:{signs.doi}"


def _is_retitled(before: Identifiers, summary: str | None, entry: Entry, now: Identifiers) -> bool:
    """Tell whether an entry seems to be of one paper under both titles."""
    if before.arxiv_id and now.arxiv_id:
        return before.arxiv_id == now.arxiv_id
    if summary and summary == entry.summary:
        return True
    one, other = before.title_key, now.title_key
    is_begun = one.startswith(f"{other} ") or other.startswith(f"{one} ")
    has_slip = _NUMBER.findall(one) == _NUMBER.findall(other) and _is_alike(one, other)
    return is_begun or has_slip


def _is_alike(one: str, other: str) -> bool:
    return SequenceMatcher(None, one, other, autojunk=False).ratio() >= _LEAST_LIKENESS
