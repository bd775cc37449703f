"""Openings that say nothing: who proposes it, in which order, that a result follows. Pure."""

import re
from functools import lru_cache

from bot.replies.clauses import END, any_of
from bot.replies.findings import ANNOUNCED
from store.text import name_before_colon

_LONGEST_NAME = 120  # characters of a title that a sentence may begin with
_ORDER = any_of("first, second, third, fourth, fifth, last, final, other, next, companion, sibling")
_ORDER_OF = f"(?:{_ORDER})"
_WORKS = "(?:paper|work|study|article|report|essay|effort|survey)"
_WORK = f"(?:(?:{_ORDER_OF} )?(?:(?:new|recent|latest|technical) )?{_WORKS}|{_ORDER_OF} one)"
_MADE = "(?:approach|framework|method|model|strategy|system|technique|tool)"
_NO_VERB = any_of("by, from, at, of, in, on, with, for, and, or, about, into, to, that, which, as")
_NO_START = any_of("is, was, are, were, has, have, had, could, may, will, would, does, did")
# A work, what it made and "it" may be left out before a verb that can begin a line, "they" with an
# empty one.
_SUBJECT_ITSELF = re.compile(
    rf"(?:(?:this|the|one) (?:{_WORK}|{_MADE})|it)(?: also)? "
    rf"(?!(?:{_NO_VERB}|{_NO_START}|\w+ly(?! \w+s))\b)(?=[a-z])",
    re.IGNORECASE,
)
_SUBJECT = (
    rf"(?:in (?:this|the) {_WORK},? )?"
    rf"(?:(?:(?:this|the|one) {_WORK}|it|they|we|the (?:authors|researchers))(?: also)? )?"
    "(?:first )?"
)
# What such a verb introduces stands alone; "proposes whether" or "presents how" does not.
_INTRODUCING = r"""(?:introduc|propos|describ|provid|contribut|releas|outlin)e[sd]?
    |(?:present|offer|discuss)(?:s|ed)?"""
_OPENING = re.compile(
    _SUBJECT.replace(" ", r"\ ")
    + rf"""(?:(?:{_INTRODUCING})\s+(?!(?:to|how|why|whether|that|in|on|with|for|by)\b)
    |(?:show|find|found|report|demonstrate|reveal|observe|discover)s?\s+that(?:,[^,]{{1,40}},)?\s+
    |(?:propose|introduce|present)[sd]?\s+to\s+|is\s+(?=an?\s))""",
    re.IGNORECASE | re.VERBOSE,
)
# "The payoff is that …", "A surprising finding: …"; no colon counts behind "is a".
_ANNOUNCEMENT = re.compile(
    rf"(?:(?:the|an?|one|its|their|key|main)\s+)?(?:[\w'’-]+\s+){{0,3}}(?:{ANNOUNCED})\b"
    r"(?:(?!\s+(?:is|was)\s+(?:an?|the|that)\b)[^:.]{0,60}:\s+|\s+(?:is|was|are|were)\s+that\s+"
    r"|\s+(?:is|was)\s+(?=an?\s))",
    re.IGNORECASE,
)
# "Experimental results on three sets show that …", "One of the key findings is that …"
_REPORTED = re.compile(
    r"(?:(?:the|one|an?|their|our|its|extensive)\s+)?(?:[\w-]+\s+){0,3}"
    r"(?:results?|experiments?|findings?|evaluations?|benchmarking|testing|tests|analys[ei]s|authors"
    r"|researchers)\b"
    r"[^,.:;]{0,50}?\b(?:show|reveal|demonstrate|suggest|indicate|find|found|confirm|claim|report)"
    r"(?:s|ed)?\s+that\s+",
    re.IGNORECASE,
)
_FINDS = re.compile(
    _SUBJECT.replace(" ", r"\ ")
    + r"(?:find|found|show|report|reveal|observe|discover|claim|suggest|argue|estimate)s?\s+that\b",
    re.IGNORECASE | re.VERBOSE,
)
# "It's built on a kite", "explores the use of kites"; "it is possible to" says nothing of it.
_IT_IS = re.compile(
    r"it(?:['’]s|\s+is|\s+was)\s+(?:also\s+)?(?:(?:found|shown)\s+to\s+be\s+)?(?=(?:an?|able|based"
    r"|built|capable|competitive|designed|initiali[sz]ed|inspired|orders|pretrained|trained|tuned)\b)",
    re.IGNORECASE,
)
_USE_OF = re.compile(
    r"(?:investigat|explor|stud|examin|demonstrat|discuss|propos|present|introduc)(?:es|ies|e|s|ed)?"
    r"\s+the\s+use\s+of\s+(?:existing\s+)?",
    re.IGNORECASE,
)
# "There is a decline"
_THERE = re.compile(r"there (?:is|are) (?:also )?(?=(?:an?|no|\w+s)\b)", re.IGNORECASE)
_ADVERB = re.compile(
    r"(?:here,?|further|(?:\w+ly|worse|overall|however|nonetheless|also|moreover|meanwhile"
    r"|for (?:example|instance)|in (?:short|addition|other words|particular)),)\s+"
    r"(?=\w)",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"an?\s+(?:\w+\s+)?(?:advance|advancement|breakthrough|improvement|step\ forward)"
    r"\s+(?:in|of|for|to|towards?)\s+",
    re.IGNORECASE,
)
# A pronoun without its noun, an ordinal, a word that joins a sentence with the one before. "The
# first large study" is none of them.
_BACK = re.compile(
    rf"(?:(?:it|they|them|its|their|he|she|we|these|those|here|such|both(?!\s.*\sand)|each|another|but|and"
    rf"|so|or|then|instead|also|yet|however|that|which|who|whose)\b(?!-)"
    rf"|(?:(?:the|an?|one|this) )?(?:(?!first){_ORDER_OF}|first (?:{_WORKS}|one|move|is|of))\b"
    rf"|this (?!{_WORK})|(?:when|if|as|while|once|since|because|with|by|in|for|to) (?:it|they|them"
    r"|these|those|this)\b)",
    re.IGNORECASE,
)
_INTRODUCES_NAME = r"""(?:[^.:;]{{0,80}}?
    \b(?:introduc|propos|releas|present|announc|unveil|launch)(?:e[sd]?|s|ed)?\s+(?:the\s+)?)?
    {name}(?:\s*\([^)]{{1,40}}\))?
    (?:,|\s+(?:(?:also\s+)?(?:introduc|propos|releas)e[sd]?|presents?|is|are))
    \s+(?=(?:an?|the|one)\s)"""


