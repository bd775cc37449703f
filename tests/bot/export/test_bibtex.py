"""The BibTeX file, read back by programs that are not ours."""

import logging

import pytest
from bibtexparser.entrypoint import parse_string
from bibtexparser.model import Entry as Record
from hypothesis import given
from pylatexenc.latex2text import (  # type: ignore[import-untyped] # the wheel ships no types
    LatexNodes2Text,
    MacroTextSpec,
    get_default_latex_context_db,
)

from bot.domain.paper_ids import entry_url
from bot.export.bibliography import origin, references, to_bibtex
from store.records import Edition
from tests.bot.export.editions import EDITIONS, edition, entry, folded
from tests.fakes import arxiv

# What pylatexenc lacks of LaTeX's own names of signs.
_SIGNS = {
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciicircum": "^",
    "textless": "<",
    "textgreater": ">",
    "textbar": "|",
}


def _decoder() -> LatexNodes2Text:
    context = get_default_latex_context_db()
    macros = [MacroTextSpec(name, sign) for name, sign in _SIGNS.items()]
    context.add_context_category("signs", prepend=True, macros=macros)
    return LatexNodes2Text(latex_context=context)


_DECODER = _decoder()


def _read(bibtex: str) -> list[Record]:
    library = parse_string(bibtex)
    assert library.failed_blocks == []
    assert library.comments == []
    return library.entries


def value_of(record: Record, field: str) -> str | None:
    """Return what a field holds, `None` where a record has none of it."""
    found = record.fields_dict.get(field)
    return found.value if found else None


def text_of(record: Record, field: str) -> str:
    """Return what LaTeX would print of a field."""
    return str(_DECODER.latex_to_text(value_of(record, field) or ""))


def _verbatim(text: str | None) -> str | None:
    """Return what a field that is read as it stands makes of a text."""
    for sign, code in (("{", "%7B"), ("}", "%7D"), ("\\", "%5C")):
        text = text and text.replace(sign, code)
    return folded(text) or None


def _check_all_comes_back(editions: list[Edition]) -> None:
    records = _read(to_bibtex(editions))
    assert len(records) == len(references(editions))
    for record, paper in zip(records, references(editions), strict=True):
        told = paper.entry
        assert (record.entry_type, record.key) == ("misc", paper.key)
        assert text_of(record, "title") == folded(told.title)
        assert text_of(record, "abstract") == folded(told.summary)
        assert text_of(record, "keywords") == ", ".join(told.topics)
        assert text_of(record, "annote") == origin(paper)
        assert value_of(record, "year") == str(paper.year)
        assert value_of(record, "eprint") == told.arxiv_id
        assert value_of(record, "archivePrefix") == ("arXiv" if told.arxiv_id else None)
        assert value_of(record, "doi") == _verbatim(told.doi)
        assert value_of(record, "url") == entry_url(told)


def _is_balanced(value: str) -> bool:
    depths, depth = [], 0
    for char in value:
        depth += {"{": 1, "}": -1}.get(char, 0)
        depths.append(depth)
    return min(depths, default=0) >= 0 and depth == 0


@given(EDITIONS)
def test_all_comes_back_from_a_reader(editions: list[Edition]) -> None:
    """Whatever the text, bibtexparser and a LaTeX decoder give it back, on one line.

    BibTeX sees no backslash before a brace: each value is balanced without such help.
    """
    _check_all_comes_back(editions)
    values = [line for line in to_bibtex(editions).splitlines() if line.startswith("  ")]
    assert all(map(_is_balanced, values))


def test_real_papers_come_back(
    real_editions: list[Edition], caplog: pytest.LogCaptureFixture
) -> None:
    """The reader finds every paper of some real editions and has nothing to warn of."""
    with caplog.at_level(logging.WARNING):
        _check_all_comes_back(real_editions[::5])
    assert caplog.records == []


