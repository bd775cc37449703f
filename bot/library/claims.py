"""Claims: what a sentence says of a name: what it is, its size, or nothing of its own. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from bot.domain.sentences import stems, stems_of

_ANNOUNCES = re.compile(
    r"^(?:(?:the|this|we|it|they|our)\b(?: new| survey)?(?: \w+)? )?(?:investigat|stud(?:y|ies)"
    r"|explor|examin|attempt|aim|discuss|survey|review|address|focus|consider)\w*\b",
    re.IGNORECASE,
)
# "It weaves", "Loom slowly weaves", but not "Loom is".
_DOES = re.compile(
    r"([\w.-]+) (?:\w+ly )?(?!(?:is|are|was|were|has|have|had|can|could|may|will|does|do)\b)[a-z]+"
)
_SUCCESS = re.compile(
    r"\b(?:outperform|surpass|achiev|state-of-the-art|sota|on par|competitive|superior)\w*"
    r"|\d ?(?:%|x\b|\u00d7|points\b)|\bup to \W?\d|\b(?:better|faster|higher|more \w+) than\b",
    re.IGNORECASE,
)
_BETWEEN = r"[\W_]{0,3}"  # the words of a name, as in "V-JEPA 2"
# What may stand behind a name: marks, wherein it is meant, its acronym.
_CLOSING = r"[\"”’')\]*]*(?: in [\w -]{3,40}?)?(?: \([^()]{1,60}\))?"
# What may stand before a name that is no part of a longer one.
_BEGINS = (
    r"(?:^|[.;:,()\"“”‘’'\u2014\u2013] ?| - "
    r"|\b(?:an?|the|each|every|that|as|and|but|while|where|because|if|so|since"
    r"|(?:propos|introduc|present|develop|releas|describ|announc|unveil|launch|call|show|stud"
    r"|investigat|examin|explor|identif)\w*) )"
)
_IS = (
    r",? (?:(?:is|are) (?:an?|the|one|any|how|what|when|where)\b"
    r"|(?:refers? to|means|denotes?|stands? for|(?:occurs?|happens?|arises?) when|consists? of"
    r"|describes?|combines?|encapsulates?|represents?|measures?)\b)"
    r"|,? which (?!(?:is|are|was|were|has|have|had)\b)\w+s\b"
)
# A name that a paper gives, straight away or in brackets behind what has it: "a set of looms (X)".
_GIVES = (
    r"\b(?:propos|introduc|present|develop|releas|unveil|launch|creat)(?:e|es|ed|s|ing)?"
    r" (?:(?:an?|the|its|their|our) )?(?:(?:new|novel|simple) )?"
)
_GIVEN = r"(?:,? (?:an?|the|which|that|to|for|as|with|by)\b|:| [\u2014\u2013-] )"
_ACTS = r" (?:us|employ|integrat|leverag|appl)(?:es|s|ies)\b"
_HAS_NAME = r"(?:(?!using|via|by|with|through|for|to|on|in)[\w-]+ ){1,6}"
_BESIDE = r"(?:, | [\u2014\u2013-] |\u2014|: | \()(?:an?|one|when|where|which (?:is|are)|i\.e\.)\b"
_CALLED = (
    r"\b(?:known as|referred to as|called|termed|dubbed|named|coin(?:s|ed)?|defined as"
    r"|(?:concept|notion) of|so-called) (?:an? |the )?[\"“‘'(*]*"
)
_DEFINES = r"\bdefin\w+ (?:an? |the )?[\"“‘'(*]*"
_ENDS = r"(?=[\"”’'),.;:*]|$| (?:that|which|where|when|in|to|and|as|is|are|[\u2014\u2013-]) )"
_SMALL = frozenset({"of", "with", "from", "and", "the", "for", "to", "in", "on", "by", "a"})
_FEWEST_LETTERS = 3  # of an acronym
_LONGEST_EXPANSION = 12  # words before an acronym

# What is beside the point, where it stands before a name in its clause.
_COMPARING = re.compile(
    r"\b(?:than|over|vs|versus|against|unlike|outperform\w*|surpass\w*|exceed\w*|beat\w*|compar\w+"
    r"|rival\w*|match\w*|baselines?|competitive|on par)\b[^;:]*$"
)
_CLAUSE = 80  # characters before a name

_SIZE = re.compile(
    r"(?<![\w.-])\d[\d.]*"
    r"(?:(?: ?b\b| billion\b)(?![ -](?:[a-z]+[ -])?token)|(?: ?[mt]| million| trillion)?[ -]param)"
)
_VERSIONED = re.compile(r"\b([A-Z][A-Za-z]{2,})\d[\d.]*")
_PRICE = re.compile(r"[$\u20ac\u00a3] ?\d|\d ?(?:dollars?|euros?|usd|cents?)\b", re.IGNORECASE)
_BESIDE_SIZE = 40  # characters between a size and what has it
_MOST_COMPARED = 10  # names and sizes of a sentence
_APART = re.compile(r"[.;] | and | or ")  # a name from the size behind it
_APART_BEFORE = re.compile(r"[.;,()]| and | or ")  # a name from the size before it
# "X-Zero" is another model than X, "X-based" is none.
_NO_OTHER = r"(?!\w)(?!-(?!based|style|like|parameter|\d)\w)"

_AROUND_NUMBER = (3, 6)  # words before and from a number on, among which is what it counts
_NO_COUNT = re.compile(
    r"\d[\d.,]* ?%|\d[\d.,]* ?\w*(?:/| per )s(?:ec(?:ond)?)?\b|\d+ ?[x\u00d7] ?\d+|\$\d[\d.,]*"
)
_NUMBERS = frozenset(
    stems_of(
        "one two three four five six seven eight nine ten eleven twelve dozen hundred thousand"
        " million billion trillion half twice double triple"
    ).split()
)


def says_what_it_is(name: Sequence[str], text: str, lead: str = "") -> bool:
    """Tell whether a sentence says what is named so, by its folded words.

    It says *X is a …*, *X, a …*, *known as X*, or stands under the lead X.
    """
    run = _spelled(name) + "s?"
    if lead and re.search(rf"^(?:an? |the )?{run}$|\({run}\)[\W]*$", _plain(lead).strip(" :.*")):
        return True
    return bool(
        re.search(
            rf"{_BEGINS}{run}{_CLOSING}(?:{_IS}|{_BESIDE})"
            rf"|{_CALLED}(?:[^.;()]{{3,60}} \()?{run}{_ENDS}"
            rf"|{_DEFINES}{run}{_CLOSING}(?: as\b| [\u2014\u2013-] |:)",
            _plain(text),
        )
    ) or gives_name(name, text)


def gives_name(name: Sequence[str], text: str) -> bool:
    """Tell whether a sentence introduces what is named so, with a capital, or says how it works."""
    run = rf"(?P<name>{_spelled(name)}s?)"
    forms = (
        rf"{_GIVES}[\"“‘'(*]*{run}{_CLOSING}{_GIVEN}",
        rf"{_GIVES}{_HAS_NAME}\({run}\)",
        rf"{_BEGINS}{run}{_CLOSING}{_ACTS}",
    )
    given = (re.search(form, _bare(text), re.IGNORECASE) for form in forms)
    return any(found and not found["name"].islower() for found in given)


def announces(text: str) -> bool:
    """Tell whether a sentence says only what is looked into, not what was found."""
    return bool(_ANNOUNCES.search(text))


def says_what_it_does(title: str, text: str) -> bool:
    """Tell whether a sentence says what a paper's subject does: by *it*, its name or letters."""
    begins = _DOES.match(text)
    if not begins:
        return False
    subject = begins[1].lower().rstrip("s")
    return (
        subject in {"it", "they"}
        or (subject not in _SMALL and bool(re.search(rf"\b{re.escape(subject)}", _plain(title))))
        or stands_for(subject, title)
    )


