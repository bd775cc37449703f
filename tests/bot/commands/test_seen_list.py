"""Papers spoken of by the list that was seen last: numbers, `it`, `more`; over pages and people."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.actor import Actor, ChannelInfo, Role
from bot.commands.types import BackgroundTasks
from bot.replies.blocks import PaperCard, PaperList, Reply
from bot.replies.plain_text import plain_text
from store.database import Database
from store.readers import seen_lists
from store.records import SeenList
from tests.bot.conftest import READER, Ask, FixedClock, answered, bot_of
from tests.bot.member_channels import Rooms
from tests.bot.replies.parts import pressed, refs
from tests.store.readers.test_seen_lists import posted

ANN = Actor("slack", "T1", "U1", Role.READER, channel="C1")
BEN = replace(ANN, user="U2")
SPARSE, SURVEY, ROUTING = (f"dair:2026-01-05#{rank}" for rank in (1, 2, 3))
EARLY, REWARDS = "dair:2025-12-29#1", "dair:2025-12-29#2"


class Talk:
    """Lines of several people, each a minute after the one before."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.at = FixedClock().at

    def __call__(self, text: str, actor: Actor = READER, key: str | None = None) -> Reply:
        """Return the answer to a line, after the list that it shows was noted."""
        self.at += timedelta(minutes=1)
        app = bot_of(self.database, FixedClock(self.at))

        async def said() -> Reply:
            reply = await app.run_text(text, actor, key)
            await app.wait()
            return reply

        return asyncio.run(said())


@pytest.fixture
def talk(filled: Database) -> Talk:
    """Return a way to talk to the bot over the filled store."""
    return Talk(filled)


def _card(reply: Reply) -> str:
    """Return the ref of the paper that an answer is about."""
    [card] = [block for block in reply.blocks if isinstance(block, PaperCard)]
    return card.ref


def _numbers(reply: Reply) -> list[str]:
    lists = [block for block in reply.blocks if isinstance(block, PaperList)]
    return [paper.number for block in lists for paper in block.papers]


@pytest.mark.parametrize("line", ["show 2", "2", "#2", "show the second one", "the second one"])
def test_a_number_is_of_the_list_seen_last(talk: Talk, line: str) -> None:
    """Before a list was seen it is the place in the newest edition."""
    assert talk("show 2").ran == f"show {SURVEY}"
    listed = refs(talk("search sparse"))
    assert listed[1] != SURVEY
    reply = talk(line)
    assert (_card(reply), reply.ran) == (listed[1], f"show {listed[1]}")


@pytest.mark.parametrize("line", ["another one", "more", "once again", "one more please"])
def test_a_random_paper_is_followed_by_another(talk: Talk, line: str) -> None:
    """Numbers are of the list that was seen before it."""
    listed = refs(talk("search sparse"))
    assert talk("random topic:agents").ran == "random topic:agents"
    again = talk(line)
    assert again.ran == "random topic:agents"
    assert talk("it").ran == f"show {_card(again)}"
    assert talk("show 2").ran == f"show {listed[1]}"


def test_numbers_go_on_over_pages(many: Ask) -> None:
    """What was listed before `more` keeps its number, and `back` shows it again."""
    first = many("search agents")
    second = many("more")
    seen = [*refs(first), *refs(second)]
    assert [*_numbers(first), *_numbers(second)] == [str(each + 1) for each in range(len(seen))]
    for number in (1, len(seen)):
        assert _card(many(f"show {number}")) == seen[number - 1]
    assert "That was all there is." in plain_text(many("more"))
    assert many("back").blocks == first.blocks
    many("show 2")
    assert many("back to the list").blocks == first.blocks


def test_going_back_changes_nothing(talk: Talk) -> None:
    """The list in the answer to a change is neither shown again nor narrowed: that repeats it."""
    manager = replace(ANN, role=Role.MANAGER, channels=Rooms([ChannelInfo("C1", "ml")]))
    assert refs(talk("subscribe monday 09:00", manager))
    talk("show 1", manager)
    assert "That was the first page." in plain_text(talk("back", manager))
    assert talk("only agents", manager).ran == "search topic:agents"


