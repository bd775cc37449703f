"""One thing of a paper that is asked for, and laughter, which is no thanks."""

import asyncio
from datetime import date

import pytest

from bot.commands.plain_words.filters import ReadingFacts
from bot.commands.plain_words.reader import Courtesy, Reading, read
from bot.domain.topics import topic_names
from bot.replies.blocks import Actions, Fields, Notice, PaperCard, Reply
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.bot.conftest import READER, bot_of

_FACTS = ReadingFacts(
    topics=topic_names(),
    sources=frozenset({"dair"}),
    commands=frozenset({"show", "search", "save", "ask", "related", "saved", "latest"}),
    changing=frozenset({"save"}),
    today=date(2026, 11, 25),
)


def _wanted(line: str) -> str | None:
    reading = read(line, _FACTS)
    assert isinstance(reading, Reading)
    return reading.wanted


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("pdf", "pdf"),
        ("PDF pls", "pdf"),
        ("can you send me the pdf?", "pdf"),
        ("where can i get the full text of it", "pdf"),
        ("code?", "code"),
        ("is there code for it", "code"),
        ("github of 3", "code"),
        ("bibtex of it", "bibtex"),
        ("citation please", "bibtex"),
        ("link?", "link"),
        ("who wrote it?", "authors"),
        ("who are the people behind it", "authors"),
        ("authors?", "authors"),
        ("pdf of 2501.12948", "pdf"),
        ("bibtex of https://arxiv.org/abs/2501.12948", "bibtex"),
        ("pdf of attention is all you need", "pdf"),
        # A word that names the paper asks for nothing of it.
        ("tell me about code llama", None),
        ("https://arxiv.org/abs/2501.12948", None),
        ("https://github.com/org/code 2501.12948", None),
        ("tldr", None),
        ("show the second one", None),
    ],
)
def test_what_is_wanted_of_a_paper_is_read(line: str, wanted: str | None) -> None:
    """The words beside those that name the paper say it; an address says nothing."""
    assert _wanted(line) == wanted


@pytest.mark.parametrize(
    "line", ["lol", "LOL!!", "haha", "lol \N{FACE WITH TEARS OF JOY}", ":joy:",
             "\N{ROLLING ON THE FLOOR LAUGHING}"],
)  # fmt: skip
def test_laughter_is_no_thanks(line: str) -> None:
    """Who laughs thanks for nothing, and gets a line of its own."""
    assert read(line, _FACTS) is Courtesy.LAUGHTER


@pytest.mark.parametrize("line", ["thanks lol", "\N{THUMBS UP SIGN}", "nice"])
def test_thanks_with_a_laugh_are_thanks(line: str) -> None:
    """A laugh beside thanks, or a sign of approval, changes nothing."""
    assert read(line, _FACTS) is Courtesy.THANKS


def _said(database: Database, *lines: str) -> Reply:
    """Return the answer to the last line."""

    async def answered() -> Reply:
        app, replies = bot_of(database), []
        for line in lines:
            replies.append(await app.run_text(line, READER))
            await app.wait()
        return replies[-1]

    return asyncio.run(answered())


@pytest.mark.parametrize(
    ("line", "url"),
    [
        ("pdf", "https://arxiv.org/pdf/2601.00003"),
        ("show me the pdf", "https://arxiv.org/pdf/2601.00003"),
        ("bibtex of it", "https://arxiv.org/bibtex/2601.00003"),
        ("link?", "https://arxiv.org/abs/2601.00003"),
    ],
)
def test_the_link_of_the_paper_that_was_spoken_of_is_given(
    filled: Database, line: str, url: str
) -> None:
    """The paper's name and that link are the whole answer; what is run is `show`."""
    reply = _said(filled, "show 3", line)
    card, row = reply.blocks
    assert isinstance(card, PaperCard)
    assert [link.url for link in card.links] == [url]
    assert (card.title, card.summary) == ("Routing Experts", None)
    assert isinstance(row, Actions)
    assert [button.label for button in row.buttons][:2] == ["Details", "Save"]
    assert reply.ran == "show dair:2026-01-05#3"


@pytest.mark.parametrize("line", ["pdf of it", "code", "bibtex", "link please"])
def test_what_is_missing_is_said(filled: Database, line: str) -> None:
    """A paper without it is shown whole, below a line that says so."""
    notice, card, *_ = _said(filled, "show 1", line).blocks
    assert isinstance(notice, Notice)
    assert notice.text.startswith(("No ", "arXiv has no "))
    assert isinstance(card, PaperCard)
    assert card.summary == "Attends to few tokens. Saves memory."


@pytest.mark.parametrize("line", ["who wrote it?", "who are the authors?", "authors please"])
def test_who_wrote_a_paper_is_answered_with_its_authors(filled: Database, line: str) -> None:
    """Or with the reason why nobody is named; the rest is behind *Details*."""
    card, fields, row = _said(filled, "show 1", line).blocks
    assert isinstance(card, PaperCard)
    assert (card.summary, card.links) == (None, ())
    assert isinstance(fields, Fields)
    assert fields.pairs == (("Authors", "not stored, as no arXiv id is"),)
    assert isinstance(row, Actions)
    assert row.buttons[0].label == "Details"


def test_where_no_paper_was_spoken_of_one_is_asked_for(filled: Database) -> None:
    """After a list the answer is which of its papers, after nothing that there was none."""
    assert "No paper was spoken of" in str(_said(filled, "bibtex").blocks)
    assert "no paper by itself" in str(_said(filled, "latest", "pdf").blocks)


def test_a_question_is_said_once(filled: Database) -> None:
    """It is the title of its answer, and the line above names the command alone."""
    reply = _said(filled, "what does sparse attention attend to?")
    assert reply.ran == "ask what does sparse attention attend to?"
    assert reply.read_as == "Read as: ask …"
    assert plain_text(reply).count("what does sparse attention attend to") == 1
    assert _said(filled, "papers about attention").read_as == "Read as: search attention"
