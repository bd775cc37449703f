"""The checks of `broadsheet doctor`, against a fake Discord."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from adapters.discord.api.permissions import invite_url
from adapters.discord.interactions.command_tree import payload
from adapters.discord.setup.doctor import examine
from bot.commands.handlers import COMMANDS
from bot.operations.doctor_checks import MOST_EXAMINED, Finding, Verdict
from store.database import Database
from store.records import Channel, Workspace
from tests.adapters.discord.connected_bot import running, variables_for
from tests.fakes.discord import Channel as Room
from tests.fakes.discord import (
    Drop,
    FakeDiscord,
    Permission,
    RateLimited,
    Refuse,
    ServerError,
    Slow,
)

_ME, _APP = "GET /users/@me", "GET /oauth2/applications/@me"
_COMMANDS = "GET /applications/{application_id}/commands"
_LEFT = "GET /applications/{application_id}/guilds/{guild_id}/commands"
_SERVERS = "GET /users/@me/guilds"
_SERVER, _MEMBER = "GET /guilds/{guild_id}", "GET /guilds/{guild_id}/members/{user_id}"
_ANOTHER = "What answers at BROADSHEET_DISCORD_API_URL is not Discord."
_ENDS = "The address ends in /api/v10."
_COPY = "Copy it again: https://discord.com/developers/applications, page Bot, Reset Token."


async def _said(variables: Mapping[str, str]) -> list[tuple[str, str]]:
    findings = await examine(variables)
    assert {finding.about for finding in findings} == {"discord"}
    assert all(finding.remedy for finding in findings if finding.verdict is Verdict.PROBLEM)
    return [(finding.verdict.value, finding.sentence) for finding in findings]


async def _problem(variables: Mapping[str, str]) -> Finding:
    [problem] = await examine(variables)
    assert problem.verdict is Verdict.PROBLEM
    return problem


def _hold(discord: FakeDiscord, commands: list[dict[str, Any]]) -> None:
    """Have Discord hold these commands."""
    known = {"application_id": str(discord.application_id), "version": "1", "nsfw": False}
    discord.commands = [
        {"description": "", **each, **known, "id": str(discord.next_id())} for each in commands
    ]


async def test_all_is_well() -> None:
    """The findings confirm each setting and show the invite URL."""
    async with FakeDiscord() as discord:
        discord.add_guild("G")
        _hold(discord, payload(COMMANDS))
        findings = await examine(variables_for(discord))
        assert [(each.verdict.value, each.sentence) for each in findings] == [
            ("well", "DISCORD_TOKEN is of broadsheet."),
            ("well", "Servers can add it, and people for themselves."),
            ("well", "The commands are registered."),
            ("well", "It is in 1 server."),
        ]
        assert findings[-1].remedy == f"To add it to another: {invite_url(discord.application_id)}"


async def test_nothing_is_changed_in_discord() -> None:
    """The checks only read, and open no gateway connection."""
    async with FakeDiscord() as discord:
        discord.add_guild("G")
        await examine(variables_for(discord))
        asked = sorted(call.name for call in discord.calls())
        there = [_SERVERS, _SERVER, _MEMBER, _LEFT]
        assert asked == sorted([_ME, _APP, _COMMANDS, *there, "GET /gateway/bot"])
        assert discord.gateway.open == []


async def test_what_a_server_does_not_let_it_do_is_a_note() -> None:
    """Posts may be wanted there one day; a channel may let it all the same, so it is no problem."""
    async with FakeDiscord() as discord:
        closed = discord.add_guild("G")
        closed.everyone.permissions &= ~(
            Permission.SEND_MESSAGES | Permission.CREATE_PUBLIC_THREADS
        )
        discord.fail(_SERVER, ServerError(503))
        assert (await _said(variables_for(discord)))[-1] == (
            "note",
            "Discord did not say what it may in G: Discord failed in the middle of it.",
        )
        discord.add_guild("H")
        findings = await examine(variables_for(discord))
        assert findings[-1] == Finding(
            "discord",
            Verdict.NOTE,
            "In G it may not Send Messages, Create Public Threads.",
            "A manager allows it: Server Settings, Roles, broadsheet.",
        )


async def test_what_a_start_registered_is_what_should_be(stocked: Database) -> None:
    """Once the bot ran, its commands are no news any more."""
    async with FakeDiscord() as discord:
        discord.add_guild("G")
        assert ("note", "No command is registered yet.") in await _said(variables_for(discord))
        async with running(stocked, discord):
            pass
        assert ("well", "The commands are registered.") in await _said(variables_for(discord))


async def test_another_s_commands_are_a_note() -> None:
    """The finding says that the next start replaces other commands."""
    async with FakeDiscord() as discord:
        [papers, look_up] = payload(COMMANDS)
        _hold(discord, [{**papers, "description": "Another program's"}, look_up])
        findings = await examine(variables_for(discord))
        [found] = [each for each in findings if "commands" in each.sentence]
        assert found == Finding(
            "discord",
            Verdict.NOTE,
            "Discord holds other commands than these.",
            "broadsheet run registers its own at its start, in place of all that the app has.",
        )


async def test_commands_left_in_a_server_are_named() -> None:
    """Broadsheet registers none in one server alone; what an earlier trial left shadows its own."""
    async with FakeDiscord() as discord:
        _hold(discord, payload(COMMANDS))
        discord.add_guild("clean")
        server = discord.add_guild("G")
        discord.guild_commands[server.id] = [
            {"id": "1", "name": name} for name in ("papers", "a", "b", "c", "d", "e")
        ]
        findings = await examine(variables_for(discord))
        [found] = [each for each in findings if "did not register" in each.sentence]
        names = "papers, a, b, c, d and 1 more"
        assert found.verdict is Verdict.NOTE
        assert found.sentence == (
            f"G has commands of the app that Broadsheet did not register: {names}."
        )
        assert f"/guilds/{server.id}/commands" in found.remedy


async def test_servers_are_counted() -> None:
    """As far as Discord tells of them at once.

    Where the bot is in more than are looked at, nobody takes the others for sound.
    """
    looked_at = "servers the first 10 were looked at: what it may there, and commands that were"
    async with FakeDiscord() as discord:
        _hold(discord, payload(COMMANDS))
        for number, told, is_cut in (
            (2, "It is in 2 servers.", False),
            (10, "It is in 10 servers.", False),
            (12, "It is in 12 servers.", True),
            (200, "It is in 200 or more servers.", True),
        ):
            while len(discord.guilds) < number:
                discord.add_guild("G")
            said = await _said(variables_for(discord))
            assert ("well", told) in said
            assert any(looked_at in sentence for _, sentence in said) is is_cut


async def test_a_bot_in_no_server_gets_the_link() -> None:
    """The link to add it asks for the bot, its commands and the permissions of the table."""
    async with FakeDiscord() as discord:
        discord.add_guild("another's", bot=False)
        findings = await examine(variables_for(discord))
        assert findings[-1] == Finding(
            "discord",
            Verdict.NOTE,
            "It is in no server yet.",
            f"Add it to one: {invite_url(discord.application_id)}",
        )


async def test_an_endpoint_that_takes_all_commands_is_a_problem() -> None:
    """With an address for interactions at the portal none of them comes over the gateway."""
    async with FakeDiscord() as discord:
        discord.app["interactions_endpoint_url"] = "https://other.example.org/in"
        findings = await examine(variables_for(discord))
        [problem] = [each for each in findings if each.verdict is Verdict.PROBLEM]
        assert problem.sentence == (
            "Discord sends commands to https://other.example.org/in and not to Broadsheet."
        )
        assert "Interactions Endpoint URL" in problem.remedy


async def test_who_can_not_add_it_is_a_note() -> None:
    """A switched-off install type is named as in the portal."""
    settings: tuple[tuple[dict[str, Any], str], ...] = (
        ({"integration_types_config": {"1": {}}}, "No server can add it: Guild Install is off."),
        (
            {"integration_types_config": {"0": {}}},
            "People can't add it for themselves: User Install is off.",
        ),
        ({"integration_types_config": {}}, "Discord did not say who can add it."),
        (
            {"bot_require_code_grant": True},
            "No server can add it by a link: Requires OAuth2 Code Grant is on.",
        ),
    )
    async with FakeDiscord() as discord:
        for app, sentence in settings:
            discord.app = app
            assert ("note", sentence) in await _said(variables_for(discord))


async def test_shards_are_held_against_what_discord_wants() -> None:
    """Too few would not connect, and many take long, for they connect one after another."""
    async with FakeDiscord() as discord:
        discord.shards = 2
        for shards, verdict, sentence in (
            (1, "problem", "BROADSHEET_DISCORD_SHARDS=1 is too few: Discord recommends 2."),
            (2, "well", "Its servers are shared out among 2 shards."),
            (24, "note", "Until all 24 shards are connected it takes 2 minutes."),
        ):
            variables = {**variables_for(discord), "BROADSHEET_DISCORD_SHARDS": str(shards)}
            assert (verdict, sentence) in await _said(variables)


@pytest.mark.parametrize("token", ["x", "0123456789abcdef", "one.two", "MTI.abc.def.ghi"])
async def test_what_is_no_bot_s_token_is_told_without_asking(token: str) -> None:
    """A client secret or a public key is known by its form, and never sent to Discord."""
    problem = await _problem({"DISCORD_TOKEN": token})
    assert problem.sentence == "DISCORD_TOKEN is no bot's token: those have two dots."
    assert problem.remedy == _COPY
    assert token not in problem.sentence


async def test_settings_that_can_not_be_used_are_told_in_words() -> None:
    """Invalid settings are a problem with a remedy."""
    problem = await _problem({"DISCORD_TOKEN": "a.b.c", "BROADSHEET_DISCORD_API_URL": "here"})
    assert problem.sentence == "BROADSHEET_DISCORD_API_URL=here is no address."


async def test_a_token_that_discord_refuses_is_a_problem() -> None:
    """The remedy says where to copy the token, which is not repeated."""
    async with FakeDiscord() as discord:
        discord.expect_refusals = True
        problem = await _problem({**variables_for(discord), "DISCORD_TOKEN": "wrong-one"})
        assert problem.sentence == "Discord refuses DISCORD_TOKEN (401)."
        assert problem.remedy == _COPY


async def test_trouble_at_discord_is_no_wrong_token() -> None:
    """A failed request is not reported as a wrong token; after some seconds nobody waits for it."""
    not_tried = "DISCORD_TOKEN could not be tried: "
    async with FakeDiscord() as discord:
        for fault in (ServerError(503), Drop(stored=False), Drop()):
            # aiohttp asks once more where a connection broke off
            discord.fail(_ME, fault, times=1 if isinstance(fault, ServerError) else 2)
            problem = await _problem(variables_for(discord))
            assert problem.sentence.startswith(not_tried)
        for silence in (Slow(9), RateLimited(9)):
            discord.fail(_ME, silence)
            [problem] = await examine(variables_for(discord), seconds=0.2)
            assert problem.sentence == f"{not_tried}Discord did not answer within 0.2 seconds."


async def test_what_could_not_be_found_out_leaves_the_rest() -> None:
    """A failed request is a note beside the other findings."""
    async with FakeDiscord() as discord:
        for name, sentence in (
            (_COMMANDS, "Discord did not say which commands"),
            (_SERVERS, "Discord did not say where"),
        ):
            discord.fail(name, Refuse(403, 20012))
            said = await _said(variables_for(discord))
            assert [verdict for verdict, told in said if told.startswith(sentence)] == ["note"]
            assert ("well", "DISCORD_TOKEN is of broadsheet.") in said


async def test_a_discord_that_can_not_be_reached_is_told_soon(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nothing listens there: one sentence, no traceback, and nothing in the log."""
    async with FakeDiscord() as discord:
        variables = variables_for(discord)
    problem = await asyncio.wait_for(_problem(variables), 10)
    assert problem.sentence == "DISCORD_TOKEN could not be tried: Discord can't be reached."
    assert "BROADSHEET_DISCORD_API_URL" in problem.remedy
    assert caplog.records == []


