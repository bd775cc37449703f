"""The gaps in a review's text, whose linked words its plain-text copies lost. Pure."""

import re
from functools import lru_cache

from store.records import Entry

GAP = "[…]"
_ABBREVIATED = r"(?<!\bvs)(?<!\bal)(?<!\betc)(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\bapprox)"
_GAPS = (
    (re.compile(r"— , —"), f"— {GAP} —"),
    # Nothing between two quotation marks.
    (re.compile(r"(?<![\w'\"])(['\"‘“])(['\"’”])(?![\w'\"])"), rf"\1{GAP}\2"),
    # An article before a word that no noun is.
    (
        re.compile(
            r"\b(an?|the) (?=(?:that|which|of|in|and|or|to|is|are|was|were|does|do|but|with|for"
            r"|from|by|on|at|as|when)\b)",
            re.IGNORECASE,
        ),
        rf"\1 {GAP} ",
    ),
    # A blank before a stop or a comma, and a sentence that begins without a capital.
    (re.compile(r"(?<=\S) (?=[,.;:!?](?:\s|$))"), f" {GAP}"),
    (re.compile(rf"{_ABBREVIATED}([.!?]) (?=[a-z]+ )"), rf"\1 {GAP} "),
)


def with_gaps(entry: Entry, text: str) -> str:
    """Return an entry's text with its gaps marked, if it is an episode of a review.

    A copy that lost linked words says odd things such as "it lives in a with two halves".
    """
    return text if entry.episode is None else _marked(text)


@lru_cache(2048)  # every answer shows the same few texts
def _marked(text: str) -> str:
    for gap, mark in _GAPS:
        text = gap.sub(mark, text)
    return text
