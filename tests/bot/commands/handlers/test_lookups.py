"""Every command, asked as a reader asks and read as a screen reader reads."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from bot.actor import Role
from bot.app import Broadsheet
from bot.commands.handlers import COMMANDS
from bot.commands.permissions import may
from bot.domain.drafts import DocumentKind
from bot.replies.blocks import Fields, Pager, PaperCard, PaperList, Reply, Text, to_json
from bot.replies.plain_text import plain_text
from bot.replies.wording import moment
from store.database import Database
from tests.bot.conftest import READER, Ask, FixedClock, answered, bot_of
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import NOW, stored, take_in
from tests.bot.replies.parts import commands, titles


def _ways(reply: Reply) -> tuple[str | None, str | None]:
    [pager] = [block for block in reply.blocks if isinstance(block, Pager)]
    return pager.previous, pager.next


@pytest.mark.parametrize("text", ["", "latest", "LATEST", "/latest", "lookup latest"])
def test_latest_shows_the_newest_edition(ask: Ask, text: str) -> None:
    """Nothing at all, the name in any case, and the group with the name are one command."""
    assert plain_text(ask(text)).splitlines() == [
        "Top Papers of the Week · Jan 5–11, 2026",
        "",
        "from dair · 3 papers · 1 minute · year inferred from the weekday",
        "",
        "1  Sparse Attention",
        "   Attends to few tokens",
        "   architectures · dair:2026-01-05#1",
        "2  A Survey of Agents",
        "   Attention, tools and memory",
        "   agents, surveys · dair:2026-01-05#2",
        "3  Routing Experts",
        "   Routes tokens",
        "   mixture-of-experts · dair:2026-01-05#3",
        "",
        "Week 2026-W02",
        "  > week 2026-W01 from:dair",
        "    Previous",
    ]


def test_latest_of_a_source_is_that_sources(ask: Ask) -> None:
    """`from:` bounds the newest to one source, with its overview, minutes and headings."""
    text = plain_text(ask("latest from:paperdive"))
    assert "from paperdive · 1 paper · 12 minutes" in text
    assert "An overview." in text
    assert "1  When to stop" in text
    assert "E31 · retrieval · paperdive:E31" in text


@pytest.mark.parametrize(
    "text",
    [
        "show 3",
        "show #3",
        "show 2026-01-05#3",
        "show dair:2026-01-05#3",
        "show 2601.00003",
        "show arXiv:2601.00003v2",
        "show https://arxiv.org/pdf/2601.00003v1",
        "show routing experts",
        "show Routing",
    ],
)
def test_a_paper_has_many_names(ask: Ask, text: str) -> None:
    """Number, day and number, ref, arXiv id or address, title or its words: one paper."""
    if text == "show Routing":  # its two titles are of one paper
        text = "show routing experts"
    [card, *_] = ask(text).blocks
    assert isinstance(card, PaperCard)
    assert card.ref == "dair:2026-01-05#3"


def test_show_says_where_else_a_paper_was_featured(ask: Ask) -> None:
    """A paper that two editions name is shown with both places, this edition's first."""
    text = plain_text(ask("show 3"))
    assert "#3 in dair, Jan 5–11, 2026 · #1 in dair, Dec 29, 2025 – Jan 4, 2026" in text
    assert "Paper: https://arxiv.org/abs/2601.00003" in text


def test_show_offers_what_is_related(ask: Ask) -> None:
    """The likest other papers stand below, with a button for more; `related` lists them."""
    reply = ask("show 1")
    assert "Related:" in plain_text(reply)
    assert commands(reply) == [
        "save dair:2026-01-05#1",
        "vote dair:2026-01-05#1 in:card",
        "related dair:2026-01-05#1",
    ]
    listed = ask("related dair:2026-01-05#1")
    assert titles(listed) == ["Sparse Rewards", "A Survey of Agents"]
    assert commands(listed) == ["show dair:2026-01-05#1"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("related 1", "Only 2 papers are much like it."),
        ("related 2", "Only 1 paper is much like it."),
        ("related 3", "No other paper is much like it."),
    ],
)
def test_related_says_where_few_are_like_a_paper(ask: Ask, line: str, said: str) -> None:
    """Fewer than three are shown rather than some that are not like it."""
    assert said in plain_text(ask(line))