@lru_cache(4096)  # every answer shows the same few sentences
def without_opening(sentence: str, title: str = "") -> str:
    """Return a sentence without an empty opening; empty if there is nothing else.

    Such an opening is also one that only names the paper, by its title or the name in it.
    """
    bare = sentence
    for opening in (_ADVERB, _ANNOUNCEMENT, _REPORTED):
        if found := opening.match(bare):
            bare = bare[found.end() :]
    subjects = (_IT_IS, _USE_OF, _OPENING, _SUBJECT_ITSELF)
    if found := _naming(bare, title) or next(filter(None, (s.match(bare) for s in subjects)), None):
        bare = bare[found.end() :]
    for opening in (_PRAISE, _THERE):
        if found := opening.match(bare):
            bare = bare[found.end() :]
    return bare if bare.strip(END) else ""


def is_announced(sentence: str) -> bool:
    """Tell a sentence that opens by saying that a result follows."""
    return any(each.match(sentence) for each in (_ANNOUNCEMENT, _REPORTED, _FINDS))


def is_praised(sentence: str) -> bool:
    """Tell a sentence that opens by calling a work an advance, or by what was looked at."""
    return bool(_PRAISE.search(sentence, 0, _LONGEST_NAME) or _USE_OF.match(sentence))


def points_back(line: str) -> bool:
    """Tell a line that begins with an ordinal, or with a pronoun without its noun."""
    return bool(_BACK.match(line))


def _naming(sentence: str, title: str) -> re.Match[str] | None:
    """Find the opening that introduces a paper by its title or the name in it."""
    sentence, title = (text.replace("’", "'") for text in (sentence, title))
    folded = sentence.casefold()
    names = filter(None, (title, name_before_colon(title)))
    found = (
        _introduction(name).match(sentence)
        for name in names
        if len(name) <= _LONGEST_NAME and name.casefold() in folded
    )
    return next(filter(None, found), None)


@lru_cache(512)
def _introduction(name: str) -> re.Pattern[str]:
    escaped = re.escape(name)
    return re.compile(_INTRODUCES_NAME.format(name=escaped), re.IGNORECASE | re.VERBOSE)
