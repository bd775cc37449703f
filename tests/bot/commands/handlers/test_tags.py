"""Tags of saved papers in the command layer: given, read, taken off, and back again."""

import asyncio
import json
import string
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.actor import Actor
from bot.commands.params.tags import tag_of
from bot.commands.types import PRESSED, TYPED, LineOrigin
from bot.errors import ArgumentError
from bot.replies.blocks import Pager, PaperLine, PaperList, Reply
from bot.replies.plain_text import plain_text
from store.database import Database
from store.readers import saved
from tests.bot.conftest import READER, Ask, FixedClock, answered, bot_of
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.bot.ingest.imports import take_in
from tests.bot.member_channels import bot_over
from tests.bot.replies.parts import first_line, pressed, refs

OTHER = replace(READER, user="other")
ELSEWHERE = replace(READER, workspace="elsewhere")
SPARSE, AGENTS, EXPERTS = (f"dair:2026-01-05#{rank}" for rank in (1, 2, 3))


def _asking(database: Database, actor: Actor = READER, origin: LineOrigin = TYPED) -> Ask:
    """Return a way to ask, a minute after the time before."""
    clock, minutes = FixedClock(), iter(range(1000))

    def ask(text: str) -> Reply:
        at = clock.at + timedelta(minutes=next(minutes))
        return asyncio.run(answered(bot_over(database, FixedClock(at)), text, actor, origin))

    return ask


def _tags(database: Database, actor: Actor = READER) -> dict[str, tuple[str, ...]]:
    """Return the tags of each paper on somebody's list, the last saved first."""
    found = asyncio.run(database.read(saved.list_all, actor.person))
    return {paper.ref: paper.tags for paper in found}


def _lines(reply: Reply) -> list[PaperLine]:
    return [line for each in reply.blocks if isinstance(each, PaperList) for line in each.papers]


def test_a_paper_is_saved_with_tags(filled: Database) -> None:
    """Another tag is added to those it has, and each answer says what is new."""
    ask = _asking(filled)
    assert first_line(ask("save 3 tag:rag")) == "On your list, tagged rag: Routing Experts."
    more = ask("save 3 tag:to-read")
    assert plain_text(more).splitlines()[:2] == [
        "Tagged to-read: Routing Experts.", "Its other tags: rag.",
    ]  # fmt: skip
    again = ask("save 3 tag:rag")
    assert first_line(again) == "On your list already, tagged rag: Routing Experts."
    assert plain_text(ask("save 3")).splitlines()[1] == "Its tags: rag, to-read."
    assert _tags(filled) == {EXPERTS: ("rag", "to-read")}


@pytest.mark.parametrize(
    ("typed", "tags"),
    [
        ("tag:RAG", ("rag",)),
        ("tag:#rag", ("rag",)),
        ("Tag: rag.", ("rag",)),
        ("tag:“To Read”", ("to-read",)),
        ("tag:rag, agents,RAG", ("rag", "agents")),
        ("tag:rag, #agents , c++", ("rag", "agents", "c++")),
        ("tag:gpt-4.1", ("gpt-4.1",)),
        ("tag:ｒａｇ", ("rag",)),
        ("tag:ра\u200dг", ("раг",)),
        ("tag:`rag`", ("rag",)),
        ("tag:q1_2026 🔥", ("q1_2026",)),
        ("tag:किताब", ("किताब",)),
        ("tag:r\u3164ag,a\U000e0101,e\u034f\u0301", ("rag", "a", "é")),
    ],
)
def test_a_tag_is_one_however_it_is_typed(
    filled: Database, typed: str, tags: tuple[str, ...]
) -> None:
    """Capitals, a number sign, blanks, and what a phone makes of them are none of it."""
    _asking(filled)(f"save 1 {typed}")
    assert _tags(filled) == {SPARSE: tags}


