"""From bytes to a parsed document: what is refused, and how it is told."""

import gzip
import io
import zipfile
from datetime import date

import pytest

from adapters.cli.imports import import_documents
from bot.domain.drafts import DocumentKind, ParseOptions, RawDocument
from bot.errors import DocumentError
from bot.ingest import documents
from tests.bot.domain.test_week_years import TODAY
from tests.shared_data import shared_file


def _packed(name: str, kind: bytes = b"") -> bytes:
    """Return a zip archive with a file of a name, as Word's and Excel's are."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr(name, "1. Sleepy")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "notes.txt is empty."),
        (b" \n\t\r\n", "notes.txt is empty."),
        (b"\x7fELF\x02\x01\x01\0\0", "notes.txt is a binary file."),
        (b"text and then\n" * 1000 + b"\0", "notes.txt is a binary file."),
        (
            "Caf\u00e9\nno".encode("latin-1"),
            "notes.txt is not UTF-8 text: line 1 holds the byte 0xe9.",
        ),
        (b"one\ntwo \xe2\x80", "notes.txt breaks off inside a character in line 2."),
    ],
)
def test_what_is_no_text_is_refused_in_one_sentence(data: bytes, sentence: str) -> None:
    """Empty, binary, in another encoding or cut inside a character: named, with its line."""
    with pytest.raises(DocumentError) as caught:
        documents.read("notes.txt", data)
    assert caught.value.sentence == sentence
    assert caught.value.remedy


@pytest.mark.parametrize(
    "data",
    [
        "1. S\u00e9ance\n".encode("utf-16"),
        b"\xfe\xff" + "1. S\u00e9ance\n".encode("utf-16-be"),
        gzip.compress("1. S\u00e9ance\n".encode(), mtime=0),
        gzip.compress("1. S\u00e9ance\n".encode("utf-16"), mtime=0),
    ],
)
def test_texts_are_unpacked_and_decoded(data: bytes) -> None:
    """What a sheet saves as Unicode, and what is packed, is the same text."""
    assert documents.read("list.md", data).document.text == "1. S\u00e9ance\n"


def test_a_stray_control_character_makes_no_binary_file() -> None:
    """A form feed or a backspace slips into a text, and is no part of what is stored."""
    text = "## 2026-W02\n1. Se\x08ance\x01\n"
    parsed = documents.parse(documents.read("a.md", text.encode()).document, ParseOptions(TODAY))
    assert parsed.editions[0].entries[0].title == "Seance"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (gzip.compress(bytes(documents.MAX_BYTES + 1), mtime=0), "has 10 MB, more than the 10 MB"),
        (gzip.compress(b"1. A\n" * 99, mtime=0)[:-12], "breaks off while it is unpacked"),
        (b"\x1f\x8b and no gzip", "can't be unpacked"),
        ("1. A".encode("utf-16")[:-1], "breaks off inside a character"),
        (gzip.compress(gzip.compress(b"1. A\n", mtime=0), mtime=0), "is a binary file"),
    ],
)
def test_what_is_packed_has_bounds(data: bytes, sentence: str) -> None:
    """A file that unpacks to more than a document is refused before it is unpacked whole."""
    with pytest.raises(DocumentError, match=sentence):
        documents.read("a.gz", data)


def test_what_is_too_long_is_refused_by_its_size() -> None:
    """Fifty megabytes are refused before they are read."""
    with pytest.raises(DocumentError, match=r"has 50 MB, more than the 10 MB"):
        documents.check_size("big.txt", 50 * 1024 * 1024)


@pytest.mark.parametrize(
    "text",
    [
        "Dear all,\n\nlunch is at noon.\n",
        "1.5 litres of milk, 2 eggs.\n",
        "# A README\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "<html><body>Top AI Papers</body></html>",
        '{"editions": []}',
    ],
)
def test_what_is_no_round_up_is_refused_with_what_is(text: str) -> None:
    """Another kind of text gets one sentence that says which kinds there are."""
    with pytest.raises(DocumentError, match="no round-up that Broadsheet knows") as caught:
        documents.parse(RawDocument("other.txt", text), ParseOptions(TODAY))
    assert "newsletter" in caught.value.remedy


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("archive-README.md", "archive"),
        ("samples/arxiv_atom.xml", "feed"),
        ("samples/arxiv_error.xml", "feed"),
        ("samples/hf_daily_papers.json", "hf-daily"),
        ("samples/review_page.html", "review"),
        ("samples/substack_feed.xml", "feed"),
        ("seeds/000_6b97a1adf3c6bd05.txt", "newsletter"),
        ("seeds/001_60719b701ad4a391.txt", "review"),
        ("seeds/002_dc9cd6f66951fc0f.txt", "newsletter"),
    ],
)
def test_a_real_document_is_of_one_kind(name: str, kind: str) -> None:
    """No other format takes it, unless it is that of lists, which is asked last."""
    text = documents.read(name, shared_file(name).read_bytes()).document.text
    takers = [each for each, found in documents.formats().items() if found.recognise(text)]
    assert [taker for taker in takers if taker != "list"] == [kind]


_FILLER = "word " * 500
_HEAD = "<!-- a --><!DOCTYPE html>\n<html lang=en><head><title>"
_FEED = '<link type="application/rss+xml" href="/feed.xml?a&amp;b">'


@pytest.mark.parametrize(
    ("text", "name", "remedy"),
    [
        ("%0 Journal Article\n%T Sleepy\n%A Solo\n", "EndNote", "BibTeX"),
        ("\n%A Solo, Hana\n%T 1. Sleepy\n%0 Journal Article\n", "EndNote", "BibTeX"),
        ('<?xml version="1.0"?><xml><records></records></xml>', "EndNote", "BibTeX"),
        ("<!-- a -->\n<?xml version='1.0'?>\n<xml>\n<records>\n", "EndNote", "BibTeX"),
        ("\nPMID- 123\nTI  - Sleepy\n", "PubMed", "RIS"),
        ("OWN - NLM\nSTAT- MEDLINE\nPMID- 123\nTI  - Sleepy\n", "PubMed", "RIS"),
        ("FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\n", "Web of Science", "BibTeX"),
        ("<?xml version='1.0'?><rdf:RDF xmlns:z='http://z.example'>\n", "RDF", "BibTeX"),
        ('<?xml version="1.0"?>\n<opml version="2.0"><body/></opml>', "OPML", "sources add"),
        ("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n", "bookmarks", "a line each"),
        ('{\n "cells": [{"source": ["- a\\n"]}],\n "nbformat": 4}', "notebook", "Markdown"),
        ("{\\rtf1\\ansi\n1. Sleepy\n}", "RTF", "plain text"),
        ("% a\n\\documentclass{article}\n1. Sleepy\n", "LaTeX", "BibTeX"),
        (f"{_HEAD}Naps</title>{_FEED}</head>", "has a feed", "https://a.example/feed.xml?a&b"),
        (f"{_HEAD}Naps</title>{_FEED}</head>{_FILLER} cookies", "has a feed", "feed.xml?a&b"),
        (f"{_HEAD}Naps</title><p>Please enable cookies to go on.", "cookies", "Save"),
        (f"{_HEAD}Just a moment...</title>{_FEED}{_FILLER}", "a human", "Save"),
        (f"{_HEAD}Before you continue</title><p>We use cookies", "cookies", "Save"),
        (
            f"{_HEAD}a</title><script>{_FILLER}</script><p>Alle Cookies akzeptieren",
            "cookies",
            "Save",
        ),
        (f"{_HEAD}App</title><noscript>JavaScript must be enabled.</noscript>", "script", "Save"),
        (f"{_HEAD}Google Sheets: Sign-in</title>", "sign in", "Publish to web"),
        (f"{_HEAD}Wiki</title><form><input name=a type='password'></form>", "sign in", "Share"),
        (f"{_HEAD}Naps - Anmelden</title>{_FEED}", "sign in", "Share"),
        (f'{_HEAD}a/b</title><meta content="GitHub">{_FEED}', "a repository", "Raw"),
    ],
)
@pytest.mark.parametrize("kind", [None, "list", "feed"])
def test_what_is_recognised_and_not_read_is_named(
    text: str, name: str, remedy: str, kind: str | None
) -> None:
    """A kind that is known and not read is told with what to do, whatever was expected."""
    document = documents.read("https://a.example/b/c", text.encode()).document
    with pytest.raises(DocumentError, match=name) as caught:
        documents.parse(document, ParseOptions(TODAY), kind)
    assert remedy in caught.value.remedy


@pytest.mark.parametrize(
    ("data", "name", "remedy"),
    [
        (b"%PDF-1.7\n1. Sleepy\n", "a PDF", "as text"),
        (_packed("word/document.xml"), "Word", "Markdown"),
        (_packed("xl/workbook.xml"), "Excel", "CSV"),
        (_packed("content.xml", b"application/vnd.oasis.opendocument.spreadsheet"), "sheet", "CSV"),
        (_packed("Naps 0123.md"), "a zip archive", "Unpack"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "older Office", "CSV"),
        (b"SQLite format 3\0", "a database", "RIS"),
    ],
)
def test_a_file_that_is_no_text_is_named(data: bytes, name: str, remedy: str) -> None:
    """A file of another program is told with how to make a text of it."""
    with pytest.raises(DocumentError, match=name) as caught:
        documents.read("list", data)
    assert remedy in caught.value.remedy


def test_a_list_that_mentions_such_kinds_is_read() -> None:
    """A cookie, a captcha or a sign-in in a title makes no page of a list."""
    text = "## 2026-W02\n1. Captcha in LaTeX: sign in, enable cookies\n2. %0 PMID- 12\n"
    parsed = documents.parse(RawDocument("a.md", text), ParseOptions(TODAY))
    assert len(parsed.editions[0].entries) == 2


def test_line_ends_and_byte_order_marks_are_no_content() -> None:
    """The same text in Windows' manner is the same text."""
    plain = documents.read("a", b"one\ntwo\n").document.text
    assert documents.read("a", b"\xef\xbb\xbfone\r\ntwo\r\n").document.text == plain
    assert documents.read("a", b"one\rtwo\r").document.text == plain
    mark = b"\xef\xbb\xbf"
    assert documents.read("a", mark + mark + b"one\ntwo\n").document.text == plain
    assert documents.read("a", b"\n" + mark + b"one\ntwo\n").document.text == f"\n{plain}"
    xml = b'<?xml version="1.0" encoding="windows-1252"?><rss>\x93one\x94</rss>'
    for data in (xml, mark + xml):
        assert documents.read("a", data).document.text.endswith("<rss>\u201cone\u201d</rss>")


