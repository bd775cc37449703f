"""The clauses of a sentence: its beginnings that are whole, and what stands inside it. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

END = ".:;,–— "


def any_of(patterns: str) -> str:
    """Return a pattern of any of those in a list by commas."""
    return "|".join(each.strip() for each in patterns.split(","))


_BEFORE = r"""(?:while|although|when|as|given|if|unlike|inspired|despite|instead|rather|building|by
    |in|to|with|even|motivated|based|using|through|via|after|since|once|because|during|from|among)\b"""
BEFORE = re.compile(
    _BEFORE + r"[^,]*,\s+(?!(?:such|including|and|or|\w+ly\s+\w+ing)\b)", re.IGNORECASE | re.VERBOSE
)
_BEFORE_WORD = re.compile(_BEFORE, re.IGNORECASE | re.VERBOSE)


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
    r", (?:more|less|better) than, and (?:it|they|the|a|an|can|also|that), (?:\w+ly )?\w+ing"
    ", (?:usually|often|typically|mainly|mostly|partly|largely)"
)
_MEANS = any_of(
    "that, which, where, while, whereas, when, because, since, although, so that, in order to"
    r", by \w+ing, using, via, through, without, instead, rather than, despite, including, such as"
    ", based on, leveraging, largely, designed, trained, built, called, named, once, until, after"
    ", before, beyond, enabling, allowing, as well as"
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
    ", using, through, between, per, while, so, also, only, even, now, along, it, they, we"
    ", aligns?, reflects?, usually, often, typically, mainly, mostly, primarily"
    r", depend\w*, rel(?:y|ies|ying), focus\w*, consist\w*, lead\w*, aim(?:s|ing)?, able"
    r", abilit(?:y|ies), need\w*, due, according, relative, tends?, capable, likely, seeks?"
    r", attempts?, fails?, struggles?, ways?, refers?, respond\w*, result(?:s|ing)?, appl(?:y|ies)"
    ", map(?:s|ping)?, amounts?, close, common, key, equivalent, comparable, show(?:s|ing)?, finds?"
    ", argues?, claims?, reports?, suggests?, demonstrates?, reveals?, proves?, indicates?, states?"
    ", ensures?, assumes?, means?, propos(?:es?|ing), evidence, fact, idea, belief, notion"
    ", assumptions?, hypothesis, premise, question, phenomenon, serves?, acts?, views?, ranging"
    ", similar, varying, differ, difficult, competitive, moves?, looks?, deals?, copes?, works?"
    ", performs?, operates?, excels?, achieves?, improves?, reduces?, increases?, outperforms?"
    r", enables?, allows?, helps?, makes?, uses?, doubles?, (?:more|less|better|worse) than \w+ing"
    ", explicitly, driven, given, shown, made, built, held, kept"
    r", taken, drawn, known, seen, written, [a-z][a-z]+(?:ed|ould)"
)
_OPEN = re.compile(rf"(?:^|[\s(])(?:{_CALLING})$", re.IGNORECASE)
_LAST_WORDS = 40  # characters
# Words after which "to" says what somebody or something does, so that it can't be left out.
_TOLD = any_of(
    r"(?:enabl|allow|help|forc|caus|prompt|teach|instruct|encourag|requir|guid|motivat|tend|fail)\w*"
    r", (?:incentivi[sz]|struggl|attempt|want|ask|driv|push)\w*, trains?"
    r", training \w+, leads?, leading, needs?, how, seeks?, aims?, learns?, tr(?:y|ies), designed"
    ", finds?"
)
_MEANT = any_of(
    "ability, abilities, capacity, method, approach, technique, framework, system, agent, benchmark"
    ", way, potential"
)
_TOLD_TO = rf"\b(?:{_TOLD})\b(?!.*,)|\b(?:{_MEANT})$|\bus(?:es|ed|ing)\b[^,]{{0,45}}$"
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
_NEXT_PART = re.compile(" and |, ")
# Single quotation marks: an apostrophe stands behind a letter, and so only closes.
_QUOTE_OPENS = re.compile(r"(?<!\w)['‘](?=\w)")
_QUOTE_CLOSES = re.compile(r"(?<=\S)['’](?!\w)")
# Before a further word, what these begin is not said yet: a verb after "to" lacks what it acts on,
# a statement its verb, something joined its other half, and a quality its noun.
_VERB_ALONE = r"\b(?:to(?: \w+ly)?|helps? \w+) [\w-]*(?:[^\Ws]|ss)$"
_STATEMENT_BEGUN = (
    r"\b(?:show|find|argue|report|demonstrate|reveal|observe|claim|suggest|prove)s?"
    r" that(?: [\w-]+){1,3}$"
)
_JOINING = any_of(
    r"combin(?:es?|ing), mix(?:es|ing)?, merg(?:es?|ing), compar(?:es?|ing), pair(?:s|ing)"
    r", connect(?:s|ing)?, link(?:s|ing)?, integrat(?:es?|ing), replac(?:es?|ing)"
    r", preload(?:s|ing)?, draw(?:s|ing)?, provid(?:es?|ing), equip(?:s|ping)?, augment(?:s|ing)?"
    r", enrich(?:es|ing)?, supply(?:ing)?, fill(?:s|ing)?, distinguish(?:es|ing)?"
    r", turn(?:s|ing)?, convert(?:s|ing)?, balanc(?:es?|ing)"
)
_OTHER_HALF = any_of("and, with, into, by, to, from")
_HALF_JOINED = rf"(?<![\w-])(?:{_JOINING}) (?:(?!(?:{_OTHER_HALF})\b)[\w()-]+ ){{0,4}}[\w()-]+$"
_SEEN_AS = any_of(
    "treat(?:s|ing)?, view(?:s|ing)?, regard(?:s|ing)?, us(?:es?|ing), fram(?:es?|ing)"
    ", (?:re)?cast(?:s|ing)?, (?:re)?formulat(?:es?|ing)"
)
_SEEN = rf"(?<![\w-])(?:{_SEEN_AS}) (?:[\w-]+ ){{0,7}}[\w-]+$"
# "Cases where the documents": of them something is said behind a companion.
_VERB_AWAITED = r"\b(?:where|when|because|whether|if|while) (?:[\w/’'-]+ ){0,2}[\w/’'-]+$"
_HALF = re.compile(r"(?:while|although|when|if|since|because|given)\b[^,]*$", re.IGNORECASE)
_QUALITY = r"(?:al|ive|ous|ic|able|ible|ful|less|ary)$"
# The verb comes behind the comma that these wait for.
_WAITING = re.compile(
    r"(?:on|at|across|under|for|from|among|beyond|besides|compared|where)\b[^,]*$", re.IGNORECASE
)
_LOSS = 40  # characters by which a line is rather shorter than without such numbers
_NUMBERS = re.compile(
    r" from \W?\d\S* to "
    r"| (?:by|with|at|to|of|in|for|on) (?:up to |over |only |just )?\W?\d[\d.,–-]*"
    r"(?:%|x|\u00d7|-fold)"
)
_ITEMS_AWAITED = any_of("two, three, four, five, six, seven, several, some, key, following, main")
_GENERAL = any_of(
    "areas, aspects, benchmarks, capabilities, categories, challenges, domains, factors, features"
    ", fields, functionalities, issues, methods, models, problems, settings, strategies, tasks"
    ", techniques, things, tools, topics"
)
# How a beginning may end that lacks what begins so.
_CALLS_FOR = tuple(
    (re.compile(last, re.IGNORECASE), re.compile(following, re.IGNORECASE))
    for last, following in (
        (_TOLD_TO, " to "),
        (_STATEMENT_BEGUN, " "),
        (_VERB_ALONE, rf" (?:{_OTHER_HALF})\b"),
        (_HALF_JOINED, rf" (?:{_OTHER_HALF})\b"),
        (_VERB_AWAITED, r" (?:for|of|in|on|with|from|such|that|which)\b"),
        (_SEEN, r" as\b"),
        (_QUALITY, r" and\b"),
        (r" up$", r" to\b"),
        (r"\bby \w+ing$", " "),
        # "From 20% to 50% and on the other", "by 3% and on the other", "7 in one and 9".
        (r"\bfrom\b.*\bto\b.*\band\b", " from "),
        (r"\bby \W?\d.*\band\b", " by "),
        (r"\band \W?\d[\d.,]*%?$", " "),
        (rf"\b(?:{_ITEMS_AWAITED})(?: [\w-]+){{1,3}}$", r":| \(?1\)"),
        (rf"\b(?:{_GENERAL})$", r",? (?:such as|like)\b"),
        # What stands between two commas, so that the verb comes behind it.
        ("", r",? such as [^.;:]*?, (?:can|could|is|are|was|were|has|have|may|will)\b"),
    )
)
_LIST_GOES_ON = re.compile(r"[^.;:]{0,90}?,\s+(?:and|or)\s|\s*(?:and|or)\s")
_VERBS_GO_ON = re.compile(r"[^.;:]{0,90}?\s(?:and|or)\s")
_BEGINS_WITH_VERB = re.compile(r"\s*[a-z]+[^s\W]s\s")
_SHORTEST_ITEM = 2  # words
_RELATIVE = re.compile(r"\s(?:which|where|because)\s")
_NO_LIST = re.compile(r"\s*(?:and|or|but|which|that|where|while|an?|the)\b")


def whole_clauses(sentence: str, length: int) -> Iterator[str]:
    """Yield a sentence, or its beginnings that are whole in so many characters, best first."""
    if 0 < len(bare := sentence.rstrip(END)) <= length:
        yield bare
        return
    ends = (
        (found.start() + kind.bonus - _loss(sentence, found.start()), found.start())
        for kind in _BREAKS
        for found in kind.pattern.finditer(sentence, kind.least)
        if found.start() <= length
    )
    for _, end in sorted(ends, reverse=True):
        if _is_whole(before := sentence[:end].rstrip(END), sentence[end:]):
            yield before


def _loss(sentence: str, end: int) -> int:
    return _LOSS if _NUMBERS.match(sentence, end) else 0


def _is_whole(before: str, after: str) -> bool:
    """Tell whether the beginning of a sentence says something without the rest."""
    is_quoting = before.count('"') % 2 or before.count("“") > before.count("”")
    is_quoting |= len(_QUOTE_OPENS.findall(before)) > len(_QUOTE_CLOSES.findall(before))
    is_waiting = bool(_BEFORE_WORD.match(before)) and not BEFORE.match(before)
    is_waiting |= bool(_WAITING.match(before) and "," in after)
    is_calling = bool(_OPEN.search(before, max(0, len(before) - _LAST_WORDS))) or any(
        next_.match(after) and last.search(before) for last, next_ in _CALLS_FOR
    )
    return not (is_quoting or is_waiting or is_calling or _halves(before, after))


def _halves(before: str, after: str) -> bool:
    """Tell whether a pair or a list begins before the end of a clause and goes on behind it."""
    folded, rest = f" {before.casefold()} ", after.casefold()
    for opens, closes in _PAIRS:
        _, opened, since = folded.rpartition(f" {opens} ")
        near = _NEXT_PART.split(since + rest)[0] if opens == "from" else rest
        if opened and f" {closes} " not in since and f" {closes} " in near:
            return True
    begun, comma, last = before.rpartition(",")
    is_verb = bool(_BEGINS_WITH_VERB.match(last))
    is_relative = is_verb and _RELATIVE.match(after)
    is_list = comma and not (BEFORE.match(f"{begun}, ") or _WAITING.match(begun) or is_relative)
    is_word = len(last.split()) <= _SHORTEST_ITEM
    goes_on = _VERBS_GO_ON if is_verb or is_word else _LIST_GOES_ON
    return bool(is_list and not _NO_LIST.match(last) and goes_on.match(after))


def waits(line: str) -> bool:
    """Tell a line of which the half that its first word calls for is missing."""
    return bool(_HALF.match(line))


class Inside(Enum):
    """A part of a sentence that says something by itself."""

    RESULT = auto()
    CLAUSE = auto()
    MEANS = auto()  # by doing what it is done
    PHRASE = auto()
    CONTENTS = auto()


_REPORTING = any_of(
    "show, find, report, demonstrat, reveal, observ, indicat, highlight, suggest, conclud"
)
_TELLING = any_of(
    "achieves, combines, completes, decomposes, employs, generates, improves, integrates, learns"
    ", leverages, matches, outperforms, reaches, reduces, replaces, trains, uses"
)
_GAINING = any_of("achieving, attaining, delivering, gaining, reaching, yielding")
_GERUND_TOO = r".*\band \w+ing\b"  # what goes on with another
_NAMING = any_of(
    "with, using, via, through, called, introducing, proposing, presenting, developing"
)
_INSIDE = (
    (Inside.CLAUSE, r":\s+(?=[A-Z][^,]*\s)"),
    (
        Inside.RESULT,
        rf"[,;]?\s+(?:and\s+|which\s+)?(?:also\s+)?(?:{_REPORTING})(?:e?s|ed?|ing)?\s+that\s+",
    ),
    (Inside.MEANS, r"\sby\s+(?=\w+ing\s)"),
    (Inside.CONTENTS, r",?\s(?:including|covering|highlighting|along\s+with|together\s+with)\s"),
    (Inside.PHRASE, rf",\s+(?:(?:{_GAINING})\s+(?!{_GERUND_TOO})|(?=[a-z]+ing\s))"),
    (
        Inside.PHRASE,
        r"\s(?:(?:which|that)\s+(?:leads?\s+to|results?\s+in)|leading\s+to|resulting\s+in)\s+",
    ),
    # "Explores where kites fly" has none.
    (Inside.PHRASE, r"\s(?:(?<=,\s)where|where(?=[^,.]{3,60}\s(?:is|are)\s\w+ed\b))\s+"),
    (Inside.PHRASE, rf"\s(?:{_NAMING})\s+(?=(?:an?|two|three|four)\s)(?!{_GERUND_TOO})"),
    (Inside.PHRASE, rf"\s(?:that|which|and)\s+(?=(?:{_TELLING})\s)"),
)
_BEGIN_INSIDE = tuple((kind, re.compile(pattern)) for kind, pattern in _INSIDE)
_FIRST_OF_SEVERAL = re.compile(r"\(?\b(?:1|a|i)\)\s+(.+?)[,;]?\s+(?:and\s+)?\(?(?:2|b|ii)\)\s")
_FEW_WORDS = r"[^,;:.()]{3,60}"
_LIST = re.compile(
    r"(?:\b(?:such\s+as|like|including|covering|covers|highlighting|into|through)|:)\s+"
    rf"((?!{_FEW_WORDS}\b(?:such\s+as|like|including)\s){_FEW_WORDS}(?:,\s{_FEW_WORDS})+?,?\sand\s"
    r"(?:(?!\s(?:which|that|to|for|in|on|with|from|by|as)\s)[^,;:.]){5,60})"
)

_NO_QUALITY = any_of(
    "with, of, on, for, in, to, into, across, by, as, and, or, the, discuss\\w*, cover\\w*"
    ", includ\\w*, us(?:es|ing), categorized, tested, discussion, address\\w*, analy\\w*"
    r", explor\w*"
)
_LISTED = re.compile(
    rf"(?:^|\s)((?:(?!(?:{_NO_QUALITY})\b)[\w-]+\s){{0,2}}[\w-]+s)\s(?:such\s+as|like|including)\s$"
)
_LIST_ASIDE = re.compile(
    rf"\((?:e\.g\.,?\s|i\.e\.,?\s|including\s|like\s|such\sas\s)?((?:{_FEW_WORDS},\s){{2,}}{_FEW_WORDS})\)"
)


def inside(sentence: str) -> Iterator[tuple[Inside, str]]:
    """Yield what stands inside a sentence and says something by itself, to its end."""
    if found := _FIRST_OF_SEVERAL.search(sentence):
        yield Inside.PHRASE, found[1]
    for kind, begin in _BEGIN_INSIDE:
        for found in begin.finditer(sentence):
            yield kind, sentence[found.end() :]


def listed(sentence: str) -> Iterator[str]:
    """Yield the lists of three things and more, first those with what they are lists of.

    "Fields such as A, B, and C" has it, "A, B, and C" behind "covers" and "(A, B, C)" do not.
    """
    for found in _LIST.finditer(sentence):
        if of := _LISTED.search(sentence, 0, found.start(1)):
            yield sentence[of.start(1) : found.end(1)]
    for pattern in (_LIST, _LIST_ASIDE):
        for found in pattern.finditer(sentence):
            yield found[1]
