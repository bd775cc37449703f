"""Words that speak of a paper: `3`, `1-3` and `it` of the list seen last, or an address. Pure."""

import re
from dataclasses import dataclass

from bot.domain.paper_ids import arxiv_id_in_url, bare_arxiv_id

_NAMED_PAPER = re.compile(
    r"e\d{1,5}|[a-z0-9-]+:\d{4}-\d{2}-\d{2}#\d+|[a-z0-9-]+:E\d+|\d{4}-\d{2}-\d{2}#\d+|10\.\d{4,9}/\S+",
    re.IGNORECASE,
)
ADDRESS = re.compile(
    r"https?://\S+|(?:arxiv\.org|huggingface\.co|alphaxiv\.org|doi\.org)/\S+", re.IGNORECASE
)
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth",
    "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
# More are no range that a person means to write.
_MOST = 25
_SPOKEN = ("one", *_COUNTS)
_NOUN = (
    r"(?: (?:one|ones|paper|hit|result|entry|article|of (?:them|these|those)))?"
    r"(?: (?:on|in|of|from) (?:the|this|that|your) (?:list|page|results?|hits?))?"
)
_NUMBER = re.compile(
    r"(?:the |that )?(?:#|no\.? ?|nr\.? ?|number |num |paper |hit |result |entry )?#?(\d{1,3})"
    rf"(?:st|nd|rd|th)?{_NOUN}"
)
_SPOKEN_NUMBER = re.compile(rf"(?:the )?(?:number|paper|no\.?) ({'|'.join(_SPOKEN)})")
_ORDINAL = re.compile(
    rf"(?:the |that |this )?(?:very )?({'|'.join(_ORDINALS)}|last|top|bottom"
    rf"|(?:second|next|one) to last|(?:second|2nd) last|last but one|penultimate"
    rf"|one before the last){_NOUN}"
)
_ONE_OF_SEVERAL = re.compile(
    rf"(?:the )?(?:({'|'.join(_ORDINALS)})|#?(\d{{1,3}})(?:st|nd|rd|th)?)(?: one)?"
)
_BETWEEN = re.compile(r",? and (?:also )?|[,;] ?| ?& ?| ?\+ ?")
_FEW = re.compile(
    rf"(?:the )?(first|top|last|bottom) (\d{{1,2}}|{'|'.join(_COUNTS)})"
    r"(?: (?:ones|papers|hits|results|of them))?"
)
_BOTH = re.compile(
    r"both|(?:both|the|these|those|both of) (?:two|these|those|them)(?: (?:ones|papers|two))?"
    r"|both (?:ones|papers)"
)
_RANGE = re.compile(
    r"(?:(?:papers|numbers|hits) )?#?(\d{1,3})"
    r" ?(?:-|\u2013|\u2014|\u2026|\.{2,3}|to|through|till|until) ?#?(\d{1,3})"
)
_SEVERAL = re.compile(
    r"(?:(?:papers|numbers|hits) )?#?\d{1,3}(?:(?:[,;] ?| and |, and | ?[&+] ?| )#?\d{1,3})+"
)
_IT = re.compile(
    r"it|this|that|(?:this|that|the same|the|same) (?:one|paper|article|study|work)|the paper"
)
_ALL = re.compile(
    r"(?:them|these|those|all|everything)(?: (?:ones|papers|results))?"
    r"|all (?:of )?(?:them|these|those)(?: papers)?|(?:them|these|those) all"
    r"|(?:the )?whole list"
)


@dataclass(frozen=True, slots=True)
class ListReference:
    """Papers of the list seen last: by number, `it`, or all of them.

    Numbers count from 1; -1 is the last, -2 the one before.
    """

    numbers: tuple[int, ...] = ()
    is_it: bool = False
    is_all: bool = False

    @property
    def is_one(self) -> bool:
        """True if it speaks of one paper."""
        return self.is_it or len(self.numbers) == 1


def read_list_reference(text: str) -> ListReference | None:
    """Read words that speak of a list; `None` for any other text."""
    words = " ".join(text.lower().split()).strip(" .!?:")
    words = words.removesuffix(" too").removesuffix(" as well")
    if _IT.fullmatch(words):
        return ListReference(is_it=True)
    if _ALL.fullmatch(words):
        return ListReference(is_all=True)
    numbers = _numbers(words)
    return ListReference(numbers) if numbers and len(numbers) <= _MOST else None


def _numbers(words: str) -> tuple[int, ...]:
    one = _one(words)
    return (one,) if one else _run(words) or _several(words)


def _one(words: str) -> int | None:
    if number := _NUMBER.fullmatch(words):
        return int(number[1])
    if ordinal := _ORDINAL.fullmatch(words):
        return _place(ordinal[1])
    spoken = _SPOKEN_NUMBER.fullmatch(words)
    return _SPOKEN.index(spoken[1]) + 1 if spoken else None


def _run(words: str) -> tuple[int, ...]:
    if _BOTH.fullmatch(words):
        return (1, 2)
    if few := _FEW.fullmatch(words):
        number = int(few[2]) if few[2].isdecimal() else _COUNTS.index(few[2]) + 2
        is_end = few[1] in ("last", "bottom")
        return tuple(range(-number, 0) if is_end else range(1, number + 1))
    ends = _RANGE.fullmatch(words)
    return tuple(range(int(ends[1]), int(ends[2]) + 1)) if ends else ()


def _several(words: str) -> tuple[int, ...]:
    if _SEVERAL.fullmatch(words):
        return tuple(dict.fromkeys(map(int, re.findall(r"\d+", words))))
    parts = [_ONE_OF_SEVERAL.fullmatch(part) for part in _BETWEEN.split(words)]
    places = [_place(part[1]) if part[1] else int(part[2]) for part in parts if part]
    return tuple(dict.fromkeys(places)) if 1 < len(parts) == len(places) else ()


def _place(word: str) -> int:
    if word in _ORDINALS:
        return _ORDINALS.index(word) + 1
    if word == "top":
        return 1
    return -1 if word in ("last", "bottom") else -2


def paper_alone(words: str) -> str | None:
    """Return the paper that a line names by its id or address and nothing else."""
    one = words.strip("<>\"' ")
    if " " in one:
        return None
    if arxiv := bare_arxiv_id(one) or arxiv_id_in_url(one):
        return arxiv
    if _NAMED_PAPER.fullmatch(one):
        return one
    return None


def paper_within(words: str) -> str | None:
    """Return the arXiv id of the first address or id in a line."""
    if link := ADDRESS.search(words):
        address = link[0] if "://" in link[0] else f"https://{link[0]}"
        return arxiv_id_in_url(address)
    may_be = (each for each in words.split() if not each.isalpha())
    return next(filter(None, map(bare_arxiv_id, may_be)), None)
