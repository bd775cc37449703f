"""What holds for every page of a review, whole or damaged."""

import re
from contextlib import suppress
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from bot.domain.drafts import EditionDraft, ParsedDocument
from bot.errors import DocumentError
from bot.ingest.formats.review import FORMAT
from store.records import Link
from tests.bot.ingest.damage import damage
from tests.bot.ingest.drafts import without_lines
from tests.bot.ingest.formats.review.documents import editions, parse
from tests.bot.ingest.formats.review.page_documents import EDITION
from tests.bot.ingest.formats.review.page_printer import Markup, print_review_page

_MARKS = (" <a href='/episodes/{0}'>{0}</a>", "<sup><a href='#{0}'>{0}</a></sup>", " {0}")

_JUNK = st.sampled_from(
    [
        "</main>",
        "<main>",
        "<h2>A Heading From Nowhere</h2>",
        "<h3>A section from nowhere</h3>",
        "<h4>Episodes in this topic</h4>",
        "<li>E900 An Episode From Elsewhere <a href='https://arxiv.org/abs/2603.01234'>pdf</a></li>",
        "<p>E201 and E202 are compared with E301 here.</p>",
        "<p>A short line</p>",
        "<!--",
        "<script>",
        "<b><i><p>",
        "<svg><title>",
    ]
) | st.text(max_size=80)


@st.composite
def _markups(draw: st.DrawFn) -> Markup:
    return Markup(
        top=draw(st.sampled_from([2, 3])),
        parts=draw(st.sampled_from(["item", "card", "row"])),
        mark=draw(st.sampled_from(_MARKS)),
        around=draw(st.sampled_from(["main", "article", "div"])),
        gap=draw(st.sampled_from(["\n", "", "\n\n  "])),
    )


@st.composite
def _pages(draw: st.DrawFn) -> EditionDraft:
    """Return an edition of which some entries have more links than that of their paper."""
    edition = draw(editions())
    more = st.sampled_from([(), (Link("Code", "https://github.com/example/router"),)])
    entries = []
    for entry in edition.entries:
        links = (*entry.links, *draw(more)) if entry.links else ()
        entries.append(replace(entry, links=links))
    return replace(edition, entries=tuple(entries))


@st.composite
def _damaged(draw: st.DrawFn) -> str:
    """Return a page after some lines were dropped, doubled, swapped, added or cut."""
    markup = replace(draw(_markups()), gap="\n")
    return "\n".join(damage(draw, print_review_page(EDITION, markup).split("\n"), _JUNK))


@given(_pages(), _markups())
def test_a_printed_page_is_read_as_it_was(edition: EditionDraft, markup: Markup) -> None:
    """A page gives back the edition that it was printed from, however it is marked up."""
    text = print_review_page(edition, markup)
    assert FORMAT.recognise(text)
    assert without_lines(parse(text).editions[0]) == edition


@given(st.data(), _markups())
def test_a_page_that_breaks_off_gives_no_half_edition(data: st.DataObject, markup: Markup) -> None:
    """Wherever a page is cut off, it is refused or gives the whole edition."""
    text = print_review_page(EDITION, markup)
    beginning = text[: data.draw(st.integers(0, len(text) - 1))]
    with suppress(DocumentError):
        assert without_lines(parse(beginning).editions[0]).entries == EDITION.entries


@given(st.data(), _markups())
def test_an_element_that_is_removed_is_missed(data: st.DataObject, markup: Markup) -> None:
    """Whatever is removed from a page, it is refused, or has all episodes, or is warned of."""
    text = print_review_page(EDITION, markup)
    found = list(re.finditer(r"<(\w+)\b[^>]*>(?:(?!<\1\b).)*?</\1>", text, re.DOTALL))
    element = data.draw(st.sampled_from(found))
    poorer = text[: element.start()] + text[element.end() :]
    with suppress(DocumentError):
        parsed = parse(poorer)
        assert _episodes(parsed) == _episodes_of(EDITION) or parsed.warnings


@given(_damaged())
def test_nothing_but_a_document_error_is_raised(text: str) -> None:
    """Whatever happened to a page, parsing refuses it in words or gives an edition."""
    FORMAT.recognise(text)
    with suppress(DocumentError):
        assert parse(text).editions[0].entries


@given(st.text())
def test_any_text_behind_a_first_tag_is_answered(text: str) -> None:
    """Whatever stands behind the start of a page, nothing but a document error is raised."""
    with suppress(DocumentError):
        parse(f"<html>{text}</html>")


def _episodes(parsed: ParsedDocument) -> list[str | None]:
    return _episodes_of(parsed.editions[0])


def _episodes_of(edition: EditionDraft) -> list[str | None]:
    return [entry.episode for entry in edition.entries]
