"""One line about a paper: a whole clause of its summary that says something. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice

from bot.domain.sentences import sentences
from bot.replies.clauses import BEFORE, END, Inside, inside, listed, waits, whole_clauses
from bot.replies.findings import (
    is_counting,
    is_torn,
    is_worth_showing,
    says_more,
    tells_contents,
    worth,
)
from bot.replies.openings import is_announced, is_praised, points_back, without_opening
from bot.replies.wording import capitalised, shorten

LINE_LENGTH = 110  # characters
NAME_LENGTH = 70  # characters behind a title
_LONGEST_SENTENCE = 800  # characters that are looked at
_MOST_SENTENCES = 60
_MOST_INSIDE = 8  # of one sentence
_LONGEST_INSIDE = 300  # characters of what stands inside a sentence
_MOST_COMPARED = 12  # sentences of which the best is taken
# Left out only where a line is too long with them: asides, who made it, what comes before.
_ASIDE = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)")
_SHARE = re.compile(r"\s\([^()]{0,10}%\)")  # an aside that stays
_CLAIM = re.compile(
    r"(?:(?:it|they|the\s+authors)\s+)?(?:argue|claim|suggest|estimate|emphasi[sz]e)s?\s+that\s+",
    re.IGNORECASE,
)
_MAKER = re.compile(
    r"""(?:researchers|scientists|authors|a\ team|this\ (?:paper|work))\ (?:from|at|of)\ .{2,120}?
    \b(?:introduce|propose|present|release|develop|describe)[sd]?\s+""",
    re.IGNORECASE | re.VERBOSE,
)
# Whoever or whatever is named with capitals before the verb.
_NAMED_MAKER = re.compile(
    r"[A-Z][\w.&-]*(?:\s[A-Z0-9][\w.&-]*){0,3}\s(?:introduc|propos|releas|present|announc|describ)"
    r"\w*\s(?=an?\s)"
)
_FIRST_ITEM = re.compile(
    r"(?:[\w\s]{0,40}\b(?:findings|results|insights)\b[\w\s]{0,12}:?\s)?\(?(?:1|a|i)\)\s+(.+?)"
    r"(?:[,;]?\s+(?:and\s+)?\(?(?:2|b|ii)\)\s.*)"
)
_ITEM = re.compile(
    r"(?:[\w\s]{0,40}\b(?:findings|results|insights)\b[\w\s]{0,12}:?\s)?\(?(?:1|a|i)\)\s+(.+?)(?:[,;]?\s+(?:and\s+)?\(?(?:2|b|ii)\)\s.*)"
)
_LISTED = re.compile(r"\(?\b(?:1|a|i)\)\s+(.+?)[,;]?\s+(?:and\s+)?\(?(?:2|b|ii)\)\s")
_ITEM = re.compile(r"\(?(?:\d{1,2}|[a-z]|[ivx]+)\) ", re.IGNORECASE)
# What else was found: a sentence by itself.
_AND_THAT = re.compile(
    r",?\s+and\s+(?:also\s+)?(?:(?:[a-z]+s\s+)?that"
    r"|argues|claims|demonstrates|discusses|highlights|introduces|presents|proposes|provides"
    r"|recommends|reports|shows|suggests)\s+"
)
# What a sentence comes to.
_SO = re.compile(
    r",\s+(?:and\s+so|so|which\s+is\s+why)\s+(?!(?:that|do|does|did|is|are|was|were)\b)"
)
_ENDED = re.compile(r"\W*$|\s*[:;–—]")  # behind a line that is no stub
_SHORT = 32  # characters; a shorter sentence is no better for being whole
_STUB = 50  # characters; a shorter clause lacks most of its sentence
_SHORTEST = 20  # characters that may tell more than the first sentence
_SHORTEST_HALF = 12  # characters before "and finds that"
_SHORTEST_INSIDE = 38
_WORTHLESS = -3  # what reports others, or is a doubt
_OF_KIND: dict[Inside | None, dict[str, bool]] = {
    None: {},
    Inside.RESULT: {},
    Inside.CLAUSE: {},
    Inside.MEANS: {"tells_how": True, "is_inside": True},
    Inside.PHRASE: {"is_phrase": True, "is_inside": True},
    # Of what a work has in it, a number is no result.
    Inside.CONTENTS: {"measured": False, "counted": False},
}
_UNFIT = 10  # what a line is worth less that is cut, or begins with what it doesn't name


@lru_cache(2048)  # every answer lists the same few summaries
def one_line(text: str | None, length: int = LINE_LENGTH, title: str = "") -> str | None:
    """Return a whole clause of a summary in at most `length` characters, with a capital.

    Empty openings such as "This paper introduces" are left out, and sentences that say no more than
    the paper's `title`. Where no clause is short enough the line is cut at a word and ends with an
    ellipsis; a whole one of a later sentence goes before it, and before a question. None stands for
    a text without words, and for one that says no more than the title: a list is better without.
    """
    said = list(islice(_sentences(text, title), _MOST_COMPARED))
    lines = [(_line(each.sentence, length, title), each) for each in said]
    fit = [each for each in chain(lines, _inside(said, length, title)) if _is_fit(*each, title)]
    best_first = sorted(fit or lines[:1], key=lambda each: -_worth(each[0], each[1], title))
    shown = (
        line
        for line, of in best_first
        if not title or is_worth_showing(line, title, is_announced=of.announced)
    )
    return next(shown, None) or _contents(said, length, title)


@dataclass(frozen=True, slots=True)
class _Said:
    """A sentence without its opening, its number, and whether that announced a result, or praised.

    Of what stands inside a sentence, its kind.
    """

    number: int
    sentence: str
    announced: bool = False
    praised: bool = False
    inside: Inside | None = None


@lru_cache(2048)
def found_lines(text: str | None, length: int = LINE_LENGTH) -> tuple[str | None, str | None]:
    """Return the line of a review that says what was found, and a short one of another sentence.

    The second is whole and completes a title in at most `NAME_LENGTH` characters.
    """
    said = list(_with_conclusions(_sentences(text, "")))
    lines = [(_line(each.sentence, length), each) for each in said]
    if not lines:
        return None, None
    line, of = max(lines, key=lambda each: _worth(*each))
    others = (each for each in said if each.number != of.number)
    short = ((_fitted(each.sentence, NAME_LENGTH) or "", each) for each in others)
    fit = (each for each in short if each[0] and _worth(*each) > _WORTHLESS)
    called, _ = max(fit, key=lambda each: _worth(*each), default=("", of))
    return line, capitalised(called) or None


def _worth(line: str, said: _Said, title: str = "") -> int:
    """Return what a line is worth of a sentence."""
    is_fit = _is_whole(said.sentence, line) and not points_back(line)
    is_all = len(line) + 1 >= len(said.sentence)
    told = worth(
        line,
        title,
        is_all=is_all and said.inside is None and len(line) >= _SHORT,
        is_stub=len(line) < _STUB
        and not is_counting(line)
        and not _ENDED.match(said.sentence, len(line)),
        is_first=bool(title) and said.number == 0 and not (said.praised or said.inside),
        is_announced=said.announced,
        torn=is_torn(said.sentence),
        **_OF_KIND[said.inside],
    )
    told -= _UNFIT * (not is_fit)
    return told if len(line) >= _SHORTEST else min(told, 0)


def _sentences(text: str | None, title: str) -> Iterator[_Said]:
    """Yield the first sentences of a text without their openings; of a list its first item."""
    for number, each in enumerate(islice(sentences(text or ""), _MOST_SENTENCES)):
        whole = " ".join(each[:_LONGEST_SENTENCE].split())
        sentence = without_opening(whole, title)
        if first := _FIRST_ITEM.fullmatch(sentence):
            sentence = without_opening(first[1], title)
        said = _Said(number, sentence, is_announced(whole), is_praised(whole))
        if said.announced or sentence != whole:
            # What is announced goes first where both say as much.
            yield from sorted(_halves(said), key=lambda each: not each.announced)
        elif sentence:
            yield said


def _halves(said: _Said) -> Iterator[_Said]:
    """Yield a sentence, or what stands before "and finds that" and behind it."""
    found = _AND_THAT.search(said.sentence, _SHORTEST_HALF)
    if first := said.sentence[: found.start()] if found else said.sentence:
        yield replace(said, sentence=first)
    if found and found[0].rstrip().endswith("that"):
        yield replace(said, sentence=said.sentence[found.end() :], announced=True)


def _with_conclusions(said: Iterator[_Said]) -> Iterator[_Said]:
    for each in said:
        yield each
        if found := _SO.search(each.sentence):
            yield replace(each, sentence=each.sentence[found.end() :])


def _inside(said: Sequence[_Said], length: int, title: str) -> Iterator[tuple[str, _Said]]:
    for each in said:
        for kind, rest in islice(inside(each.sentence), _MOST_INSIDE):
            sentence = rest[:_LONGEST_INSIDE]
            line = capitalised(_fitted(sentence, length, title) or "")
            if len(line) >= _SHORTEST_INSIDE:
                is_result = kind is Inside.RESULT
                yield line, replace(each, sentence=sentence, announced=is_result, inside=kind)


def _is_fit(line: str, said: _Said, title: str) -> bool:
    """Tell whether a line can be understood alone and may say more than the title."""
    if points_back(line) or not says_more(line, title, is_announced=said.announced):
        return False
    return said.inside is not Inside.CONTENTS or tells_contents(line, title)


def _contents(said: Sequence[_Said], length: int, title: str) -> str | None:
    """Return what a work has in it, where no more is said of it."""
    lists = chain.from_iterable(
        chain(listed(_ASIDE.sub("", each.sentence)), listed(each.sentence)) for each in said
    )
    telling = (each for each in lists if tells_contents(each, title))
    short = (capitalised(each) for each in telling if _SHORT <= len(each) <= length)
    return next(short, None)


def _without_beginnings(sentence: str, cuts: Sequence[re.Pattern[str]]) -> Iterator[str]:
    return (sentence[found.end() :] for cut in cuts if (found := cut.match(sentence)))


def _without_claim(sentence: str) -> Iterator[str]:
    for rest in _without_beginnings(sentence, (_CLAIM,)):
        yield rest
        yield from _without_beginnings(rest, (BEFORE,))


def _is_whole(sentence: str, line: str) -> bool:
    """Tell a line that is not cut, no question, no item of a list, nor what a list is called."""
    is_heading = sentence.endswith(":") and len(line) >= len(sentence.rstrip(END))
    return not (line.endswith(("…", "?")) or is_heading or _ITEM.match(line) or waits(line))


def _line(sentence: str, length: int, title: str = "") -> str:
    return capitalised(_fitted(sentence, length, title) or shorten(sentence.rstrip(END), length))


def _fitted(sentence: str, length: int, title: str = "") -> str | None:
    """Return the sentence or a whole clause of it, as long as the line allows.

    A clause is rather one that says more than the title.
    """
    if len(whole := sentence.rstrip(END)) <= length:
        return whole
    bare = _ASIDE.sub(lambda aside: aside[0] if _SHARE.fullmatch(aside[0]) else "", sentence)
    shorter = map(without_opening, _without_beginnings(bare, (_MAKER, _NAMED_MAKER, BEFORE)))
    candidates = [*shorter, bare, *_without_claim(bare)]
    if len(whole := bare.rstrip(END)) <= length:
        return whole
    for each in candidates:
        first = ""
        for clause in whole_clauses(each, length):
            if says_more(clause, title):
                return clause
            first = first or clause
        if first:
            return first
    return None