def test_a_paper_looks_like_this() -> None:
    """The fields stand in a fixed order; capitals are kept by braces, signs escaped."""
    week = edition(
        entry(
            "KITE_2: 5% Lift & {More}",
            summary="Kites -- cheap ones -- fly.\n\nThey do.",
            arxiv_id="2601.00001",
            doi="10.1234/k_1",
            topics=("robotics", "code"),
        ),
        entry("Gliders"),
    )
    assert to_bibtex([week]) == (
        "@misc{arXiv2601.00001,\n"
        r"  title = {{KITE\_2: 5\% Lift \& \textbraceleft{}More\textbraceright{}}},"
        "\n"
        "  year = {2026},\n"
        "  eprint = {2601.00001},\n"
        "  archivePrefix = {arXiv},\n"
        "  doi = {10.1234/k_1},\n"
        "  url = {https://arxiv.org/abs/2601.00001},\n"
        "  abstract = {Kites -{}- cheap ones -{}- fly. They do.},\n"
        "  keywords = {robotics, code},\n"
        "  annote = {Number 1 in dair, Jan 5–11, 2026. The abstract is that edition's summary.},\n"
        "}\n"
        "\n"
        "@misc{gliders-2026,\n"
        "  title = {{Gliders}},\n"
        "  year = {2026},\n"
        "  annote = {Number 2 in dair, Jan 5–11, 2026.},\n"
        "}\n"
    )


def test_a_title_that_begins_with_a_command_keeps_its_capitals() -> None:
    """A brace right before a backslash would have BibTeX change the case of what follows."""
    assert r"title = {{{}\#Kites}}," in to_bibtex([edition(entry("#Kites"))])


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("a---b", "a-{}-{}-b"),
        ("''a''", "'{}'a'{}'"),
        ("``a", "`{}`a"),
        ("?`a !`b", "?{}`a !{}`b"),
        (",,a", ",{},a"),
        ("<<a>>", r"\textless{}\textless{}a\textgreater{}\textgreater{}"),
    ],
)
def test_signs_that_latex_would_join_are_kept_apart(text: str, latex: str) -> None:
    """Two hyphens are two hyphens, no dash."""
    assert f"title = {{{{Kites {latex}}}}}," in to_bibtex([edition(entry(f"Kites {text}"))])


def test_what_arxiv_tells_is_told() -> None:
    """Authors and class are arXiv's, the abstract the authors', and the summary not lost."""
    week = edition(
        entry("Steering Kites", summary="Tails & wind.", arxiv_id="2601.00001", withdrawn=True),
        entry("Gliders", summary="They glide.", arxiv_id="2601.00002"),
    )
    told = {
        "2601.00001": arxiv.paper(
            "2601.00001", authors=("Ada North", "Kite Team", "Ben And and Co", "Cy & Söhne")
        )
    }
    assert to_bibtex([week], told) == (
        "@misc{arXiv2601.00001,\n"
        "  author = {Ada North and {Kite Team} and {Ben And and Co} and {Cy \\& Söhne}},\n"
        "  title = {{Steering Kites}},\n"
        "  year = {2026},\n"
        "  eprint = {2601.00001},\n"
        "  archivePrefix = {arXiv},\n"
        "  primaryClass = {cs.RO},\n"
        "  url = {https://arxiv.org/abs/2601.00001},\n"
        "  abstract = {Kites are steered by their tails.},\n"
        "  annote = {Withdrawn from arXiv. Number 1 in dair, Jan 5–11, 2026."
        " That edition's summary: Tails \\& wind.},\n"
        "}\n"
        "\n"
        "@misc{arXiv2601.00002,\n"
        "  title = {{Gliders}},\n"
        "  year = {2026},\n"
        "  eprint = {2601.00002},\n"
        "  archivePrefix = {arXiv},\n"
        "  url = {https://arxiv.org/abs/2601.00002},\n"
        "  abstract = {They glide.},\n"
        "  annote = {Number 2 in dair, Jan 5–11, 2026. The abstract is that edition's summary.},\n"
        "}\n"
    )