def test_a_spelling_that_no_paper_has_is_corrected_and_said(ask: Ask) -> None:
    """The answer is for the nearest words there are, and says so."""
    reply = ask("search sparse atention")
    text = plain_text(reply)
    assert "Papers for sparse attention" in text
    assert "No paper spells it 'sparse atention'; this is the nearest." in text
    assert titles(reply)[0] == "Sparse Attention"


def test_what_holds_most_words_stands_below_what_holds_all(ask: Ask) -> None:
    """The answer tells the two apart, and says so where no paper holds every word."""
    assert "No paper has all the words. These have most of the words:" in plain_text(
        ask("search sparse attention exploration")
    )
    both = plain_text(ask("search sparse attention"))
    assert "No paper has all the words." not in both
    assert both.index("Sparse Attention") < both.index("These have most of the words:")
    assert both.index("These have most of the words:") < both.index("Sparse Rewards")


def test_show_names_heading_and_section_of_an_episode(ask: Ask) -> None:
    """A card of a review says under which theme and section it stood."""
    text = plain_text(ask("show e31"))
    assert "E31 in paperdive, Dec 22–28, 2025 · Search · Stopping" in text


def test_several_papers_that_fit_are_offered(ask: Ask) -> None:
    """Words of two titles get a question with a button for each, which is no error."""
    reply = ask("show sparse")
    assert (reply.failed, reply.ran) == (False, None)
    assert "Several papers fit 'sparse'." in plain_text(reply)
    assert sorted(commands(reply)) == ["show dair:2025-12-29#2", "show dair:2026-01-05#1"]


@pytest.mark.parametrize(
    ("text", "sentence", "button"),
    [
        (
            "show 12",
            "The newest edition has no paper 12; it has 3 papers.",
            "show dair:2026-01-05#3",
        ),
        (
            "show sparse zebras",
            "No title holds the words 'sparse zebras'.",
            "show dair:2026-01-05#1",
        ),
        ("show 2601.99999", "No edition that is stored names the paper 2601.99999.", None),
        ("show E30", "No edition that is stored names the paper E30.", "show paperdive:E31"),
        (
            "show 2026-01-05#9",
            "No edition that is stored names the paper 2026-01-05#9.",
            "show dair:2026-01-05#3",
        ),
        (
            "related 2601.0003",
            "No edition that is stored names the paper 2601.0003.",
            "related dair:2026-01-05#3",
        ),
        ("show 2026-13-45#1", "2026-13-45 is no day of the calendar.", None),
        ("show", "show needs a paper.", "show dair:2026-01-05#1"),
        ("latest from:diar", "There is no source 'diar'.", "latest from:dair"),
        ("latest from:dair from:dair", "from: is given twice.", None),
        ("search moe from:diar", "There is no source 'diar'.", "search moe from:dair"),
        ("week", "week needs a week.", "week 2026-W02"),
        ("week soon", "I can't read 'soon' as a week, source or topic.", "week 2026-W02"),
        ("week 2026-W60", "I can't read '2026-W60' as a week, source or topic.", "week 2026-W02"),
        ("topic robotics", "No paper on robotics is stored yet.", "topic architectures"),
        ("topic agents page:9", "agents has no page so far on.", "topic agents"),
        ("search attention page:9", "This search has no page so far on.", "search attention"),
        ("week 2026-W02 page:2", "This edition has no page so far on.", "week 2026-W02 from:dair"),
        ("random topic:robotics", "No paper on robotics is stored yet.", "topic architectures"),
        ("random topic:nothing", "topic: There is no topic 'nothing'.", "search nothing"),
        ("related zebras", "No title holds the words 'zebras'.", None),
        ("search", "search needs a query.", "search attention"),
        ("search ?!", "There is no word to look for in '?!'.", "search reasoning"),
        ("search moe since:soon", "since: I can't read 'soon' as a period.", None),
        ("search moe until:2026-02-30", "until: There is no such day as '2026-02-30'.", None),
        ("search moe page:0", "A page has a number from 1, not '0'.", "search moe page:1"),
        ("help dance", "There is no command 'dance'.", None),
        ("help serach", "There is no command 'serach'.", "help search"),
        ('latest from:""', "There is no source ''.", None),
        ('search moe page:""', "A page has a number from 1, not ''.", None),
        (f"search moe page:{'9' * 900}", "A page has a number from 1", None),
    ],
)
def test_a_wrong_argument_gets_a_sentence_and_the_nearest_right_thing(
    ask: Ask, text: str, sentence: str, button: str | None
) -> None:
    """The understood text, the expected one, and suggestions."""
    reply = ask(text)
    assert reply.failed
    assert sentence in plain_text(reply)
    if button:
        assert button in commands(reply)


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        ("serach routing", "search routing"),
        ("sources now", "sources"),
        ("latest now", "latest"),
        ("dance", "search dance"),
    ],
)
def test_a_mistyped_line_is_read_as_what_it_means(ask: Ask, text: str, ran: str) -> None:
    """The answer says what the line was read as: a near command, a topic, or else a search."""
    reply = ask(text)
    assert (reply.failed, reply.ran) == (False, ran)
    assert plain_text(reply).startswith(f"Read as: {ran}")