def test_xml_of_two_bytes_a_sign_needs_no_mark() -> None:
    """Its first sign tells, whether or not a declaration stands there."""
    for name in ("utf-16-le", "utf-16-be"):
        assert documents.read("a", "<rss>é</rss>".encode(name)).document.text == "<rss>é</rss>"


def test_the_command_line_offers_the_formats_that_there_are() -> None:
    """`--kind` takes exactly the kinds for which there is a format."""
    [choices] = [p.type.choices for p in import_documents.params if p.name == "kind"]  # type: ignore[attr-defined] # a Choice
    assert sorted(choices) == sorted(documents.formats())


_LETTER = (
    "Top AI Papers of the Week (January 5 - January 11)\n\n"
    "1. Sleepy Attention\n\nIt sleeps.\n\n2. Second Nap\n\nIt naps.\n"
)
_ARCHIVE = (
    "# AI Papers of the Week\n\n## Top AI Papers of the Week (January 5 - January 11) - 2026\n"
    "| **Paper** | **Links** |\n| --- | --- |\n"
    "| 1) **Sleepy Attention** - it sleeps. | [Paper](https://arxiv.org/abs/2607.11111) |\n"
)
_COPY = (
    "Week in Review: June 1\u20137, 2026\n\nAn overview.\n\nA Heading\nA tagline.\n\n"
    "Sleepy Attention\n\nE1 says so. E2 too.\n"
)
_BIBTEX = "@misc{a, title={Sleepy Attention}}\n"
_RIS = "TY  - JOUR\nTI  - Sleepy Attention\nER  - \n"