@pytest.mark.parametrize(
    ("typed", "said", "offered"),
    [
        ("rag:v2", "tag: A tag can't have ':' in it.", ["save 1 tag:rag-v2"]),
        ("rag/agents", "tag: A tag can't have '/' in it.", ["save 1 tag:rag-agents"]),
        ("rag,a/b,New Ones", "tag: A tag can't have '/' in it.", ['save 1 tag:"rag,a-b,New Ones"']),
        ("<@U1>", "tag: A tag can't have '<' in it.", ["save 1 tag:u1"]),
        ("---", "tag: '---' is no tag.", []),
        ("🔥", "tag: '🔥' is no tag.", []),
        ("\u3164", "tag: '\u3164' is no tag.", []),
        ("x" * 31, "tag: That tag is 31 characters long; one may have 30.", []),
        (",".join(map(str, range(11))), "tag: That is 11 tags; at most 10 go at once.", []),
    ],
)  # fmt: skip
def test_what_is_no_tag_is_told(
    filled: Database, typed: str, said: str, offered: list[str]
) -> None:
    """Nothing is saved then; where the tag that was meant is clear, that is offered."""
    reply = _asking(filled)(f'save 1 tag:"{typed}"')
    assert (reply.failed, first_line(reply)) == (True, said)
    assert [each for each in pressed(reply).values() if each.startswith("save")] == offered
    assert _tags(filled) == {}


def test_a_tag_of_two_words_is_offered_whole(filled: Database) -> None:
    """Without quotation marks its second word is no paper."""
    ask = _asking(filled)
    ask("latest")
    reply = ask("save 1-3 tag:To Read")
    assert (reply.failed, _tags(filled)) == (True, {})
    meant = 'save 1-3 tag:"To Read"'
    assert pressed(reply)[meant] == meant
    ask(meant)
    assert _tags(filled)[EXPERTS] == ("to-read",)


@given(st.text(max_size=40) | st.text(f"{string.ascii_letters} #-_.+İßﷺ", max_size=40))
def test_the_form_of_a_tag_is_final(text: str) -> None:
    """What is read is read the same again, and stands in a command string as it is."""
    try:
        tag = tag_of(text)
    except ArgumentError:
        return
    assert tag_of(tag) == tag
    assert 0 < len(tag) <= 30
    assert not set(tag) & set(' ,:"#<>\n')


def test_what_a_save_added_is_taken_back(filled: Database) -> None:
    """A paper that is new goes; one that was there stays with the tags that it had."""
    ask = _asking(filled)
    ask("latest")
    ask("save 2 tag:rag,old")
    ask("save 3")
    before = _tags(filled)
    reply = ask("save 1-3 tag:rag,new")
    assert first_line(reply) == "On your list, tagged rag, new: 1 paper."
    assert "Tagged rag, new: 2 papers." in plain_text(reply)
    assert _tags(filled) == {
        SPARSE: ("rag", "new"), EXPERTS: ("rag", "new"), AGENTS: ("rag", "old", "new"),
    }  # fmt: skip
    back = {label: line for label, line in pressed(reply).items() if line.startswith("unsave")}
    assert back == {
        "Take back": f"unsave {SPARSE}",
        "Take back: new": f"unsave {AGENTS} tag:new",
        "Take back: rag, new": f"unsave {EXPERTS} tag:rag,new",
    }
    for line in back.values():
        ask(line)
    assert _tags(filled) == before


def test_what_is_taken_off_comes_back_with_its_tags(filled: Database) -> None:
    """One paper or several, also where their tags differ."""
    ask = _asking(filled)
    ask("save 1 tag:rag,agents")
    ask("save 2 tag:to-read")
    ask("save 3")
    before = _tags(filled)
    one = ask(f"unsave {SPARSE}")
    assert pressed(one)["Save again"] == f"save {SPARSE} tag:rag,agents"
    ask(pressed(one)["Save again"])
    several = ask(f"unsave {SPARSE},{AGENTS},{EXPERTS}")
    assert _tags(filled) == {}
    for label, line in pressed(several).items():
        if label.startswith("Save again"):
            ask(line)
    assert _tags(filled) == before


