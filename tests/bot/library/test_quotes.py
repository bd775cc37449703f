"""`ask`: sentences of stored papers that answer a question, word for word, or none."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.app import Broadsheet
from bot.library.quotes import find_quotes
from bot.replies.blocks import Notice, PaperList, Quote, Reply
from bot.replies.plain_text import plain_text
from store.database import Database
from tests.bot.conftest import READER, bot_of
from tests.bot.ingest.drafts import edition, entry
from tests.bot.ingest.imports import take_in

_WEEK = edition(
    entry(
        1,
        "Quillnet",
        "Acme Labs introduces Quillnet, a parser of hand-written notes.\n\nIt was trained on  3,500"
        " notebooks; needs no labels (e.g. of words; of lines). The errors are halved.",
        highlights=["Quillnet keeps one state per line because notes are read in order."],
    ),
    entry(2, "Reading Notes: A Survey", "Compares 40 parsers of hand-written notes."),
    entry(3, "Sparse Attention", f"Attends to few tokens of {'long ' * 90}texts."),
    entry(4, "Routing Experts", "Routes tokens to experts by a learned cost."),
    *(entry(rank, f"Paper {rank}", f"About cats, part {rank}.") for rank in range(5, 12)),
    entry(
        12,
        "Loom-2",
        "Loom-2 weaves long threads of thought. What Loom-2 has learned was taught to others as"
        " well, of which even the 7B one wins. A rethread is a second pass over loose ends.",
    ),
    entry(
        14,
        "Skein-1",
        "A 9B model that spins yarn, called by its letters. It is kept dry. It was"
        " spun for a bargain of $900. The price of yarn is halved.",
    ),
    entry(
        15, "On Yarn", "We present Wool, which spins yarn of 12 fibres. Felt helps. Felt is new."
    ),
    entry(16, "Knot+", "A tie of ropes that holds for long."),
    entry(
        17,
        "You Only Weave Twice",
        "A loom of two passes. It keeps each shuttle in a drawer and so saves thread. With a fast"
        " shuttle it can save 30% of thread. Key points of the thread:",
    ),
    entry(18, "Two Needles at Once (TNO)", "Sews by pairs of threads. Pins are needless."),
    entry(
        19,
        "TREADLE-70B",
        "It builds on Warp of old. TREADLE-70B is like Weft. Shares of it were taught by hand.",
    ),
    entry(20, "On Pedals", "Pedals fail on Reed3 and others, says a study by Ada Moss of looms."),
    entry(21, "Heddle-mini", "Beats Heddle and Harness on silk."),
    entry(
        22,
        "Weaving at Night",
        "A way to weave without light. Gimp feels each thread, provided that it is dry. No prize is"
        " given to Gimp but its own calm.",
    ),
    entry(23, "Distaff", "Acme Labs introduces Distaff, which saves silk by turning twice."),
    entry(13, "Spindle", "Spindle beats Loom-2 (70B sparse), Inkpot and Reed."),
)


@pytest.fixture(scope="module")
def made_up(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Return a store with a few made-up papers."""
    path = tmp_path_factory.mktemp("ask") / "store.db"
    shutil.copy(sqlite_template, path)
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(database.write(take_in, _WEEK))
        yield database


@pytest.fixture(scope="module")
def bot(made_up: Database) -> Broadsheet:
    """Return a bot that knows them."""
    return bot_of(made_up)


def _ask(bot: Broadsheet, question: str) -> Reply:
    return asyncio.run(bot.run_text(f"ask {question}", READER))


def _quoted(bot: Broadsheet, question: str) -> list[str]:
    return [block.text for block in _ask(bot, question).blocks if isinstance(block, Quote)]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("who made Quillnet?", "Acme Labs introduces Quillnet, a parser of hand-written notes."),
        ("How many notebooks was Quillnet trained on?", "It was trained on  3,500 notebooks"),
        (
            "why does quillnet keep one state",
            "Quillnet keeps one state per line because notes are read in order.",
        ),
        ("how do you route tokens to experts", "Routes tokens to experts by a learned cost."),
        (
            "how many parameters does Loom-2 have",  # not those of the one that it taught
            "Spindle beats Loom-2 (70B sparse), Inkpot and Reed.",
        ),
        (
            "how many params does loom-2 have",
            "Spindle beats Loom-2 (70B sparse), Inkpot and Reed.",
        ),
        ("how many parameters has Skein", "A 9B model that spins yarn, called by its letters."),
        ("what is Wool", "We present Wool, which spins yarn of 12 fibres."),
        ("how does Wool spin", "We present Wool, which spins yarn of 12 fibres."),
        ("What is a rethread?", "A rethread is a second pass over loose ends."),
        (  # the letters of its title name it; by its means, not by its success
            "how does YOWT save thread",
            "It keeps each shuttle in a drawer and so saves thread.",
        ),
        ("how much did it cost to spin Skein-1", "It was spun for a bargain of $900."),
        ("how does TNO sew", "Sews by pairs of threads."),
        ("what is treadle built on", "It builds on Warp of old."),
        (
            "do pedals work on Reed",
            "Pedals fail on Reed3 and others, says a study by Ada Moss of looms.",
        ),
        # it alone speaks of that name, again and again
        ("what prize does Gimp use", "No prize is given to Gimp but its own calm."),
        ("when can Gimp feel threads", "Gimp feels each thread, provided that it is dry."),
        ("does Quillnet need labels?", "needs no labels (e.g. of words; of lines)."),
    ],
)
def test_the_best_sentence_stands_first_as_it_is_stored(
    made_up: Database, question: str, first: str
) -> None:
    """Nothing of a sentence is changed, and the question's kind and paper choose it."""
    assert asyncio.run(made_up.read(find_quotes, question))[0].sentence == first