async def test_what_answers_there_may_be_another() -> None:
    """An address without a REST API is reported."""
    async with FakeDiscord() as discord:
        discord.expect_refusals = True
        elsewhere = {"BROADSHEET_DISCORD_API_URL": f"{discord.url}/elsewhere"}
        problem = await _problem({**variables_for(discord), **elsewhere})
        assert problem == Finding("discord", Verdict.PROBLEM, _ANOTHER, _ENDS)


@pytest.mark.parametrize("text", ["{}", "[]", "no JSON"])
async def test_another_s_answer_is_not_read_as_discord_s(text: str) -> None:
    """A JSON response of another service is reported."""

    async def answer(_: web.Request) -> web.Response:
        return web.Response(text=text, content_type="application/json")

    app = web.Application()
    app.router.add_get("/{anything:.*}", answer)
    async with TestServer(app) as server:
        variables = {
            "DISCORD_TOKEN": "a.b.c",
            "BROADSHEET_DISCORD_API_URL": str(server.make_url("")),
        }
        assert (await _problem(variables)).sentence == _ANOTHER


_LOOK = "GET /channels/{channel_id}"
_ALLOW = "A manager allows it: Edit Channel, Permissions, Broadsheet."


def ordered(room: Room) -> Channel:
    """Return a channel as a subscription has it."""
    server = str(room.guild.id) if room.guild else f"@{room.recipients[0].id}"
    return Channel(Workspace("discord", server), str(room.id))


