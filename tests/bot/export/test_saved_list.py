"""A reader's list as files, each read back by an independent reader of its format."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import rispy  # type: ignore[import-untyped] # the wheel ships no types
from bibtexparser.entrypoint import parse_string
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.domain.paper_ids import entry_url
from bot.export.bibliography import to_bibtex as editions_to_bibtex
from bot.export.json_shapes import mentions_json
from bot.export.saved_list import FORMATS
from bot.export.table import COLUMNS
from bot.replies.naming import line_about
from bot.replies.wording import spelled_place
from store.readers.saved import SavedPaper
from store.records import Edition, Link, Mention
from tests.bot.export.editions import EDITIONS, TEXT, edition, entry, folded
from tests.bot.export.test_bibtex import text_of, value_of
from tests.fakes.arxiv import paper as told_by_arxiv

AT = datetime(2026, 1, 12, 8, tzinfo=UTC)
_TAGS = ("to_read", "c++")


def _listed(editions: Sequence[Edition], notes: Sequence[str | None] = ()) -> list[SavedPaper]:
    """Return a list of all entries, each of a paper of its own, with the notes in turn."""
    found: list[SavedPaper] = []
    for each in editions:
        for told in each.entries:
            number = len(found)
            mention = Mention(number, replace(each, entries=()), replace(told, paper=number))
            note = notes[number % len(notes)] if notes else None
            tags = _TAGS[: number % 3]
            found.append(SavedPaper(told.ref, told.title, AT, note, (mention,), tags))
    return found


@st.composite
def _lists(draw: st.DrawFn) -> list[SavedPaper]:
    notes = draw(st.lists(st.none() | TEXT.filter(folded), max_size=3))
    known = _listed(draw(EDITIONS), notes)
    gone = [
        SavedPaper(f"gone:2026-01-05#{number}", title, AT, note, tags=_TAGS[:number])
        for number, title in enumerate(draw(st.lists(TEXT.filter(folded), max_size=2)))
        for note in [notes[0] if notes else None]
    ]
    return draw(st.permutations([*known, *gone]))


@given(_lists())
def test_bibliographies_have_every_paper_once_with_its_note(papers: list[SavedPaper]) -> None:
    """Keys differ in more than case; titles, notes and tags come back from a decoder of LaTeX.

    RIS has the same keys, and a reader's note before where the paper was featured.
    """
    library = parse_string(FORMATS["bibtex"].write(papers, {}))
    assert (library.failed_blocks, library.comments) == ([], [])
    keys = [record.key.lower() for record in library.entries]
    assert len(set(keys)) == len(papers)
    for record, each in zip(library.entries, papers, strict=True):
        assert text_of(record, "title") == folded(each.title)
        assert text_of(record, "annote").startswith(folded(each.note))
        assert _keywords(each) == [*filter(None, text_of(record, "keywords").split(", "))]
    records = rispy.loads(FORMATS["ris"].write(papers, {}))
    assert [record["id"] for record in records] == [record.key for record in library.entries]
    for record, each in zip(records, papers, strict=True):
        assert record.get("title", "") == folded(each.title)
        assert record.get("notes", [""])[0].startswith(folded(each.note))
        assert record.get("keywords", []) == _keywords(each)


def _keywords(saved: SavedPaper) -> list[str]:
    """Return the tags, then the topics of the newest entry."""
    topics = saved.mentions[0].entry.topics if saved.mentions else ()
    return [*dict.fromkeys((*saved.tags, *topics))]


def test_bibtex_names_papers_as_the_export_of_editions_does() -> None:
    """Who cites from both has one key for a paper, whichever of its entries was saved."""
    older = edition(entry("Kites: Steering", paper=7), first_day=datetime(2025, 12, 29, tzinfo=UTC))
    newer = edition(entry("Steering Kites", arxiv_id="2512.00001", paper=7), entry("Gliders"))
    kites = tuple(Mention(7, replace(each, entries=()), each.entries[0]) for each in (newer, older))
    written = FORMATS["bibtex"].write([SavedPaper("x", "Kites", AT, None, kites)], {})
    assert written == editions_to_bibtex([replace(newer, entries=newer.entries[:1]), older])
    assert "@misc{arXiv2512.00001," in written


def test_a_note_stands_before_where_a_paper_was_featured() -> None:
    """Programs show `annote` as the reader's own words; what no edition has is its title alone."""
    [known] = _listed([edition(entry("Kites", arxiv_id="2601.00001"))], ["50% better & cheap"])
    gone = SavedPaper("dair:2026-01-05#9", "Kites", AT, "Where?", tags=_TAGS)
    record, bare = parse_string(FORMATS["bibtex"].write([known, gone], {})).entries
    assert value_of(record, "annote") == (
        r"50\% better \& cheap [Number 1 in dair, Jan 5–11, 2026.]"
    )
    assert {field.key: field.value for field in bare.fields} == {
        "title": "{Kites}", "keywords": r"to\_read, c++", "annote": "Where?",
    }  # fmt: skip
    assert bare.key == "kites"


