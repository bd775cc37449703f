"""Search: the parsing of a query, its hits, and the snippet of each hit."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from bot.domain.sentences import sentences, stems, stems_of
from bot.library.links_in_text import linked_papers
from bot.replies.openings import without_opening
from bot.replies.wording import capitalised, shorten
from store.database import Session
from store.library import mentions, statistics
from store.library.editions import latest_end
from store.records import Entry, Mention
from store.search import EVERYTHING, MOST_CORRECTED, Filters, SearchQuery, Term, search
from store.text import LONGEST_WORD, MOST_WORDS, fold, typed_words

# A quoted run, straight or curly, or a word; either may be excluded by a hyphen before it.
_PART = re.compile(r'(?P<minus>-?)(?:["“”](?P<phrase>[^"“”]*)["“”]|(?P<word>[^\s"“”]+|["“”]))')
_LETTERS = re.compile(r"[^\W_]+")

CUT = (
    f"{MOST_WORDS} words of at most {LONGEST_WORD} letters are looked for at once;"
    " the rest was left out."
)


def parse_query(text: str, filters: Filters = EVERYTHING) -> SearchQuery:
    """Parse a query; other signs separate words.

    An arXiv id, or an address that holds one, names a paper and is no word. Only the first
    `MOST_WORDS` words are read, those of phrases and exclusions among them.
    """
    bare: list[str] = []
    left, cut = MOST_WORDS, False
    phrases: list[tuple[str, ...]] = []
    excluded: list[tuple[str, ...]] = []
    named: list[str] = []
    for part in _PART.finditer(text):
        typed = part["phrase"] or part["word"] or ""
        if not part["minus"] and (ids := linked_papers(typed)):
            named += ids
            continue
        found = typed_words(typed, left)
        cut = cut or found.cut
        left -= len(found.words)
        if not found.words:
            continue
        if part["minus"]:
            excluded.append(found.words)
        elif part["phrase"] is not None:
            phrases.append(found.words)
        else:
            bare += found.words
    return SearchQuery(
        words=tuple(bare),
        phrases=tuple(phrases),
        excluded=tuple(excluded),
        arxiv_ids=tuple(dict.fromkeys(named)),
        filters=filters,
        text=text,
        cut=cut,
    )


def corrected_text(text: str, corrections: Iterable[tuple[str, str]]) -> str | None:
    """Return a query with its words corrected, `None` without corrections.

    Phrases and exclusions stay as they are.
    """
    meant = dict(corrections)
    if not meant:
        return None

    def corrected(part: re.Match[str]) -> str:
        if part["minus"] or part["phrase"] is not None:
            return part[0]
        return _LETTERS.sub(lambda word: meant.get(fold(word[0]), word[0]), part[0])

    return _PART.sub(corrected, text)


UNCORRECTED = (
    f"The spelling of {MOST_CORRECTED} unknown words is looked at; the others were taken as typed."
)
_COMMON_CUT = "The most common of the words were left out: very many papers hold them."


@dataclass(frozen=True, slots=True)
class Hit:
    """A found entry, its score (higher is better) and its snippet.

    A `complete` one has every word of the query, any other has most of them.
    """

    mention: Mention
    score: float
    snippet: str
    complete: bool


@dataclass(frozen=True, slots=True)
class Hits:
    """A page of hits, best first, of `total` ones; with `or_more` there are more.

    `any_complete` is set if a hit on any page is complete. `corrected` is the query with corrected
    spelling, if it was corrected. `cut` has a sentence for each part of the query that was left
    out, because the time of a search is limited.
    """

    hits: tuple[Hit, ...]
    corrected: str | None
    total: int
    or_more: bool = False
    cut: tuple[str, ...] = ()
    any_complete: bool = False


def find_hits(  # noqa: PLR0913 - what is searched for, on which day, and its page
    session: Session,
    query: SearchQuery,
    day: date,
    limit: int,
    offset: int = 0,
    *,
    once_a_paper: bool = False,
) -> Hits:
    """Return the entries that match, best first; for filters alone the papers, newest first.

    What is newest is told on a day (UTC). With `once_a_paper` only the best entry of each paper is
    found.
    """
    if query.is_filters_alone:
        papers = mentions.newest(session, query.filters, day, limit, offset)
        listed = (Hit(each, 0, snippet(each.entry, ()), complete=True) for each in papers)
        total = statistics.count_papers(session, query.filters)
        return Hits(tuple(listed), None, total)
    result = search(
        session, query, limit, offset, latest=latest_end(day), once_a_paper=once_a_paper
    )
    by_entry = mentions.of_found(session, [each.entry_id for each in result.hits])
    wanted = _wanted(result.terms)
    hits = (
        Hit(mention, each.score, _snippet(mention.entry, wanted), each.complete)
        for mention, each in zip(by_entry, result.hits, strict=True)
    )
    cut = (
        *([CUT] if query.cut else []),
        *([UNCORRECTED] if result.uncorrected else []),
        *([_COMMON_CUT] if result.cut else []),
    )
    corrected = corrected_text(query.text, result.corrections)
    return Hits(
        tuple(hits),
        corrected,
        result.total,
        or_more=result.or_more,
        cut=cut,
        any_complete=result.any_complete,
    )


_LENGTH = 200  # characters
_LEAD_IN = 60  # characters at most before the first word that counts
_MOST_PLACES = 50  # a "sentence" that has more of these words is a list of them


# The forms of a term as stems, each between blanks, and its weight.
_Wanted = tuple[list[str], int]


def snippet(entry: Entry, terms: Iterable[Term]) -> str:
    """Return the sentence of an entry with most weight, cut around the matching words if long."""
    return _snippet(entry, _wanted(terms))


def _wanted(terms: Iterable[Term]) -> list[_Wanted]:
    return [([stems(form) for form in term.forms], term.weight) for term in terms]


def _snippet(entry: Entry, wanted: Sequence[_Wanted]) -> str:
    best, most = entry.title, -1
    for sentence, held in _sentences("\n\n".join(_texts(entry))):
        if (weight := _weight(held, wanted)) > most:
            best, most = sentence, weight
    if bare := without_opening(best):
        best = capitalised(bare) if bare != best else best
    return _cut(best, wanted) if len(best) > _LENGTH else best


def _texts(entry: Entry) -> Iterator[str]:
    yield entry.summary or ""
    yield from (f"{h.lead}: {h.text}" if h.lead else h.text for h in entry.highlights)
    yield from (entry.section or "", entry.heading or "")


@lru_cache(2048)  # what one search finds others find too; some 6 MB
def _sentences(text: str) -> tuple[tuple[str, str], ...]:
    """Return the sentences of a text, each with the stems of its words."""
    found = (" ".join(sentence.split()).rstrip(" ,;:") for sentence in sentences(text))
    return tuple((sentence, stems_of(sentence)) for sentence in found)


@lru_cache(256)  # the long ones of these; some 2 MB
def _words(sentence: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words of a sentence, and the stems of each."""
    words = tuple(sentence.split(" "))
    return words, tuple([stems_of(word) for word in words])