async def found(fake: FakeDiscord, *rooms: Room) -> list[Finding]:
    """Return the findings about channels."""
    others = await examine(variables_for(fake))
    every = await examine(variables_for(fake), [ordered(room) for room in rooms])
    return every[len(others) :]


async def test_open_channels_are_counted() -> None:
    """The channels that can be posted to are counted; direct messages are not."""
    async with FakeDiscord() as fake:
        guild, other = fake.add_guild("G"), fake.add_guild("H")
        talk, forum = guild.add_channel("talk"), other.add_channel("forum", kind="forum")
        locked = guild.add_channel("closed", bot_lacks=Permission.SEND_MESSAGES)
        thread = guild.add_thread(locked, "Papers", archived=True)
        direct = fake.add_person("ann").dm
        assert await found(fake, talk, forum, thread, direct) == [
            Finding("discord", Verdict.WELL, "3 channels can be posted to.")
        ]
        assert await found(fake) == await found(fake, direct) == []


async def test_each_closed_channel_is_a_problem_with_its_remedy() -> None:
    """Hidden, deleted and locked channels, and those of a left server, are problems."""
    async with FakeDiscord() as fake:
        guild, left = fake.add_guild("G"), fake.add_guild("left")
        mute = guild.add_channel("mute", bot_lacks=Permission.SEND_MESSAGES)
        hidden = guild.add_channel("hidden", bot_lacks=Permission.VIEW_CHANNEL)
        gone, voice = guild.add_channel("gone"), guild.add_channel("rooms", kind="category")
        shut = guild.add_thread(guild.add_channel("talk"), "Papers", locked=True)
        there = left.add_channel("papers")
        guild.remove_channel(gone)
        left.remove_bot()
        findings = await found(fake, mute, hidden, gone, voice, shut, there)
        assert {finding.verdict for finding in findings} == {Verdict.PROBLEM}
        assert [finding.sentence for finding in findings] == [
            f"{mute.id} can't be posted to: Broadsheet may not Send Messages in #mute.",
            f"{hidden.id} can't be posted to: Broadsheet can't see that channel.",
            f"{gone.id} can't be posted to: That channel is no longer there.",
            f"{voice.id} can't be posted to: #rooms takes no messages.",
            f"{shut.id} can't be posted to: The thread Papers is locked.",
            f"{there.id} can't be posted to: Broadsheet is not in its server, {left.id}.",
        ]
        assert findings[0].remedy == _ALLOW
        assert all(finding.remedy for finding in findings)


async def test_what_could_not_be_examined_is_counted_by_its_reason() -> None:
    """A failure of Discord is not a problem of the channel."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild("G")
        rooms = [guild.add_channel(name) for name in ("a", "b", "c")]
        fake.fail(_LOOK, ServerError(503), times=2)
        assert await found(fake, *rooms) == [
            Finding("discord", Verdict.WELL, "1 channel can be posted to."),
            Finding(
                "discord",
                Verdict.NOTE,
                "2 channels could not be examined: Discord failed in the middle of it.",
            ),
        ]


async def test_no_more_than_some_are_examined() -> None:
    """The first 50 channels are checked, and a note says so."""
    async with FakeDiscord() as fake:
        guild = fake.add_guild("G")
        rooms = [guild.add_channel(f"c{number}") for number in range(MOST_EXAMINED + 1)]
        assert [finding.sentence for finding in await found(fake, *rooms)] == [
            "50 channels can be posted to.",
            "Of 51 channels no more than 50 were examined.",
        ]
        assert len(fake.calls(_LOOK)) == MOST_EXAMINED