def measures_success(text: str) -> bool:
    """Tell whether a sentence says how well something does, not how it does it."""
    return bool(_SUCCESS.search(text))


def spells_out(name: Sequence[str], text: str) -> bool:
    """Tell whether a sentence has the words that an acronym stands for beside it."""
    if len(name) != 1:
        return False
    text, letters = _plain(text), name[0].removesuffix("s")
    run = rf"{re.escape(letters)}s?"
    before = (text[: found.start()] for found in re.finditer(rf"\({run}\)", text))
    inside = (found[1] for found in re.finditer(rf"\b{run} \(([^()]{{3,100}})\)", text))
    return any(_end_in(letters, words) for words in (*before, *inside))


def is_beside_the_point(name: Sequence[str], text: str) -> bool:
    """Tell whether a sentence has a name only in a longer one, or as one that others are like."""
    text = _plain(text)
    run = _spelled(name)
    if not re.search(rf"{run}(?!\w)", text):
        return False
    return all(
        _COMPARING.search(text[max(0, found.start() - _CLAUSE) : found.start()])
        for found in re.finditer(run + _NO_OTHER, text)
    )


def families(text: str) -> str:
    """Return the stems of names that a text writes together with a version, such as Llama3."""
    found = _VERSIONED.findall(text) if any(map(str.isdigit, text)) else ()
    return stems(each.lower() for each in found) if found else ""