def test_the_first_quote_has_the_sentences_beside_it(bot: Broadsheet) -> None:
    """What completes it stands beside it: those of its paragraph, and none is quoted again."""
    [quote] = _quoted(bot, "how does YOWT save thread")
    assert quote == (
        "A loom of two passes. It keeps each shuttle in a drawer and so saves thread. With a fast"
        " shuttle it can save 30% of thread. Key points of the thread:"
    )
    assert _quoted(bot, "how many notebooks was Quillnet trained on?")[0] == (
        "It was trained on  3,500 notebooks; needs no labels (e.g. of words; of lines). The errors"
        " are halved."
    )


@pytest.mark.parametrize(
    "question",
    [
        "how many layers does Quillnet have?",  # no number of layers
        "who made Sparse Attention?",  # nobody is named
        "how many notebooks was Inkwell trained on?",  # not stored
        "what does Sparse Attention attend to?",  # a sentence too long to be quoted
        "what is the capital of France",
        "what are threads",  # only mentioned
        "what is the colour of Quillnet",
        "how many parameters does Reed have",  # only compared
        "how does Inkpot work",  # only compared, in its paper too
        "will Quillnet win",
        "why does Routing Experts route tokens",  # no reason
        "explain Reed to me",
        "what is Knot",  # only Knot+ is stored
        "how many fibres has Felt",  # the number is of another
        "who owns Quillnet",  # only who made it
        "what is the learning rate of treadle",  # neither word itself
        "can Quillnet read cats",  # it reads notes
        "why did Acme Labs sell Distaff",  # what it does by turning is no reason
        "why did Ada Moss quit her job",  # of her only what she studied
        "what is the difference between heddle and harness",  # another is better than both
        "what is ?",  # it asks for nothing
        "how does it do that",
    ],
)
def test_what_nothing_answers_is_refused(bot: Broadsheet, question: str) -> None:
    """Nothing is quoted then, it is said so, and the search is shown instead: no error."""
    reply = _ask(bot, question)
    assert [block for block in reply.blocks if isinstance(block, Quote)] == []
    assert isinstance(reply.blocks[0], Notice)
    assert plain_text(reply).startswith("Nothing stored answers that.")
    assert (reply.failed, reply.command) == (False, f"ask {question}")


def test_no_quote_is_far_worse_than_the_first(bot: Broadsheet) -> None:
    """A further sentence has to say nearly as much of what is asked."""
    [quote] = _quoted(bot, "why does quillnet keep one state")
    assert quote.startswith("Quillnet keeps")


def test_what_announces_a_list_is_not_quoted(made_up: Database) -> None:
    """A sentence that ends with a colon says nothing without what follows."""
    found = asyncio.run(made_up.read(find_quotes, "how does YOWT save thread"))
    assert "Key points of the thread:" not in [each.sentence for each in found]


def test_each_quote_has_its_paper(bot: Broadsheet) -> None:
    """The papers that are quoted stand below, each once, with what can be done with them."""
    reply = _ask(bot, "who made Quillnet?")
    assert plain_text(reply).splitlines()[:4] == [
        "who made Quillnet?",
        "",
        "> Acme Labs introduces Quillnet, a parser of hand-written notes.",
        "  Quillnet · #1 in dair, Jan 5–11, 2026",
    ]
    [papers] = [block for block in reply.blocks if isinstance(block, PaperList)]
    assert [paper.ref for paper in papers.papers] == ["dair:2026-01-05#1"]


def test_a_paper_of_two_sources_is_listed_once(database: Database) -> None:
    """Both are quoted, and the one paper below is the one that is spoken of."""
    again = entry(1, "Quillnet", "On 3,500 notebooks Quillnet was trained in a week.")
    for week, source in ((_WEEK, "dair"), (edition(again), "other")):
        asyncio.run(database.write(take_in, week, source))
    reply = _ask(bot_of(database), "how many notebooks was Quillnet trained on?")
    assert len([block for block in reply.blocks if isinstance(block, Quote)]) > 1
    [papers] = [block for block in reply.blocks if isinstance(block, PaperList)]
    assert [paper.ref for paper in papers.papers] == ["other:2026-01-05#1"]


def test_a_text_without_words_is_an_error(bot: Broadsheet) -> None:
    """There is nothing to look for in signs alone."""
    assert _ask(bot, "?!").failed