def test_a_mistyped_command_alone_asks_for_what_it_needs(ask: Ask) -> None:
    """The command that was meant is not run without its arguments, and nothing is wrong."""
    reply = ask("serach")
    assert (reply.failed, reply.ran) == (False, None)
    assert "search needs a query." in plain_text(reply)
    assert "search attention" in commands(reply)


@pytest.mark.parametrize(
    ("ref", "said", "offered"),
    [
        ("dair:2026-01-05#9", "That paper is no longer in dair, Jan 5–11, 2026.", True),
        ("dair:2026-01-12#1", "That paper is no longer in any edition.", False),
        ("elsewhere:2026-01-05#1", "That paper is no longer in any edition.", False),
    ],
)
@pytest.mark.parametrize("command", ["show", "save", "vote", "unsave", "related"])
def test_a_paper_that_is_gone_is_told_as_such(
    ask: Ask,
    command: str,
    ref: str,
    said: str,
    offered: bool,  # noqa: FBT001 - drawn
) -> None:
    """An old button of a paper that a correction dropped leads to what is there now."""
    reply = ask(f"{command} {ref}")
    assert reply.failed
    assert plain_text(reply).splitlines()[0] == said
    assert commands(reply) == (["week 2026-W02 from:dair"] if offered else [])


def test_search_lists_hits_with_their_reason(ask: Ask) -> None:
    """Each hit says where it stood and shows the sentence that holds the words."""
    reply = ask("search memory tools")
    assert titles(reply)[0] == "A Survey of Agents"
    text = plain_text(reply)
    assert "Attention, tools and memory." in text
    assert "#2 in dair, Jan 5–11, 2026 · agents, surveys · dair:2026-01-05#2" in text


def test_search_takes_filters_anywhere(ask: Ask) -> None:
    """Filters may stand before, between and after the words."""
    assert titles(ask("search from:paperdive longer look")) == ["When to stop"]
    assert titles(ask("search sparse until:2026-01-04")) == ["Sparse Rewards"]
    assert titles(ask("search sparse since:2026-01-05")) == ["Sparse Attention"]
    assert titles(ask("search sparse -rewards")) == ["Sparse Attention"]


def test_search_that_finds_nothing_offers_the_newest(ask: Ask) -> None:
    """No hit is no failure: the answer says so and shows a way on."""
    reply = ask("search zebra")
    assert not reply.failed
    assert "No paper matches zebra." in plain_text(reply)
    assert commands(reply) == ["latest"]


