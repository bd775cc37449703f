"""The lookup of a paper by its name.

A name is `3` (the number in the newest edition, where no list was seen), `E171`, `2026-01-05#3`,
`dair:2026-01-05#3`, an arXiv id or address, or words of the title. If several papers fit, they are
suggested as buttons.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from difflib import get_close_matches
from typing import NoReturn

from bot.domain.paper_ids import arxiv_id_in_url, arxiv_url, bare_arxiv_id
from bot.errors import ArgumentError, Option, SeveralMeant, Suggestion, UserError
from bot.library.search import CUT, UNCORRECTED, parse_query
from bot.replies.naming import shown_title
from bot.replies.plain_text import quoted
from bot.replies.wording import NO_CONSENSUS, count, edition_name, place, shorten
from store.database import Session
from store.library import autocomplete, editions, mentions
from store.records import Edition, Entry, Mention
from store.search import SearchQuery, SearchResult, search
from store.sources import CONSENSUS

_NUMBER = re.compile(r"#?(\d{1,3})")
_EPISODE = re.compile(r"e\d{1,5}", re.IGNORECASE)
_DAY_AND_RANK = re.compile(r"(\d{4}-\d{2}-\d{2})#(\d{1,3})")
_REF = re.compile(r"[a-z0-9-]+:\S+")
_NUMBERED_REF = re.compile(r"([a-z0-9-]+):(\d{4}-\d{2}-\d{2})#\d{1,3}")
_TYPED_REF = re.compile(r"(?:([a-z0-9-]+):\s*)?(\d{4}-\d{2}-\d{2})\s*#\s*(\d{1,3})", re.IGNORECASE)
_STOPS = ".,;:!?\u2026\u3002\u3001"
_OFFERED = 5
_LONGEST_SEARCHED = 60  # characters
_COMPARED = 100  # names compared with a mistyped one
# The similarity of a suggested name: E30 and E31, but long ids may differ in one character.
_ALIKE_EPISODE, _ALIKE_ID = 0.5, 0.85

EXPECTED = (
    "A paper is named by its number in the list that you saw last (3), an episode (E171), a day"
    " and number (2026-01-05#3), an arXiv id or address, or words of its title."
)


def nothing_stored(source: str | None = None) -> UserError:
    """Return the error for a library without editions, or without those of a source."""
    if source == CONSENSUS:
        return UserError(NO_CONSENSUS, "sources says what there is.")
    of_source = f" of {source}" if source else ""
    return UserError(
        f"No edition{of_source} is stored yet.",
        "An operator imports one: broadsheet import FILE; sources says what is fetched.",
    )


def find_paper(session: Session, text: str, day: date) -> Mention:
    """Find the one paper that a text names, in its newest edition on a day (UTC).

    Raises:
        ArgumentError: if there is none, with the nearest; or if there are several, with each.
        UserError: if nothing is stored yet, or an edition has lost it.
    """
    text = _without_stop(text)
    if number := _NUMBER.fullmatch(text):
        return _by_number(session, int(number[1]), day)
    found = _by_name(session, text, day)
    return _by_words(session, text, day) if found is None else _only(text, found)


def names_entry(text: str) -> bool:
    """Tell whether a text names one entry, and not a paper with all its entries."""
    patterns = _NUMBER, _EPISODE, _DAY_AND_RANK, _REF
    return any(pattern.fullmatch(text) for pattern in patterns)


def _without_stop(text: str) -> str:
    """Return a ref without blanks, and an id without the stop behind; titles may end in one."""
    bare = text.rstrip(_STOPS)
    if ref := _TYPED_REF.fullmatch(bare):
        source = f"{ref[1].lower()}:" if ref[1] else ""
        return f"{source}{ref[2]}#{ref[3]}"
    return bare if names_entry(bare) or bare_arxiv_id(bare) else text


def _by_name(session: Session, text: str, today: date) -> list[Mention] | None:
    """Return the papers of an exact name, `None` if the text is none."""
    if _EPISODE.fullmatch(text):
        return mentions.by_episode(session, text.upper(), today) or _unknown(
            session, text, "E", today, _ALIKE_EPISODE
        )
    if day := _DAY_AND_RANK.fullmatch(text):
        return _by_day(session, day[1], int(day[2])) or _unknown(
            session, text, text[:7], today, _ALIKE_ID
        )
    if arxiv := arxiv_id_in_url(text) or bare_arxiv_id(text):
        return mentions.by_arxiv_id(session, arxiv, today) or _unknown(
            session, arxiv, arxiv[:4], today, _ALIKE_ID
        )
    if _REF.fullmatch(text) and (found := mentions.by_ref(session, text, today)):
        return found
    if ref := _NUMBERED_REF.fullmatch(text):
        raise _gone(session, ref[1], ref[2])
    return None


def _gone(session: Session, source: str, day: str) -> UserError:
    """Return the error for a ref of an old button that its edition no longer has."""
    for edition in editions.list_editions(session, source):
        if edition.first_day.isoformat() == day:
            week = editions.iso_week(edition.first_day, edition.last_day)
            return UserError(
                f"That paper is no longer in {edition_name(edition)}.",
                "It may stand there under another number.",
                (Suggestion("What is in it", f"week {week} from:{source}"),),
            )
    return ArgumentError("That paper is no longer in any edition.", EXPECTED)


def _unknown(session: Session, text: str, beginning: str, today: date, alike: float) -> NoReturn:
    """Refuse a name that no paper has, with the most similar names that begin so."""
    names = {}
    for mention in autocomplete.by_name(session, beginning, today, _COMPARED):
        for name in (mention.entry.ref.rpartition(":")[2], mention.entry.arxiv_id or ""):
            if name.startswith(beginning):
                names[name] = mention
    near = get_close_matches(text.upper(), names, n=2, cutoff=alike)
    error = ArgumentError(
        f"No edition that is stored names the paper {shorten(text, 80)}.",
        EXPECTED,
        _options([names[name] for name in near]),
    )
    if bare_arxiv_id(text) and (url := arxiv_url(text)):
        error.page = f"{text} on arXiv", url
    raise error


def _by_day(session: Session, day: str, rank: int) -> list[Mention]:
    try:
        return mentions.by_day_and_rank(session, date.fromisoformat(day), rank)
    except ValueError:
        raise ArgumentError(f"{day} is no day of the calendar.", EXPECTED) from None


def _by_number(session: Session, number: int, day: date) -> Mention:
    newest = editions.newest_edition(session, day=day)
    if newest is None:
        raise nothing_stored()
    for entry in newest.entries:
        if number == (entry.rank if entry.rank is not None else entry.position + 1):
            return mentions.by_ref(session, entry.ref, day)[0]
    last = newest.entries[-1]
    raise ArgumentError(
        f"The newest edition has no paper {number}; it has {count(len(newest.entries), 'paper')}.",
        EXPECTED,
        (_option(newest, last),),
    )


def _only(text: str, found: Sequence[Mention]) -> Mention:
    """Return the first mention if all are of one paper."""
    if len({mention.paper_id for mention in found}) > 1:
        named = quoted(shorten(text, 80), 80)
        raise SeveralMeant(f"Several papers fit {named}.", "Which one?", _options(found))
    return found[0]


def _by_words(session: Session, text: str, day: date) -> Mention:
    exact = mentions.by_title(session, text, day)
    if exact:
        return _only(text, exact)
    query = parse_query(text)
    titled = replace(query, title_only=True)
    if found := _papers(session, _search(session, replace(titled, every_word=True), day)):
        return _only(text, found)
    result = _search(session, titled, day)
    near = _papers(session, result) or _papers(session, _search(session, query, day))
    cut = (*([CUT] if query.cut else []), *([UNCORRECTED] if result.uncorrected else []))
    raise ArgumentError(
        f"No title holds the words {quoted(shorten(text, 80), 80)}.",
        " ".join([*cut, "Did you mean one of these?" if near else EXPECTED]),
        _options(near),
        () if query.cut or len(text) > _LONGEST_SEARCHED else _search_for(text),
    )


def _search_for(text: str) -> tuple[Suggestion, ...]:
    """Return the search for words that stand in no title, but perhaps in what is said of papers."""
    line = f"search {' '.join(text.split())}"
    return (Suggestion(line, line),)


def _search(session: Session, query: SearchQuery, day: date) -> SearchResult:
    return search(session, query, limit=4 * _OFFERED, latest=editions.latest_end(day))


def _papers(session: Session, result: SearchResult) -> list[Mention]:
    return mentions.of_entries(session, [each.entry_id for each in result.hits])


def _options(found: Sequence[Mention]) -> tuple[Option, ...]:
    """Offer each paper once, at its first mention."""
    papers: dict[int, Mention] = {}
    for mention in found:
        papers.setdefault(mention.paper_id, mention)
    return tuple(_option(m.edition, m.entry) for m in list(papers.values())[:_OFFERED])


def _option(edition: Edition, entry: Entry) -> Option:
    return Option(entry.ref, f"{shorten(shown_title(entry), 60)} ({place(edition, entry)})")
