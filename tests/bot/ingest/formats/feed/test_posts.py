"""A post of a feed: which lines a reader sees in its HTML, and what becomes of them."""

import pytest

from bot.domain.drafts import EntryDraft
from store.records import Highlight, Link
from tests.bot.ingest.formats.feed.printer import BUTTON, PICTURE, WIDGET, Printed, print_rss
from tests.bot.ingest.formats.feed.test_feed import HEAD, entries, parse, texts


def only_entry(body: str) -> EntryDraft:
    """Parse a feed of one post with one entry and return the entry."""
    (edition,) = parse(print_rss(Printed(HEAD + body))).editions
    (found,) = edition.entries
    return found


def test_what_stands_around_the_text_is_passed_over() -> None:
    """Pictures, buttons and widgets reach no entry and are named."""
    body = HEAD + PICTURE + entries(1, 5) + WIDGET + BUTTON + entries(6)
    document = parse(print_rss(Printed(body)))
    assert document.editions == parse(print_rss(Printed(HEAD + entries()))).editions
    assert "GADGET50" not in repr(document)
    name = 'the post "Spoons of the week" of 2026-01-11'
    assert texts(document.passed_over) == [
        f"{name}: a picture",
        f"{name}: a subscription widget",
        f"{name}: a button",
    ]


@pytest.mark.parametrize(
    ("item", "highlight"),
    [
        ("<li><p><b>Spoons:</b>&nbsp;they bend.</p></li>", Highlight("Spoons", "they bend.")),
        ("<li><b>Spoons</b> &#8212; they bend.</li>", Highlight("Spoons", "they bend.")),
        ("<li><b>&#8203;Spoons</b> - they bend.</li>", Highlight("Spoons", "they bend.")),
        ("<li>They <b>bend</b> far.</li>", Highlight(None, "They bend far.")),
        ("<p>Spoons: they bend.</p>", Highlight("Spoons", "they bend.")),
        ("<p>&#8226; <strong>Spoons</strong> - they bend.</p>", Highlight("Spoons", "they bend.")),
        ("<li><b>Spoons</b><b>:</b> x &lt; y &amp; z.</li>", Highlight("Spoons", "x < y & z.")),
    ],
)
def test_highlights(item: str, highlight: Highlight) -> None:
    """An item of a list is a highlight; what is bold in front, or ends at a colon, is its lead."""
    assert only_entry(f"<h2>1. Spoons</h2><p>We bend them.</p>{item}").highlights == (highlight,)


def test_lines() -> None:
    """Paragraphs, items and breaks part lines; other elements and line breaks do not."""
    body = "<h2>1. Spo<i>ons</i></h2><p>They\n <em>bend</em>.<br>Far: very<br/>Long: far.</p>"
    found = only_entry(body + "<ul><li>One<ul><li>Two.</li></ul></li></ul>")
    assert (found.title, found.summary) == ("Spoons", "They bend.")
    assert found.highlights == (
        Highlight("Far", "very"),
        Highlight("Long", "far."),
        Highlight(None, "One"),
        Highlight(None, "Two."),
    )


@pytest.mark.parametrize(
    ("row", "links"),
    [
        (
            '<b><a href="https://a.example/1">Paper</a></b> | <a href="http://b.example">Tweet</a>',
            [Link("Paper", "https://a.example/1"), Link("Tweet", "http://b.example")],
        ),
        (
            'Code: <a href="https://a.example/1?a=1&amp;b=2">https://a.example/1</a>',
            [Link("Code: https://a.example/1", "https://a.example/1?a=1&b=2")],
        ),
        (
            '<a href="https://a.example/(1)">P [1]</a>',
            [Link("P (1)", "https://a.example/%281%29")],
        ),
        ("Paper: https://a.example/1", [Link("Paper", "https://a.example/1")]),
        ('<a href="https://a.example/1">Paper</a> <a href="#p2">|</a>', [
            Link("Paper", "https://a.example/1"),
        ]),
    ],
)  # fmt: skip
def test_rows_of_links(row: str, links: list[Link]) -> None:
    """A line of nothing but links gives links with their labels, and no text."""
    found = only_entry(f"<h2>1. Spoons</h2><p>{row}</p><p>They bend.</p>")
    assert (found.links, found.summary, found.highlights) == (tuple(links), "They bend.", ())


def test_links_inside_text() -> None:
    """A link inside a sentence leaves its words there and is kept beside them."""
    found = only_entry(
        '<h2>1. <a href="https://a.example">Spoons</a></h2>'
        '<p>They <a href="https://b.example"><b>be</b>nd</a> <a href="mailto:x">far</a>.</p>'
    )
    assert (found.title, found.summary) == ("Spoons", "They bend far.")
    assert found.links == (Link("Spoons", "https://a.example"), Link("bend", "https://b.example"))


@pytest.mark.parametrize(
    "extra", ['<media:thumbnail url="x"/>', '<g x:y="1">z</g>', "<a:b/><c:d/>"]
)
def test_a_prefix_that_nothing_declares_stands_in_no_way(extra: str) -> None:
    """Feeds leave out the declarations of what readers of posts don't need."""
    feed = print_rss(Printed(HEAD + entries()))
    assert "</item>" in feed
    assert parse(feed.replace("</item>", f"{extra}</item>", 1)).editions == parse(feed).editions