def test_a_search_that_finds_nothing_offers_searches_like_it(ask: Ask) -> None:
    """Words that may have been meant, and the same words without the filters that keep all out."""
    assert commands(ask("search ruotign")) == ["search routing", "latest"]
    assert commands(ask("search survey since:2026-02")) == [
        "search survey since:2026-01-01 until:2026-01-31",
        "search survey",
        "latest",
    ]
    assert commands(ask("search ruotign from:dair")) == ["search routing from:dair", "latest"]
    assert commands(ask("search ruotign from:paperdive")) == ["latest"]
    assert commands(ask('search "tokens routes"')) == ["search tokens routes", "latest"]


def test_what_was_typed_is_said_back_as_it_stands(ask: Ask) -> None:
    """Signs that join others, as in emoji and in Persian, are shown and not spelt out."""
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}"
    assert f"'{family}'" in plain_text(ask(f"latest from:{family}"))
    assert '"it\'s"' in plain_text(ask("week it's"))


def test_help_lists_what_may_be_asked(ask: Ask) -> None:
    """Five tasks come with examples; then every command that the user may use is named."""
    _, how, tasks, _, _, names = ask("help").blocks
    assert how == Text("Type one of these, or ask in your own words.")
    assert isinstance(tasks, Fields)
    assert [examples for _, examples in tasks.pairs[:2]] == [
        "latest · week last week · brief 10",
        "search mixture of experts · topic agents · top 2025",
    ]
    assert isinstance(names, Fields)
    named = {name for _, group in names.pairs for name in group.split(", ")}
    assert named == {each.name for each in COMMANDS if may(READER, each)}


def test_help_offers_nothing_that_changes_what_one_has(ask: Ask) -> None:
    """The buttons of examples save, note, vote for and delete nothing."""
    offered = {line.partition(" ")[0] for line in commands(ask("help"))}
    assert {"latest", "saved"} <= offered
    assert not offered & {"save", "unsave", "note", "vote", "forget", "subscribe", "settings"}


def test_help_of_a_command_says_all_about_it(ask: Ask) -> None:
    """Usage, arguments and examples of one command."""
    text = plain_text(ask("help search"))
    usage = "search [WORDS…] [topic:TOPIC] [from:SOURCE] [author:AUTHOR] [since:PERIOD]"
    assert usage in text
    assert '"a phrase"' in text
    assert "Examples: search attention · " in text


def test_help_speaks_of_options_where_arguments_have_names(filled: Database) -> None:
    """Users of typed options read their names, and examples with them."""
    app = bot_of(filled)
    asker = replace(READER, role=Role.MANAGER, by_name=True)

    def asked(line: str) -> str:
        return plain_text(asyncio.run(app.run_text(line, asker)))

    everything, search = asked("help"), asked("help search")
    assert "search query:mixture of experts · topic topic:agents" in everything
    assert "channel subscribe day:monday time:09:00" in everything
    assert "WORDS" not in everything + search
    assert "Examples: search query:attention · " in search


def test_a_week_shows_its_editions(ask: Ask) -> None:
    """A week with one edition shows it; one without offers the nearest before and after."""
    found, missing = ask("week 2026-W02"), ask("week last week from:dair")
    assert titles(found) == titles(ask("latest"))
    assert not missing.failed
    assert "There is no edition of dair for week 2026-W46" in plain_text(missing)
    assert commands(missing) == ["week 2026-W02 from:dair"]


def test_a_week_of_several_editions_has_a_button_a_source(two_sources: Ask) -> None:
    """Each edition's first papers, then a button for each, then the weeks beside it."""
    reply = two_sources("week 2026-W02")
    assert "Week 2026-W02 · Jan 5–11, 2026" in plain_text(reply)
    each = ["week 2026-W02 from:dair", "week 2026-W02 from:other", "consensus 2026-W02"]
    assert commands(reply) == each
    assert commands(two_sources("week jan 5 from:dair")) == ["consensus 2026-W02", each[1]]
    pagers = [block for block in reply.blocks if isinstance(block, Pager)]
    assert [(pager.previous, pager.next) for pager in pagers] == [("week 2026-W01", None)]