def test_what_arxiv_tells_stands_in_the_list_too() -> None:
    """Authors are arXiv's in BibTeX and JSON."""
    told = {"2601.00001": told_by_arxiv("2601.00001", authors=("Ada North",))}
    papers = _listed([edition(entry("Kites", arxiv_id="2601.00001"))])
    [record] = parse_string(FORMATS["bibtex"].write(papers, told)).entries
    assert value_of(record, "author") == "Ada North"
    [found] = json.loads(FORMATS["json"].write(papers, told))["papers"]
    assert found["authors"] == ["Ada North"]


@given(_lists())
def test_csv_has_a_row_a_paper_with_its_note(papers: list[SavedPaper]) -> None:
    """The columns are those of entries and three more; no cell is run by a spreadsheet."""
    header, *rows = csv.reader(io.StringIO(FORMATS["csv"].write(papers, {}), newline=""))
    assert tuple(header) == (*COLUMNS, "saved_at", "note", "tags")
    found = [dict(zip(header, row, strict=True)) for row in rows]
    for row, each in zip(found, papers, strict=True):
        assert row["ref"] == each.ref
        assert row["saved_at"] == "2026-01-12T08:00:00+00:00"
        assert folded(row["note"].removeprefix("'")) == folded(each.note)
        assert row["note"].lstrip()[:1] not in {*"=+-@"}
        assert row["tags"] == ";".join(each.tags)


@given(_lists())
def test_json_has_every_fact_and_the_exact_note(papers: list[SavedPaper]) -> None:
    """A paper has the facts of its newest entry; what no edition has is `null`."""
    found = json.loads(FORMATS["json"].write(papers, {}))["papers"]
    assert [(each["ref"], each["title"], each["note"], each["tags"]) for each in found] == [
        (paper.ref, paper.title, paper.note, [*paper.tags]) for paper in papers
    ]
    for each, paper in zip(found, papers, strict=True):
        if paper.mentions:
            [facts] = mentions_json(paper.mentions, {})["entries"]
            assert {name: each[name] for name in facts} == facts
        else:
            assert (each["source"], each["first_day"], each["links"]) == (None, None, [])


def _text(tokens: Sequence[Token]) -> str:
    return "".join(token.content for token in tokens if token.type == "text")


def _paragraphs(markdown: str) -> Iterator[tuple[int, bool, list[Token]]]:
    """Yield each paragraph of a list: its item, whether it is a quotation, what it consists of."""
    item, quoted = -1, False
    for token in MarkdownIt("commonmark").parse(markdown):
        item += token.type == "list_item_open"
        quoted = (quoted or token.type == "blockquote_open") and token.type != "blockquote_close"
        if token.type == "inline" and item >= 0:
            yield item, quoted, list(token.children or ())


