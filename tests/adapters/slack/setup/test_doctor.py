"""Doctor's findings on settings, tokens, scopes and channels, against a fake Slack."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import pytest

from adapters.slack.api.scopes import BOT_SCOPES, SCOPES
from adapters.slack.setup.doctor import examine
from bot.operations.doctor_checks import MOST_EXAMINED, Finding, Verdict
from store.database.encryption import SecretBox
from store.records import Channel, KeptToken, Workspace
from tests.fakes.slack import Drop, FakeSlack, RateLimited, Refuse, ServerError, Team

INVITE = "/invite @Broadsheet"

MANY = {
    "SLACK_CLIENT_ID": "1.2",
    "SLACK_CLIENT_SECRET": "hidden",
    "SLACK_SIGNING_SECRET": "signed",
    "BROADSHEET_SECRET_KEY": "a long and random text",
    "BROADSHEET_PUBLIC_URL": "https://papers.example.org",
}


WITHOUT_PANE = (
    "The app is without Slack's agent pane: guests may use it, "
    "and direct messages are answered in place."
)


def _one(slack: FakeSlack) -> dict[str, str]:
    return {
        "SLACK_BOT_TOKEN": "xoxb-1",
        "SLACK_APP_TOKEN": slack.app_token,
        "BROADSHEET_SLACK_API_URL": slack.api_url,
    }


async def _said(variables: Mapping[str, str]) -> list[tuple[str, str]]:
    findings = await examine(variables)
    assert {finding.about for finding in findings} == {"slack"}
    assert all(finding.remedy for finding in findings if finding.verdict == Verdict.PROBLEM)
    return [(finding.verdict.value, finding.sentence) for finding in findings]


async def test_all_is_well() -> None:
    """Accepted tokens with all scopes are reported as such."""
    async with FakeSlack() as slack:
        slack.teams["T1"].scopes = {*BOT_SCOPES, "files:write"}
        assert await _said(_one(slack)) == [
            ("well", "Requests come in by Socket Mode."),
            ("well", "SLACK_BOT_TOKEN is of @broadsheet in Team T1."),
            ("well", WITHOUT_PANE),
            ("well", f"All {len(BOT_SCOPES)} scopes are granted."),
            ("well", "Slack takes the blocks of an answer."),
            ("well", "SLACK_APP_TOKEN opens connections."),
        ]


async def test_an_agent_is_told_what_it_costs() -> None:
    """An app with the agent pane is noted as such, with who is shut out and the way back."""
    async with FakeSlack() as slack:
        slack.teams["T1"].scopes = {*BOT_SCOPES, "assistant:write"}
        findings = await examine(_one(slack))
        [pane] = [each for each in findings if "pane" in each.sentence]
        assert pane.verdict == Verdict.NOTE
        assert pane.sentence.startswith("The app has Slack's agent pane, for a token has the scope")
        for price in ("guests", "thread", "paid plan", "no way back"):
            assert price in pane.sentence
        assert "docs/slack.md" in pane.remedy
        assert f"All {len(BOT_SCOPES)} scopes are granted." in [x.sentence for x in findings]


async def test_many_workspaces_tell_what_the_app_is() -> None:
    """One token with the scope of agents is enough, and without any token nothing is known."""
    plain = KeptToken("slack", "1.2", "Acme (T1)", "", BOT_SCOPES)
    agent = KeptToken("slack", "1.2", "Beta (T2)", "", (*BOT_SCOPES, "assistant:write"))
    others = KeptToken("slack", "9.9", "Other (T9)", "", ("assistant:write",))

    async def said(*tokens: KeptToken) -> list[str]:
        found = await examine(MANY, tokens=tokens)
        return [each.verdict.value for each in found if "pane" in each.sentence]

    assert await said() == []
    assert await said(others) == []
    assert await said(plain, others) == ["well"]
    assert await said(plain, agent) == ["note"]


async def test_nothing_is_changed_in_slack() -> None:
    """It asks who the tokens belong to and whether blocks would do, and no more."""
    async with FakeSlack() as slack:
        await examine(_one(slack))
        asked = sorted(call.method for call in slack.calls())
        assert asked == ["apps.connections.open", "auth.test", "blocks.validate"]


async def test_invalid_settings_are_reported_without_calling_slack() -> None:
    """Settings without a connection are a problem with a remedy."""
    assert await examine({"SLACK_BOT_TOKEN": "xoxb-1"}) == [
        Finding(
            "slack",
            Verdict.PROBLEM,
            "Slack has no way in: neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is set.",
            "Set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP.",
        )
    ]


async def test_a_missing_scope_is_named_with_its_loss() -> None:
    """It is a problem where hardly anything is left, else a note."""
    async with FakeSlack() as slack:
        for scope in SCOPES:
            slack.teams["T1"].scopes = {*BOT_SCOPES} - {scope.name}
            [found] = [each for each in await examine(_one(slack)) if "scope" in each.sentence]
            assert found.sentence.startswith(f"The scope {scope.name} is missing: ")
            assert found.verdict == (Verdict.PROBLEM if scope.needed else Verdict.NOTE)
            assert "`" not in found.sentence


async def test_admins_can_not_manage_unseen() -> None:
    """Where admins only may manage, the scope that tells who is one is needed."""
    async with FakeSlack() as slack:
        slack.teams["T1"].scopes = {*BOT_SCOPES} - {"users:read"}
        findings = await examine({**_one(slack), "BROADSHEET_SLACK_MANAGERS": "admins"})
        assert [each.verdict for each in findings].count(Verdict.PROBLEM) == 1


async def test_a_token_that_slack_refuses_is_a_problem() -> None:
    """The finding has Slack's code and says where the right token is, without the token itself."""
    async with FakeSlack() as slack:
        for name, value, code, remedy in (
            ("SLACK_BOT_TOKEN", "xoxb-wrong", "invalid_auth", "OAuth & Permissions"),
            ("SLACK_APP_TOKEN", "xapp-wrong", "invalid_auth", "connections:write"),
            ("SLACK_APP_TOKEN", "xoxb-1", "not_allowed_token_type", "connections:write"),
        ):
            findings = await examine({**_one(slack), name: value})
            [problem] = [each for each in findings if each.verdict == Verdict.PROBLEM]
            assert problem.sentence == f"Slack refuses {name} ({code})."
            assert remedy in problem.remedy
            assert not [each for each in findings if value in each.sentence + each.remedy]