def test_a_tag_is_taken_off_alone(filled: Database) -> None:
    """The paper stays on the list; what the tag was of gets it again by a button."""
    ask = _asking(filled)
    ask("save 3 tag:rag,agents")
    reply = ask("unsave 3 tag:#RAG")
    assert plain_text(reply).splitlines()[:2] == [
        "No longer tagged rag: Routing Experts.", "Its tags: agents.",
    ]  # fmt: skip
    assert _tags(filled) == {EXPERTS: ("agents",)}
    wrong = ask("unsave 3 tag:rag")
    assert first_line(wrong) == "Not tagged rag: Routing Experts."
    assert pressed(wrong)["Take off agents"] == f"unsave {EXPERTS} tag:agents"
    ask(pressed(reply)["Tag again"])
    assert _tags(filled) == {EXPERTS: ("agents", "rag")}
    ask("save 1 tag:rag")
    ask("latest")
    several = ask("unsave 1-3 tag:rag")
    assert first_line(several) == "No longer tagged rag: 2 papers."
    assert pressed(several)["Tag again"] == f"save {SPARSE},{EXPERTS} tag:rag"
    none = ask("unsave 1-3 tag:rag")
    assert first_line(none) == "None of them is on your list and tagged rag."
    assert first_line(ask("unsave 2 tag:rag")) == "Not on your list: A Survey of Agents."
    assert _tags(filled) == {SPARSE: (), EXPERTS: ("agents",)}


def test_a_list_shows_its_tags_and_is_read_by_them(filled: Database) -> None:
    """A tag stands beside other filters; of several any counts; pages and files keep it."""
    ask = _asking(filled)
    ask("save 2 tag:to-read")
    ask("save 3 tag:moe,to-read")
    ask("save 1")
    whole = ask("saved")
    assert "3 papers, the last saved first · Tags: to-read (2), moe (1)" in plain_text(whole)
    assert [line.reason for line in _lines(whole)] == [
        None, "tagged moe, to-read", "tagged to-read",
    ]  # fmt: skip
    assert "tagged moe, to-read · #3 in dair" in plain_text(whole)
    some = ask("saved tag:To-Read")
    assert plain_text(some).splitlines()[0] == "Your list: papers tagged to-read"
    assert refs(some) == [EXPERTS, AGENTS]
    for line in ("saved tag:moe", "saved moe", "saved #moe"):
        assert refs(ask(line)) == [EXPERTS]
    assert refs(ask("saved tag:moe,to-read")) == [EXPERTS, AGENTS]
    both = ask("saved tag:to-read topic:agents")
    assert plain_text(both).splitlines()[0] == "Your list: papers on agents tagged to-read"
    assert refs(both) == [AGENTS]
    assert refs(ask("saved to-read agents since:2026")) == [AGENTS]
    nothing = ask("saved tag:moe topic:agents")
    assert first_line(nothing) == "Nothing on agents tagged moe is on your list."
    assert pressed(nothing)["Papers on agents"] == "topic agents"
    [text] = [each for each in ask("saved tag:moe as:json").blocks if hasattr(each, "text")][1:]
    [paper] = json.loads(text.text)["papers"]
    assert (paper["ref"], paper["tags"]) == (EXPERTS, ["moe", "to-read"])


def test_pages_of_a_list_keep_its_tag(many: Ask) -> None:
    """The next one has the other papers with the tag alone."""
    many(f"save {SPARSE}")
    for rank in range(1, 12):
        many(f"save dair:2025-10-27#{rank} tag:rag")
    first = many("saved tag:rag")
    [pager] = [block for block in first.blocks if isinstance(block, Pager)]
    assert pager.next == "saved tag:rag page:2"
    both = [*refs(first), *refs(many(pager.next))]
    assert sorted(both) == sorted(f"dair:2025-10-27#{rank}" for rank in range(1, 12))