def test_this_week_is_the_askers(filled: Database) -> None:
    """Between two zones the day differs, and on a Sunday evening the week."""
    app = bot_of(filled, FixedClock(datetime(2026, 1, 11, 23, tzinfo=UTC)))

    def this_week(zone: str | None) -> str:
        return plain_text(asyncio.run(app.run_text("week this week", replace(READER, zone=zone))))

    assert "Jan 5–11, 2026" in this_week(None).splitlines()[0]
    assert "no edition for week 2026-W03" in this_week("Asia/Tokyo")


def test_a_topic_lists_its_papers_newest_first(ask: Ask) -> None:
    """A paper is listed once, with its place; another name of the topic finds it too."""
    reply = ask("topic moe")
    assert titles(reply) == ["Routing Experts"]
    assert "1 paper, newest first" in plain_text(reply)
    assert "#3 in dair" in plain_text(reply)


def test_topics_are_listed_with_their_counts(ask: Ask) -> None:
    """Without a name the topics are listed with their counts, the most frequent first."""
    text = plain_text(ask("topic"))
    assert "surveys · 1 paper" in text
    assert "topic architectures" in commands(ask("topic"))


async def test_papers_without_a_topic_are_no_empty_store(database: Database) -> None:
    """If editions are stored and no paper has a topic, the answer says so."""
    await stored(database, edition(entry(1, "On Nothing in Particular")))
    app = bot_of(database)
    for line in ("topic", "topic rag"):
        assert "No paper has a topic yet." in plain_text(await app.run_text(line, READER))


def test_long_lists_have_pages(many: Ask) -> None:
    """Next and Previous lead through the whole list, and the first page has its plain name."""
    first, second = many("topic agents"), many("topic agents page:2")
    assert len(titles(first)) == 10
    assert len(titles(second)) == 2
    assert set(titles(first)).isdisjoint(titles(second))
    assert [_ways(first), _ways(second)] == [
        (None, "topic agents page:2"),
        ("topic agents", None),
    ]
    found = many("search agents from:dair")
    assert _ways(found) == (None, "search agents from:dair page:2")
    assert _ways(many("search agents from:dair page:2")) == ("search agents from:dair", None)


def test_random_keeps_to_its_topic(filled: Database) -> None:
    """Every throw gives a paper of the topic, in time each, and a button for another."""
    dice = Random(1)  # noqa: S311 - throws that repeat, not a secret
    app = bot_of(filled, dice=dice)
    seen = set()
    for _ in range(40):
        reply = asyncio.run(app.run_text("random", READER))
        [card, *_] = reply.blocks
        assert isinstance(card, PaperCard)
        seen.add(card.title)
    assert len(seen) == 5
    reply = asyncio.run(app.run_text("random moe", READER))
    assert commands(reply)[-2:] == [
        "vote dair:2026-01-05#3 in:card",
        "random topic:mixture-of-experts",
    ]
    assert "Routing Experts" in plain_text(reply)


def test_sources_say_how_fresh_they_are(ask: Ask) -> None:
    """Each source with its title, its newest day, the age of that, and what is stored."""
    reply = ask("sources")
    assert (
        "Dair · Newest: Jan 11, 2026 (10 months ago) · Stored: 2 editions, 5 entries"
        in plain_text(reply)
    )
    assert commands(reply) == ["latest from:dair", "latest from:paperdive"]


def test_status_says_how_everything_stands(ask: Ask) -> None:
    """Numbers of editions and papers, each source's age, the newest import, and what is posted."""
    text = plain_text(ask("status"))
    assert "Stored: 3 editions with 5 papers." in text
    assert "No channel gets posts yet." in text
    assert f"Newest import  {moment(NOW, 'UTC')}" in text


def test_status_tells_instants_where_the_asker_is(filled: Database) -> None:
    """In the user's own zone, if it is known."""
    app = bot_of(filled)
    asker = replace(READER, zone="Asia/Tokyo")
    text = plain_text(asyncio.run(app.run_text("status", asker)))
    assert f"Newest import  {moment(NOW, 'Asia/Tokyo')}" in text


def test_status_of_an_empty_store_has_no_import(empty_app: Broadsheet) -> None:
    """Before the first import there is no instant to tell."""
    text = plain_text(asyncio.run(empty_app.run_text("status", READER)))
    assert "Stored: 0 editions with 0 papers." in text
    assert "Newest import" not in text