@pytest.mark.parametrize(
    "text", [_LETTER, _ARCHIVE, _COPY, _BIBTEX, _RIS, "Title,Week\nSleepy,2026-W02\n"]
)
@pytest.mark.parametrize(
    "head",
    [
        "<!-- exported -->\n", "<!--\nexported\n-->\n\n<!-- twice -->",
        "\n<div align=center>\n</div>\n", "<img src='a.png'/>\n<br>\n",
        '<p align="center">\n  <img src="a.png"\n  width="9">\n</p>\n\n',
        "![a](b.png)\n[![c](d.svg)](https://a.example) ![e](f.svg)\n\n",
        '<a id="top"></a>\n', '<a href="https://a.example"><img src="badge.svg"></a>\n',
        "<style>\n  h1 { color: red }\n</style>\n\n", '<svg width="9"><path d="a"/></svg>\n',
    ],
)  # fmt: skip
def test_what_shows_nothing_above_a_text_changes_nothing(head: str, text: str) -> None:
    """A comment, a picture or what centres it may stand above a document of any kind."""
    week = (date(2026, 1, 5), date(2026, 1, 11)) if text in {_BIBTEX, _RIS} else None
    options = ParseOptions(TODAY, week=week)
    plain, headed = (
        documents.parse(documents.read("a.md", each.encode()).document, options)
        for each in (text, head + text)
    )
    assert headed.kind is plain.kind
    assert (headed.slug, len(headed.warnings)) == (plain.slug, len(plain.warnings))
    lines = head.count("\n")
    assert [
        [(entry.line - lines, entry.title, entry.summary, entry.links) for entry in edition.entries]
        for edition in headed.editions
    ] == [
        [(entry.line, entry.title, entry.summary, entry.links) for entry in edition.entries]
        for edition in plain.editions
    ]


