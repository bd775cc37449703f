"""Feeds with faults: cut off, malformed, hostile, without a round-up, with posts that are odd."""

from dataclasses import replace
from datetime import date

import pytest

from bot.domain.drafts import ParseOptions
from bot.errors import DocumentError
from bot.ingest import documents
from bot.ingest.pipeline import ImportOptions, ingest
from store.database import Database
from store.library.editions import export_editions
from tests.bot.ingest.formats.feed.printer import Printed, print_atom, print_rss
from tests.bot.ingest.formats.feed.test_feed import (
    HEAD,
    SAMPLE,
    TODAY,
    entries,
    entry,
    parse,
    texts,
)
from tests.bot.ingest.imports import NOW
from tests.shared_data import shared_file

WHOLE = Printed(HEAD + entries())
EARLIER = Printed(
    HEAD.replace("January 5-11", "December 29 - January 4") + entries(),
    title="Earlier spoons",
    published_on=date(2026, 1, 4),
)
OTHER = Printed("<p>No list today (January 5-11).</p>", title="Forks")
NAME = 'the post "Spoons of the week" of 2026-01-11'


def refusal(text: str) -> DocumentError:
    """Parse a feed that is refused and return the refusal."""
    with pytest.raises(DocumentError) as caught:
        parse(text)
    assert caught.value.remedy
    return caught.value


@pytest.mark.parametrize("printer", [print_rss, print_atom])
def test_cut_off_anywhere(printer: object) -> None:
    """A feed that is cut off, wherever that is, is refused with the line."""
    text = printer(WHOLE, EARLIER)  # type: ignore[operator] # one of the two printers
    whole = text.rstrip()
    for end in range(whole.index("<title>"), len(whole), 37):
        line = whole[:end].count("\n") + 1
        assert refusal(whole[:end]).sentence == f"feed.xml breaks off in line {line}."


async def test_a_sample_that_is_cut_off_changes_nothing(database: Database) -> None:
    """Half of the sample is refused by the pipeline, and nothing of it is stored."""
    data = shared_file(SAMPLE).read_bytes()
    for end in (9_000, 13_000, len(data) - 4):
        report = await ingest(database, "feed.xml", data[:end], ImportOptions(), NOW)
        assert (report.kind, report.error) == (
            "feed",
            "feed.xml breaks off in line 1. Import the whole feed.",
        )
    assert await database.read(export_editions) == []


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("</title>", "</titel>", "mismatched tag in line 2"),
        ("Spoon Weekly", "Spoon &spoon; Weekly", "undefined entity in line 2"),
        ("Spoon Weekly", "Spoon & Weekly", r"not well-formed \(invalid token\) in line 2"),
        ("</rss>", "</rss><rss/>", "junk after document element in line 4"),
    ],
)
def test_malformed(before: str, after: str, problem: str) -> None:
    """XML that is not well-formed is refused with the fault and its line."""
    text = print_rss(WHOLE).replace(before, after, 1)
    with pytest.raises(DocumentError, match=f"is not well-formed XML: {problem}"):
        parse(text)


def test_control_characters_are_dropped() -> None:
    """A control character that XML forbids, and nobody sees, does not cost the feed."""
    text = print_rss(WHOLE).replace("bends", "b\x0bends").replace("Weekly", "Week\x08ly")
    assert parse(text) == parse(print_rss(WHOLE))


@pytest.mark.parametrize("kind", ["SYSTEM 'file:///etc/hostname'", "'spoon'"])
def test_entities_of_its_own(kind: str) -> None:
    """A document that declares entities is refused, and none of them is looked up."""
    text = print_rss(WHOLE).split("\n", 1)[1].replace("Spoon Weekly", "&e;")
    declared = f"<!DOCTYPE rss [<!ENTITY e {kind}>]>\n{text}"
    assert "declares XML entities" in refusal(declared).sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "feed.xml is no RSS or Atom feed: it has no element."),
        ("Spoons", "feed.xml is no RSS or Atom feed: it has no element."),
        ("https://a.example/feed", "feed.xml is no RSS or Atom feed: it has no element."),
        (
            "<!doctype html>\n<html><p>1. Spoons</p></html>",
            "feed.xml is no RSS or Atom feed: its outermost element is <html>.",
        ),
        ("<rss></rss>", "feed.xml is no RSS or Atom feed: it has no channel."),
        ("<feed></feed>", "feed.xml is a feed without posts."),
        ("<rss><channel></channel></rss>", "feed.xml is a feed without posts."),
    ],
)
def test_no_feed(text: str, sentence: str) -> None:
    """What is taken for a feed by the operator and is none is refused for what it is."""
    assert refusal(text).sentence == sentence


