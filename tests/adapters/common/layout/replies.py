"""Replies too long for one message, and what of a reply has to be shown in its parts."""

import unicodedata
from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, is_dataclass, replace

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Fields,
    File,
    Menu,
    Pager,
    PaperCard,
    PaperLine,
    PaperList,
    PaperTable,
    Quote,
    Reply,
    Table,
    Text,
    Title,
    Verbatim,
)
from store.records import Highlight, Link
from store.text import storable
from tests.any_replies import MENUS, TEXTS, blocks, squeezed, texts

LINE = "search mixture of experts"
PATIENT = settings(
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
_UNSEEN = frozenset({"ref", "arxiv_id", "command", "previous", "next", "zone"})
_SIZES = st.sampled_from([10, 500, 10_000])


def replies(nasty: st.SearchStrategy[str]) -> st.SearchStrategy[Reply]:
    """Return replies of any length, with words that mean something to a platform."""
    words = TEXTS | st.lists(nasty, max_size=6).map(" ".join)
    short = st.lists(nasty | st.just("word"), max_size=2).map(" ".join)
    long = st.builds(
        lambda word, size: (f"{word} " * size)[:size], nasty | st.just("a word."), _SIZES
    )
    made = st.lists(blocks(words) | _huge(words, short, long), max_size=4)
    return st.builds(
        lambda made, failed: Reply(tuple(made), failed=failed, command=LINE), made, st.booleans()
    )


def _huge(
    words: st.SearchStrategy[str], short: st.SearchStrategy[str], long: st.SearchStrategy[str]
) -> st.SearchStrategy[Block]:
    lines = st.builds(PaperLine, st.just("1"), words, short, st.just("dair:2026-01-05#1"), short)
    pairs = st.tuples(st.tuples(words, long), st.just(2)) | st.tuples(
        st.tuples(short, short), st.just(200)
    )
    button = st.builds(Button, short, short, st.booleans())
    return st.one_of(
        st.builds(Title, long),
        st.builds(Text, long),
        st.builds(Quote, long, short, words, short),
        st.builds(lambda text: Verbatim(text.replace(" ", "\n")), long),
        st.builds(_table, words, short, st.integers(1, 24), st.sampled_from([1, 9, 120])),
        st.builds(_table, words, long, st.just(3), st.just(2)),
        st.builds(_papers, lines, st.integers(1, 60), st.booleans()),
        st.builds(_card, long.map(lambda text: text[:300]), st.integers(0, 40)),
        pairs.map(lambda drawn: Fields((drawn[0],) * drawn[1])),
        st.builds(_buttons, button, st.integers(1, 90), st.booleans()),
        st.builds(lambda label, line: Actions((Button(label, line),)), long, long),
        st.builds(Pager, long, words, words),
    )


def _table(name: str, cell: str, width: int, size: int) -> Table:
    row = (name, *[cell] * (width - 1))
    return Table(("Heading",) * width, (row,) * size)


def _papers(line: PaperLine, size: int, numbered: bool) -> PaperList:  # noqa: FBT001 - drawn
    lines = (replace(line, number=str(number // 2)) for number in range(size))
    return PaperList(tuple(lines), numbered)


def _card(text: str, size: int) -> PaperCard:
    highlights = (Highlight(None if number % 2 else text, text) for number in range(size))
    links = (Link(text, f"https://example.org/{number}{text}") for number in range(size))
    number = str(size) if size % 2 else ""
    return PaperCard(
        "r", text, text, text, tuple(highlights), tuple(links), "2501.00001", number=number
    )


def _buttons(button: Button, size: int, same: bool) -> Actions:  # noqa: FBT001 - drawn
    commands = [button.command if same else f"{button.command}{place}" for place in range(size)]
    return Actions(tuple(replace(button, command=command) for command in commands))


_URLS = st.sampled_from(
    (None, "https://arxiv.org/abs/2601.00001", "https://a.example/b|c>d_(e)?f=*g*&h=@here")
)


def listed(nasty: st.SearchStrategy[str]) -> st.SearchStrategy[Reply]:
    """Return replies with lists of many papers, some of which have menus."""
    words = TEXTS | st.lists(nasty, max_size=6).map(" ".join)
    lines = st.builds(
        PaperLine, st.just("1"), words, words, st.just("r"), st.none() | words, url=_URLS
    )
    columns = st.sampled_from((0, 0, 1, 3, 30))
    lists = st.builds(_many, lines, st.integers(1, 70), MENUS, st.booleans(), columns)
    several = st.lists(lists, min_size=1, max_size=3)
    return st.builds(lambda lists: Reply((Title("Papers"), *lists), command=LINE), several)


def _many(
    line: PaperLine,
    size: int,
    menus: tuple[Menu, ...],
    close: bool,  # noqa: FBT001 - drawn
    columns: int,
) -> PaperList:
    refs = (f"{len(menus)}{close}#{number}" for number in range(size))
    papers = tuple(replace(line, ref=ref, where=line.where if close else None) for ref in refs)
    if not columns:
        return PaperList(papers, menus=menus, close=close)
    cells = ((line.line or "",) * columns,) * size
    return PaperTable(papers, menus=menus, columns=("source",) * columns, cells=cells)


def picks(reply: Reply) -> set[str]:
    """Return what the menus of a reply's lists type."""
    lists = [block for block in reply.blocks if isinstance(block, PaperList)]
    return {
        f"{menu.command} {paper.ref}"
        for block in lists
        for menu in block.menus
        for paper in block.papers
    }


def misplaced(lines: Collection[str]) -> list[str]:
    """Return those of the lines in one part that keep a paper which that part has no details of.

    The details of a close list may stand in another part than its papers.
    """
    shown = {line.removeprefix("show ") for line in lines}
    kept = (line for line in lines if line.startswith(("save ", "vote ")) and "False" in line)
    return [line for line in kept if line.partition(" ")[2] not in shown]


def seen(text: str) -> str:
    """Return the signs of a text that anybody can see."""
    return "".join(sign for sign in squeezed(storable(text)) if unicodedata.category(sign) != "Cf")


def is_shown(text: str, whole: str, *, cut: bool) -> bool:
    """Tell whether a text stands in a whole, `cut` where other words may stand in between."""
    if text in whole:
        return True
    signs = iter(whole)
    return cut and all(sign in signs for sign in text)


def unshown(block: Block, whole: str, weight: Callable[[str], int]) -> list[str]:
    """Return the texts of a block that nothing of the answer shows."""
    # Files get names that every platform takes.
    found = list(texts(block, _UNSEEN | {"name"} if isinstance(block, File) else _UNSEEN))
    cut = weight(" ".join(found)) > 300
    paragraphs = (seen(each) for text in found for each in text.split("\n\n"))
    return [text for text in paragraphs if not is_shown(text, whole, cut=cut)]


def commands(value: object) -> Iterator[str]:
    """Yield the commands that the buttons of a reply or a part of one type."""
    match value:
        case Button(_, command):
            yield command
        case Pager(_, previous, following):
            yield from filter(None, (previous, following))
        case PaperLine():
            yield f"show {value.ref}"
        case tuple():
            for each in value:
                yield from commands(each)
        case _ if is_dataclass(value):
            for field in fields(value):
                yield from commands(getattr(value, field.name))
