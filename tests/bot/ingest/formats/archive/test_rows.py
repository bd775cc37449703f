"""The rows of an archive: their ranks, their shape and their links."""

import pytest

from store.records import Link
from tests.bot.ingest.formats.archive.documents import (
    HEAD,
    archive,
    line_of,
    one_row,
    parse,
    row,
    warned,
    week,
)

_JUNE = "(June 2 - June 8) - 2025"
_SOUND = [row(rank) for rank in range(1, 11)]


@pytest.mark.parametrize(
    ("printed", "kept", "remarks"),
    [
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0),
        ([1, 2, 4, 5, 6, 7, 8, 9, 10], [1, 2, 4, 5, 6, 7, 8, 9, 10], 1),
        ([1, 2, 3, 3, 5, 6, 7, 8, 9, 10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 1),
        ([1, 3, 3, 4, 5, 6, 7, 8, 9, 10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 1),
        ([1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 1),
        ([9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 1),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 9], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 1),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 1),
        ([2, 1, 3, 4, 5, 6, 7, 8, 9, 10], [2, 1, 3, 4, 5, 6, 7, 8, 9, 10], 1),
        ([1, 0, 3, 4, 5, 6, 7, 8, 9, 10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 1),
    ],
)
def test_ranks_are_kept_as_printed_or_as_is_evident(
    printed: list[int], kept: list[int], remarks: int
) -> None:
    """A rank printed twice or not at all is kept only where its neighbours leave one free."""
    rows = [row(rank, f"**Kite {place}** - flies.") for place, rank in enumerate(printed)]
    document = parse(archive(week(_JUNE, rows)))
    assert [entry.rank for entry in document.editions[0].entries] == kept
    assert len(document.warnings) == remarks


@pytest.mark.parametrize(
    ("cell", "summary", "labels"),
    [
        ("**Kite** - flies.  [Report](https://kite.org/1)", "flies.", ["Report", "Tweet"]),
        ("**Kite** - flies with a [tail](https://kite.org/2)", "flies with a tail", ["Tweet"]),
        ("[Kite](https://kite.org/3)", None, ["Tweet"]),
    ],
)
def test_links_behind_a_text_are_links(cell: str, summary: str | None, labels: list[str]) -> None:
    """One cell too early; a link that is part of a sentence or of the title is text."""
    line = row(10, cell, "[Tweet](https://x.com/kite/status/1)")
    entry = one_row(line)
    assert (entry.title, entry.summary) == ("Kite", summary)
    assert [link.label for link in entry.links] == labels


def test_a_row_that_stands_twice_is_kept_once() -> None:
    """A doubled line makes no second entry and takes no other rank."""
    document = parse(archive(week(_JUNE, [*_SOUND[:9], _SOUND[8]])))
    assert [entry.rank for entry in document.editions[0].entries] == list(range(1, 10))
    assert len(warned(document, "the same row")) == 1


def test_a_table_without_its_heading_is_not_added_to_the_week_before() -> None:
    """Rows of a second table that starts anew are reported, whatever ranks they could fill."""
    lost = "\n".join([*HEAD, *_SOUND, ""])
    document = parse(archive(week(_JUNE, _SOUND[:8]), lost))
    assert [entry.rank for entry in document.editions[0].entries] == list(range(1, 9))
    assert len(warned(document, "outside any week")) == 10


def test_a_table_that_goes_on_behind_a_gap_stays_one_week() -> None:
    """Rows behind an empty line belong to their week as long as their ranks are new."""
    document = parse(archive(week(_JUNE, [*_SOUND[:5], "", *_SOUND[5:]])))
    assert len(document.editions[0].entries) == 10
    assert document.warnings == ()


@pytest.mark.parametrize("sign", ["1)", "1.", "1\\)", "**1)**", " 1 )", "1)\u00a0"])
def test_a_rank_ends_in_a_bracket_or_a_dot(sign: str) -> None:
    """The rank is read with a bracket or a dot behind it, bold or not."""
    document = parse(
        archive(week(_JUNE, [f"|{sign} **Kite** - flies. | [Paper](https://kite.org) |"]))
    )
    (entry,) = document.editions[0].entries
    assert (entry.rank, entry.title, entry.summary) == (1, "Kite", "flies.")


def test_a_bold_mark_before_the_rank_stays_with_the_title() -> None:
    """Rank and title in one pair of bold marks are a rank and a bold title."""
    entry = one_row("| **10) Kite-Net** a kite. | [Paper](https://kite.org) |")
    assert (entry.rank, entry.title, entry.summary) == (10, "Kite-Net", "a kite.")


@pytest.mark.parametrize(
    ("cell", "links"),
    [
        (
            "[Paper](https://a.org/1), [Code](http://b.org)",
            [("Paper", "https://a.org/1"), ("Code", "http://b.org")],
        ),
        (
            "[Paper](https://a.org)), [Tweet](https://b.org)_",
            [("Paper", "https://a.org"), ("Tweet", "https://b.org")],
        ),
        (
            "[Paper](https://a.org)[Tweet)](https://b.org)",
            [("Paper", "https://a.org"), ("Tweet", "https://b.org")],
        ),
        ("[Paper]( https://a.org/x_(y) ) ,", [("Paper", "https://a.org/x_(y)")]),
        ("[**Paper**](<https://a.org>)", [("Paper", "https://a.org")]),
        ('[Paper](https://a.org "A kite")', [("Paper", "https://a.org")]),
        (
            r"[Code \& Data](https://a.org/b\_c?d=1&amp;e=2)",
            [("Code & Data", "https://a.org/b_c?d=1&e=2")],
        ),
        (
            "[](https://a.org) https://b.org/c",
            [("Link", "https://a.org"), ("Link", "https://b.org/c")],
        ),
        ("[Paper](https://a.org), [Paper](https://a.org)", [("Paper", "https://a.org")]),
        (
            "[Paper](https://a.org), [Paper](https://b.org)",
            [("Paper", "https://a.org"), ("Paper", "https://b.org")],
        ),
        (
            "[Paper](https://a.org) | [Code](https://b.org)",
            [("Paper", "https://a.org"), ("Code", "https://b.org")],
        ),
        ("[![arXiv](https://c.org/x.svg)](https://a.org)", [("arXiv", "https://a.org")]),
    ],
)
def test_links_are_found_wherever_they_stand(cell: str, links: list[tuple[str, str]]) -> None:
    """Every link of the right cell is kept with its label, whatever parts it from the next."""
    document = parse(archive(week(_JUNE, [*_SOUND[:9], row(10, links=cell)])))
    assert document.editions[0].entries[9].links == tuple(Link(*link) for link in links)
    assert document.warnings == ()


@pytest.mark.parametrize(
    ("cell", "links", "problem"),
    [
        ("[Paper](arxiv.org/abs/1)", [("Paper", "https://arxiv.org/abs/1")], "lacks https://"),
        ("[Paper](#kite)", [], "no web address"),
        ("[Paper]()", [], "no web address"),
        ("[Paper](javascript:kite)", [], "no web address"),
        ("[Paper](https://a.org", [("Paper", "https://a.org")], "is not closed"),
        ("[Paper](https://a.org) soon", [("Paper", "https://a.org")], "which is no link"),
        ("Paper, Tweet", [], "which is no link"),
        ("", [], "no links"),
    ],
)
def test_what_is_no_link_is_reported(cell: str, links: list[tuple[str, str]], problem: str) -> None:
    """A broken link is mended where it is evident, dropped where it leads nowhere, and named."""
    text = archive(week(_JUNE, [*_SOUND[:9], f"| 10) **Kite** - flies. | {cell} |"]))
    document = parse(text)
    assert document.editions[0].entries[9].links == tuple(Link(*link) for link in links)
    assert line_of(text, "**Kite**") in warned(document, problem)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("| 10) **Kite** - flies. | [Paper](https://a.org)", "lacks its last |"),
        ("10) **Kite** - flies. | [Paper](https://a.org) |", "lacks its first |"),
        ("| 10) **Kite** - flies. [Paper](https://a.org), |", "one cell only"),
        ("| 10) **Kite** - flies. |\n", "one cell only"),
    ],
)
def test_a_row_out_of_shape_is_kept_and_reported(line: str, problem: str) -> None:
    """A row that lacks a bar keeps what it has."""
    document = parse(archive(week(_JUNE, [*_SOUND[:9], line])))
    entry = document.editions[0].entries[9]
    assert (entry.title, entry.summary) == ("Kite", "flies.")
    assert len(warned(document, problem)) == 1


def test_bars_inside_the_text_part_nothing() -> None:
    """The links are the last cell that holds any, with bars before it a part of the text."""
    entry = one_row("| 10) **Kite** - p(x|y) | q | [Paper](https://a.org) | |")
    assert (entry.summary, len(entry.links)) == ("p(x|y) | q", 1)


def test_a_row_cut_by_a_line_break_is_put_together() -> None:
    """The half of an open row that stands in the next line is added, and both are one entry."""
    text = archive(
        week(_JUNE, [*_SOUND[:9], "| 10) **Kite** - flies", "on. | [Paper](https://a.org) |"])
    )
    document = parse(text)
    entry = document.editions[0].entries[9]
    assert (entry.summary, len(entry.links)) == ("flies on.", 1)
    assert warned(document, "put together") == [line_of(text, "on. |")]