async def test_a_removed_app_is_to_be_installed_again() -> None:
    """A token that was revoked has another remedy than one that was copied wrong."""
    async with FakeSlack() as slack:
        slack.dead_tokens["xoxb-1"] = "token_revoked"
        [problem] = [each for each in await examine(_one(slack)) if each.verdict == "problem"]
        assert problem.remedy == "The token was revoked: install the app again, Install App."


async def test_a_persons_token_is_no_bots() -> None:
    """Slack knows a person's token too, and the bot can't be run with it."""
    async with FakeSlack() as slack:
        slack.teams["T1"].bot_token = "xoxp-1"  # noqa: S105 - no token of anybody's
        findings = await examine({**_one(slack), "SLACK_BOT_TOKEN": "xoxp-1"})
        sentence = "SLACK_BOT_TOKEN is a person's token, not a bot's."
        assert sentence in [each.sentence for each in findings]


async def test_trouble_at_slack_is_no_wrong_token() -> None:
    """A token that could not be tried is reported so, each by itself."""
    async with FakeSlack() as slack:
        for fault in (ServerError(), Drop(), RateLimited(1)):
            slack.fail("auth.test", fault)
            said = await _said(_one(slack))
            [problem] = [sentence for verdict, sentence in said if verdict == "problem"]
            assert problem.startswith("SLACK_BOT_TOKEN could not be tried: ")
            assert ("well", "SLACK_APP_TOKEN opens connections.") in said