def test_an_unknown_tag_is_answered_with_those_there_are(filled: Database) -> None:
    """The nearest is offered, and all of them are named; beside a known one it is named too."""
    ask = _asking(filled)
    assert plain_text(ask("saved tag:rag")).splitlines()[:2] == [
        "Nothing tagged rag is on your list.",
        "You have no tags yet; save gives one: save 3 tag:rag",
    ]
    ask("save 1 tag:agents,retrieval")
    reply = ask("saved tag:agnets as:csv")
    assert plain_text(reply).splitlines()[:2] == [
        "Nothing tagged agnets is on your list.", "Tags: agents (1), retrieval (1).",
    ]  # fmt: skip
    near = "saved tag:agents as:csv"
    assert pressed(reply) == {near: near, "Your list": "saved"}
    assert pressed(ask("saved tag:zzz")) == {"Your list": "saved"}
    both = ask("saved tag:agents,zzz")
    assert refs(both) == [SPARSE]
    assert "none tagged zzz" in plain_text(both)
    loose = ask("saved retrievel")
    assert (loose.failed, pressed(loose)["saved tag:retrieval"]) == (True, "saved tag:retrieval")


def test_nobody_has_the_tags_of_another(filled: Database) -> None:
    """Not beside them, nor in another workspace: neither by lists nor by completions."""
    _asking(filled)("save 1 tag:secret")
    for actor in (OTHER, ELSEWHERE):
        reply = _asking(filled, actor)("saved tag:secre")
        assert "secret" not in plain_text(reply).replace('"secre"', "")
        bot = bot_over(filled, FixedClock())
        assert asyncio.run(bot.complete("saved tag:se", actor)) == []


async def test_tags_are_completed_from_ones_own(filled: Database) -> None:
    """The last of several, by its beginning or by a part, the most frequent first."""
    bot = bot_over(filled, FixedClock())
    for line in ("save 1 tag:rag,agents", "save 2 tag:rag,gpt-agents"):
        await answered(bot, line, READER)

    async def offered(typed: str, command: str = "save 1") -> list[str]:
        found = await bot.complete(f"{command} tag:{typed}", READER)
        return [each.text for each in found]

    assert await offered("") == ["rag", "agents", "gpt-agents"]
    assert await offered("#AG", "saved") == ["agents", "rag", "gpt-agents"]
    assert await offered("new,rag,a") == ["new,rag,agents", "new,rag,gpt-agents"]
    assert await offered("rag,", "unsave 1") == ["rag,agents", "rag,gpt-agents"]
    assert await offered("a:b,r") == []


def test_tags_are_bounded_in_words(filled: Database) -> None:
    """The answer says which bound it is; nothing of the command is done."""
    ask = _asking(filled)
    ask("latest")
    ask(f"save 1 tag:{','.join(f'one-{n}' for n in range(10))}")
    reply = ask("save 1-2 tag:another")
    assert (reply.failed, first_line(reply)) == (
        True, "Sparse Attention has too many tags then: 10 are the most.",
    )  # fmt: skip
    assert [*_tags(filled)] == [SPARSE]


async def test_a_request_that_comes_again_tags_once(filled: Database) -> None:
    """It is answered the same."""
    bot = bot_over(filled, FixedClock())
    first, again = [await bot.run_text("save 3 tag:rag", READER, "key") for _ in range(2)]
    assert first.blocks == again.blocks


def test_forget_counts_tags(filled: Database) -> None:
    """They are among what is stored, and go with it."""
    ask = _asking(filled)
    ask("save 1 tag:rag,agents")
    ask("save 2 tag:rag")
    asked = ask("forget")
    assert "2 papers, 2 tags" in plain_text(asked)
    _asking(filled, origin=PRESSED)(pressed(asked)["Delete all of it"])
    assert asyncio.run(filled.read(saved.count_tags, READER.person)) == {}


