"""Words that speak of the list seen last: `3`, `1-3`, `it`, `the second one`. Pure."""

import re
from dataclasses import dataclass

_ORDINALS = (
    "first", "second", "third", "fourth", "fifth",
    "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
_COUNTS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
# More are no range that a person means to write.
_MOST = 25
_NOUN = r"(?: (?:one|paper|hit|result|entry|article|of (?:them|these|those)))?"
_NUMBER = re.compile(
    rf"(?:the )?(?:#|no\.? ?|nr\.? ?|number |paper |hit |result )?#?(\d{{1,3}})(?:st|nd|rd|th)?{_NOUN}"
)
_ORDINAL = re.compile(rf"(?:the )?({'|'.join(_ORDINALS)}|last|top){_NOUN}")
_FIRST_FEW = re.compile(
    rf"(?:the )?first (\d{{1,2}}|{'|'.join(_COUNTS)})(?: (?:ones|papers|hits|results))?"
)
_RANGE = re.compile(
    r"(?:(?:papers|numbers|hits) )?#?(\d{1,3}) ?(?:-|\u2013|\u2014|to|through|till|until) ?#?(\d{1,3})"
)
_SEVERAL = re.compile(
    r"(?:(?:papers|numbers|hits) )?#?\d{1,3}(?:(?:, ?| and |, and | & | )#?\d{1,3})+"
)
_IT = re.compile(r"it|this|that|(?:this|that|the same|the) (?:one|paper|article)|the paper")
_ALL = re.compile(
    r"(?:them|these|those|all|everything)|all of (?:them|these|those)|(?:them|these|those) all"
)


@dataclass(frozen=True, slots=True)
class ListReference:
    """Papers of the list seen last: by number from 1 (-1 is the last), `it`, or all of them."""

    numbers: tuple[int, ...] = ()
    is_it: bool = False
    is_all: bool = False

    @property
    def is_one(self) -> bool:
        """True if it speaks of one paper."""
        return self.is_it or len(self.numbers) == 1


def read_list_reference(text: str) -> ListReference | None:
    """Read words that speak of a list; `None` for any other text."""
    words = " ".join(text.lower().split()).strip(" .!?")
    if _IT.fullmatch(words):
        return ListReference(is_it=True)
    if _ALL.fullmatch(words):
        return ListReference(is_all=True)
    numbers = _numbers(words)
    return ListReference(numbers) if numbers and len(numbers) <= _MOST else None


def _numbers(words: str) -> tuple[int, ...]:
    if one := _NUMBER.fullmatch(words):
        return (int(one[1]),)
    if ordinal := _ORDINAL.fullmatch(words):
        return (_place(ordinal[1]),)
    if few := _FIRST_FEW.fullmatch(words):
        number = int(few[1]) if few[1].isdecimal() else _COUNTS.index(few[1]) + 2
        return tuple(range(1, number + 1))
    if ends := _RANGE.fullmatch(words):
        return tuple(range(int(ends[1]), int(ends[2]) + 1))
    if _SEVERAL.fullmatch(words):
        return tuple(dict.fromkeys(map(int, re.findall(r"\d+", words))))
    return ()


def _place(word: str) -> int:
    if word == "last":
        return -1
    return 1 if word == "top" else _ORDINALS.index(word) + 1