def test_before_any_list_there_is_no_page_to_go_back_to(talk: Talk) -> None:
    """That is said."""
    assert "That was the first page." in plain_text(talk("back"))


@pytest.mark.parametrize("line", ["12", "the ninth one", "1-2", "all of them", "it"])
def test_what_names_no_one_paper_is_a_choice(talk: Talk, line: str) -> None:
    """A number beyond the list, several papers or none: nothing is wrong, and nothing was run."""
    talk("latest")
    reply = talk(line)
    assert (reply.failed, reply.ran) == (False, None)
    assert pressed(reply)
    assert not any(talk(command).failed for command in pressed(reply).values())


def test_a_list_is_forgotten_after_an_hour(talk: Talk) -> None:
    """Then a number is of the newest edition again."""
    assert refs(talk("search rewards")) == [REWARDS]
    talk.at += timedelta(minutes=58)
    assert _card(talk("show 1")) == REWARDS
    talk.at += timedelta(minutes=2)
    assert _card(talk("show 1")) == SPARSE


def test_a_card_is_no_list(talk: Talk) -> None:
    """It is what `it` means, and the numbers are still those of the list."""
    talk("latest")
    talk("show 2")
    assert plain_text(talk("save it")).startswith("On your list: A Survey of Agents.")
    assert _card(talk("show 3")) == ROUTING
    assert _card(talk("it")) == ROUTING


def test_several_papers_are_saved_at_once(talk: Talk) -> None:
    """The answer names each, and taking back takes only those that were new."""
    talk("latest")
    talk("save 1")
    reply = talk("save 1-3")
    assert plain_text(reply).splitlines()[:5] == [
        "On your list: 2 papers.",
        "A Survey of Agents; Routing Experts.",
        "",
        "On your list already: 1 paper.",
        "Sparse Attention.",
    ]
    assert reply.ran == f"save {SPARSE},{SURVEY},{ROUTING}"
    assert sorted(refs(talk("saved"))) == [SPARSE, SURVEY, ROUTING]
    back = talk(pressed(reply)["Take back"])
    assert plain_text(back).startswith("Off your list: 2 papers.")
    assert refs(talk("saved")) == [SPARSE]
    talk(pressed(back)["Save again"])
    assert sorted(refs(talk("saved"))) == [SPARSE, SURVEY, ROUTING]


def test_a_repeated_request_saves_nothing_again(talk: Talk) -> None:
    """The platform's second try is answered as the first, and all of it was one write."""
    talk("latest")
    first = talk("save 1, 3", key="k")
    assert talk("save 1, 3", key="k") == first
    talk(f"unsave {SPARSE}")
    reply = talk("save 1, 3", key="k")
    assert "Off your list since: 1 paper.\nSparse Attention." in plain_text(reply)
    assert refs(talk("saved")) == [ROUTING]


@pytest.mark.parametrize("line", [f"save {ROUTING},{EARLY}", f"save {ROUTING}, 2601.00003"])
def test_a_paper_that_is_named_twice_is_saved_once(talk: Talk, line: str) -> None:
    """Two entries of one paper are one; so they are where it is taken off."""
    assert plain_text(talk(line)).startswith("On your list: Routing Experts.")
    talk(f"save {SPARSE}")
    assert len(refs(talk("saved"))) == 2
    removed = plain_text(talk(line.replace("save", "unsave") + f",{SPARSE}"))
    assert removed.startswith("Off your list: 2 papers.")
    assert removed.count("Routing Experts") == 1


def test_one_that_names_no_paper_saves_none(talk: Talk) -> None:
    """Of several papers all are saved or none."""
    assert talk(f"save {SPARSE},dair:2026-01-05#9").failed
    talk("latest")
    assert not talk("save 2-4").ran
    assert refs(talk("saved")) == []


def test_nobodys_list_is_anothers(talk: Talk) -> None:
    """An answer that one person sees alone is no list for others, or elsewhere."""
    assert refs(talk("search rewards", ANN)) == [REWARDS]
    for other in (BEN, replace(ANN, channel="C2"), replace(ANN, workspace="T2")):
        assert _card(talk("show 1", other)) == SPARSE
    assert _card(talk("show 1", ANN)) == REWARDS