def test_a_list_may_begin_with_an_address() -> None:
    """An address in pointed brackets is no tag of a feed or a page."""
    text = "<https://a.example>\n\n# Week of January 5, 2026\n\n- [Kites](https://b.example)\n"
    parsed = documents.parse(RawDocument("a.md", text), ParseOptions(TODAY))
    assert parsed.kind is DocumentKind.LIST


@pytest.mark.parametrize(
    "heading",
    [
        "<h1>Top AI Papers of the Week (January 5 - January 11)</h1>",
        "<h1 align=center>\n  Top AI Papers of the Week (January 5 - January 11)\n</h1>",
        '<h1 id="a">The Letter</h1>\n\n# Top AI Papers of the Week (January 5 - January 11)',
        "<div align=center>\n\nTop AI Papers of the Week (January 5 - January 11)\n\n</div>",
        "<p><b>Top AI Papers of the Week (January 5 - January 11)</b></p>",
    ],
)
def test_the_week_of_a_newsletter_may_stand_in_html(heading: str) -> None:
    """The tags around a heading are no part of it, and no line of their own."""
    text = heading + _LETTER[_LETTER.index("\n") :]
    parsed = documents.parse(RawDocument("a.md", text), ParseOptions(TODAY))
    assert parsed.kind is DocumentKind.NEWSLETTER
    assert [entry.title for entry in parsed.editions[0].entries] == [
        "Sleepy Attention",
        "Second Nap",
    ]
    assert not [note for note in parsed.warnings if "not understood" in note.text]


def test_headings_of_an_archive_may_stand_in_html() -> None:
    """The title of an archive, and its weeks, are told whatever makes them headings."""
    head, week, rows = _ARCHIVE.partition("## ")[0], "Top AI Papers (January 5 - 11) - 2026", "|"
    text = f"<h1>Papers</h1>\n\n{head}<h2>{week}</h2>\n{rows}{_ARCHIVE.partition('|')[2]}"
    parsed = documents.parse(RawDocument("a.md", text), ParseOptions(TODAY))
    assert (parsed.kind, parsed.slug) == (DocumentKind.ARCHIVE, "papers")
    assert [note.text for note in parsed.warnings if "no week" in note.text] == []


def test_weeks_of_an_archive_may_be_folded() -> None:
    """What folds a week's table is neither a row nor text beside one."""
    week, rows = _ARCHIVE.partition("## ")[2].partition("\n")[::2]
    text = f"# Papers\n\n<details>\n<summary>{week}</summary>\n\n{rows}\n</details>\n"
    parsed = documents.parse(RawDocument("a.md", text), ParseOptions(TODAY))
    assert [entry.title for entry in parsed.editions[0].entries] == ["Sleepy Attention"]
    assert not [note for note in parsed.warnings if "no row" in note.text]
