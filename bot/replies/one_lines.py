"""One line about a paper: a whole clause of its summary, without an empty opening. Pure."""

import re
from dataclasses import dataclass
from functools import lru_cache

from bot.domain.sentences import sentences
from bot.replies.wording import capitalised, shorten

LINE_LENGTH = 110  # characters
_LONGEST_SENTENCE = 800  # characters that are looked at
_END = ".:;,–— "


def _any(patterns: str) -> str:
    """Return a pattern of any of those in a list by commas."""
    return "|".join(each.strip() for each in patterns.split(","))


_WORK = "(?:paper|work|study|article|report|essay|effort)"
_KIND = "(?:(?:new|recent|latest|technical) )?"
_NO_VERB = _any("by, from, at, of, in, on, with, for, and, or, about, into, to, that, which")
_NO_START = _any("is, was, are, were, has, have, had, can, could, may, will, would, does, did")
# A work may be left out before a verb that can begin a line, a pronoun only with an empty one.
_WORK_ITSELF = re.compile(
    rf"(?:this|the) {_KIND}{_WORK}(?: also)? (?!(?:{_NO_VERB}|{_NO_START})\b)(?=[a-z])",
    re.IGNORECASE,
)
_SUBJECT = (
    rf"(?:in (?:this|the) {_KIND}{_WORK},? )?"
    rf"(?:(?:(?:this|the) {_KIND}{_WORK}|it|they|we|the (?:authors|researchers))(?: also)? )?"
)
# What such a verb introduces stands alone; "proposes whether" or "presents how" does not.
_OPENING = re.compile(
    _SUBJECT.replace(" ", r"\ ")
    + r"""(?:(?:(?:introduc|propos|describ|provid|contribut|releas|outlin)e[sd]?
    |(?:present|offer|discuss)(?:s|ed)?)\s+(?!(?:to|how|why|whether|that|in|on|with|for|by)\b)
    |(?:show|find|found|report|demonstrate|reveal|observe|discover)s?\s+that\s+
    |(?:propose|introduce|present)[sd]?\s+to\s+|is\s+(?=an?\s))""",
    re.IGNORECASE | re.VERBOSE,
)
# Left out only where a line is too long with them: asides, who made it, what comes before.
_ASIDE = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)")
_MAKER = re.compile(
    r"""(?:researchers|scientists|authors|a\ team|this\ (?:paper|work))\ (?:from|at|of)\ .{2,120}?
    \b(?:introduce|propose|present|release|develop|describe)[sd]?\s+""",
    re.IGNORECASE | re.VERBOSE,
)
_BEFORE = re.compile(
    r"""(?:while|although|when|as|given|if|unlike|inspired|despite|instead|rather|building|by|in|to
    |with|even|motivated|based)\b[^,]*,\s+(?!(?:such|including|and|or)\b)""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class _Break:
    """A kind of place where a sentence may end early, after `least` characters.

    A longer line is better, but a better kind of place is worth `bonus` characters.
    """

    least: int
    bonus: int
    pattern: re.Pattern[str]


_INSERTION = r"\s[–—-]+\s|(?<=\w)—(?=\w)|;\s|:\s"
_CLAUSE = _any(
    "which, where, while, whereas, when, but, yet, so, thereby, thus, such as, based on, especially"
    ", particularly, with, without, by, even, despite, rather, as, for, in, from, like, similar"
    r", inspired, and (?:it|they|the|a|an|can|also|that), \w+ing"
)
_MEANS = _any(
    "that, which, where, while, whereas, when, because, since, although, so that, in order to"
    r", by \w+ing, using, via, through, without, instead, rather than, despite, including, such as"
    ", based on, designed, trained, built, called, named, once, until, after, before, as well as"
    r", along with, (?:\w+ed|made|built|held|kept|known|seen) (?:by|in|to|on|for|against|with|from)"
)
_COMPANION = _any(
    "for, with, across, in, on, from, over, under, during, within, between, among, to, at, into"
    ", towards?, against, by, as"
)
_BREAKS = (
    _Break(28, 60, re.compile(_INSERTION)),
    _Break(28, 35, re.compile(rf",\s+(?=(?:{_CLAUSE})\b)")),
    _Break(30, 15, re.compile(rf"\s(?=(?:{_MEANS})\b)")),
    _Break(40, 0, re.compile(rf"\s(?=(?:{_COMPANION})\b)")),
    _Break(45, -25, re.compile(r"\s(?=and\b)")),
)
# A clause does not end with these: they call for what follows.
_CALLING = _any(
    "a, an, the, of, and, or, nor, but, to, in, on, for, with, by, from, as, at, that, which, who"
    ", is, are, was, were, be, been, being, has, have, had, can, could, may, might, will, would"
    ", should, must, do, does, not, no, never, both, either, such, than, more, most, less, its"
    ", their, this, these, those, how, why, what, when, where, whether, if, into, via, using"
    ", through, between, per, while, so, also, only, even, along, it, they, we"
    r", depend\w*, rel(?:y|ies|ying), focus\w*, consist\w*, lead\w*, aim(?:s|ing)?, able"
    r", abilit(?:y|ies), need\w*, due, according, relative, tends?, capable, likely, seeks?"
    r", attempts?, fails?, struggles?, ways?, refers?, respond\w*, result(?:s|ing)?, appl(?:y|ies)"
    ", map(?:s|ping)?, amounts?, close, common, key, equivalent, comparable, shows?, finds?"
    ", argues?, claims?, reports?, suggests?, demonstrates?, reveals?, proves?, indicates?, states?"
    ", ensures?, assumes?, means?, propos(?:es?|ing), evidence, fact, idea, belief, notion"
    ", assumptions?, hypothesis, premise, question, phenomenon, serves?, acts?, views?, ranging"
    ", varying, differ, moves?, looks?, deals?, copes?, works?, performs?, operates?, excels?"
    ", achieves?, improves?, reduces?, increases?, outperforms?, enables?, allows?, helps?, makes?"
    r", uses?, explicitly, driven, given, shown, made, built, held, kept"
    r", taken, drawn, known, seen, written, [a-z][a-z]+(?:ed|ould)"
)
_OPEN = re.compile(rf"(?:^|[\s(])(?:{_CALLING})$", re.IGNORECASE)
# Words after which "to" says what somebody or something does, so that it can't be left out.
_TOLD = _any(
    r"(?:enabl|allow|help|forc|caus|prompt|teach|instruct|encourag|requir|guid|motivat|tend|fail)\w*"
    r", (?:incentivi[sz]|struggl|attempt|want|ask|driv|push)\w*, us(?:es|ed|ing), trains?"
    r", training \w+, leads?, leading, needs?, how, ability, abilities, capacity, method, approach"
    ", technique, framework, system, agent, benchmark, way, potential, seeks?, aims?, learns?"
    ", tr(?:y|ies), designed, finds?"
)
_TOLD_TO = re.compile(rf"\b(?:{_TOLD})\b(?!.*,)", re.IGNORECASE)
_PAIRS = (
    ("between", "and"),
    ("both", "and"),
    ("either", "or"),
    ("whether", "or"),
    ("not only", "but"),
    ("from", "to"),
    ("neither", "nor"),
)
_LIST_GOES_ON = re.compile(r"[^.;:]{0,90}?,\s+(?:and|or)\s|\s*(?:and|or)\s")
_VERBS_GO_ON = re.compile(r"[^.;:]{0,90}?\s(?:and|or)\s")
_BEGINS_WITH_VERB = re.compile(r"\s*[a-z]+[^s\W]s\s")
_NO_LIST = re.compile(r"\s*(?:and|or|but|which|that|where|while|an?|the)\b")


@lru_cache(2048)  # every answer lists the same few summaries
def one_line(text: str | None, length: int = LINE_LENGTH) -> str | None:
    """Return a whole clause of a summary in at most `length` characters, with a capital.

    Empty openings such as "This paper introduces" are left out. Where no clause is short enough the
    line is cut at a word and ends with an ellipsis. None stands for a text without words.
    """
    for each in sentences(text or ""):
        if sentence := without_opening(" ".join(each[:_LONGEST_SENTENCE].split())):
            return capitalised(_fitted(sentence, length) or shorten(sentence.rstrip(_END), length))
    return None


def without_opening(sentence: str) -> str:
    """Return a sentence without an empty opening; empty if there is nothing else."""
    if found := _OPENING.match(sentence) or _WORK_ITSELF.match(sentence):
        sentence = sentence[found.end() :]
    return sentence if sentence.strip(_END) else ""


def _fitted(sentence: str, length: int) -> str | None:
    """Return the sentence or a whole clause of it, as long as the line allows."""
    if len(whole := sentence.rstrip(_END)) <= length:
        return whole
    bare = _ASIDE.sub("", sentence)
    shorter = (bare[found.end() :] for cut in (_MAKER, _BEFORE) if (found := cut.match(bare)))
    candidates = [*map(without_opening, shorter), bare]
    if len(whole := bare.rstrip(_END)) <= length:
        return whole
    for each in candidates:
        if clause := _clause(each, length):
            return clause
    return None


def _clause(sentence: str, length: int) -> str | None:
    """Return a sentence, or the best beginning of it that is whole and short enough."""
    if 0 < len(bare := sentence.rstrip(_END)) <= length:
        return bare
    ends = (
        (found.start() + kind.bonus, found.start())
        for kind in _BREAKS
        for found in kind.pattern.finditer(sentence, kind.least)
        if found.start() <= length
    )
    whole = [each for each in ends if _is_whole(sentence[: each[1]], sentence[each[1] :])]
    return sentence[: max(whole)[1]].rstrip(_END) if whole else None


def _is_whole(before: str, after: str) -> bool:
    """Tell whether the beginning of a sentence says something without the rest."""
    is_quoting = before.count('"') % 2 or before.count("“") > before.count("”")
    is_waiting = not _BEFORE.match(before) and _BEFORE.match(f"{before}, ")
    is_told = after.startswith(" to ") and _TOLD_TO.search(before)
    if _OPEN.search(before.rstrip(_END)) or is_quoting or is_waiting or is_told:
        return False
    folded, rest = f" {before.casefold()} ", after.casefold()
    for opens, closes in _PAIRS:
        _, opened, since = folded.rpartition(f" {opens} ")
        if opened and f" {closes} " not in since and f" {closes} " in rest:
            return False
    _, comma, last = before.rpartition(",")
    goes_on = _VERBS_GO_ON if _BEGINS_WITH_VERB.match(last) else _LIST_GOES_ON
    return not (comma and not _NO_LIST.match(last) and goes_on.match(after))