@pytest.mark.parametrize("state", ["read", "unread"])
def test_a_tag_and_what_was_read_stand_beside_each_other(filled: Database, state: str) -> None:
    """`saved read tag:rag` lists the papers with that tag that were read, in either order."""
    ask = _asking(filled)
    ask("latest")
    ask("save 1-3 tag:rag")
    ask("save 2 tag:moe")
    ask("unsave 3 tag:rag")
    ask("read 1")
    ask("read 3")
    wanted = [SPARSE] if state == "read" else [AGENTS]
    for line in (f"saved {state} tag:rag", f"saved tag:rag {state}", f"saved tag:rag,moe {state}"):
        assert refs(ask(line)) == wanted
    assert plain_text(ask("saved read tag:moe")).startswith("Nothing read tagged moe is on")


def test_shared_is_the_paper_without_its_tags(filled: Database) -> None:
    """What a share button shows is the paper's card."""
    assert _asking(filled)("save 3 tag:secret").command == f"show {EXPERTS}"


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("save 2 under rag", f"save {AGENTS} tag:rag"),
        ("tag it agents", f"save {SPARSE} tag:agents"),
        ("Tag the first two as “To Read”!", f"save {SPARSE},{AGENTS} tag:to-read"),
        ("put 3 in my thesis folder", f"save {EXPERTS} tag:thesis"),
        ("untag 1 rag", f"unsave {SPARSE} tag:rag"),
    ],
)
def test_tags_in_plain_words_are_confirmed_first(filled: Database, line: str, shown: str) -> None:
    """The answer shows the command, and has it behind a button; nothing is changed before."""
    ask = _asking(filled)
    ask("latest")
    ask("show 1")
    reply = ask(line)
    assert reply.read_as == f"Read as: {shown}"
    assert next(iter(pressed(reply).values())) == shown
    assert _tags(filled) == {}


def test_what_was_tagged_is_asked_for_in_plain_words(filled: Database) -> None:
    """A tag that the user does not have is told with those that there are."""
    ask = _asking(filled)
    ask("save 2 tag:thesis")
    ask("save 3 tag:rag")
    for line in ("show my list tagged rag", "what have I tagged rag?", "my papers under #rag"):
        reply = ask(line)
        assert (reply.ran, refs(reply)) == ("saved tag:rag", [EXPERTS])
    assert ask("export everything tagged thesis as csv").ran == "saved tag:thesis as:csv"
    assert "Tags: rag (1), thesis (1)" in plain_text(ask("which tags do I have?"))
    unknown = ask("show me everything I tagged theses")
    assert plain_text(unknown).splitlines()[2:4] == [
        "Nothing tagged theses is on your list.", "Tags: rag (1), thesis (1).",
    ]  # fmt: skip
    assert (unknown.ran, pressed(unknown)["saved tag:thesis"]) == (
        "saved tag:theses", "saved tag:thesis",
    )  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "image tag recommendation", "learning with label noise", "papers under 10 pages",
        "robustness under distribution shift", "can i tag papers?", "papers on image tagging",
    ],
)  # fmt: skip
def test_words_of_papers_are_no_tags(filled: Database, line: str) -> None:
    """They are searched for or asked, as any are."""
    assert (_asking(filled)(line).ran or "").partition(" ")[0] not in {"save", "saved", "unsave"}


async def test_as_many_papers_go_at_once_as_a_button_can_name(filled: Database) -> None:
    """Of a source with a long name they are fewer; a button gives back what one line has taken."""
    papers = (entry(rank, f"Kumquats, part {rank}") for rank in range(1, 26))
    later = edition(*papers, first_day=MONDAY + timedelta(days=7))
    await filled.write(take_in, later, f"{'a-long-name-' * 4}of-a-source")
    app = bot_of(filled)
    await answered(app, "latest", READER)
    await answered(app, "more", READER)
    await answered(app, "more", READER)
    refused = await answered(app, "save 1-25 tag:rag", READER)
    assert first_line(refused) == "That is 25 papers; at most 12 of these go at once."
    asked = await answered(app, "please save 1-12", READER)
    saved = await answered(app, pressed(asked)["Save"], READER, PRESSED)
    back = await answered(app, pressed(saved)["Take back"], READER, PRESSED)
    assert first_line(back) == "Off your list: 12 papers."
    assert first_line(await answered(app, "undo", READER)).startswith("Taken back: you took 12")