def has_size(text: str) -> bool:
    """Tell whether a text has the size of a model, such as 7B."""
    return bool(_SIZE.search(_plain(text)))


def has_price(text: str) -> bool:
    """Tell whether a text has a sum of money."""
    return bool(_PRICE.search(text))


def has_size_of(name: Sequence[str], text: str) -> bool:
    """Tell whether the size in a sentence is that of a name; where it has none, of its paper."""
    text = _plain(text)
    run = _spelled(name)
    if not re.search(run, text):
        return True
    named = [each.span() for each in islice(re.finditer(run + _NO_OTHER, text), _MOST_COMPARED)]
    sizes = [each.span() for each in islice(_SIZE.finditer(text), _MOST_COMPARED)]
    return any(_are_beside(text, one, size) for one in named for size in sizes)


def numbers(text: str, names: Iterable[Sequence[str]] = ()) -> Iterator[str]:
    """Yield the stems around each number of a sentence that counts something, as in no name."""
    bare = _plain(text)
    for name in names:
        bare = re.sub(_spelled(name), " ", bare)
    words = stems_of(_NO_COUNT.sub(" ", bare)).split()
    before, after = _AROUND_NUMBER
    for place, word in enumerate(words):
        if word[0].isdigit() or word in _NUMBERS:
            yield f" {' '.join(words[max(0, place - before) : place + after])} "


def is_name(word: str, text: str) -> bool:
    """Tell whether a text writes a folded word only with a capital, within its sentences too."""
    within = False
    for found in re.finditer(rf"(?<![\w-]){re.escape(word)}s?(?![\w-])", text, re.IGNORECASE):
        if found[0].islower():
            return False
        before = text[max(0, found.start() - 2) : found.start()].rstrip(" ")[-1:]
        within = within or before.islower() or before in {",", "("}
    return within


def _spelled(name: Sequence[str]) -> str:
    """Return a pattern of a name by its folded words."""
    return rf"(?<![\w-]){_BETWEEN.join(map(re.escape, name))}"


def _plain(text: str) -> str:
    """Return a text in lower case and without diacritics, with its marks."""
    return _bare(text).lower()


def _bare(text: str) -> str:
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def stands_for(letters: str, title: str) -> bool:
    """Tell whether a folded word is the first letters of all the words of a title."""
    words = re.findall(r"[^\W_]+", _plain(title))
    large = [word for word in words if word not in _SMALL]
    return len(letters) >= _FEWEST_LETTERS and any(
        "".join(word[0] for word in each) == letters for each in (words, large)
    )


def _end_in(letters: str, text: str) -> bool:
    """Tell whether the last words of a text begin with the letters, with the small ones or not."""
    words = re.findall(r"[^\W_]+", text)[-_LONGEST_EXPANSION:]
    large = [word for word in words if word not in _SMALL]
    return any(
        "".join(word[0] for word in each[-len(letters) :]) == letters for each in (words, large)
    )


def _are_beside(text: str, name: tuple[int, int], size: tuple[int, int]) -> bool:
    (_, end), (start, _) = sorted((name, size))
    apart = _APART if name < size else _APART_BEFORE
    between = text[end:start]
    return len(between) <= _BESIDE_SIZE and not (
        apart.search(between) or _COMPARING.search(between)
    )
