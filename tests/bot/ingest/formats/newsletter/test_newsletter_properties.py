"""What holds for every newsletter: no line is lost, nothing but a refusal is raised."""

import re
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.drafts import (
    DocumentKind,
    EditionDraft,
    EntryDraft,
    ParsedDocument,
    ParseOptions,
    RawDocument,
    YearRule,
)
from bot.ingest.encoding import repair
from bot.ingest.formats.newsletter import FORMAT
from store.records import Highlight, Link
from tests.bot.ingest.damage import read_or_refused
from tests.bot.ingest.drafts import without_lines
from tests.bot.ingest.formats.newsletter.printer import print_edition
from tests.bot.ingest.formats.newsletter.test_newsletter import ADVERT, HEAD, entries, entry, parse
from tests.shared_data import shared_file

LINKS = "[Paper](https://a.example/1) | [Code](https://b.example/2)\n"
SHAPED = (HEAD + entries(1, 3) + ADVERT + entries(4, 9) + LINKS + entry(10)).splitlines()

WORD = st.text("abkzABKZ059-\u00e9\u6f22", min_size=1, max_size=7).map(lambda word: f"w{word}")
WORDS = st.lists(WORD, min_size=1, max_size=5).map(" ".join)
SENTENCE = st.tuples(WORDS, st.sampled_from([".", ": so.", "?", " (2).", "\u201d"])).map("".join)
JUNK = st.one_of(
    st.text(max_size=30).filter(lambda text: "\n" not in text),
    WORDS,
    SENTENCE,
    st.sampled_from(["", "3. Out of turn", "Sponsor", "---", "**x** - y", "* z", "Paper", "11. K"]),
)


def letters(text: str) -> str:
    """Reduce a text to its letters and digits."""
    return "".join(letter for letter in text if letter.isalnum())


def lost_lines(text: str, document: ParsedDocument) -> list[int]:
    """List the lines whose words are neither in a draft nor named by a note.

    A line counts as kept when its letters are, in order and in full, those of one piece of a
    draft: a heading, a numbered title, a summary, a highlight, or words that label links.
    """
    noted = {note.line for note in document.warnings + document.passed_over}
    pieces, labels, addresses = {letters(document.source_title)}, set[str](), set[str]()
    for edition in document.editions:
        pieces.add(letters(edition.title))
        addresses.add(edition.url or "")
        for each in edition.entries:
            pieces |= {letters(f"{each.rank}{each.title}"), letters(each.summary or "")}
            pieces |= {letters(f"{h.lead or ''}{h.text}") for h in each.highlights}
            labels |= {word for link in each.links for word in re.findall(r"\w+", link.label)}
            addresses |= {link.url for link in each.links}
    lost = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw
        for address in sorted(addresses - {""}, key=len, reverse=True):
            line = line.replace(address, " ")
        is_kept = letters(line) in pieces or labels.issuperset(re.findall(r"\w+", line))
        if line.strip() and number not in noted and not is_kept:
            lost.append(number)
    return lost


@st.composite
def faulty(draw: st.DrawFn) -> str:
    """Draw a newsletter in which lines were dropped, doubled, swapped, cut or put in."""
    lines = list(SHAPED)
    for _ in range(draw(st.integers(0, 6))):
        place = draw(st.integers(0, max(0, len(lines) - 1)))
        match draw(st.sampled_from(["drop", "double", "swap", "cut", "junk"])):
            case "drop":
                del lines[place : place + 1]
            case "double":
                lines[place:place] = lines[place : place + 1]
            case "swap":
                lines[place : place + 2] = lines[place : place + 2][::-1]
            case "cut":
                lines[place:] = [line[: len(line) // 2] for line in lines[place : place + 1]]
            case _:
                lines.insert(place, draw(JUNK))
    return "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n \n"]))


@given(st.text())
def test_any_text_is_parsed_or_refused(text: str) -> None:
    """Arbitrary text is recognised or not, and parsed or refused, without any other error."""
    FORMAT.recognise(text)
    read_or_refused(parse, text)


