"""The worth of a line: of a review what was found, of any text more than its title. Pure.

The words are those of `findings.toml`.
"""

import re
import tomllib
from importlib.resources import files

from bot.replies.wording import GAP
from store.text import stem, tokens

_WORDS = tomllib.loads(files("bot.replies").joinpath("findings.toml").read_text(encoding="utf-8"))
ANNOUNCED = "|".join(_WORDS["announced"].split())
_FOUND, _DOUBTED, _EMPTY, _PRAISE = (
    frozenset(map(stem, _WORDS[name].split())) for name in ("found", "doubted", "empty", "praise")
)
_INQUIRY, _OVERVIEW, _MADE = (
    frozenset(_WORDS[name].split()) for name in ("inquiry", "overview", "made")
)
_POINTS: dict[str, int] = _WORDS["points"]
_MEASURED = re.compile(
    r"\d[\d.,]*\s*(?:%|percent\b|\u00d7|x\b(?!\s*\d)|points?\b|times\b|-?fold\b|hours?\b)",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"(?<![\w.,/-])(?!\d{4}\.\d{4,5}\b)\d[\d.,]*[KMB+]?(?![\w-])")
# As if something had been said before.
_INSIDE = re.compile(r"(?:every|both|then|only|once|you)\b", re.IGNORECASE)
_RELEASE = re.compile(
    r"\b(?:will release|(?:is|are) (?:(?:publicly|openly) )?(?:released|available)|licen[sc]e"
    r"|apache)\b",
    re.IGNORECASE,
)
# A word was lost that left no mark: "a -level", "'s share", "an when", "a trusted whose".
_LOST = re.compile(
    r"(?:^|\s)(?:-\w*[A-Za-z]|['’]s\s)|\b[Aa]n (?=[bcdfgjklmnpqrstvwz][a-z])"
    r"|\b(?:an?|one|the) \w+(?:ous|able|sive|ted) (?:that|which|whose)\b"
)
# What the line closes was opened before it: its first quotation mark stands behind a stop.
_UNQUOTED = re.compile(r"[^'‘“\"]*[.,!?]['’”\"](?!\w)")
_PRONOUN = re.compile(r"\b(?:these|those|its?|they|them)\b", re.IGNORECASE)
_REFERS = re.compile(
    r"(?:[\w’'-]+\s+){0,3}(?:these|those|its?|they|them|that premise)\b"
    r"|(?:the|only|every) (?:approach|authors|framework|method|models?|report|results?|system)\b",
    re.IGNORECASE,
)
_HALVES = re.compile(r"\b(\w+)-(\w+)\b")  # "fine-tuning" where a title has "finetuning"
_HOW = re.compile(r"\b(?:by|without) \w+ing\b|\binstead of\b", re.IGNORECASE)
# What others did before, and what everybody knows.
_OF_OTHERS = re.compile(
    r"(?:all|many|most|recent|prior|previous|existing|earlier|current|traditional|standard)\b"
    r"(?! [\w-]+ (?:of|in)\b)"
    rf"|.*?\b(?:is|are|remains?|can be|(?:has|have) been) (?:(?:an?|the|very|often|still) )?"
    rf"(?:{'|'.join(_WORDS['known'].split())})\b"
    r"|.*?\b(?:often|still|typically|usually) (?:fail|lack|requir|struggl|suffer)",
    re.IGNORECASE,
)
# Topics one after another: "Wings, tails, and …"
_TOPICS = re.compile(r"[\w\s-]{3,60}, (?:[\w\s-]{3,60}, )+(?:and|or) (?:more\b|[\w\s-]+$)")
_NEAR = 6  # words from the beginning
_FEWEST = 2  # stems that say something
# "A new kite of silk" is worth no more, and says its title again: it has no more stems of its own.
_SMALL_WORTH, _FEW_OF_ITS_OWN = 3, 2
_MANY_OF_ITS_OWN = 7  # stems: such a line tells something, however it begins
_SAYS_AGAIN = re.compile(r"an? |(?:\S+ ){4}", re.IGNORECASE)  # a thing, or five words and more
_MOST_COUNTED = 4  # such stems that are worth a point each


def says_more(line: str, title: str) -> bool:
    """Tell whether a line has some words that neither the title has nor any paper could have."""
    return len(_new_stems(line, title)) >= _FEWEST


def is_worth_showing(line: str, title: str) -> bool:
    """Tell whether a line says something that its title does not."""
    new = len(_new_stems(line, title))
    is_small = _SAYS_AGAIN.match(line) and new <= _FEW_OF_ITS_OWN
    is_rich = new >= _MANY_OF_ITS_OWN and not _inquires(line)
    return is_rich or worth(line, title) > (_SMALL_WORTH if is_small else 0)


def _inquires(line: str) -> bool:
    """Tell whether a line says what was looked at, and not what was seen."""
    first = line.casefold().split()[:_NEAR]
    return not (_INQUIRY.isdisjoint(first[:2]) and _OVERVIEW.isdisjoint(first[:5]))


def _new_stems(line: str, title: str) -> set[str]:
    """Return the stems of a line that the title lacks and that tell something by themselves."""
    named = {*map(stem, tokens(title))}
    for one, other in _HALVES.findall(line):
        if stem(f"{one}{other}".casefold()) in named:
            named |= {stem(one.casefold()), stem(other.casefold())}
    return {*map(stem, tokens(line))} - named - _EMPTY


def worth(line: str, title: str = "", **of_sentence: bool) -> int:
    """Return how much a line says of what was found: the sum of the points of its signs.

    Signs that only the whole sentence shows are given by their names.
    """
    stems = [*map(stem, tokens(line))]
    first = line.casefold().split()[:_NEAR]
    new = _new_stems(line, title)
    signs = {
        "measured": bool(_MEASURED.search(line)),
        "counted": bool(_COUNTED.search(line)),
        "found": any(each in _FOUND for each in stems),
        "tells_how": bool(_HOW.search(line)),
        "names_what_is_made": first[:1] in (["a"], ["an"]) and not _MADE.isdisjoint(first),
        "inquires": _inquires(line),
        "praises": any(each in _PRAISE for each in stems),
        "is_of_others": bool(_OF_OTHERS.match(line)),
        "lists_topics": bool(_TOPICS.match(line)),
        "refers": bool(_REFERS.match(line)),
        "leans": not title and bool(_PRONOUN.search(line)),
        "begins_inside": bool(_INSIDE.match(line)),
        "tells_of_release": bool(_RELEASE.search(line)),
        "doubts": any(each in _DOUBTED for each in stems),
        "asks": line.endswith("?"),
        "torn": is_torn(line),
        **of_sentence,
    }
    told = min(len(new), _MOST_COUNTED) if title else 0
    return told + sum(_POINTS[name] for name, is_shown in signs.items() if is_shown)


def is_torn(line: str) -> bool:
    """Tell a line that lacks a word, or a mark of those that come in pairs."""
    is_closing = line.count(")") > line.count("(") or _UNQUOTED.match(line)
    return GAP in line or bool(is_closing or _LOST.search(line))
