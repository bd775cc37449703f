"""What doctor finds of the channels that get posts, asked of a Slack of our own."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from adapters.slack.api.scopes import BOT_SCOPES
from adapters.slack.setup.doctor import MOST_EXAMINED, examine
from bot.operations.health import Finding
from store.records import Channel, Workspace
from tests.fakes.slack import FakeSlack, RateLimited, Refuse, ServerError, Team

INVITE = "/invite @Broadsheet"


def _channels(*ids: str) -> list[Channel]:
    return [Channel(Workspace("slack", "T1"), each) for each in ids]


def _variables(slack: FakeSlack) -> dict[str, str]:
    return {
        "SLACK_BOT_TOKEN": "xoxb-1",
        "SLACK_APP_TOKEN": slack.app_token,
        "BROADSHEET_SLACK_API_URL": slack.api_url,
    }


@asynccontextmanager
async def _slack() -> AsyncIterator[FakeSlack]:
    async with FakeSlack() as slack:
        slack.teams["T1"].scopes = set(BOT_SCOPES)
        yield slack


async def _found(slack: FakeSlack, *ids: str) -> list[Finding]:
    """Return what is found beside what is found without any channel."""
    known = await examine(_variables(slack))
    return [each for each in await examine(_variables(slack), _channels(*ids)) if each not in known]


async def _said(slack: FakeSlack, *ids: str) -> list[tuple[str, str]]:
    return [(each.verdict.value, each.sentence) for each in await _found(slack, *ids)]


async def test_channels_that_can_be_posted_to_are_counted() -> None:
    """They need no names; direct messages are not asked about."""
    async with _slack() as slack:
        slack.add_channel(slack.teams["T1"], "C3", members={slack.teams["T1"].bot_user})
        assert await _said(slack, "C1") == [("well", "1 channel can be posted to.")]
        assert await _said(slack, "C1", "C3", "D1") == [("well", "2 channels can be posted to.")]
        assert await _said(slack, "D1") == []


def _archived(team: Team) -> None:
    team.channels["C1"].archived = True


def _kicked(team: Team) -> None:
    team.channels["C1"].members.discard(team.bot_user)


def _hidden(team: Team) -> None:
    _kicked(team)
    team.channels["C1"].private = True


def _deleted(team: Team) -> None:
    del team.channels["C1"]


@pytest.mark.parametrize(
    ("happens", "sentence", "remedy"),
    [
        (_archived, "#name-c1 is archived.", "Take it out of the archive"),
        (_kicked, "Broadsheet is not in #name-c1.", INVITE),
        (_hidden, "C1 can't be posted to: Broadsheet is not in that channel.", INVITE),
        (_deleted, "C1 can't be posted to: Broadsheet is not in that channel.", INVITE),
    ],
)
async def test_a_channel_that_is_closed_is_named(
    happens: Callable[[Team], None], sentence: str, remedy: str
) -> None:
    """It is a problem, with what helps; the others are counted all the same."""
    async with _slack() as slack:
        team = slack.teams["T1"]
        slack.add_channel(team, "C3", members={team.bot_user})
        happens(team)
        problem, well = await _found(slack, "C1", "C3")
        assert (problem.verdict.value, problem.sentence) == ("problem", sentence)
        assert remedy in problem.remedy
        assert well.sentence == "1 channel can be posted to."


async def test_a_channel_that_is_closed_to_most_is_noted() -> None:
    """Slack does not tell whether it lets the bot post there all the same."""
    async with _slack() as slack:
        slack.teams["T1"].channels["C1"].read_only = True
        [note] = await _found(slack, "C1")
        sentence = "#name-c1 is read-only: a post may be refused."
        assert (note.verdict.value, note.sentence) == ("note", sentence)
        assert "admin" in note.remedy


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (RateLimited(1), "Slack asks to send less for a while."),
        (ServerError(), "Slack failed in the middle of it."),
        (Refuse("token_revoked"), "Slack no longer accepts Broadsheet's token."),
    ],
    ids=repr,
)
async def test_what_slack_does_not_tell_is_no_problem_of_a_channel(fault: Any, why: str) -> None:
    """What could not be examined is a note with the reason."""
    async with _slack() as slack:
        slack.fail("conversations.info", fault)
        [said] = await _said(slack, "C1")
        assert said == ("note", f"1 channel could not be examined: {why}")


async def test_without_the_scope_to_read_channels_that_is_said_once() -> None:
    """The scope is what is missing, and not a channel."""
    async with _slack() as slack:
        slack.teams["T1"].scopes.discard("channels:read")
        [said] = await _said(slack, "C1", "C2")
    why = "Broadsheet lacks the scope channels:read."
    assert said == ("note", f"2 channels could not be examined: {why}")


async def test_no_more_channels_are_examined_than_slack_lets() -> None:
    """How many are left is said."""
    async with _slack() as slack:
        team = slack.teams["T1"]
        ids = [f"C{number}" for number in range(100, 110 + MOST_EXAMINED)]
        for each in ids:
            slack.add_channel(team, each, members={team.bot_user})
        assert await _said(slack, *ids) == [
            ("well", "50 channels can be posted to."),
            ("note", "Of 60 channels no more than 50 were examined."),
        ]
        assert len(slack.calls("conversations.info")) == MOST_EXAMINED


async def test_channels_of_many_workspaces_are_not_asked_about() -> None:
    """Each workspace has a token of its own, in the store; that is said."""
    variables = {
        "SLACK_CLIENT_ID": "1.2",
        "SLACK_CLIENT_SECRET": "hidden",
        "SLACK_SIGNING_SECRET": "signed",
        "BROADSHEET_SECRET_KEY": "a long and random text",
    }
    known = await examine(variables)
    [note] = [each for each in await examine(variables, _channels("C1")) if each not in known]
    assert note.sentence.startswith("The channels that get posts are not examined")