@given(_lists())
def test_markdown_shows_every_sign_as_it_stands(papers: list[SavedPaper]) -> None:
    """Titles, places, sentences and notes come back; nothing but links and titles is markup."""
    written = FORMATS["markdown"].write(papers, {})
    found: list[list[str]] = [[] for _ in papers]
    for item, quoted, tokens in _paragraphs(written):
        kinds = {token.type for token in tokens}
        assert kinds <= {"text", "strong_open", "strong_close", "link_open", "link_close"}
        found[item].append(f"\n{_text(tokens)}" if quoted else _text(tokens))
    for shown, each in zip(found, papers, strict=True):
        assert shown[0].startswith(folded(each.title))
        assert (shown[-1] == f"\n{folded(each.note)}") if each.note else (shown[-1][:1] != "\n")
        assert not each.tags or f"Tags: {', '.join(each.tags)}" in shown
        for mention in each.mentions:
            assert shown[0].endswith(f" · {folded(spelled_place(mention.edition, mention.entry))}")
            line = folded(line_about(mention.entry))
            assert not line or line in shown


def test_markdown_looks_like_this() -> None:
    """A title leads to the paper; links and tags stand below, then the note as a quotation."""
    week = edition(
        entry(
            "Kites [v2] & *stars*",
            summary="Silk wings hold in storms. High.",
            arxiv_id="2601.00001",
            links=(
                Link("Paper", "https://arxiv.org/abs/2601.00001"),
                Link("Code", "https://k.org/(a)"),
            ),
        )
    )
    gone = SavedPaper("dair:2026-01-05#9", "1. Gliders", AT, None, tags=_TAGS)
    assert FORMATS["markdown"].write([*_listed([week], ["# read"]), gone], {}) == (
        "# Saved papers\n"
        "\n"
        r"- **[Kites \[v2\] & \*stars\*](https://arxiv.org/abs/2601.00001)**"
        " · Number 1 in dair, Jan 5–11, 2026\n"
        "\n"
        "  Silk wings hold in storms\n"
        "\n"
        "  [Code](https://k.org/%28a%29)\n"
        "\n"
        "  > \\# read\n"
        "\n"
        "- **1\\. Gliders** · no longer in an edition\n"
        "\n"
        "  Tags: to\\_read, c++\n"
    )


def test_no_two_papers_of_a_list_bear_one_title() -> None:
    """Where two have one stored title, what each is about stands behind it, as in other lists."""
    both = [entry("Kites", summary=f"{each} tails hold strings.") for each in ("Silk", "Paper")]
    written = FORMATS["markdown"].write(_listed([edition(*both)]), {})
    assert "Kites: Silk tails hold strings" in written
    assert "Kites: Paper tails hold strings" in written


@pytest.mark.parametrize(
    "url",
    ["https://k.org/a(b)c", "https://k.org/?a=1&copy;=2", "https://k.org/*_~", "https://ü.org/ä"],
)
def test_markdown_links_lead_where_the_entry_says(url: str) -> None:
    """Signs that end an address in Markdown are percent-encoded."""
    [papers] = [_listed([edition(entry("Kites", links=(Link("Paper", url),)))])]
    [[(_, _, tokens)]] = [list(_paragraphs(FORMATS["markdown"].write(papers, {})))]
    [link] = [token for token in tokens if token.type == "link_open"]
    address = entry_url(papers[0].mentions[0].entry) or ""
    assert link.attrs["href"] == address.replace("(", "%28").replace(")", "%29")


@pytest.mark.parametrize("name", FORMATS)
def test_a_list_can_be_written_to_a_file(name: str) -> None:
    """It is whole text in UTF-8 that ends its last line, also where nothing is on the list."""
    for papers in ([], _listed([edition(entry("Kité \ud83d"))], ["Ünd"])):
        written = FORMATS[name].write(papers, {})
        assert written.encode().decode() == written
        assert written == "" or written.endswith("\n")
