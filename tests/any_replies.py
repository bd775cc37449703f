"""Replies of every shape with any text, and what of them has to be on a screen."""

import unicodedata
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from typing import TypeVar

from hypothesis import strategies as st

from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Choices,
    Fields,
    File,
    Level,
    Menu,
    Moments,
    Notice,
    Pager,
    PaperCard,
    PaperLine,
    PaperList,
    Quote,
    Reply,
    Table,
    Text,
    Title,
    TopicMark,
    Verbatim,
    WebPage,
)
from store.records import Highlight, Link

T = TypeVar("T")

MENUS = st.sampled_from((
    (), (Menu("Save a paper", "save", "Save"),),
    (Menu("Save a paper", "save", "Save"), Menu("Vote for a paper", "vote", "Vote", 20)),
))  # fmt: skip

# The explicit formatting signs of Unicode Standard Annex 9.
TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
# Signs that Unicode 16 made wide: tables of widths don't agree on them yet.
_WIDENED = [(0x2630, 0x2638), (0x268A, 0x2690), (0x4DC0, 0x4E00), (0x1D300, 0x1D377)]
_SIGNS = st.characters(
    exclude_categories=["Cs"],
    exclude_characters=[chr(sign) for bounds in _WIDENED for sign in range(*bounds)],
)
_WORDS = st.sampled_from([
    "paper", "x" * 90, "深度学习" * 12, "注意力。", "👩‍🚀", "❤️", "e\u0301", "مرحبا", "\x1b[31m",
    "\u202eturned", "tab\there", "https://example.org/" + "p" * 70, "(https://example.org/)",
])  # fmt: skip

TEXTS = st.one_of(
    st.text(_SIGNS, max_size=40), st.lists(_WORDS, max_size=12).map(" ".join), st.just("a\n\nb")
)


def _few(strategy: st.SearchStrategy[T]) -> st.SearchStrategy[tuple[T, ...]]:
    return st.lists(strategy, max_size=3).map(tuple)


def _moments(words: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[tuple[str, datetime], ...]]:
    first, last = datetime(1970, 1, 2), datetime(2199, 1, 1)  # noqa: DTZ001 - as Hypothesis wants its bounds
    instants = st.datetimes(first, last, timezones=st.just(UTC))
    return st.lists(st.tuples(words, instants), min_size=1, max_size=3).map(tuple)


def _tables(words: st.SearchStrategy[str]) -> st.SearchStrategy[Table]:
    return st.integers(1, 4).flatmap(
        lambda width: st.builds(
            Table, st.tuples(*[words] * width), _few(st.tuples(*[words] * width))
        )
    )


def blocks(words: st.SearchStrategy[str]) -> st.SearchStrategy[Block]:
    """Return blocks of every kind, made of these texts."""
    maybe = st.none() | words
    votes = st.sampled_from((0, 1, 1_234))
    lines = st.builds(
        PaperLine, words | st.just("1"), words, maybe, words, maybe, maybe, votes, reason=maybe
    )
    button = st.builds(Button, words, words, st.booleans(), st.booleans(), words)
    options = st.lists(button, min_size=1, max_size=3, unique_by=lambda each: each.command)
    cards = st.builds(
        PaperCard,
        ref=words,
        title=words,
        where=words,
        summary=maybe,
        highlights=_few(st.builds(Highlight, maybe, words)),
        links=_few(st.builds(Link, words, words)),
        arxiv_id=maybe,
        topics=_few(st.builds(TopicMark, words)),
        votes=votes,
    )
    return st.one_of(
        st.builds(Title, words),
        st.builds(Text, words),
        st.builds(Verbatim, st.lists(words, max_size=4).map("\n".join)),
        st.builds(PaperList, _few(lines), st.booleans(), st.just(1), MENUS, st.booleans()),
        cards,
        st.builds(Quote, words, st.just(""), words, words),
        st.builds(Fields, _few(st.tuples(words, words))),
        _tables(words),
        st.builds(Moments, _moments(words), st.sampled_from(("UTC", "America/Sao_Paulo"))),
        st.builds(Notice, st.sampled_from(Level), words, words),
        st.builds(Actions, _few(button)),
        st.builds(Choices, words, options.map(tuple)),
        st.builds(Pager, words, maybe, maybe),
        st.builds(WebPage, st.just("/weeks"), st.none() | st.just("https://papers.example/weeks")),
        st.builds(File, words, st.sampled_from(("image/png", "text/csv")), st.binary(), words),
    )


REPLIES = st.builds(Reply, _few(blocks(TEXTS)), read_as=st.none() | TEXTS)


def texts(value: object, without: frozenset[str]) -> Iterator[str]:
    """Yield every text inside a reply or a part of one, but for fields of these names.

    What is never shown is left out too: the number of a paper in a list that isn't numbered, the
    heading, the place and the reason of one in a close list, what menus repeat of a list, how a
    button is read aloud, the type of a file, the path of a web page, the headings of a table's
    columns.
    """
    if isinstance(value, tuple):
        for each in value:
            yield from texts(each, without)
    elif is_dataclass(value):
        if isinstance(value, PaperList) and not value.numbered:
            without |= {"number"}
        if isinstance(value, PaperList) and value.close:
            without |= {"where", "heading", "reason"}
        if isinstance(value, File | WebPage):
            without |= {"media_type", "path"}
            without |= {"label"} if getattr(value, "url", "") is None else set()
        without |= {"columns", "cells"}
        without |= {"menus", "aloud"}
        for field in fields(value):
            if field.name not in without:
                yield from texts(getattr(value, field.name), without)
    elif isinstance(value, str) and not isinstance(value, StrEnum):
        yield value


@lru_cache(maxsize=8192)
def squeezed(text: str) -> str:
    """Return the signs of a text that can be seen, without those that steer or turn."""
    return "".join(
        sign
        for sign in text
        if not sign.isspace() and unicodedata.category(sign) != "Cc" and sign not in TURNING
    )