@pytest.mark.parametrize(
    "text",
    ["latest", "show 1", "show some words", "week 2026-W02", "related 1", "random", "topic",
     "topic rag", "sources"],
)  # fmt: skip
def test_an_empty_store_says_what_to_do(empty_app: Broadsheet, text: str) -> None:
    """Before anything is imported every lookup answers in words."""
    reply = asyncio.run(empty_app.run_text(text, READER))
    assert reply.failed
    assert "broadsheet import FILE" in plain_text(reply) or "No title holds" in plain_text(reply)


def test_blocks_travel_as_json(ask: Ask) -> None:
    """Each block is an object with its type, lists as arrays, and nothing but JSON values."""
    blocks = to_json(ask("show 3"))
    types = [block["type"] for block in blocks]
    assert types == ["paper_card", "fields", "actions"]
    assert blocks[0]["links"] == [{"label": "Paper", "url": "https://arxiv.org/abs/2601.00003"}]


async def test_a_week_that_still_grows_is_shown_only_where_it_is_asked_for(
    database: Database,
) -> None:
    """By its week or its source, and then as what there is so far; once it is over, as others."""
    await stored(database, edition(entry(1, "Printed")))
    later = MONDAY + timedelta(days=7)
    listed = replace(
        edition(entry(1, "Voted")),
        kind=DocumentKind.HF_DAILY,
        title="Daily Papers",
        first_day=later,
        last_day=later + timedelta(days=6),
    )
    await stored(database, listed, slug="hf-daily")

    async def asked(line: str, day: int) -> str:
        at = datetime(2026, 1, day, 12, tzinfo=UTC)
        app = Broadsheet(database, FixedClock(at), COMMANDS, "UTC")
        return plain_text(await app.run_text(line, READER))

    for line, day, title, so_far in (
        ("latest", 18, "Printed", False),
        ("show 1", 18, "Printed", False),
        ("latest from:hf-daily", 18, "Voted", True),
        ("week 2026-W03", 18, "Voted", True),
        ("latest", 19, "Voted", False),
        ("show 1", 19, "Voted", False),
    ):
        answer = await asked(line, day)
        assert title in answer, line
        assert ("so far" in answer.splitlines()[0]) is so_far, line


_PAPERS = 120
_NEXT_WEEK = MONDAY + timedelta(days=7)


def _asked_of_many(database: Database, *lines: str) -> list[Reply]:
    papers = (entry(rank, f"Agents, part {rank}") for rank in range(1, _PAPERS + 1))
    few = edition(entry(1, "A later one"), first_day=_NEXT_WEEK + timedelta(days=7))
    asyncio.run(database.write(take_in, few, "long"))
    asyncio.run(database.write(take_in, edition(*papers, first_day=_NEXT_WEEK), "long"))
    app = bot_of(database)

    async def ask() -> list[Reply]:
        return [await answered(app, line, READER) for line in lines]

    return asyncio.run(ask())


def _numbers(reply: Reply) -> list[str]:
    lists = [block for block in reply.blocks if isinstance(block, PaperList)]
    return [paper.number for block in lists for paper in block.papers]


def _pager(reply: Reply) -> Pager:
    [pager] = [block for block in reply.blocks if isinstance(block, Pager)]
    return pager


def test_a_long_edition_is_shown_page_by_page(filled: Database) -> None:
    """Numbers go on over pages; before the first and behind the last are the other weeks."""
    week = "week 2026-W03 from:long"
    pages = _asked_of_many(filled, week, f"{week} page:2", f"{week} page:3")
    assert [len(_numbers(page)) for page in pages] == [50, 50, 20]
    numbers = [number for page in pages for number in _numbers(page)]
    assert numbers == [str(number) for number in range(1, _PAPERS + 1)]
    assert [(_pager(page).previous, _pager(page).next) for page in pages] == [
        (None, f"{week} page:2"),
        (week, f"{week} page:3"),
        (f"{week} page:2", "week 2026-W04 from:long"),
    ]
    assert _pager(pages[1]).position == "Week 2026-W03, 51\u2013100 of 120"