def test_a_shared_answer_is_a_list_for_everyone_there(talk: Talk) -> None:
    """The later of one's own list and the shared one counts, in that channel alone."""
    talk("latest", BEN)
    talk("search rewards", replace(ANN, shares=True))
    assert _card(talk("show 1", BEN)) == REWARDS
    assert _card(talk("show 1", replace(BEN, channel="C2"))) == SPARSE
    talk("latest", BEN)
    assert _card(talk("show 1", BEN)) == SPARSE
    assert _card(talk("show 1", ANN)) == REWARDS


async def test_the_last_post_is_the_list_of_its_channel(filled: Database) -> None:
    """Without a list a number is the place in the post, however old; elsewhere in an edition."""
    clock = FixedClock()
    at = clock.at - timedelta(days=3)
    await posted(filled, "C1", (REWARDS, EARLY), ("paperdive:E31",), at=at, weeks=5)
    app = bot_of(filled, clock)
    for number, ref in enumerate((REWARDS, EARLY, "paperdive:E31"), start=1):
        assert (await app.run_text(f"show {number}", BEN)).ran == f"show {ref}"
    elsewhere = await app.run_text("show 1", replace(BEN, channel="C2"))
    assert elsewhere.ran == "show dair:2026-02-09#1"
    await answered(app, "search sparse attention", BEN)
    assert (await app.run_text("show 1", BEN)).ran == f"show {SPARSE}"


@pytest.mark.parametrize(
    ("line", "ran"),
    [
        ("who wrote it?", f"show {SPARSE}"),
        ("related", f"related {SPARSE}"),
        ("what does it attend to?", f"ask what does it attend to? of:{SPARSE}"),
        ("bookmark it", None),
    ],
)
async def test_the_thread_of_a_post_is_about_its_paper(
    filled: Database, line: str, ran: str | None
) -> None:
    """What is asked below a paper's post is about that paper, whatever was seen in the channel."""
    clock = FixedClock()
    at = clock.at - timedelta(days=30)
    _, message = await posted(filled, "C1", (REWARDS,), (SPARSE,), at=at, weeks=5)
    app = bot_of(filled, clock)
    await answered(app, "show 2026-01-05#2", ANN)
    below = replace(ANN, thread=message)
    reply = await answered(app, line, below)
    assert reply.ran == ran
    if ran is None:
        assert pressed(reply)["Save"] == f"save {SPARSE}"


async def test_a_question_in_another_thread_is_about_no_paper_by_itself(filled: Database) -> None:
    """A thread that hangs on somebody's words has no paper, whatever was looked at elsewhere.

    Numbers and `it` are of the place, which is the conversation with all of its threads.
    """
    app, below = bot_of(filled, FixedClock()), replace(ANN, thread="1700000000.000001")
    await answered(app, f"show {REWARDS}", ANN)
    reply = await answered(app, "what does it attend to?", below)
    assert reply.ran == "ask what does it attend to?"
    assert (await answered(app, "show it", below)).ran == f"show {REWARDS}"
    await answered(app, "search sparse attention", below)
    assert (await answered(app, "1", replace(ANN, thread="1700000000.000002"))).ran == (
        f"show {SPARSE}"
    )


async def test_what_was_seen_in_a_thread_comes_before_its_post(filled: Database) -> None:
    """A number is of the search that was made there; elsewhere in the channel it is not known."""
    clock = FixedClock()
    [message] = await posted(filled, "C1", (SPARSE,), at=clock.at - timedelta(days=30), weeks=5)
    app, below = bot_of(filled, clock), replace(ANN, thread=message)
    await answered(app, "search rewards", below)
    assert (await answered(app, "1", below)).ran == f"show {REWARDS}"
    assert (await answered(app, "1", replace(BEN, thread=message))).ran == f"show {SPARSE}"
    assert (await answered(app, "show 1", ANN)).ran == f"show {SPARSE}"


def test_a_private_list_that_is_shared_is_nobody_elses(talk: Talk) -> None:
    """A button that shares one's own list is refused, and tells others nothing of it."""
    talk(f"save {REWARDS}", ANN)
    talk("saved", replace(ANN, shares=True))
    assert _card(talk("show 1", BEN)) == SPARSE


