"""The subject of a request for papers, without the frame that people put around it. Pure.

"I heard of a paper about models that lie, can't recall its name" is about models that lie.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from bot.commands.plain_words.keywords import common_words
from bot.commands.plain_words.list_references import read_list_reference

_SIGNS = " ,.;:!?\"'()-"
_ENDS_CLAUSE = (",", ".", ";", ":", "!", "?")
_DASHES = frozenset({"-", "--", "\u2013", "\u2014"})
_AT_ENDS = " ,;:-\u2013\u2014"
_QUOTES = ("'", '"')
_ARTICLES = frozenset({"a", "an", "the", "my", "our", "this", "some"})
_OWN = frozenset({"my", "our"})
_POINTING = frozenset({"that", "those", "these"})
_RELATIVE = frozenset({"that", "which"})
_CODE = frozenset({"code", "github", "repo", "weights"})  # no subject behind "with"
_SHORTEST = 3  # letters of a word that may name something
_MOST_WORDS = 40  # a longer line is a description


@dataclass(frozen=True, slots=True)
class Framed:
    """The subject of a request, and whether the words around it speak of a paper."""

    subject: str
    of_paper: bool = False


@dataclass(frozen=True, slots=True)
class FrameWords:
    """The words of frames by their part in them, as `framing.toml` tells."""

    nouns: frozenset[str]
    heard: frozenset[str]
    about: frozenset[str]
    joining: frozenset[str]
    claims: frozenset[str]
    several: frozenset[str]
    with_claims: frozenset[str]
    says: frozenset[str]
    places: frozenset[str]
    titles: frozenset[str]
    others: frozenset[str]
    times: frozenset[str]
    tail: frozenset[str]
    purposes: frozenset[str]


@cache
def _kinds() -> FrameWords:
    text = files("bot.commands.plain_words").joinpath("framing.toml").read_text(encoding="utf-8")
    return FrameWords(
        **{name: frozenset(each.split()) for name, each in tomllib.loads(text).items()}
    )


@cache
def _frame() -> frozenset[str]:
    kinds = _kinds()
    return common_words() | kinds.nouns | kinds.heard | kinds.others | kinds.places


@cache
def _known() -> frozenset[str]:
    return _frame() | _kinds().about | _kinds().joining | {""}


@lru_cache(maxsize=64)
def without_frame(text: str) -> Framed:
    """Return what a request is about; the text itself where nothing stands around its subject."""
    words = text.split()
    if len(words) > _MOST_WORDS:
        return Framed(text)
    clauses = _clauses(words)
    about = [clause for clause in clauses if not _is_frame(clause)]
    if not about or (len(about) < len(clauses) and _names_listed(clauses)):
        return Framed(text)
    end = _end_of_frame(about[0])
    around = [*about[0][:end], *(word for each in clauses if _is_frame(each) for word in each)]
    left = [*about[0][end:], *(word for clause in about[1:] for word in clause)]
    subject = " ".join(_without_tail(left)).strip(_AT_ENDS)
    of_paper = not _kinds().nouns.isdisjoint(map(_bare, around))
    return Framed(subject, of_paper) if subject else Framed(text)


def says_nothing(text: str) -> bool:
    """Tell whether a line of several words, or of none, has nothing to look for."""
    words = text.split()
    is_some = len(words) != 1 or _bare(text) in _kinds().nouns or len(text) < _SHORTEST
    return is_some and len(words) <= _MOST_WORDS and _is_frame(words)


def is_frame(text: str) -> bool:
    """Tell whether a text has only words that may stand around a subject."""
    words = text.split()
    return len(words) <= _MOST_WORDS and _is_frame(words)


def listed_alone(text: str) -> str | None:
    """Return the clause that speaks of the list seen last, where nothing else is said of a subject.

    "The second one, what's it about?" asks for that paper.
    """
    words = text.split()
    parted = _clauses(words) if len(words) <= _MOST_WORDS else []
    if len(parted) < 2:  # noqa: PLR2004 - one clause alone is read elsewhere
        return None
    clauses = [" ".join(clause).strip(_SIGNS) for clause in parted]
    found = [clause for clause in clauses if read_list_reference(clause)]
    others = (clause.split() for clause in clauses if clause not in found)
    return found[0] if len(found) == 1 and all(map(_is_frame, others)) else None


def _bare(word: str) -> str:
    return word.lower().strip(_SIGNS)


def _clauses(words: Sequence[str]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for word in words:
        found[-1].append(word)
        if word.endswith(_ENDS_CLAUSE) or word in _DASHES:
            found.append([])
    return [clause for clause in found if clause]


def _is_frame(clause: Sequence[str]) -> bool:
    """Tell whether a clause is about nothing; a time is something unless it is one of a story."""
    words = {*map(_bare, clause)}
    is_story = not words.isdisjoint(_kinds().nouns | _kinds().heard)
    if not is_story and not words.isdisjoint(_kinds().times):
        return False
    return all(word in _known() or len(word) == 1 for word in words)


def _names_listed(clauses: Sequence[Sequence[str]]) -> bool:
    """Tell whether a clause speaks of the list seen last."""
    return any(read_list_reference(" ".join(clause).strip(_SIGNS)) for clause in clauses)


def _end_of_frame(clause: Sequence[str]) -> int:
    """Return where the subject begins in a clause."""
    kinds, bare = _kinds(), [_bare(word) for word in clause]
    begun = int(bare[0] in _RELATIVE)
    if begun < (behind := _behind_claim(bare, begun)) < len(bare):
        return behind
    if bare[0] in kinds.joining and bare[1:2] == ["that"] and len(bare) > 2:  # noqa: PLR2004 - both
        return 2
    is_heard, is_of_paper = False, bare[0] in kinds.joining
    is_of_paper = is_of_paper and not kinds.titles.isdisjoint(bare[1:3])
    for place, word in enumerate(bare):
        begins = word in kinds.about or (is_of_paper and word in kinds.joining)
        if begins and (start := _start(bare, place)):
            return start
        is_time = word in kinds.times
        is_purpose = word in kinds.purposes and ("for" in bare[:place] or bare[0] in _OWN)
        is_around = begins or is_heard if is_time else begins or is_purpose or word in _frame()
        if clause[place].startswith(_QUOTES) or not is_around:
            break
        is_heard = is_heard or word in kinds.heard
        is_of_paper = is_of_paper or is_heard or word in kinds.nouns
    return 1 if len(bare) > 1 and bare[0] in _POINTING and bare[1] not in _frame() else 0


def _start(bare: Sequence[str], place: int) -> int | None:
    """Return where a subject begins behind a word that may begin one, `None` if none does."""
    kinds, word, start = _kinds(), bare[place], place + 1
    if word in _RELATIVE and (claimed := _behind_claim(bare, start)) > start:
        return claimed if claimed < len(bare) else None
    if word in _RELATIVE:
        start = _behind(bare, start, kinds.says)
        start += start > place + 1 and bare[start : start + 1] == ["that"]
    behind = _behind(bare, start, _ARTICLES)
    if behind >= len(bare):
        return None
    if bare[behind] in kinds.titles and behind + 1 < len(bare):
        return behind + 1
    if bare[behind] in kinds.places or (word == "with" and bare[behind] in _CODE):
        return None
    if word in kinds.about:
        return start if bare[start] not in kinds.about else None
    # "that I saw", "which was on": the frame goes on.
    goes_on = bare[start] in _frame() and bare[start] not in _ARTICLES
    return None if goes_on and word != "where" else start


def _behind_claim(bare: Sequence[str], start: int) -> int:
    """Return the place behind what a paper does: "walked through", "showed that"."""
    kinds, is_that = _kinds(), start > 0 and bare[start - 1] in _RELATIVE
    end = _behind(bare, start, kinds.claims | kinds.several if is_that else kinds.claims)
    return end if end == start else _behind(bare, end, kinds.with_claims)


def _behind(bare: Sequence[str], start: int, words: frozenset[str]) -> int:
    """Return the place behind a run of some words."""
    while start < len(bare) and bare[start] in words:
        start += 1
    return start


def _without_tail(words: Sequence[str]) -> Sequence[str]:
    """Return words without what stands behind a subject: when, and what it is needed for."""
    kinds, bare = _kinds(), [_bare(word) for word in words]
    end = len(bare)
    while end > 1 and bare[end - 1] in kinds.tail:
        end -= 1
    if "for" in bare[1:end]:
        place = end - 1 - bare[:end][::-1].index("for")
        purpose = bare[place + 1 : end]
        if purpose and purpose[-1] in kinds.purposes and set(purpose) <= kinds.purposes | _frame():
            end = place
    return words[:end]
