"""Posts of long, odd and real editions, laid out for the platforms: each message is one message."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from importlib.resources import files
from itertools import cycle, product

import pytest

from adapters.discord.render import render_message as in_discord
from adapters.slack.render import message as slack_message
from adapters.slack.render import render_message as in_slack
from bot.domain.drafts import ParseOptions
from bot.ingest import documents
from bot.ingest.decide import compute
from bot.posting.digest.layouts import Post, lay_out_post, redraw
from bot.posting.digest.paper_list import Fits
from bot.replies.blocks import Reply
from bot.replies.plain_text import plain_text
from store.records import Edition, Entry, Highlight, Layout, Link
from tests.adapters.slack.payload_rules import judge_message
from tests.bot.posting.digest.editions import order, paper, titles, week
from tests.shared_data import shared_file

_KEY = "k" * 25
_HOSTILE = (
    "@everyone <!channel> <@U1> *bold* _under_ `code` [words](https://example.org/)",
    "```\n# heading\n> quotation\n- list\n1. number\n```",
    "👩‍🚀" * 30,
    "深度学习。" * 30,
    "\u202eturned \x1b[31mred\x07",
    '"quoted" \\back\\ &amp; <b>',
    "x" * 600,
)


def _slack(reply: Reply) -> bool:
    return in_slack(reply).parts == 1


def _discord(reply: Reply) -> bool:
    return in_discord(reply, key=_KEY).parts == 1


_PLATFORMS = [pytest.param(_slack, id="slack"), pytest.param(_discord, id="discord")]


def _hostile(rank: int, times: int) -> Entry:
    """Return a paper whose every text is hostile, and many times as long as usual."""
    words = " ".join(_HOSTILE[(rank + place) % len(_HOSTILE)] for place in range(times))
    return paper(
        rank,
        f"{rank} {words}",
        "agents",
        summary=f"{words}. " * times,
        heading=words,
        highlights=tuple(Highlight(words, f"{words}. " * 3) for _ in range(times)),
        links=tuple(Link(words, f"https://example.org/{place}?q=(a)") for place in range(times)),
        arxiv_id="2601.00001",
    )


_EDITIONS = [
    pytest.param(week(*(_hostile(rank, 1) for rank in range(1, 26))), id="odd"),
    pytest.param(
        week(*(_hostile(rank, 8) for rank in range(1, 9)), overview=" ".join(_HOSTILE) * 20),
        id="odd-and-long",
    ),
    pytest.param(
        week(
            *(
                paper(rank, f"A title of a usual length {rank}", summary="A sentence. " * 90)
                for rank in range(1, 21)
            ),
            overview="An overview of some length. " * 60,
        ),
        id="long",
    ),
    pytest.param(week(paper(1, " ", summary="", highlights=())), id="blank"),
]


def _posted(edition: Edition, layout: Layout, fits: Fits, size: int) -> Post:
    made = lay_out_post(edition, order(layout, size=size), fits)
    assert made
    return made


def _refs(made: Post) -> list[str]:
    return [ref for draft in made.messages for ref in draft.refs]


@pytest.mark.parametrize("fits", _PLATFORMS)
@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("edition", _EDITIONS)
def test_any_edition_fits(edition: Edition, layout: Layout, fits: Fits) -> None:
    """Each message of a post fits, and no paper is missing, however long and odd the texts are.

    In Slack each is within every limit that Slack documents.
    """
    made = _posted(edition, layout, fits, size=25)
    assert [draft.reply for draft in made.messages if not fits(draft.reply)] == []
    assert _refs(made) == [entry.ref for entry in edition.entries]
    shown = sum(len(titles(draft.reply)) for draft in made.messages)
    assert shown == len(edition.entries) * (2 if layout is Layout.THREAD else 1)
    if fits is _slack:
        for draft in made.messages:
            judge_message(slack_message(in_slack(draft.reply)))


@pytest.mark.parametrize("fits", _PLATFORMS)
@pytest.mark.parametrize("layout", Layout)
def test_corrections_fit(layout: Layout, fits: Fits) -> None:
    """A message whose papers all grew after it was posted is still one message."""
    before = week(*(paper(rank) for rank in range(1, 11)))
    after = week(*(_hostile(rank, 8) for rank in range(1, 11)), overview="Grown. " * 900)
    shown = 0
    for number, draft in enumerate(_posted(before, layout, fits, size=10).messages, start=1):
        said = redraw(
            after,
            order(layout),
            draft.refs,
            number=number,
            threaded=draft.threaded,
            before=shown,
            fits=fits,
        )
        assert fits(said)
        shown += len(draft.refs)


def test_usual_titles_are_never_cut() -> None:
    """A list of 25 papers has room for their whole titles in one message of either platform."""
    edition = week(*(paper(rank, f"{rank}: {'a usual title ' * 6}") for rank in range(1, 26)))
    for fits in (_slack, _discord):
        [draft] = _posted(edition, Layout.COMPACT, fits, size=25).messages
        assert titles(draft.reply) == [entry.title for entry in edition.entries]


# Of the real editions and the bundled ones; those of most text are the first to be cut.
_LONGEST = 20


def _length(edition: Edition) -> int:
    return sum(len(entry.title) + len(entry.summary or "") for entry in edition.entries)


def _real(name: str, source: str) -> list[Edition]:
    document = documents.read(name, shared_file(name).read_bytes()).document
    parsed = documents.parse(document, ParseOptions(today=date(2026, 11, 1)))
    return [compute(source, [draft])[0] for draft in parsed.editions]


def _bundled() -> list[Edition]:
    found = []
    for each in sorted((files("bot.ingest") / "samples").iterdir(), key=lambda entry: entry.name):
        if each.name.endswith(".txt"):
            document = documents.read(each.name, each.read_bytes()).document
            parsed = documents.parse(document, ParseOptions(today=date(2026, 11, 1)))
            found += [compute("sample", [draft])[0] for draft in parsed.editions]
    return found


def _check(editions: Sequence[Edition], fits: Fits) -> None:
    """Post editions: all fits, and nothing of a paper is cut.

    The longest are posted in every layout, the others in one layout each, by turns.
    """
    ranked = sorted(editions, key=_length, reverse=True)
    by_turns = zip(ranked[_LONGEST:], cycle(Layout), strict=False)
    for edition, layout in (*product(ranked[:_LONGEST], Layout), *by_turns):
        made = _posted(edition, layout, fits, size=25)
        assert all(fits(draft.reply) for draft in made.messages)
        assert _refs(made) == [entry.ref for entry in edition.entries]
        assert not any("Left out" in plain_text(draft.reply) for draft in made.messages)


@pytest.mark.parametrize("fits", _PLATFORMS)
def test_bundled_editions_are_whole(fits: Fits) -> None:
    """The bundled editions fit without a cut."""
    _check(_bundled(), fits)


@pytest.mark.parametrize("fits", _PLATFORMS)
@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("seeds/000_6b97a1adf3c6bd05.txt", "dair"),
        ("seeds/001_60719b701ad4a391.txt", "paperdive"),
        ("seeds/002_dc9cd6f66951fc0f.txt", "dair"),
        ("archive-README.md", "dair"),
    ],
)
def test_real_editions_are_whole(name: str, source: str, fits: Fits) -> None:
    """The real editions fit without a cut."""
    _check([replace(edition, sample=False) for edition in _real(name, source)], fits)