def test_a_list_of_a_program_is_not_noted(talk: Talk) -> None:
    """A preview or a tool's answer leaves the numbers as they were."""
    talk("search rewards", replace(READER, remembers=False))
    assert _card(talk("show 1")) == SPARSE


def test_a_change_by_plain_words_is_made_by_its_button(talk: Talk) -> None:
    """Before it is pressed nothing is saved; then the paper of the list is."""
    talk("search rewards")
    asked = talk("bookmark the first one")
    assert (asked.ran, refs(talk("saved"))) == (None, [])
    assert pressed(asked)["Save"] == f"save {REWARDS}"
    assert plain_text(talk(pressed(asked)["Save"])).startswith("On your list: Sparse Rewards.")


def test_a_channel_command_is_shown_where_there_is_no_channel(talk: Talk) -> None:
    """In the terminal what is about a channel is answered with the line to type in one."""
    operator = replace(READER, role=Role.OPERATOR)
    for line in (
        "remind me every friday at 5pm about agents",
        "subscribe me to agents on fridays",
        "subscribe friday 5pm topic:agents",
    ):
        reply = talk(line, operator)
        assert not reply.failed
        told = "That is done in a channel. Type there:\n/papers subscribe friday"
        assert told in plain_text(reply)
    assert talk("subscribe friday 99pm", operator).failed


@pytest.mark.parametrize(
    ("listed", "line", "narrowed"),
    [
        ("search attention", "only 2025", "search attention since:2025-01-01 until:2025-12-31"),
        ("search attention", "just 2025", "search attention since:2025-01-01 until:2025-12-31"),
        ("search attention", "what about dair", "search attention from:dair"),
        ("search attention", "only the ones about exploration", "search attention exploration"),
        ("search attention", "show me only the ones about agents", "search attention topic:agents"),
        ("search memory from:dair", "same but on agents", "search memory topic:agents from:dair"),
        ("top 2026", "2025 only", "top since:2025-01-01 until:2025-12-31"),
    ],
)  # fmt: skip
def test_filters_alone_narrow_the_list_seen_last(
    talk: Talk, listed: str, line: str, narrowed: str
) -> None:
    """They are added to its command from the first page on; a period takes the place of another."""
    talk(listed)
    assert talk(line).ran == narrowed


def test_a_topic_that_is_denied_narrows_a_search(talk: Talk) -> None:
    """It is left out of the words that were looked for."""
    talk("search attention")
    assert talk("without surveys").ran == "search attention -surveys"


def test_what_narrows_no_list_is_a_search(talk: Talk) -> None:
    """Without a list, after an hour and after one that takes no filters."""
    alone = "search since:2025-01-01 until:2025-12-31"
    assert talk("only 2025").ran == alone
    talk("week 2026-W01")
    assert talk("only 2025").ran == alone
    talk("search attention")
    talk.at += timedelta(hours=2)
    assert talk("only 2025").ran == alone


def test_nobody_narrows_the_private_list_of_another(talk: Talk) -> None:
    """What one saw is narrowed by them alone; what was shared there by everyone there."""
    talk("search attention", ANN)
    assert talk("only 2025", BEN).ran == "search since:2025-01-01 until:2025-12-31"
    talk("search memory", replace(ANN, shares=True))
    assert talk("only 2025", BEN).ran == "search memory since:2025-01-01 until:2025-12-31"


async def test_a_number_waits_for_the_list_before(filled: Database) -> None:
    """It counts in the list that was just answered, however long the store takes to note that."""
    background, noting = BackgroundTasks(), asyncio.Event()
    clock = FixedClock()
    seen = SeenList((ROUTING, SPARSE), 1, None, None, None, clock.now())

    async def note() -> None:
        await noting.wait()
        await filled.write(seen_lists.note, READER.person, READER.workspace, seen)

    bot = bot_of(filled, clock, background=background)
    await bot.run_text("latest", READER)
    await bot.wait()
    background.start(note(), READER.person)
    shown = asyncio.create_task(bot.run_text("show 1", READER))
    assert not (await asyncio.wait({shown}, timeout=0.5))[0]
    noting.set()
    assert _card(await shown) == ROUTING
