"""Episode marks in running text, such as ` E162`, and the choice of those that count."""

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

# One mark, or several glued together (`E31/E32`). It is behind a blank, a bracket, a quote or a
# dash, and is no part of a longer name (`E5-large`, `E3.5`, `E2E`).
_NUMBER = r"E\d{1,4}"
_TOKEN = rf"{_NUMBER}(?:[-/,+&\u2010-\u2015]{_NUMBER})*"
_END = r"(?!\w|\.\d|[-\u2010\u2011]\w)"
_MARK = re.compile(rf"(?:^|(?<=[\s(\[\"'\u2018\u201c\u2013\u2014]))({_TOKEN}){_END}")
# Brackets that hold nothing but marks go out with them.
# A comma is a joint by either rule: without going back (`*+`) that is tried once, not in all ways.
_JOINT = r"(?:[-/,+&\u2010-\u2015]|\s?[,;&]\s?|\s(?:and\s)?)"
_BRACKETED = re.compile(rf"[(\[]({_NUMBER}(?:{_JOINT}{_NUMBER})*+)[)\]]")
_DIGITS = re.compile(r"\d+")

# Numbers of one week are close together; so many may be missing between two of them.
_SMALLEST_REACH = 10


def numbers_in(text: str) -> tuple[int, ...]:
    """Return the numbers of all marks in the text, in order, each once."""
    tokens = (match[1] for match in _MARK.finditer(text))
    return tuple(dict.fromkeys(number for token in tokens for number in _numbers(token)))


def counted_in(text: str, counted: frozenset[int]) -> tuple[int, ...]:
    """Return the numbers of the counted marks in a text, in order, each once."""
    return tuple(number for number in numbers_in(text) if number in counted)


def without_marks(text: str, counted: frozenset[int]) -> str:
    """Remove the marks of counted episodes, each with the blank before it.

    Gaps and punctuation stay; a bracket of marks alone is removed with them.
    """
    return _cut(_MARK, _cut(_BRACKETED, text, counted), counted).strip()


def counted_numbers(
    overview: frozenset[int],
    paragraphs: Collection[frozenset[int]],
    listed: frozenset[int],
    claimed: int | None,
) -> frozenset[int]:
    """Return the numbers that are episodes of this review; `claimed` is their stated count.

    Listed ones are. The others must be near each other, which excludes names such as "E5 models".
    Once the claimed count is met by numbers with a text of their own, the rest are references to
    other episodes. A number far away counts only if the overview and a paragraph both have it while
    fewer than claimed were found.
    """
    in_paragraphs = frozenset().union(*paragraphs)
    alone = frozenset().union(*(numbers for numbers in paragraphs if len(numbers) == 1))
    in_both = overview & in_paragraphs
    near = _cluster(sorted(in_paragraphs | overview | listed), claimed) | listed
    if claimed is not None and len(own := near & (alone | listed | in_both)) >= claimed:
        return own
    return near | in_both if claimed is None or len(near) < claimed else near


def _numbers(token: str) -> list[int]:
    return [int(digits) for digits in _DIGITS.findall(token)]


def _cut(pattern: re.Pattern[str], text: str, counted: frozenset[int]) -> str:
    """Cut the matches that hold a counted number, each with one blank before it."""
    kept, start = [], 0
    for match in pattern.finditer(text):
        if counted.intersection(_numbers(match[1])):
            before = text[start : match.start()]
            kept.append(before[:-1] if before[-1:].isspace() else before)
            start = match.end()
    return "".join([*kept, text[start:]])


def _cluster(ordered: Sequence[int], claimed: int | None) -> frozenset[int]:
    """Return the largest group of numbers without a wide gap, the later one of two equals."""
    reach = max(claimed or len(ordered), _SMALLEST_REACH)
    groups = [list(ordered[:1])]
    for number, following in pairwise(ordered):
        if following - number > reach:
            groups.append([])
        groups[-1].append(following)
    _, largest = max((len(group), group) for group in groups)
    return frozenset(largest)