def _weight(held: str, wanted: Iterable[_Wanted]) -> int:
    """Return the weight of the terms whose stems are among those of a text."""
    found = 0
    for forms, weight in wanted:
        for form in forms:
            if form in held:
                found += weight
                break
    return found


def _cut(sentence: str, wanted: Sequence[_Wanted]) -> str:
    """Return the part of a sentence with most weight."""
    parts, held = _words(sentence)
    first = {form.split()[0] for forms, _ in wanted for form in forms}
    places = [place for place, each in enumerate(held) if not first.isdisjoint(each.split())]
    windows = (_window(parts, place) for place in places[:_MOST_PLACES] or [0])
    return max(windows, key=lambda window: _weight(stems_of(window), wanted))


def _window(parts: Sequence[str], place: int) -> str:
    """Return the text around a word, more after it than before."""
    start, lead_in = place, len(parts[place - 1]) if place else 0
    while start and lead_in <= _LEAD_IN:
        start -= 1
        lead_in += 1 + len(parts[start - 1]) if start else 0
    # A word has a letter at least, so what is farther away than these can't fit: a "sentence"
    # may be a whole document without a full stop.
    last = max(0, len(parts) - _LENGTH)
    while last < start and len(" ".join(parts[last:])) >= _LENGTH:
        last += 1
    start = min(start, last)
    ellipsis = "…" if start else ""
    return ellipsis + shorten(" ".join(parts[start : start + _LENGTH]), _LENGTH - len(ellipsis))
