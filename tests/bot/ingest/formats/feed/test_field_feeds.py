"""Feeds as they are found: dates that are none, relative links, declared encodings."""

from datetime import date
from html import escape

import pytest

from bot.domain.drafts import ParsedDocument, ParseOptions, YearRule
from bot.errors import DocumentError
from bot.ingest import documents
from tests.bot.ingest.formats.feed.printer import Printed, print_atom, print_rss
from tests.bot.ingest.formats.feed.test_feed import HEAD, entries, entry, parse, texts
from tests.shared_data import shared_file

TODAY = date(2026, 11, 26)
PAPER = '<p><a href="{}">Paper</a></p>'


def read(data: bytes, path: str = "feed.xml") -> ParsedDocument:
    """Read the bytes of a document on a fixed day."""
    return documents.parse(documents.read(path, data).document, ParseOptions(TODAY))


def links(document: ParsedDocument) -> list[str]:
    """List the addresses of the first edition's entries."""
    return [link.url for each in document.editions[0].entries for link in each.links]


def test_a_number_as_guid_is_no_date() -> None:
    """A post without a date has its year by the weekday, and is warned of."""
    document = read(shared_file("field/feed-number-as-guid.xml").read_bytes())
    (edition,) = document.editions
    assert (edition.first_day, edition.year_rule) == (date(2023, 3, 6), YearRule.WEEKDAY)
    assert edition.published_on is None
    assert texts(document.warnings)[0] == (
        'the post "Gamma" has no day of publication that can be read'
    )


def test_relative_links_are_kept_as_absolute_ones() -> None:
    """Links of a post, and its own address, are joined with where it stands."""
    document = read(shared_file("field/feed-relative-links.xml").read_bytes())
    first, second = document.editions
    assert (first.url, first.first_day) == ("https://nap.example/p/1", date(2026, 7, 13))
    assert links(document) == [f"https://nap.example/out/2607.100{rank}" for rank in (1, 2, 3)]
    assert [link.url for each in second.entries for link in each.links] == [
        f"https://arxiv.org/abs/2607.200{rank}" for rank in (1, 2, 3)
    ]


def test_the_declared_encoding_is_read() -> None:
    """A text is read in the encoding that it declares, whatever that is called."""
    data = shared_file("field/feed-windows-1252.xml").read_bytes()
    wanted = read(data)
    assert [each.title for each in wanted.editions[0].entries] == [
        f"“Sleepy” Paper 2{rank}" for rank in (1, 2, 3)
    ]
    assert wanted.editions[1].entries[0].title == "“Sleepy” Paper 11"
    text = data.decode("cp1252")
    for called, encoding in (
        ("ISO-8859-1", "cp1252"), ("UTF-16", "utf-16"), ("UTF-16", "utf-16-be"),
        ("utf-16", "utf-16-le"), ("windows-1252", "utf-8"), ("UTF-8", "utf-8-sig"),
    ):  # fmt: skip
        assert read(text.replace("windows-1252", called).encode(encoding)) == wanted, encoding


@pytest.mark.parametrize("name", ["punycode", "utf-7", "unicode_escape", "nonsense", "utf-16"])
def test_an_encoding_that_no_feed_has_is_not_tried(name: str) -> None:
    """What is declared beside the usual encodings has no effect."""
    text = f'<?xml version="1.0" encoding="{name}"?>' + "<rss><channel></channel></rss>"
    with pytest.raises(DocumentError, match="not UTF-8"):
        documents.read("feed.xml", text.encode() + b"<!-- \xff -->")


@pytest.mark.parametrize(
    "day", ["14", "1999", "2062", "--07", "Sun, 11 Jan 2099 14:00:00 GMT", "1970-01-01T00:00:00Z",
            "Thu, 01 Jan 1970 00:00:00 GMT", "", "soon", "https://a.example/2031/05/06"],
)  # fmt: skip
@pytest.mark.parametrize("printer", [print_rss, print_atom])
def test_what_is_no_day_of_publication(day: str, printer: object) -> None:
    """A number, a day ahead and the first day of computers are none, which is told of."""
    text = printer(Printed(HEAD + entries(), published_on=None))  # type: ignore[operator] # one of two printers
    for end, tag in (("</item>", "pubDate"), ("</entry>", "published")):
        text = text.replace(end, f"<{tag}>{day}</{tag}><guid>2031</guid>{end}")
    document = parse(text)
    (edition,) = document.editions
    assert (edition.first_day, edition.year_rule) == (date(2026, 1, 5), YearRule.WEEKDAY)
    assert edition.published_on is None
    assert texts(document.warnings) == [
        'the post "Spoons of the week" has no day of publication that can be read'
    ]


