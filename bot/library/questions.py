"""Questions: what an answer has to hold, and the words that say about what. Pure.

The words that people ask with, and those of papers that answer them, are of `questions.toml`.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from importlib.resources import files

from bot.domain.sentences import stems
from store.search import significant
from store.search.query import STOP_WORDS
from store.text import fold, stem, typed_words

_WORDS = tomllib.loads(files("bot.library").joinpath("questions.toml").read_text(encoding="utf-8"))
_ASKING, _MEASURING, _AUTHORSHIP, _NO_NAMES, _NO_SUBJECTS = (
    frozenset(_WORDS[name].split())
    for name in ("asking", "measuring", "authorship", "no_names", "no_subjects")
)
_LIGHT = frozenset(map(stem, _WORDS["light"].split()))


class QuestionKind(Enum):
    """The kind of thing that a question asks for."""

    WHO = auto()
    NUMBER = auto()
    SHARE = auto()
    NAME = auto()
    FINDING = auto()
    TIME = auto()
    CASE = auto()
    DEGREE = auto()
    DURATION = auto()
    PLACE = auto()
    REASON = auto()
    MEANS = auto()
    YES_OR_NO = auto()
    DEFINITION = auto()
    ANY = auto()


# Kinds that ask for a measure.
MEASURED = frozenset({
    QuestionKind.NUMBER, QuestionKind.SHARE, QuestionKind.DEGREE, QuestionKind.DURATION,
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Question:
    """A question by its folded words.

    `typed` has the stems of all, each between blanks, `query` the words in order without those of
    asking, `words` only those that say something. A name in `names` is a run of words, one in
    `signed` ends with a sign such as a plus. `counted` are the words after "how many", `defined`
    those that it asks to be told of, what they mean or how they work, `attribute` those between
    "what is the" and "of", or the verb behind "who". One that `compares` may be answered by a
    comparison, one that `contrasts` two names by none but one of both, of one that asks
    what is `spelled` the words suffice. What `is_beyond` papers is about people's own matters, what
    is to come, who stands where among the authors, or what is the best of all.
    """

    kind: QuestionKind
    typed: str
    query: tuple[str, ...]
    words: tuple[str, ...]
    names: tuple[tuple[str, ...], ...]
    signed: frozenset[str]
    counted: tuple[str, ...]
    defined: tuple[str, ...]
    attribute: tuple[str, ...]
    compares: bool
    contrasts: bool
    spelled: bool
    is_beyond: bool

    def may_be_answered_by(self, sentence: str) -> bool:
        """Tell whether a sentence holds what the kind of question asks for."""
        needed = _NEEDED.get(self.kind)
        return needed is None or bool(needed.search(sentence))

    def is_suited_by(self, sentence: str) -> bool:
        """Tell whether a sentence is worded as answers to this kind of question are."""
        cue = _CUES.get(self.kind)
        return cue is not None and bool(cue.search(sentence))


_POLITE = re.compile(
    r"^(?:please |hey |hi |so |and |(?:can|could|would) you (?=(?:please )?(?:explain|describe)\b)"
    r"|(?:do|does|can|could|would) (?:you|anyone|anybody|someone) (?:please )?"
    r"(?:know|tell|say|remember)(?: me| us)? |explain (?:to (?:me|us) )?(?=(?:how|wh\w+)\b))+"
)
_AUXILIARY = "do|does|did|is|are|was|were|can|could|has|have|had|will"
_ASKS = re.compile(rf"\b(?:who|whose|whom|what|which|when|where|why|how|should|{_AUXILIARY})\b")
_TEAMS = (
    "teams?|compan(?:y|ies)|labs?|groups?|organi[sz]ations?|clubs?|startups?|firms?"
    "|universit(?:y|ies)|institut(?:e|ion)s?|researchers?|authors?"
)
_MEASURES = "number|score|size|length|window|cost|price|latency|budget|limit|rate|elo"
_SHARES = "percent|percentage|share|fraction|accuracy|speedup|factor"
_NAMED = "models?|llms?|benchmarks?|datasets?|languages?|architectures?"
_KINDS = tuple(
    (kind, re.compile(rf"(?:{words})\b"))
    for kind, words in (
        (
            QuestionKind.DURATION,
            rf"how long did|how long (?:{_AUXILIARY}|it) .*\b(?:takes?|lasts?|runs?)",
        ),
        (
            QuestionKind.SHARE,
            r"how (?:much of|(?:much|many|many times) (?:more|less|fewer|worse|as|\w+er))",
        ),
        (
            QuestionKind.NUMBER,
            "how (?:many|much|long|large|big|often|far|high|low|small|expensive|cheap|fast|old)",
        ),
        (QuestionKind.NUMBER, rf"(?:what|which) (?:(?!{_AUXILIARY})\w+ )?(?:{_MEASURES})"),
        (QuestionKind.SHARE, rf"(?:what|which) (?:(?!{_AUXILIARY})\w+ )?(?:{_SHARES})"),
        (QuestionKind.NAME, rf"(?:what|which) (?:(?!{_AUXILIARY})\w+ )?(?:{_NAMED})"),
        (
            QuestionKind.FINDING,
            r"what (?:did|do|does|was|were) .*\b(?:finds?|found|shows?|discover\w*|conclude\w*)",
        ),
        (QuestionKind.WHO, rf"who|whose|whom|(?:what|which) (?:\w+ )?(?:{_TEAMS})"),
        (QuestionKind.CASE, r"when (?:do|does|can|should|(?:is|are)(?!.*ed$))\b"),
        (QuestionKind.TIME, "when|(?:what|which) (?:year|month|date|day)"),
        (QuestionKind.PLACE, "where"),
        (QuestionKind.REASON, "why"),
        (
            QuestionKind.DEGREE,
            rf"how (?!{_AUXILIARY}|to|would|should|exactly|come|about)\w+ (?:{_AUXILIARY})",
        ),
        (QuestionKind.MEANS, "how"),
        (QuestionKind.YES_OR_NO, rf"(?:{_AUXILIARY})"),
    )
)
_COUNTED = re.compile(
    rf"how many (.*?)\b(?:{_AUXILIARY}|of|in|to|on|it|for|a|per|with|at)\b|how many (\w+)"
)
_DEFINED = tuple(
    re.compile(form)
    for form in (
        r"what (?:do|does) (?P<term>.+?) (?:even )?(?:means?|stands? for)(?: (?:for|in|to) .+)?$",
        r"what (?:is|are|s) (?P<term>.+?) (?:supposed|meant) to (?:mean|be)$",
        r"what (?:do|does) \w+ mean by (?P<term>.+)$",
        r"what (?:is|are|s) (?:meant by|the (?:meaning|definition) of) (?P<term>.+)$",
        r"how (?:do |does )?(?P<term>.+) works?$",
        r"how (?:is|are) (?P<term>.+) (?:defined|implemented)$",
        r"(?:what (?:is|are|was|s)|whats|(?:meaning|definition) of) (?P<term>.+)$",
        r"(?:define|explain|describe|(?:tell me |more )*about) (?P<term>.+?)(?: to (?:me|us))?$",
    )
)
# "what is chain of thought" asks for a meaning, "what is the latency of it" does not.
_LONGEST_TERM = 5  # words
_SMALL_IN_TERM = frozenset({"of", "to", "as", "in", "by", "and", "a"})
_NOT_IN_TERM = re.compile(
    rf"\b(?:{_AUXILIARY}|an|the|this|that|these|it|for|with|on|at|about|used|supposed|called)\b"
)
# "overthinking in reasoning models" is overthinking, "a needle in a haystack" is no needle.
_WHEREIN = re.compile(r" (?:in|for|with|on) (?!an? |the (?!.*\b(?:paper|study|work)\b)).*")
_ATTRIBUTE = re.compile(
    r"\b(?:what|whats|which|who|whos) (?:(?:is|are|was|were|s) )?the ((?:\w+ ){1,3})(?:of|for)\b"
)
_SUPERLATIVE = re.compile(r"best|most|\w{3,}est")
# Who owns it is another question than who made it.
_RELATION = re.compile(
    rf"\b(?:who|(?:what|which) (?:\w+ )?(?:{_TEAMS})) (?:(?:{_AUXILIARY}|also|first|now) )*(\w+)"
)
_COMPARES = re.compile(
    r"\b(?:better|worse|best|beats?|beaten|ahead|than|compares?d?|comparison|vs|versus|differen\w+"
    r"|outperform\w*|surpass\w*|match(?:es)?|rivals?|as \w+ as)\b"
)
_CONTRASTS = re.compile(r"\bdifferences? between\b")
_SPELLED = re.compile(r"\b(?:stands? for|means?|meaning|short for|acronym|spelled)\b")
_BEYOND = re.compile(
    r"^(?:will|should)\b"
    r"|^(?:what|which) \w+ is (?:the )?(?:best|most \w+|\w{3,}est)(?: one)?\W*$"
    r"|\b(?:my|our|your|favou?rite|should (?:i|we)|you think|going to"
    r"|in the future|next (?:year|decade)"
    r"|how many (?:\w+ )?(?:people|persons|researchers) (?:wrote|authored|worked)"
    r"|how many (?:authors|citations)"
    r"|(?:first|last|lead|senior|corresponding) authors?)\b"
)

_LONGEST = 1_000  # characters; a command takes less
_WORD = re.compile(r"[^\s,;:?!()\"“”‘’]+")
_MARKS = ".,;:?!()\"“”‘’'-"
_POSSESSIVE = re.compile(r"['’]s$|\.+$")
_SIGNED = re.compile(r"[^\W_]+(?=[+*](?:\W|$))")  # "LoRA+" is not LoRA
_VERSION = re.compile(r"v?\d[\d.]*", re.ASCII)
_TIMES_SIGN = re.compile(r"(?<=\d)[x\u00d7](?=\d)")  # "4x4", with the letter or the sign

_NUMBER = re.compile(
    r"(?<![\w.-])\d"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?"
    r"|thousands?|millions?|billions?|trillions?|half|twice|double|triple)\b"
    r"|\b(?:an?|few|several|under) (?:second|minute|hour|day|week|month|year)s?\b"
)
_SHARE = re.compile(
    r"\d ?(?:%|x\b|\u00d7|-?fold|times|points?|percent|ms\b)|\d\.\d|\$ ?\d"
    r"|\b(?:half|twice|double|triple|(?:one|two|three) (?:times|thirds?|quarters?|of|as))\b"
)
_NEEDED = {
    QuestionKind.NUMBER: _NUMBER,
    QuestionKind.SHARE: _SHARE,
    QuestionKind.NAME: re.compile(r"\S[^\S\n]+\W?\w*[A-Z]|[A-Za-z]-?\d"),
    QuestionKind.WHO: re.compile(
        r"\b(?:[Rr]esearchers|[Aa]uthors|[Tt]eam|[Ss]cientists|[Pp]aper|[Ss]tudy|[Ww]ork|[Ee]ssay"
        r"|[Ii]ntroduced|[Pp]resented|[Pp]roposed|[Dd]eveloped|[Rr]eleased|[Cc]ollaboration"
        r"|[Pp]artnership)\b[^.;]{0,40}?\b(?:from|by|at|between|of|with)\s+(?:the\s+)?[A-Z]"
        r"|^(?:[A-Z][\w&.’'-]*,? (?:and |& )?){1,8}(?:(?:researchers?|collaborators|colleagues) )?"
        r"(?:\([^)]{0,60}\) )?(?:introduc|present|propos|releas|develop|show|shar|announc|unveil"
        r"|launch|publish|buil|creat|open-sourc|report|argu|claim)"
        r"|[A-Z]\w+['’]s\b"
        r"|\b(?:written|made|built|created|labell?ed|annotated|graded|judged|chosen|curated) by\b"
    ),
    QuestionKind.TIME: re.compile(
        r"\b(?:19|20)\d\d\b|\b(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sep|Oct|Nov|Dec)[a-z]* \d",
        re.ASCII,
    ),
    QuestionKind.CASE: re.compile(
        r"\b(?:when|whenever|if|unless|once|after|where|under|until|provided|as long as|only)\b",
        re.IGNORECASE,
    ),
    QuestionKind.DURATION: re.compile(
        r"\b(?:(?:milli)?second|ms|minute|hour|day|week|month|year)s?\b"
    ),
    QuestionKind.PLACE: re.compile(r"\b(?:at|in|from) (?:the )?[A-Z]"),
}
_CUES = {
    QuestionKind.DEGREE: _NUMBER,
    QuestionKind.NAME: re.compile(r"\b[A-Za-z]+-?\d|[A-Z]\w*[A-Z]|(?<=[a-z,] )[A-Z]\w"),
    QuestionKind.FINDING: re.compile(
        r"\b(?:finds?|found|shows?|demonstrat\w+|reveal\w*|discover\w*|conclud\w+|observ\w+)\b",
        re.IGNORECASE,
    ),
    QuestionKind.REASON: re.compile(
        r"\b(?:because|due to|driven by|since|thanks to|caus\w+|leads? to|reason|attribut\w+"
        r"|so that|prevent\w*|avoid\w*|struggl\w+|suffer\w*|overlook\w*|too \w+|explain\w*"
        r"|result\w* (?:in|from)|inability|allow\w*|enabl\w*|fail\w*|challeng\w+|lack\w*|requires?"
        r"|by \w+ing)\b",
        re.IGNORECASE,
    ),
    QuestionKind.YES_OR_NO: re.compile(
        r"\b(?:not|no|cannot|don|doesn|never|without|even|still|despite|fails?|unable|limited"
        r"|finds?|shows?|reveal\w*|report\w*)\b",
        re.IGNORECASE,
    ),
    QuestionKind.MEANS: re.compile(
        r"\b(?:by|us(?:es|ing)|via|through|with|leverag\w+"
        r"|appl(?:y|ies|ying)|enabl\w+|implement\w*|combin\w+|employ\w*|steps?|consists?)\b",
        re.IGNORECASE,
    ),
}


def read_question(text: str) -> Question:
    """Read a question, of a longer text only its beginning."""
    text = _TIMES_SIGN.sub(" ", text[:_LONGEST])
    folded = _POLITE.sub("", fold(text))
    defined, whole = _defined(folded)
    kind = _kind(folded)
    if defined and kind is QuestionKind.ANY:
        kind = QuestionKind.DEFINITION
    dropped = _ASKING
    if kind is QuestionKind.WHO:
        dropped |= _AUTHORSHIP
    if kind in {QuestionKind.NUMBER, QuestionKind.SHARE, QuestionKind.DURATION}:
        dropped |= _MEASURING
    query = whole or tuple(word for word in typed_words(text).words if word not in dropped)
    words = significant(query)
    return Question(
        kind=kind,
        typed=stems(folded.split()),
        query=query,
        words=words,
        names=tuple(run for run in _names(text) if set(run) & set(words)),
        signed=frozenset(map(fold, _SIGNED.findall(text))),
        counted=tuple(
            word
            for word in (_counted(folded) if kind is QuestionKind.NUMBER else ())
            if word in words
        ),
        defined=defined,
        attribute=tuple(word for word in _attribute(folded, kind) if word in words),
        compares=bool(_COMPARES.search(folded)),
        contrasts=bool(_CONTRASTS.search(folded)),
        spelled=bool(_SPELLED.search(folded)),
        is_beyond=bool(_BEYOND.search(folded)),
    )


def search_words(text: str) -> str:
    """Return the words of a question that a search should look for, as they were typed."""
    words = set(read_question(text).words)
    typed = (each for each in text.split() if words.intersection(typed_words(each).words))
    return " ".join(each.strip(_MARKS) for each in typed) or text


def alike(word: str) -> frozenset[str]:
    """Return the stems of the words that answer a folded word, without its own."""
    return _groups().get(stem(word), frozenset())


def is_light(word: str) -> bool:
    """Tell whether a folded word says little about what is asked."""
    return stem(word) in _LIGHT


def may_be_name(word: str) -> bool:
    """Tell whether a folded word may name a single thing, and not what most papers are about."""
    return word not in _NO_SUBJECTS


@cache
def _groups() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in _WORDS["groups"].splitlines():
        stems = {" ".join(map(stem, word.split("_"))) for word in line.split()}
        for each in stems:
            found[each] |= stems - {each}
    return {word: frozenset(others) for word, others in found.items()}


def _kind(folded: str) -> QuestionKind:
    asks = _ASKS.search(folded)
    start = asks.start() if asks else 0
    return next((kind for kind, words in _KINDS if words.match(folded, start)), QuestionKind.ANY)


def _defined(folded: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words that a question asks the meaning of, and the same with where it is meant.

    There are none if it asks something else.
    """
    found = next(filter(None, (form.match(folded) for form in _DEFINED)), None)
    article, _, term = found["term"].partition(" ") if found else ("", "", "")
    if article not in {"a", "an", "the"}:
        article, term = "", f"{article} {term}".strip()
    whole = term
    if article != "the":
        term = _WHEREIN.sub("", term)
    words = tuple(term.split()[: _LONGEST_TERM + 1])
    is_term = words and len(words) <= _LONGEST_TERM and words[-1] not in _SMALL_IN_TERM
    has_parts = article == "the" and not _SMALL_IN_TERM.isdisjoint(words)
    says_nothing = all(each in STOP_WORDS or is_light(each) for each in words)
    is_other = has_parts or says_nothing or _NOT_IN_TERM.search(term)
    return (words, tuple(whole.split())) if is_term and not is_other else ((), ())


def _attribute(folded: str, kind: QuestionKind) -> list[str]:
    if found := _ATTRIBUTE.search(folded):
        return [word for word in found[1].split() if not _SUPERLATIVE.fullmatch(word)]
    found = _RELATION.search(folded) if kind is QuestionKind.WHO else None
    return [found[1]] if found else []


def _counted(folded: str) -> list[str]:
    found = _COUNTED.search(folded)
    return (found[1] or found[2] or "").split() if found else []


def _names(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the names, words with a capital or a digit, but for a capital that begins the text.

    A version is a part of the name before it.
    """
    before: tuple[str, ...] = ()
    for place, found in enumerate(_WORD.finditer(text)):
        word = _POSSESSIVE.sub("", found[0])
        run = typed_words(word).words
        if not run:
            before = ()
        elif before and _VERSION.fullmatch(word):
            yield (*before, *run)
            before = ()
        else:
            if any(char.isupper() or char.isdigit() for char in (word if place else word[1:])):
                yield run
            before = () if _VERSION.fullmatch(word) or run[0] in _NO_NAMES else run
