"""The clause of a sentence that is whole and short enough. Pure."""

import re
from dataclasses import dataclass

END = ".:;,–— "


def any_of(patterns: str) -> str:
    """Return a pattern of any of those in a list by commas."""
    return "|".join(each.strip() for each in patterns.split(","))


BEFORE = re.compile(
    r"""(?:while|although|when|as|given|if|unlike|inspired|despite|instead|rather|building|by|in|to
    |with|even|motivated|based|using|through|via)\b[^,]*,\s+(?!(?:such|including|and|or)\b)""",
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
_CLAUSE = any_of(
    "which, where, while, whereas, when, but, yet, so, thereby, thus, such as, based on, especially"
    ", particularly, with, without, by, even, despite, rather, as, for, in, from, like, similar"
    ", inspired, capable"
    r", (?:more|less|better) than, and (?:it|they|the|a|an|can|also|that), \w+ing"
)
_MEANS = any_of(
    "that, which, where, while, whereas, when, because, since, although, so that, in order to"
    r", by \w+ing, using, via, through, without, instead, rather than, despite, including, such as"
    ", based on, designed, trained, built, called, named, once, until, after, before, beyond"
    ", enabling, allowing, as well as"
    r", along with, (?:\w+ed|made|built|held|kept|known|seen) (?:by|in|to|on|for|against|with|from)"
)
_COMPANION = any_of(
    "for, with, across, in, on, from, over, under, during, within, between, among, to, at, into"
    ", towards?, against, by, as"
)
_BREAKS = (
    _Break(28, 60, re.compile(_INSERTION)),
    _Break(28, 35, re.compile(rf",\s+(?=(?:{_CLAUSE})\b)")),
    # One that a comma follows belongs to its verb: "goes in, comes out".
    _Break(30, 15, re.compile(rf"\s(?=(?:{_MEANS})\s)")),
    _Break(40, 0, re.compile(rf"\s(?=(?:{_COMPANION})\s)")),
    _Break(36, -25, re.compile(r"\s(?=and\b)")),
)
# A clause does not end with these: they call for what follows.
_CALLING = any_of(
    "a, an, the, of, and, or, nor, but, to, in, on, for, with, by, from, as, at, that, which, who"
    ", is, are, was, were, be, been, being, has, have, had, can, could, may, might, will, would"
    ", should, must, do, does, not, no, never, both, all, each, either, such, than, more, most"
    ", less, its, their, this, these, those, how, why, what, when, where, whether, if, into, via"
    ", using, through, between, per, while, so, also, only, even, along, it, they, we"
    ", usually, often, typically, mainly, mostly, primarily"
    r", depend\w*, rel(?:y|ies|ying), focus\w*, consist\w*, lead\w*, aim(?:s|ing)?, able"
    r", abilit(?:y|ies), need\w*, due, according, relative, tends?, capable, likely, seeks?"
    r", attempts?, fails?, struggles?, ways?, refers?, respond\w*, result(?:s|ing)?, appl(?:y|ies)"
    ", map(?:s|ping)?, amounts?, close, common, key, equivalent, comparable, show(?:s|ing)?, finds?"
    ", argues?, claims?, reports?, suggests?, demonstrates?, reveals?, proves?, indicates?, states?"
    ", ensures?, assumes?, means?, propos(?:es?|ing), evidence, fact, idea, belief, notion"
    ", assumptions?, hypothesis, premise, question, phenomenon, serves?, acts?, views?, ranging"
    ", similar, varying, differ, moves?, looks?, deals?, copes?, works?, performs?, operates?"
    ", excels?, achieves?, improves?, reduces?, increases?, outperforms?, enables?, allows?"
    r", helps?, makes?, uses?, doubles?, (?:more|less|better|worse) than \w+ing, explicitly"
    ", driven, given, shown, made, built, held, kept"
    r", taken, drawn, known, seen, written, [a-z][a-z]+(?:ed|ould)"
)
_OPEN = re.compile(rf"(?:^|[\s(])(?:{_CALLING})$", re.IGNORECASE)
# Words after which "to" says what somebody or something does, so that it can't be left out.
_TOLD = any_of(
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
    ("not to", "but"),
    ("from", "to"),
    ("neither", "nor"),
)
# Single quotation marks: an apostrophe stands behind a letter, and so only closes.
_QUOTE_OPENS = re.compile(r"(?<!\w)['‘](?=\w)")
_QUOTE_CLOSES = re.compile(r"(?<=\S)['’](?!\w)")
# Before a further word, what these begin is not said yet: a verb after "to" lacks what it acts on,
# a statement its verb, something joined its other half, and a quality its noun.
_VERB_ALONE = re.compile(r"\b(?:to(?: \w+ly)?|helps? \w+) [\w-]*(?:[^\Ws]|ss)$", re.IGNORECASE)
_STATEMENT_BEGUN = re.compile(
    r"""\b(?:show|find|argue|report|demonstrate|reveal|observe|claim|suggest|prove)s?
    \ that(?:\ [\w-]+){1,3}$""",
    re.IGNORECASE | re.VERBOSE,
)
_JOINING = any_of(
    r"combin(?:es?|ing), mix(?:es|ing)?, merg(?:es?|ing), compar(?:es?|ing), pair(?:s|ing)"
    r", connect(?:s|ing)?, link(?:s|ing)?, integrat(?:es?|ing), replac(?:es?|ing)"
    r", preload(?:s|ing)?, draw(?:s|ing)?, provid(?:es?|ing), equip(?:s|ping)?, augment(?:s|ing)?"
    r", enrich(?:es|ing)?, supply(?:ing)?, fill(?:s|ing)?, distinguish(?:es|ing)?"
    r", turn(?:s|ing)?, convert(?:s|ing)?, balanc(?:es?|ing)"
)
_OTHER_HALF = any_of("and, with, into, by, to, from")
_HALF_JOINED = re.compile(
    rf"(?<![\w-])(?:{_JOINING}) (?:(?!(?:{_OTHER_HALF})\b)[\w()-]+ ){{0,4}}[\w()-]+$",
    re.IGNORECASE,
)
_SEEN_AS = any_of(
    "treat(?:s|ing)?, view(?:s|ing)?, regard(?:s|ing)?, us(?:es?|ing), fram(?:es?|ing)"
    ", (?:re)?cast(?:s|ing)?, (?:re)?formulat(?:es?|ing)"
)
_SEEN = re.compile(rf"(?<![\w-])(?:{_SEEN_AS}) (?:[\w-]+ ){{0,7}}[\w-]+$", re.IGNORECASE)
_QUALITY = re.compile(r"(?:al|ive|ous|ic|able|ible|ful|less|ary)$")
_LIST_GOES_ON = re.compile(r"[^.;:]{0,90}?,\s+(?:and|or)\s|\s*(?:and|or)\s")
_VERBS_GO_ON = re.compile(r"[^.;:]{0,90}?\s(?:and|or)\s")
_BEGINS_WITH_VERB = re.compile(r"\s*[a-z]+[^s\W]s\s")
_NO_LIST = re.compile(r"\s*(?:and|or|but|which|that|where|while|an?|the)\b")


def whole_clauses(sentence: str, length: int) -> list[str]:
    """Return a sentence, or its beginnings that are whole in so many characters, best first."""
    if 0 < len(bare := sentence.rstrip(END)) <= length:
        return [bare]
    ends = (
        (found.start() + kind.bonus, found.start())
        for kind in _BREAKS
        for found in kind.pattern.finditer(sentence, kind.least)
        if found.start() <= length
    )
    whole = [each for each in ends if _is_whole(sentence[: each[1]], sentence[each[1] :])]
    return [sentence[:end].rstrip(END) for _, end in sorted(whole, reverse=True)]


def _is_whole(before: str, after: str) -> bool:
    """Tell whether the beginning of a sentence says something without the rest."""
    is_quoting = before.count('"') % 2 or before.count("“") > before.count("”")
    is_quoting |= len(_QUOTE_OPENS.findall(before)) > len(_QUOTE_CLOSES.findall(before))
    is_waiting = not BEFORE.match(before) and BEFORE.match(f"{before}, ")
    is_told = after.startswith(" to ") and _TOLD_TO.search(before)
    if _OPEN.search(before.rstrip(END)) or is_quoting or is_waiting or is_told:
        return False
    if after.startswith(" ") and _lacks_the_next(before, after.split(None, 1)[0].casefold()):
        return False
    folded, rest = f" {before.casefold()} ", after.casefold()
    for opens, closes in _PAIRS:
        _, opened, since = folded.rpartition(f" {opens} ")
        if opened and f" {closes} " not in since and f" {closes} " in rest:
            return False
    _, comma, last = before.rpartition(",")
    goes_on = _VERBS_GO_ON if _BEGINS_WITH_VERB.match(last) else _LIST_GOES_ON
    return not (comma and not _NO_LIST.match(last) and goes_on.match(after))


def _lacks_the_next(before: str, word: str) -> bool:
    """Tell whether the beginning of a sentence says nothing without the word behind it."""
    if _STATEMENT_BEGUN.search(before):
        return True
    if re.fullmatch(_OTHER_HALF, word) and any(
        each.search(before) for each in (_VERB_ALONE, _HALF_JOINED)
    ):
        return True
    if word == "as" and _SEEN.search(before):
        return True
    return word == "and" and bool(_QUALITY.search(before))