@pytest.mark.parametrize(
    ("name", "post"),
    [("samples/arxiv_error.xml", "Error"), ("samples/arxiv_atom.xml", "Attention Is All You Need")],
)
def test_lists_of_papers_are_no_round_ups(name: str, post: str) -> None:
    """An answer of arXiv is a feed, and is refused for having no round-up."""
    document = documents.read(name, shared_file(name).read_bytes()).document
    with pytest.raises(DocumentError, match="is a feed without a round-up") as caught:
        documents.parse(document, ParseOptions(TODAY))
    assert caught.value.kind == "feed"
    assert f'the post "{post}"' in caught.value.sentence
    assert "is no round-up" in caught.value.sentence


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("<p>Spoons.</p>", "no heading of it holds a week"),
        ("", "no heading of it holds a week"),
        ("<h1>Spoons, January 5-11</h1>" + entries(), "no heading of it holds a week"),
        (entries() + HEAD, "no heading of it holds a week"),
    ],
)
def test_a_post_that_is_no_round_up_is_passed_over(markup: str, reason: str) -> None:
    """A post without a week in brackets yields nothing, and is no fault."""
    document = parse(print_rss(Printed(markup), EARLIER))
    assert [each.first_day for each in document.editions] == [date(2025, 12, 29)]
    assert texts(document.passed_over) == [f"{NAME} is no round-up: {reason}"]
    assert document.warnings == ()


def test_a_post_with_a_week_and_no_entries_is_told() -> None:
    """It looks like a round-up whose markup changed, which must not go unnoticed."""
    document = parse(print_rss(Printed(HEAD + "<p>Spoons bend.</p>"), EARLIER))
    assert [each.first_day for each in document.editions] == [date(2025, 12, 29)]
    told = f"{NAME} is left out: it names a week and has no numbered entry"
    assert texts(document.warnings) == [told]


READ_ON = '<p><a href="https://letter.example/p/spoons?r=1">{}</a></p>'


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        (entries(1, 3) + "<h2>4. Paper 4</h2>", "it breaks off at entry 4"),
        (entries(1, 3) + "<h2>4. Paper 4</h2><p>Paper 4 bends", "it breaks off at entry 4"),
        (entries(1, 3) + READ_ON.format("More"), "the feed has its beginning only"),
        (entries() + READ_ON.format("Read more"), "the feed has its beginning only"),
        ("<b></b>" * 5_001 + entries(), "it has more than 10,000 tags"),
    ],
)
def test_half_a_post_is_left_out(markup: str, reason: str) -> None:
    """A post that breaks off makes no edition; it is named, and the other posts are taken."""
    document = parse(print_rss(Printed(HEAD + markup), EARLIER))
    assert [each.first_day for each in document.editions] == [date(2025, 12, 29)]
    assert texts(document.warnings) == [f"{NAME} is left out: {reason}"]


def test_a_whole_post_may_link_to_itself() -> None:
    """A post that has all entries may end with a link to its page."""
    document = parse(print_rss(Printed(HEAD + entries() + READ_ON.format("View in browser"))))
    assert len(document.editions[0].entries) == 10


def test_a_post_that_is_left_out_is_told_where_nothing_else_is_found() -> None:
    """Where the only round-up is left out, the refusal says why."""
    sentence = refusal(print_rss(Printed(HEAD + entries(1, 3) + READ_ON.format("More")))).sentence
    assert sentence.endswith(
        f"without a round-up; {NAME} is left out: the feed has its beginning only."
    )


