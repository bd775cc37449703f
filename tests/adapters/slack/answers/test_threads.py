"""Direct messages with an agent: each begins a thread, which holds its answer and has a title."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.slack.answers.verbs import asked_for
from adapters.slack.api.thread_titles import LONGEST_TITLE
from bot.commands.types import Command, Context, Group
from bot.replies.blocks import Reply, Text
from store.database import Database
from tests.adapters.slack.connected_bot import many_variables, running
from tests.fakes.slack import FakeSlack, Message, RateLimited, Refuse, ServerError
from tests.file_replies import PLOT

SESSIONS = ("agents.sessions.rename", "agents.sessions.setStatus")


@asynccontextmanager
async def agent(
    stocked: Database,
    more: Sequence[Command] = (),
    *,
    welcomes: bool = False,
) -> AsyncIterator[FakeSlack]:
    """Run the bot as an agent."""
    async with FakeSlack() as slack:
        slack.become_agent()
        async with running(stocked, slack, more=more, welcomes=welcomes):
            yield slack


async def asked(slack: FakeSlack, text: str, **more: object) -> tuple[Message, Message]:
    """Ask in a direct message; return it and its answer, which came last."""
    before = len(slack.seen("U1", "D1"))
    ack = await slack.direct_message(text, **more)  # type: ignore[arg-type] # as its caller says
    assert ack.sent
    await slack.settled(lambda: len(slack.seen("U1", "D1")) >= before + 2)
    return ack.sent, slack.seen("U1", "D1")[-1]


def title_calls(slack: FakeSlack) -> list[str]:
    """Return the methods that were called for titles."""
    return [call.method for call in slack.calls() if call.method in SESSIONS]


async def test_an_agent_answers_in_the_thread_of_each_message(stocked: Database) -> None:
    """The answer hangs on the message, whether Slack names that as a thread already or not."""
    async with agent(stocked) as slack:
        for names_itself in (False, True):
            for line in ("search attention", "latest"):
                question, answer = await asked(slack, line, names_itself=names_itself)
                assert answer.thread_ts == question.ts
                assert await slack.settled(lambda: slack.title_of(question)) == line  # noqa: B023


async def test_any_other_app_answers_in_place(stocked: Database) -> None:
    """A guest is answered too, in a thread only if they are in one, and nothing is titled."""
    async with FakeSlack() as slack, running(stocked, slack):
        slack.add_user(slack.teams["T1"], "U1", guest=True)
        question, answer = await asked(slack, "search attention")
        assert answer.thread_ts is None
        _, below = await asked(slack, "latest", thread_ts=question.ts)
        assert below.thread_ts == question.ts
        assert title_calls(slack) == []


async def test_what_is_said_in_a_thread_is_answered_there_and_renames_nothing(
    stocked: Database,
) -> None:
    """The title is what the thread began with; a delivery that is repeated sets it no more."""
    async with agent(stocked) as slack:
        ack = await slack.direct_message("search attention")
        question = ack.sent
        assert question
        await slack.settled(lambda: slack.title_of(question))
        calls = len(title_calls(slack))
        _, answer = await asked(slack, "latest", thread_ts=question.ts)
        assert answer.thread_ts == question.ts
        await slack.repeat(ack)
        await asked(slack, "topic", thread_ts=question.ts)
        assert slack.title_of(question) == "search attention"
        assert len(title_calls(slack)) == calls


async def test_all_that_belongs_to_an_answer_is_in_its_thread(stocked: Database) -> None:
    """So are the file, the answer to its button, an error, and the welcome of who is new."""
    async with agent(stocked, [PLOT], welcomes=True) as slack:
        question, _ = await asked(slack, "plot")
        seen = await slack.settled(lambda: _replies(slack, question, 3))
        assert [bool(each.files) for each in seen].count(True) == 1
        wrong, error = await asked(slack, "settings zone Mars")
        assert (error.thread_ts, error.text[:4] != "") == (wrong.ts, True)
        listed, answer = await asked(slack, "latest")
        await slack.click(answer, "Details 1")
        below = await slack.settled(lambda: _replies(slack, listed, 2))
        assert below[-1].text.startswith("Sparse Attention")
        roots = [each for each in slack.seen("U1", "D1") if not each.is_reply]
        assert roots == [question, wrong, listed]


def _replies(slack: FakeSlack, root: Message, number: int) -> list[Message]:
    found = [each for each in slack.seen("U1", "D1") if each.thread_ts == root.ts and each.bot_id]
    return found if len(found) == number else []


async def _slow(_context: Context) -> Reply:
    await asyncio.sleep(1.2)
    return Reply((Text("Here at last."),))


async def test_a_late_answer_finds_its_thread(stocked: Database) -> None:
    """Other messages came meanwhile; each answer hangs on its own."""
    slow = Command("slow", Group.LOOKUP, "Takes its time", _slow, examples=("slow",))
    async with agent(stocked, [slow]) as slack:
        first = (await slack.direct_message("slow")).sent
        second = (await slack.direct_message("topic")).sent
        assert first
        assert second
        await slack.settled(lambda: len(slack.seen("U1", "D1")) == 4)
        hanging = {each.thread_ts: each.text for each in slack.seen("U1", "D1") if each.is_reply}
        assert hanging[first.ts] == "Here at last."
        assert hanging.keys() == {first.ts, second.ts}


async def test_a_file_for_one_person_comes_in_a_titled_thread(stocked: Database) -> None:
    """What was asked for in a channel begins a thread of its own, which the file hangs on."""
    async with agent(stocked, [PLOT]) as slack:
        await slack.ask("plot", channel="C1")
        root, shared = await slack.settled(lambda: _both(slack.seen("U1", "D1")))
        assert (root.thread_ts, root.files) == (None, [])
        assert (shared.thread_ts, bool(shared.files)) == (root.ts, True)
        assert root.text
        assert await slack.settled(lambda: slack.title_of(root)) == root.text.splitlines()[0]


async def test_a_file_that_slack_refuses_begins_no_thread(stocked: Database) -> None:
    """Nothing is said where nothing came."""
    async with agent(stocked, [PLOT]) as slack:
        slack.teams["T1"].scopes.discard("files:write")
        await slack.ask("plot", channel="C1")
        await slack.settled(lambda: len(slack.seen("U1", "C1")) == 2)
        assert slack.seen("U1", "D1") == []


async def test_what_could_not_be_answered_in_a_channel_is_told_in_a_titled_thread(
    stocked: Database,
) -> None:
    """A mention where the bot may not speak is answered in direct messages, by a named thread."""
    async with agent(stocked) as slack:
        slack.fail("chat.postEphemeral", Refuse("not_in_channel"))
        await slack.mention("latest")
        [told] = await slack.settled(lambda: slack.seen("U1", "D1"))
        title = await slack.settled(lambda: slack.title_of(told))
        assert title == "Broadsheet is not in that channel."


def _both(messages: list[Message]) -> list[Message]:
    return messages if len(messages) == 2 else []


@pytest.mark.parametrize("is_agent", [True, False])
async def test_the_answer_to_a_button_of_a_message_by_itself_hangs_on_that(
    stocked: Database, *, is_agent: bool
) -> None:
    """What an agent sent by itself begins a thread too; in any other app nothing changes."""
    async with FakeSlack() as slack:
        if is_agent:
            slack.become_agent()
        async with running(stocked, slack):
            _, answer = await asked(slack, "latest")
            team = slack.teams["T1"]
            content = {"text": answer.text, "blocks": answer.blocks}
            alone = slack.post(team.channels["D1"], team, content)
            await slack.click(alone, "Details 2")
            await slack.settled(lambda: len(slack.seen("U1", "D1")) == 4)
            shown = slack.seen("U1", "D1")[-1]
            assert shown.text.startswith("A Survey of Agents")
            assert shown.thread_ts == (alone.ts if is_agent else None)


async def test_a_list_is_spoken_of_from_any_thread(stocked: Database) -> None:
    """The list seen last in direct messages counts in all of their threads, and so does `it`."""
    async with agent(stocked) as slack:
        listed, _ = await asked(slack, "latest")
        second, card = await asked(slack, "2")
        assert card.text.startswith("Read as: ")
        assert "A Survey of Agents" in card.text
        _, same = await asked(slack, "it", thread_ts=listed.ts)
        assert "A Survey of Agents" in same.text
        assert await slack.settled(lambda: slack.title_of(second)) == "show dair:2026-01-05#2"
        saving, _ = await asked(slack, "save 1-2")
        saved = await slack.ask("saved", channel="D1")
        assert "Sparse Attention" in saved.text
        assert "A Survey of Agents" in saved.text
        assert await slack.settled(lambda: slack.title_of(saving)) == "save 1-2"


async def test_a_title_that_slack_refuses_hurts_no_answer(stocked: Database) -> None:
    """Where Slack has no sessions for the app it is asked once, and threads stay untitled."""
    async with agent(stocked) as slack:
        slack.fail("agents.sessions.rename", Refuse("feature_disabled"))
        for line in ("latest", "topic", "sources"):
            question, answer = await asked(slack, line)
            assert answer.thread_ts == question.ts
            await slack.settled(lambda: title_calls(slack))
        assert title_calls(slack) == ["agents.sessions.rename"]
        assert slack.sessions == {}


async def test_a_title_waits_as_slack_asks(stocked: Database) -> None:
    """It is set after the pause, while the answer is long there."""
    async with agent(stocked) as slack:
        for fault in (RateLimited(after=1), ServerError()):
            slack.fail("agents.sessions.rename", fault)
            question, _ = await asked(slack, "latest")
            assert slack.title_of(question) is None
            assert await slack.settled(lambda: slack.title_of(question)) == "latest"  # noqa: B023


async def test_each_workspace_is_what_its_token_says(stocked: Database) -> None:
    """Of two workspaces only the one that granted the scope of agents has threads."""
    async with FakeSlack() as slack:
        slack.add_team("T2", bot_token="xoxb-2", bot_user="UBOT2", bot_id="B2")  # noqa: S106 - opens nothing
        variables = many_variables(slack, BROADSHEET_PUBLIC_URL="https://bot.example")
        async with running(stocked, slack, variables) as (_, url):
            await slack.install(url, "T1")
            await slack.install(url, "T2", is_agent=True)
            slack.is_agent = True
            granted = [("assistant:write" in slack.teams[each].scopes) for each in ("T1", "T2")]
            assert granted == [False, True]
            for team in ("T1", "T2"):
                await slack.direct_message("sources", team=team)

            def answers(team: str) -> list[Message]:
                own = [each for each in slack.seen("U1", "D1", team) if each.bot_id]
                return [each for each in own if each.text.startswith("Sources")]

            [plain] = await slack.settled(lambda: answers("T1"))
            [threaded] = await slack.settled(lambda: answers("T2"))
            assert (plain.is_reply, threaded.is_reply) == (False, True)


@given(st.text(max_size=300), st.none() | st.just("latest"), st.none() | st.just("Read as: latest"))
def test_any_line_names_a_thread(line: str, ran: str | None, read_as: str | None) -> None:
    """A title is the line or the command, on one line."""
    title = asked_for(line, Reply((), ran=ran, read_as=read_as))
    assert title in {" ".join(title.split()), ran}
    assert title or ran is None


@pytest.mark.parametrize(
    ("line", "ran", "read_as", "title"),
    [
        ("search  sparse\nattention", "search sparse attention", None, "search sparse attention"),
        ("what's new?", "latest", "Read as: latest", "what's new?"),
        ("more", "search attention page:2", "Read as: …", "search attention page:2"),
        ("", "latest", None, "latest"),
        ("hi", None, None, "hi"),
        ("settings zone Mars", None, None, "settings zone Mars"),
    ],
)
def test_a_thread_is_named_by_what_was_asked(
    line: str, ran: str | None, read_as: str | None, title: str
) -> None:
    """That is the line as it was typed, or the command where the line alone says nothing."""
    assert asked_for(line, Reply((), ran=ran, read_as=read_as)) == title


async def test_a_long_line_is_a_short_title(stocked: Database) -> None:
    """Whatever is typed, the title has the length that Slack takes, however it counts."""
    async with agent(stocked) as slack:
        for line in ("attention " * 600, "x" * 6000, "🦜" * 3000):
            question, _ = await asked(slack, line)
            title = await slack.settled(lambda: slack.title_of(question)) or ""  # noqa: B023
            assert len(title) <= LONGEST_TITLE
            assert len(title.encode("utf-16-le")) <= 2 * 200