async def test_an_unreachable_slack_is_reported_soon(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nothing listens there: two sentences, no traceback, and nothing in the log."""
    async with FakeSlack() as slack:
        variables = _one(slack)
    findings = await asyncio.wait_for(examine(variables), 10)
    problems = [each for each in findings if each.verdict == Verdict.PROBLEM]
    assert [problem.sentence for problem in problems] == [
        "SLACK_BOT_TOKEN could not be tried: Slack can't be reached.",
        "SLACK_APP_TOKEN could not be tried: Slack can't be reached.",
    ]
    assert all("BROADSHEET_SLACK_API_URL" in problem.remedy for problem in problems)
    assert caplog.records == []


async def test_another_server_may_answer_there() -> None:
    """A URL without a Web API is reported as such."""
    async with FakeSlack() as slack:
        said = await _said({**_one(slack), "BROADSHEET_SLACK_API_URL": f"{slack.url}/elsewhere"})
        sentence = "Slack refuses SLACK_APP_TOKEN (what answers is not Slack)."
        assert ("problem", sentence) in said


async def test_over_http_the_address_is_named() -> None:
    """In HTTP mode a finding names the URL that Slack must reach."""
    async with FakeSlack() as slack:
        slack.teams["T1"].scopes = set(BOT_SCOPES)
        over_http = {**_one(slack), "SLACK_APP_TOKEN": "", "SLACK_SIGNING_SECRET": "signed"}
        unknown, *_ = await _said(over_http)
        plain, *_ = await _said({**over_http, "BROADSHEET_PUBLIC_URL": "http://papers.org"})
        known, *_ = await _said({**over_http, "BROADSHEET_PUBLIC_URL": "https://papers.org/"})
    way = "Requests come in over HTTP; Slack must reach "
    assert unknown == ("note", f"{way}/slack/events on the web port.")
    assert plain == ("note", f"{way}http://papers.org/slack/events.")
    assert known == ("well", f"{way}https://papers.org/slack/events.")


async def test_many_workspaces_are_told_where_to_install() -> None:
    """Without a bot token there is nothing to ask Slack; the address to install at is named."""
    address = "https://papers.example.org"
    assert await _said(MANY) == [
        ("well", f"Requests come in over HTTP; Slack must reach {address}/slack/events."),
        ("well", f"Workspaces install the app at {address}/slack/install."),
    ]
    said = await _said({**MANY, "BROADSHEET_PUBLIC_URL": ""})
    assert ("note", "Workspaces install the app at /slack/install on the web port.") in said
    weak = "The first key of BROADSHEET_SECRET_KEY has fewer than 16 characters: it can be guessed."
    assert await _said({**MANY, "BROADSHEET_SECRET_KEY": "short,old"}) == [("problem", weak)]


async def test_tokens_that_no_key_opens_are_a_problem() -> None:
    """Tokens of another key are reported with their workspaces and a remedy."""
    own = SecretBox([MANY["BROADSHEET_SECRET_KEY"]]).encrypt("xoxb-1")
    lost = SecretBox(["another key"]).encrypt("xoxb-2")
    tokens = [
        KeptToken("slack", "1.2", "Acme (T1)", own),
        KeptToken("slack", "another.app", "Other (T9)", lost),
    ]
    opened = Finding(
        "slack", Verdict.WELL, "BROADSHEET_SECRET_KEY opens the tokens of 1 workspace."
    )
    assert opened in await examine(MANY, tokens=tokens)
    tokens += [KeptToken("slack", "1.2", f"W{n}", lost) for n in range(2, 7)]
    assert [each for each in await examine(MANY, tokens=tokens) if "key" in each.sentence] == [
        Finding(
            "slack",
            Verdict.PROBLEM,
            "No key in BROADSHEET_SECRET_KEY opens the tokens of W2, W3, W4 and 2 more.",
            "Put the old key behind the new one and a comma, or install there again.",
        )
    ]


async def test_ignored_settings_are_named() -> None:
    """A finding says that a bot token makes the client id and secret ineffective."""
    async with FakeSlack() as slack:
        said = await _said({**MANY, **_one(slack)})
        ignored = "SLACK_CLIENT_ID and SLACK_CLIENT_SECRET are ignored, for SLACK_BOT_TOKEN is set."
        assert said[0] == ("note", ignored)


def _channels(*ids: str) -> list[Channel]:
    return [Channel(Workspace("slack", "T1"), each) for each in ids]


@asynccontextmanager
async def _authorized_slack() -> AsyncIterator[FakeSlack]:
    async with FakeSlack() as slack:
        slack.teams["T1"].scopes = set(BOT_SCOPES)
        yield slack


async def _found_of_channels(slack: FakeSlack, *ids: str) -> list[Finding]:
    """Return what is found beside what is found without any channel."""
    known = await examine(_one(slack))
    return [each for each in await examine(_one(slack), _channels(*ids)) if each not in known]


async def _said_of_channels(slack: FakeSlack, *ids: str) -> list[tuple[str, str]]:
    return [(each.verdict.value, each.sentence) for each in await _found_of_channels(slack, *ids)]


async def test_channels_that_can_be_posted_to_are_counted() -> None:
    """They need no names; direct messages are not asked about."""
    async with _authorized_slack() as slack:
        slack.add_channel(slack.teams["T1"], "C3", members={slack.teams["T1"].bot_user})
        assert await _said_of_channels(slack, "C1") == [("well", "1 channel can be posted to.")]
        assert await _said_of_channels(slack, "C1", "C3", "D1") == [
            ("well", "2 channels can be posted to.")
        ]
        assert await _said_of_channels(slack, "D1") == []


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
    async with _authorized_slack() as slack:
        team = slack.teams["T1"]
        slack.add_channel(team, "C3", members={team.bot_user})
        happens(team)
        problem, well = await _found_of_channels(slack, "C1", "C3")
        assert (problem.verdict.value, problem.sentence) == ("problem", sentence)
        assert remedy in problem.remedy
        assert well.sentence == "1 channel can be posted to."


async def test_a_channel_that_is_closed_to_most_is_noted() -> None:
    """Slack does not tell whether it lets the bot post there all the same."""
    async with _authorized_slack() as slack:
        slack.teams["T1"].channels["C1"].read_only = True
        [note] = await _found_of_channels(slack, "C1")
        sentence = "#name-c1 is read-only: a post may be refused."
        assert (note.verdict.value, note.sentence) == ("note", sentence)
        assert "admin" in note.remedy


async def test_a_failed_call_is_no_problem_of_a_channel() -> None:
    """A channel that could not be examined is a note with the reason."""
    async with _authorized_slack() as slack:
        for fault, why in (
            (RateLimited(1), "Slack asks to send less for a while."),
            (ServerError(), "Slack failed in the middle of it."),
            (Refuse("token_revoked"), "Slack no longer accepts Broadsheet's token."),
        ):
            slack.fail("conversations.info", fault)
            [said] = await _said_of_channels(slack, "C1")
            assert said == ("note", f"1 channel could not be examined: {why}")


async def test_without_the_scope_to_read_channels_that_is_said_once() -> None:
    """The scope is what is missing, and not a channel."""
    async with _authorized_slack() as slack:
        slack.teams["T1"].scopes.discard("channels:read")
        [said] = await _said_of_channels(slack, "C1", "C2")
    why = "Broadsheet lacks the scope channels:read."
    assert said == ("note", f"2 channels could not be examined: {why}")


async def test_the_rate_limit_bounds_the_examined_channels() -> None:
    """A note says how many channels there are."""
    async with _authorized_slack() as slack:
        team = slack.teams["T1"]
        ids = [f"C{number}" for number in range(100, 110 + MOST_EXAMINED)]
        for each in ids:
            slack.add_channel(team, each, members={team.bot_user})
        assert await _said_of_channels(slack, *ids) == [
            ("well", "50 channels can be posted to."),
            ("note", "Of 60 channels no more than 50 were examined."),
        ]
        assert len(slack.calls("conversations.info")) == MOST_EXAMINED


async def test_channels_of_many_workspaces_are_not_asked_about() -> None:
    """A note says that the channels of many workspaces are not examined."""
    known = await examine(MANY)
    [note] = [each for each in await examine(MANY, _channels("C1")) if each not in known]
    assert note.sentence.startswith("The channels that get posts are not examined")
