"""The worth of a line: of a review what was found, of any text more than its title. Pure.

The words are those of `findings.toml`.
"""

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from itertools import chain

from bot.replies.wording import GAP
from store.text import stem, tokens

_WORDS = tomllib.loads(files("bot.replies").joinpath("findings.toml").read_text(encoding="utf-8"))
ANNOUNCED = "|".join(_WORDS["announced"].split())
_FOUND, _DOUBTED, _EMPTY, _PRAISE, _GENERAL = (
    frozenset(map(stem, _WORDS[name].split()))
    for name in ("found", "doubted", "empty", "praise", "general")
)
_INQUIRY, _OVERVIEW, _MADE, _MEANS = (
    frozenset(_WORDS[name].split()) for name in ("inquiry", "overview", "made", "means")
)
_POINTS: dict[str, int] = _WORDS["points"]
_MEASURED = re.compile(
    r"\d[\d.,]*\s*(?:%|percent\b|\u00d7|x\b(?!\s*\d)|points?\b|times\b|-?fold\b|hours?\b"
    r"|BLEU\b|Elo\b|F1\b|FID\b|WER\b)",
    re.IGNORECASE,
)
# No size or version of a model, no year, no date of arXiv.
_COUNTED = re.compile(
    r"(?:^|^\S+\s|\s[^A-Z\s]\S*\s)[(~$\u223c]*"
    r"(?!(?:19|20)\d\d\b|\d{4}\.\d{4,5}\b|\d[\d.]*B\b(?! tokens))"
    r"\d[\d.,]*[KMB+]?(?![\w-])"
)
# As if something had been said before.
_INSIDE = re.compile(r"(?:every|both(?! .* and)|then|only|once|you)\b", re.IGNORECASE)
_RELEASE = re.compile(
    r"\b(?:will release|(?:is|are) (?:(?:publicly|openly) )?(?:released|available)|licen[sc]e"
    r"|apache|published (?:on|in|at))\b",
    re.IGNORECASE,
)
# A word was lost that left no mark: "a -level", "'s share", "an when", "a trusted whose".
_LOST = re.compile(
    r"(?:^|\s)(?:-\w*[A-Za-z]|['’]s\s)|\b[Aa]n (?=[bcdfgjklmnpqrstvwz][a-z])"
    r"|\b(?:an?|one|the) \w+(?:ous|able|sive|ted) (?:that|which|whose)\b"
)
# What the line closes was opened before it: its first quotation mark stands behind a stop.
_UNQUOTED = re.compile(r"[^'‘“\"]*[.,!?]['’”\"](?!\w)")
_PRONOUN = re.compile(r"\b(?:these|those|its?|ones?|they|them|their)\b", re.IGNORECASE)
_REFERS = re.compile(
    r"(?:[\w’'-]+\s+){0,3}(?:these|those|its?|they|them|their|that premise)\b"
    r"|(?:the|only|every) (?:approach|authors|framework|method|models?|report|results?|system)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(r"\bthe (?:second|third|latter|former)\b(?!-)", re.IGNORECASE)
_ACRONYM = re.compile(r"\b[A-Z][A-Za-z]?[A-Z]+s?\b")
_LOOKED_AT = re.compile(
    r"\b(?:is|are|was|were) (?:also )?(?:analyzed|assessed|categorized|compared|discussed|evaluated"
    r"|examined|explored|investigated|studied|tested|validated)"
    r" (?:across|against|as|by|for|in|on|over|using|with)\b"
    r"|(?:the|its|their|our) (?:aim|goal|motivation|objective|purpose) (?:is|was)\b",
    re.IGNORECASE,
)
# What something that is made does, and of which size it is; not what it is for.
_DOES = re.compile(
    r"\b(?:that|which|where) (?!(?:achieves?|aims?|allows?|can|could|enables?|enhances?|helps?"
    r"|improves?|performs?|supports?)\b)|\d",
    re.IGNORECASE,
)
_HALVES = re.compile(r"\b(\w+)-(\w+)\b")  # "fine-tuning" where a title has "finetuning"
_DOING = r"\b(?:by|without) (?:(?:\w+ly|never|not|also|first) )?\w+ing\b"
_HOW = re.compile(
    rf"{_DOING}|\b(?:instead of|using|via|through|leveraging|where each|trained with"
    r"|(?:(?<!is )(?<!are )based|built|conditioned|operates|relies) (?:up)?on)\b",
    re.IGNORECASE,
)
_BY_DOING = re.compile(rf"{_DOING}|\b(?:rather|instead)\b", re.IGNORECASE)
# What any paper could say that it gained, unless it says how much or more than whom.
_GAIN = re.compile(
    r"\b(?:outperform|surpass|exceed|beat|improv|enhanc|boost|achiev|attain|gain|high|strong|good"
    r"|competitive|better|superior|promising|impressive|effective)\w*\b.*\b(?:performance|results?"
    r"|accuracy|baselines?|methods?|approaches|techniques|models|state-of-the-art|sota"
    r"|improvements?|gains?|capabilit\w+|abilit\w+|effectiveness|efficiency|benchmarks?|tasks?"
    r"|well)\b|\bthan (?:prior|existing|previous|other|conventional|traditional|standard)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"(?<=\s)(?=[\w-]*[A-Z0-9])[A-Za-z][\w.+-]*\w")
_MODEL = re.compile(r"\b[A-Z][A-Za-z]+-?\d[\w.]*")
_NO_NAME = re.compile(r"(?:M?LLMs?|V?LMs?|LRMs?|AI|NLP|ML|SoTA|SOTA|QA|OOD)")
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
_TOPICS = re.compile(
    r"(?![Aa]n? )[\w\s-]{3,40}, (?:[\w\s-]{3,60}, )+(?:and|or) (?:more\b|[\w\s-]+$)"
)
_NEAR = 6  # words from the beginning
_FEWEST = 2  # stems that say something
_FEWEST_CONTENTS = 2
# Of the stems of a line that tells more than its title, beside other lines and alone.
_OWN_SHARE, _LEAST_OWN_SHARE = 0.6, 0.45
# "A new kite of silk" is worth no more, and says its title again: it has no more stems of its own.
_SMALL_WORTH, _FEW_OF_ITS_OWN = 2, 2
_MANY_OF_ITS_OWN = 7  # stems: such a line tells something, however it begins
_SAYS_AGAIN = re.compile(r"an? |(?:\S+ ){4}", re.IGNORECASE)  # a thing, or five words and more
_MOST_COUNTED = 5  # such stems that are worth a point each


def says_more(line: str, title: str, *, is_announced: bool = False) -> bool:
    """Tell whether a line has some words that neither the title has nor any paper could have.

    An announced result may be one between things that the title names.
    """
    return len(_new_stems(line, title)) >= (1 if is_announced else _FEWEST)


def tells_contents(line: str, title: str) -> bool:
    """Tell whether a line lists what a work has in it by words that not any work could have."""
    return len(_new_stems(line, title) - _GENERAL) >= _FEWEST_CONTENTS


def is_worth_showing(line: str, title: str, *, is_announced: bool = False) -> bool:
    """Tell whether a line says something that its title does not."""
    new = len(_new_stems(line, title))
    is_small = _SAYS_AGAIN.match(line) and new <= _FEW_OF_ITS_OWN
    is_rich = new >= _MANY_OF_ITS_OWN and not (_inquires(line) or _TOPICS.match(line))
    says_its_title = _says_again(line, title, _LEAST_OWN_SHARE)
    told = worth(
        line,
        title,
        names_a_goal=False,
        is_announced=is_announced,
        says_its_title=says_its_title,
    )
    return is_rich or told > (_SMALL_WORTH if is_small else 0)


def _says_again(line: str, title: str, least: float) -> bool:
    """Tell whether less than a share of what a line says is its own, and no result or measure."""
    stems = _stems(line)
    is_result = is_counting(line) or not stems.isdisjoint(_FOUND) or _HOW.search(line)
    return not is_result and len(_new_stems(line, title)) < least * len(stems - _EMPTY)


def _inquires(line: str) -> bool:
    """Tell whether a line says what was looked at, and not what was seen."""
    if _LOOKED_AT.search(line):
        return True
    first = _beginning(line)
    verbs = first[2:3] if first[:2] == ["the", "authors"] else first[:2]
    # "The resulting kite" is looked at by nobody.
    verbs = [*verbs[:1], *(each for each in verbs[1:] if not each.endswith("ing"))]
    return not (_INQUIRY.isdisjoint(verbs) and _OVERVIEW.isdisjoint(first[:5]))


def _beginning(line: str) -> list[str]:
    return [each.strip(":,") for each in line.casefold().split()[:_NEAR]]


@lru_cache(256)  # each line of a text is asked for several times
def _new_stems(line: str, title: str) -> frozenset[str]:
    """Return the stems of a line that the title lacks and that tell something by themselves."""
    named = {*_stems(title)}
    for one, other in _HALVES.findall(line):
        if stem(f"{one}{other}".casefold()) in named:
            named |= {stem(one.casefold()), stem(other.casefold())}
    for acronym in _ACRONYM.findall(title):
        named |= _spelled_out(acronym.removesuffix("s").casefold(), line)
    for acronym in _ACRONYM.findall(line):
        if _spelled_out(acronym.removesuffix("s").casefold(), title):
            named.add(stem(acronym.casefold()))
    new = _stems(line) - named - _EMPTY
    # A compound is one word.
    return new - {
        stem(one.casefold())
        for one, other in _HALVES.findall(line)
        if {stem(one.casefold()), stem(other.casefold())} <= new
    }


@lru_cache(256)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, tokens(text)))