@given(st.lists(JUNK, max_size=12))
def test_any_body_is_parsed_or_refused(lines: list[str]) -> None:
    """Arbitrary lines below a heading and one entry lose nothing and raise nothing."""
    text = HEAD + entry(1) + "\n".join(lines) + "\n"
    document = read_or_refused(parse, text)
    assert document is None or lost_lines(text, document) == []


@given(faulty())
def test_no_line_of_a_faulty_newsletter_is_lost(text: str) -> None:
    """Whatever is done to a newsletter, each line is kept, named, or the whole is refused.

    No line from an advertisement's opening to the next number reaches a draft.
    """
    document = read_or_refused(parse, text)
    assert document is None or lost_lines(text, document) == []
    shaped = "Message from the Editor\nGadgets for everyone\nOffer: half price" in text
    assert document is None or not shaped or "GADGET50" not in repr(document)


def test_the_check_for_lost_lines_can_fail() -> None:
    """A summary, a highlight or a note that is taken away is missed."""
    text = HEAD + entry(1) + ADVERT
    document = parse(text + "Done.\n")
    assert lost_lines(text, document) == []
    assert lost_lines(text, replace(document, passed_over=())) == [7, 8, 9]
    (edition,) = document.editions
    (first,) = edition.entries
    bare = replace(first, summary=None, highlights=())
    poorer = replace(document, editions=(replace(edition, entries=(bare,)),))
    assert lost_lines(text, poorer) == [4, 5, 6]


@st.composite
def drafts(draw: st.DrawFn) -> EditionDraft:
    """Draw an edition as a newsletter can print it; sentences differ from one another."""
    first_day = draw(st.dates(date(2010, 1, 1), date(2030, 1, 1)).map(_monday))
    last_day = first_day + timedelta(days=6)
    has_year = draw(st.booleans())
    week = f"{first_day:%B} {first_day.day} - {last_day:%b} {last_day.day}"
    title = f"{draw(WORDS)} ({week}{f', {last_day.year}' if has_year else ''})"
    published_on = draw(st.none() | st.just(last_day + timedelta(days=1)))
    rule = YearRule.FEED if published_on else YearRule.WEEKDAY
    count = draw(st.integers(1, 12) | st.just(2))
    return EditionDraft(
        line=0,
        kind=DocumentKind.NEWSLETTER,
        title=title,
        first_day=first_day,
        last_day=last_day,
        year_rule=YearRule.HEADING if has_year else rule,
        published_on=published_on,
        url=draw(st.none() | st.just("https://letter.example/3")),
        entries=tuple(draw(_entries(rank)) for rank in range(1, count + 1)),
    )


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _entries(rank: int) -> st.SearchStrategy[EntryDraft]:
    highlight = st.builds(Highlight, st.none() | WORDS, WORDS.map(lambda words: f"{words}."))
    link = st.builds(Link, WORDS, st.sampled_from(["https://a.example/x?y=1", "http://b.example"]))
    return st.builds(
        EntryDraft,
        line=st.just(0),
        title=WORDS,
        rank=st.just(rank),
        summary=SENTENCE.map(lambda sentence: f"Number {rank} {sentence}"),
        highlights=st.lists(highlight, max_size=3, unique=True).map(tuple),
        links=st.lists(link, max_size=2).map(tuple),
    )


@given(drafts(), st.integers(7, 300))
def test_print_and_parse(edition: EditionDraft, days_later: int) -> None:
    """An edition that was printed is parsed to itself."""
    text = print_edition("Spoon Weekly", edition)
    today = edition.first_day + timedelta(days=days_later)
    document = FORMAT.parse(RawDocument("letter.txt", text), ParseOptions(today))
    assert tuple(map(without_lines, document.editions)) == (edition,)
    assert document.source_title == "Spoon Weekly"
    assert lost_lines(text, document) == []


@pytest.mark.parametrize(
    "name", ["seeds/000_6b97a1adf3c6bd05.txt", "seeds/002_dc9cd6f66951fc0f.txt"]
)
def test_no_line_of_a_real_copy_is_lost(name: str) -> None:
    """Each line of a real copy is kept or named."""
    text = repair(shared_file(name).read_text(encoding="utf-8")).text
    assert lost_lines(text, parse(text)) == []
