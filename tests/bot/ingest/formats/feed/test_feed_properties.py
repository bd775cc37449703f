"""Feeds and posts of any shape: parsed or refused, printed and parsed back, nothing lost."""

import re
from dataclasses import replace
from datetime import date
from html import escape

from hypothesis import example, given
from hypothesis import strategies as st

from bot.domain.drafts import DocumentKind, EditionDraft, ParsedDocument, ParseOptions, RawDocument
from bot.ingest.formats import newsletter
from bot.ingest.formats.feed import FORMAT
from bot.ingest.formats.feed.lines import read_lines
from tests.bot.ingest.damage import read_or_refused
from tests.bot.ingest.drafts import without_lines
from tests.bot.ingest.formats.feed.printer import (
    NAME,
    Printed,
    print_atom,
    print_editions,
    print_rss,
)
from tests.bot.ingest.formats.feed.test_feed import HEAD, entries, entry, parse
from tests.bot.ingest.formats.newsletter.printer import print_edition
from tests.bot.ingest.formats.newsletter.test_newsletter_properties import (
    JUNK,
    WORDS,
    drafts,
    letters,
)

SHAPED = (HEAD + entries()).replace("><h2", ">\n<h2").replace("><p", ">\n<p").split("\n")
TAGS = ["p", "b", "li", "ul", "h2", "a", "div", "table", "form", "script", "i", "br", "pre"]
# Feeds are read as browsers read pages: a control character of Latin-1 is a sign of Windows.
WINDOWS_SIGNS = {
    code: sign
    for code in range(0x80, 0xA0)
    if (sign := bytes([code]).decode("cp1252", errors="ignore"))
}
TEXT = JUNK.filter(lambda text: "\x00" not in text)
PIECE = st.one_of(
    TEXT.map(escape),
    st.sampled_from(TAGS).map(lambda tag: f"<{tag}>"),
    st.sampled_from(TAGS).map(lambda tag: f"</{tag}>"),
    st.sampled_from(["<p>11. More</p>", "<h2>3. Out of turn</h2>", "<p>Sponsor</p>", "<!-- x -->"]),
    st.builds(
        "<p><b>{}</b> {}</p>".format, WORDS.map(escape), TEXT.map(escape)
    ),
    WORDS.map('<a href="https://a.example/1">{}</a>'.format),
)  # fmt: skip


def lost_lines(markup: str, document: ParsedDocument) -> list[int]:
    """List the lines of the only post whose words are neither in a draft nor named by a note."""
    notes = " ".join(note.text for note in document.warnings + document.passed_over)
    noted = {int(number) for number in re.findall(r", line (\d+) as read: (?!ends after)", notes)}
    pieces, labels = set[str](), ""
    for edition in document.editions:
        pieces.add(letters(edition.title))
        for each in edition.entries:
            pieces |= {letters(f"{each.rank}{each.title}"), letters(each.summary or "")}
            pieces |= {letters(f"{h.lead or ''}{h.text}") for h in each.highlights}
            labels += letters("".join(link.label for link in each.links))
    return [
        line.number
        for line in read_lines(markup.translate(WINDOWS_SIGNS))[0]
        if line.number not in noted
        and letters(line.text) not in pieces
        and letters(line.text) not in labels
    ]


@given(st.text() | st.text("<>/!?[]-rsfed \n").map("<rss>{}".format))
def test_any_text_is_parsed_or_refused(text: str) -> None:
    """Arbitrary text is recognised or not, and parsed or refused, without any other error."""
    FORMAT.recognise(text)
    read_or_refused(parse, text)


@given(st.lists(PIECE, max_size=12).map("".join))
@example("\x88w0: so.")
def test_no_line_of_any_post_is_lost(junk: str) -> None:
    """Arbitrary HTML below a heading and one entry loses no line and raises nothing."""
    markup = HEAD + entry(1) + junk
    document = read_or_refused(parse, print_rss(Printed(markup)))
    assert document is None or lost_lines(markup, document) == []


@given(st.integers(0, len(SHAPED)), st.lists(PIECE, max_size=4).map("".join))
@example(2, "0\x9a")
def test_no_line_of_a_faulty_post_is_lost(place: int, junk: str) -> None:
    """Whatever is put into a round-up, each line is kept, named, or the whole is left out."""
    markup = "".join([*SHAPED[:place], junk, *SHAPED[place:]])
    document = read_or_refused(parse, print_rss(Printed(markup)))
    assert document is None or lost_lines(markup, document) == []


def test_the_check_for_lost_lines_can_fail() -> None:
    """A summary, a highlight or a note that is taken away is missed."""
    markup = HEAD + entry(1) + "<p>Sponsor</p><p>Gadgets.</p>"
    document = parse(print_rss(Printed(markup)))
    assert lost_lines(markup, document) == []
    assert lost_lines(markup, replace(document, passed_over=())) == [6, 7]
    (edition,) = document.editions
    bare = replace(edition.entries[0], summary=None, highlights=())
    poorer = replace(document, editions=(replace(edition, entries=(bare,)),))
    assert lost_lines(markup, poorer) == [3, 4, 5]


@given(st.data())
def test_a_feed_that_is_cut_off_is_refused(data: st.DataObject) -> None:
    """No part of a feed from its start is taken for the whole."""
    text = data.draw(st.sampled_from([print_rss, print_atom]))(Printed(HEAD + entries())).rstrip()
    assert read_or_refused(parse, text[: data.draw(st.integers(0, len(text) - 1))]) is None


@given(drafts())
def test_print_and_parse(edition: EditionDraft) -> None:
    """An edition that was printed as a post is parsed to itself, as its newsletter is."""
    posted = replace(edition, kind=DocumentKind.FEED)
    text = print_editions(ParsedDocument(DocumentKind.FEED, "spoon-weekly", NAME, (posted,)))
    options = ParseOptions(date(edition.last_day.year + 1, 1, 1))
    document = FORMAT.parse(RawDocument("feed.xml", text), options)
    (found,) = map(without_lines, document.editions)
    assert found.entries == edition.entries
    assert (found.title, found.published_on, found.url) == (
        edition.title, edition.published_on, edition.url,
    )  # fmt: skip
    letter = RawDocument("letter.txt", print_edition(NAME, edition))
    (other,) = map(without_lines, newsletter.parse(letter, options).editions)
    assert replace(found, kind=DocumentKind.NEWSLETTER) == other