def _spelled_out(acronym: str, line: str) -> set[str]:
    """Return the stems of those words of a line that an acronym stands for."""
    words = re.findall(r"\w+", line.casefold())
    initials = "".join(word[0] for word in words)
    at = initials.find(acronym)
    return {*map(stem, words[at : at + len(acronym)])} if at >= 0 else set()


def worth(line: str, title: str = "", **of_sentence: bool) -> int:
    """Return how much a line says of what was found: the sum of the points of its signs.

    Signs that only the whole sentence shows are given by their names.
    """
    stems = _stems(line)
    first = _beginning(line)
    new = _new_stems(line, title)
    is_found = any(each in _FOUND for each in stems)
    is_how = bool(_HOW.search(line))
    is_made = first[:1] in (["a"], ["an"]) and not _MADE.isdisjoint(first)
    leans = bool(_PRONOUN.search(line))
    signs = {
        "measured": bool(_MEASURED.search(line)),
        "counted": bool(_COUNTED.search(line)),
        "found": is_found,
        "tells_how": is_how,
        "tells_means": not _MEANS.isdisjoint(first[:3]),
        "names_what_is_made": is_made,
        "names_a_goal": is_made and not is_how and not is_found and not _DOES.search(line),
        "gains_nothing": _gains_nothing(line, title),
        "inquires": _inquires(line),
        "praises": any(each in _PRAISE for each in stems),
        # What others do is a result where it is announced as one.
        "is_of_others": not of_sentence.get("is_announced") and bool(_OF_OTHERS.match(line)),
        "lists_topics": bool(_TOPICS.match(line)),
        "refers": bool(_REFERS.match(line) or _ORDER.search(line)),
        "leans": not title and leans,
        "leans_inside": of_sentence.pop("is_inside", False) and leans,
        "begins_inside": bool(_INSIDE.match(line)),
        "tells_of_release": bool(_RELEASE.search(line)),
        "says_its_title": bool(title) and _says_again(line, title, _OWN_SHARE),
        "doubts": any(each in _DOUBTED for each in stems),
        "asks": line.endswith("?"),
        "torn": is_torn(line),
        **of_sentence,
    }
    signs["is_first"] = signs.get("is_first", False) and len(new) > _FEW_OF_ITS_OWN
    signs["is_first_to_name"] = signs["is_first"] and is_made
    told = min(len(new), _MOST_COUNTED) if title else 0
    return told + sum(_POINTS[name] for name, is_shown in signs.items() if is_shown)


def is_counting(line: str) -> bool:
    """Tell a line with a measure or a number of something."""
    return bool(_MEASURED.search(line) or _COUNTED.search(line))


def _gains_nothing(line: str, title: str) -> bool:
    """Tell a line that tells of a gain, but not how much, nor more than whom, nor how."""
    gain = _GAIN.search(line)
    if not gain or any(each.search(line) for each in (_MEASURED, _COUNTED, _BY_DOING)):
        return False
    own = title.replace(" ", "").casefold()
    models = (each for each in _MODEL.findall(line) if each.casefold() not in own)
    return all(map(_NO_NAME.fullmatch, chain(models, _NAMED.findall(line, gain.start()))))


def is_torn(line: str) -> bool:
    """Tell a line that lacks a word, or a mark of those that come in pairs."""
    is_closing = line.count(")") > line.count("(") or _UNQUOTED.match(line)
    return GAP in line or bool(is_closing or _LOST.search(line))