def test_days_that_are_no_week() -> None:
    """A post whose days no year has is left out by name, and the others are taken."""
    wrong = replace(WHOLE, markup=WHOLE.markup.replace("5-11", "5-45"))
    document = parse(print_rss(wrong, EARLIER))
    assert len(document.editions) == 1
    (warning,) = texts(document.warnings)
    assert warning.startswith(f"{NAME} is left out: no year makes its heading a week")


@pytest.mark.parametrize("first", [0, 1])
def test_two_posts_of_a_week(first: int) -> None:
    """Of two posts of a week the later one counts, wherever it stands; the other is named."""
    early = replace(WHOLE, title="Early", published_on=date(2026, 1, 10))
    late = replace(WHOLE, title="Late", published_on=date(2026, 1, 12))
    document = parse(print_rss(*((early, late) if first else (late, early))))
    assert [each.published_on for each in document.editions] == [date(2026, 1, 12)]
    (warning,) = texts(document.warnings)
    assert warning == (
        'the post "Early" of 2026-01-10 is left out:'
        ' the post "Late" of 2026-01-12 has the same week'
    )


def test_a_shorter_post_of_a_week_does_not_count() -> None:
    """A later post with fewer entries does not take the place of the round-up."""
    short = Printed(HEAD + entries(1, 3), title="Best three", published_on=date(2026, 1, 14))
    (edition,) = parse(print_rss(short, WHOLE)).editions
    assert len(edition.entries) == 10


@pytest.mark.parametrize("url", ["", "javascript:alert(1)", "/p/spoons"])
def test_an_address_that_is_none(url: str) -> None:
    """What is no address of the web does not become the edition's."""
    assert parse(print_rss(replace(WHOLE, url=url))).editions[0].url is None


def test_a_body_may_stand_in_the_description() -> None:
    """RSS without `content:encoded`, or with an empty one, is read from the description."""
    text = print_rss(replace(WHOLE, teaser=WHOLE.markup, markup=""))
    assert [len(each.entries) for each in parse(text).editions] == [10]
    bare = text.replace("<content:encoded><![CDATA[]]></content:encoded>", "")
    assert parse(bare) == parse(text)


def test_atom_as_text_and_as_xhtml() -> None:
    """Atom's other types of content, plain text and XHTML, are read for what they are."""
    plain = "The Spoons (January 5-11)\n1. Spoons\nThey bend if x &lt; y.\n"
    xhtml = (
        '<div xmlns="http://www.w3.org/1999/xhtml"><h1>The Spoons (January 5-11)</h1>'
        "<h2>1. Spoons</h2><p>They bend if x &lt; y.</p></div>"
    )
    found = []
    for kind, body in (("text", plain), ("xhtml", xhtml)):
        text = print_atom(Printed("BODY")).replace('type="html">BODY', f'type="{kind}">{body}')
        (edition,) = parse(text).editions
        found.append([(e.title, e.summary) for e in edition.entries])
    assert found == [[("Spoons", "They bend if x < y.")]] * 2


def test_nested_deeply() -> None:
    """Elements in one another to any depth are read without recursion."""
    body = "<div>" * 3_000 + HEAD + entries() + "</div>" * 3_000
    (edition,) = parse(print_rss(Printed(body))).editions
    assert len(edition.entries) == 10


def test_what_a_post_lacks_is_told() -> None:
    """A rank that is missing, and words out of place, are named with the post."""
    body = "<p>by Ann Author</p>" + HEAD + entries(1, 6) + entries(8, 9) + entry(10)
    said = texts(parse(print_rss(Printed(body))).warnings)
    assert [text.partition(" as read: ")[2] for text in said] == [
        'not understood, left out above the first entry: "by Ann Author"',
        "rank 7 is missing",
    ]


def test_a_tag_of_very_many_attributes_is_refused() -> None:
    """No library is given a tag that has more attributes than any feed's, wherever it stands."""
    many = "".join(f' x{number}=""' for number in range(201))
    whole = print_rss(WHOLE)
    assert parse(whole.replace("<item>", f"<item{many[: many.rindex(' ')]}>", 1)).editions
    line = whole[: whole.index("<item>")].count("\n") + 1
    said = refusal(whole.replace("<item>", f"<item{many}>", 1)).sentence
    assert said == f"feed.xml has a tag with more than 200 attributes in line {line}."