def test_posts_that_are_dated_by_the_day_of_a_move() -> None:
    """A week is of the latest year in which it begins at most a week after its publication."""
    for days, first_day in (
        ("January 5-11", date(2026, 1, 5)), ("March 2-8", date(2026, 3, 2)),
        ("December 14-20", date(2025, 12, 14)), ("November 23-29", date(2026, 11, 23)),
    ):  # fmt: skip
        post = Printed(
            HEAD.replace("January 5-11", days) + entries(), published_on=date(2026, 11, 20)
        )
        (edition,) = parse(print_rss(post)).editions
        assert edition.first_day == first_day


def test_links_of_other_places() -> None:
    """An `xml:base` comes first, then the post's address; a mere place in the text is no link."""
    body = HEAD + "".join(
        entry(rank) + PAPER.format(to)
        for rank, to in enumerate(("//b.example/1", "2", "#3", "mailto:a@b.example", "../5"), 1)
    )
    text = print_atom(Printed(body))
    assert links(parse(text)) == [
        "https://b.example/1", "https://letter.example/p/2", "https://letter.example/5",
    ]  # fmt: skip
    based = text.replace("<content ", '<content xml:base="https://c.example/d/" ')
    assert links(parse(based))[1:] == ["https://c.example/d/2", "https://c.example/5"]


def test_parts_of_other_namespaces_are_passed_over() -> None:
    """A picture's title or date is not the post's, and neither is a podcast's summary."""
    text = print_rss(Printed(HEAD + entries())).replace(
        "<item>",
        '<item xmlns:media="http://search.yahoo.com/mrss/" xmlns:own="urn:own">'
        "<media:title>A picture</media:title><media:content url='x'><media:title>B</media:title>"
        "</media:content><own:published>2031-01-01</own:published><category>a</category>",
    )
    (edition,) = parse(text).editions
    assert (edition.published_on, edition.first_day) == (date(2026, 1, 11), date(2026, 1, 5))


def test_much_around_a_post_changes_nothing() -> None:
    """Thousands of categories and instructions are not handed to the library."""
    text = print_atom(Printed(HEAD + entries()))
    much = "".join(f"<category term='{n}'/><?n {n}?> <tags>a,b</tags>" for n in range(5000))
    assert parse(text.replace("<entry>", f"<entry>{much}")).editions[0].entries == (
        parse(text).editions[0].entries
    )


def test_addresses_around_addresses_are_refused() -> None:
    """A long `xml:base`, in one piece or many, is refused in words."""
    text = print_rss(Printed(HEAD + entries()))
    deep = "<a xml:base='b/'>" * 300 + "</a>" * 300
    for part in (deep, f"<title xml:base='{'b' * 501}'>T</title>"):
        with pytest.raises(DocumentError, match="xml:base of more than 500 signs"):
            parse(text.replace("<item>", f"<item>{part}"))


def test_the_first_version_of_rss_is_read() -> None:
    """Its items stand beside the channel, and its dates are those of Dublin Core."""
    body = HEAD + entries()
    text = (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<channel><title>Spoon Weekly</title></channel><item><title>Spoons</title>"
        f"<link>https://a.example/p/1</link><description>{escape(body)}</description>"
        "<dc:date>2026-01-11</dc:date></item></rdf:RDF>"
    )
    (edition,) = parse(text).editions
    assert (edition.first_day, edition.published_on) == (date(2026, 1, 5), date(2026, 1, 11))
    assert (edition.url, len(edition.entries)) == ("https://a.example/p/1", 10)


def test_a_json_feed_is_named() -> None:
    """It is no list, and its site has another feed."""
    text = '{"version": "https://jsonfeed.org/version/1.1", "title": "Spoons", "items": []}'
    with pytest.raises(DocumentError, match="is a JSON Feed") as refused:
        read(text.encode(), "feed.json")
    assert "RSS or Atom" in (refused.value.remedy or "")


@pytest.mark.parametrize("above", ["", '<!DOCTYPE rss SYSTEM "http://a.example/rss.dtd">'])
def test_entities_of_html_are_read(above: str) -> None:
    """Feeds have them outside of CDATA too, where XML knows none of them."""
    text = print_rss(Printed(HEAD + entries()), title="@").replace(
        "@", "Spoons&nbsp;&eacute;t&eacute;"
    )
    assert parse(text.replace("<rss", f"{above}<rss")).source_title == "Spoons été"
    with pytest.raises(DocumentError, match="entity"):
        parse(text.replace("<rss", f"{above}<rss").replace("&nbsp;", "&spoon;"))


def test_a_script_is_no_link() -> None:
    """Signs that browsers pass over make it no relative address."""
    body = HEAD + "".join(
        entry(rank) + PAPER.format(to)
        for rank, to in enumerate(("java\nscript:alert(1)", "\tdata:text/html,x"), 1)
    )
    assert links(parse(print_rss(Printed(body + entries(3))))) == []
