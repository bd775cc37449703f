"""What holds for every format."""

import json
from dataclasses import replace

from hypothesis import given

from bot.export import FORMATS
from bot.export.json_shapes import editions_json
from bot.export.table import COLUMNS
from store.records import Edition
from tests.bot.export.editions import EDITIONS, edition, entry
from tests.fakes.arxiv import paper


def test_the_formats_and_their_order() -> None:
    """JSON, which holds everything, comes first."""
    assert tuple(FORMATS) == ("json", "bibtex", "ris", "csv", "atom")


@given(EDITIONS)
def test_whatever_the_text_a_format_can_be_written_to_a_file(editions: list[Edition]) -> None:
    """It is valid UTF-8, its last line is ended, and equal editions are written alike."""
    copies = [replace(each, entries=tuple(map(replace, each.entries))) for each in editions]
    for write in FORMATS.values():
        written = write(editions, {})
        assert written.encode().decode() == written
        assert written == "" or written.endswith("\n")
        assert written == write(copies, {})


def test_without_editions_there_is_a_head_at_most() -> None:
    """BibTeX and RIS have none, and a table names its columns."""
    assert (FORMATS["bibtex"]([], {}), FORMATS["ris"]([], {})) == ("", "")
    assert FORMATS["csv"]([], {}) == f"{','.join(COLUMNS)}\r\n"


def test_json_holds_every_fact(real_editions: list[Edition]) -> None:
    """What is read back is what the function for programs gives."""
    expected = editions_json(real_editions, entries=True)
    assert json.loads(FORMATS["json"](real_editions, {})) == expected


def test_json_escapes_what_utf_8_cannot_write() -> None:
    """Half a surrogate pair stays what it was, and letters stand as they are."""
    written = FORMATS["json"]([edition(entry("Kité \ud83d"))], {})
    assert '"title": "Kité \\ud83d"' in written
    assert json.loads(written)["editions"][0]["entries"][0]["title"] == "Kité \ud83d"


def test_json_tells_what_arxiv_says() -> None:
    """Of an entry whose paper it knows; of any other these facts are empty."""
    week = edition(entry("Steering Kites", arxiv_id="2601.00001", withdrawn=True), entry("Gliders"))
    said = paper("2601.00001")
    [written] = json.loads(FORMATS["json"]([week], {"2601.00001": said}))["editions"]
    facts = [
        {name: each[name] for name in ("authors", "abstract", "categories", "withdrawn")}
        for each in written["entries"]
    ]
    assert facts == [
        {
            "authors": list(said.authors),
            "abstract": said.abstract,
            "categories": list(said.categories),
            "withdrawn": True,
        },
        {"authors": [], "abstract": None, "categories": [], "withdrawn": False},
    ]


def test_a_feed_marks_what_was_withdrawn() -> None:
    """Its readers see the title alone."""
    week = edition(entry("Steering Kites", withdrawn=True))
    assert "Withdrawn: Steering Kites" in FORMATS["atom"]([week], {})
