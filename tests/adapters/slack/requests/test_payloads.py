"""Slack's payloads are read as requests."""

from typing import Any

import pytest

from adapters.slack.requests.payloads import (
    Request,
    command_in_mention,
    from_command,
    from_event,
    from_interaction,
    from_mrkdwn,
    mentioned_users,
)

# The forms that https://docs.slack.dev/interactivity/implementing-slash-commands and
# https://docs.slack.dev/reference/interaction-payloads show.
COMMAND = {
    "team_id": "T1",
    "enterprise_id": "E1",
    "is_enterprise_install": "false",
    "channel_id": "C1",
    "user_id": "U1",
    "command": "/papers",
    "text": "search moe",
    "response_url": "https://hooks.slack.com/commands/1",
    "trigger_id": "13.37",
}
INTERACTION = {
    "type": "block_actions",
    "team": {"id": "T1", "domain": "t1"},
    "enterprise": None,
    "user": {"id": "U1", "team_id": "T1"},
    "trigger_id": "13.37",
    "response_url": "https://hooks.slack.com/actions/1",
}


def event(fields: dict[str, Any], **wrapper: object) -> dict[str, Any]:
    """Wrap an event as it is delivered."""
    return {"team_id": "T1", "event_id": "Ev1", "event": {"user": "U1", **fields}, **wrapper}


def test_a_command_is_read() -> None:
    """A slash command tells who asks what, where, and how to answer later."""
    request = from_command(COMMAND)
    assert request == Request(
        key=request.key,
        team="T1",
        user="U1",
        text="search moe",
        enterprise="E1",
        channel="C1",
        response_url="https://hooks.slack.com/commands/1",
        trigger_id="13.37",
        user_team="T1",
    )


def test_an_organisation_installs_for_its_workspaces() -> None:
    """`is_enterprise_install` is text in a command, and the store's id is the workspace's."""
    request = from_command({**COMMAND, "is_enterprise_install": "true"})
    assert request.is_org
    assert request.workspace == "T1"


def test_a_command_without_text_asks_nothing() -> None:
    """Over HTTP an empty text may be left out altogether."""
    assert from_command({**COMMAND, "text": None}).text == ""


def test_a_button_in_an_ephemeral_message_has_a_container_alone() -> None:
    """Slack sends no message then: channel, message and thread are in the container."""
    container = {
        "type": "message",
        "message_ts": "2.0",
        "thread_ts": "1.0",
        "channel_id": "C1",
        "is_ephemeral": True,
    }
    request = from_interaction({**INTERACTION, "container": container})
    assert (request.channel, request.message, request.thread) == ("C1", "2.0", "1.0")
    assert request.response_url == "https://hooks.slack.com/actions/1"
    assert not request.is_direct


def test_a_message_shortcut_knows_the_message() -> None:
    """A shortcut on a message has no container, but the message itself."""
    request = from_interaction(
        {**INTERACTION, "channel": {"id": "D1"}, "message": {"ts": "2.0", "thread_ts": "1.0"}}
    )
    assert (request.channel, request.message, request.thread) == ("D1", "2.0", "1.0")
    assert request.is_direct


def test_a_button_in_a_modal_has_no_channel() -> None:
    """In a modal or on the App Home there is neither channel nor message."""
    container = {"type": "view", "view_id": "V1"}
    request = from_interaction({**INTERACTION, "container": container})
    assert (request.channel, request.message, request.thread) == (None, None, None)
    assert not request.is_direct


def test_a_redelivered_request_has_the_same_key() -> None:
    """Delivered again it has the same key; one that differs in anything has another."""
    assert from_command(dict(reversed(COMMAND.items()))).key == from_command(COMMAND).key
    suggestion = {name: INTERACTION[name] for name in ("team", "user")}
    requests = [
        from_command(COMMAND),
        from_command({**COMMAND, "text": "search moe "}),
        from_command({**COMMAND, "trigger_id": "13.38"}),
        *(
            from_interaction(body)
            for body in (
                INTERACTION,
                {**suggestion, "container": {"view_id": "V1"}},
                {**suggestion, "container": {"view_id": "V1"}, "value": "a"},
                {**suggestion, "user": {"id": "U2"}, "container": {"view_id": "V1"}},
            )
        ),
    ]
    assert len({request.key for request in requests}) == len(requests)


def test_an_event_is_read() -> None:
    """An event is known by its id and who sees it, whatever the delivery; its thread is kept."""
    body = event({"channel": "C1", "ts": "2.0", "thread_ts": "1.0", "text": "<@UBOT1> latest"})
    assert from_event(body) == Request(
        key="slack:T1:Ev1",
        team="T1",
        user="U1",
        text="@UBOT1 latest",
        channel="C1",
        thread="1.0",
        message="2.0",
        user_team="T1",
    )


def test_a_mention_is_known_by_its_message() -> None:
    """Slack may deliver one for each installation that sees it; an edited one is another."""
    fields = {"type": "app_mention", "channel": "C1", "ts": "2.0"}
    first = from_event(event(fields))
    assert from_event(event(fields, event_id="Ev2")).key == first.key
    edited = from_event(event({**fields, "edited": {"user": "U1", "ts": "3.0"}}))
    elsewhere = from_event(event(fields, team_id="T2"))
    assert len({first.key, edited.key, elsewhere.key}) == 3


def test_a_link_is_shared_in_a_message() -> None:
    """`link_shared` names its message `message_ts`."""
    request = from_event(event({"type": "link_shared", "channel": "C1", "message_ts": "2.0"}))
    assert (request.channel, request.message) == ("C1", "2.0")


def test_an_event_of_an_organisation_is_for_its_authorized_workspace() -> None:
    """Where the wrapper has no workspace the authorisation tells it."""
    granted = {"team_id": "T9", "enterprise_id": "E1", "is_enterprise_install": True}
    request = from_event(event({}, team_id=None, authorizations=[granted]))
    assert (request.team, request.enterprise, request.is_org) == ("T9", "E1", True)
    everywhere = from_event(event({}, team_id=None, authorizations=[{**granted, "team_id": None}]))
    assert everywhere.workspace == "E1"


def test_an_event_without_a_person_is_nobodys() -> None:
    """An uninstallation has no user, and some events hold a user object."""
    assert from_event({"event_id": "Ev1", "event": {"type": "app_uninstalled"}}).user == ""
    assert from_event(event({"user": {"id": "U1"}})).user == ""


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("search moe", "search moe"),
        ("  search   moe ", "search   moe"),
        ("show\N{NO-BREAK SPACE}3", "show 3"),
        ("AT&amp;T &lt;b&gt;", "AT&T <b>"),
        ("&amp;lt;", "&lt;"),
        ("show <https://arxiv.org/abs/2601.00003>", "show https://arxiv.org/abs/2601.00003"),
        ("show <https://example.org/?a=1&amp;b=2|here>", "show https://example.org/?a=1&b=2"),
        ("ask <mailto:a@example.org|a@example.org>", "ask a@example.org"),
        ("search <http://dair.ai|dair.ai> agents", "search dair.ai agents"),
        ("<https://arxiv.org/abs/2601.00003|arxiv.org/abs/2601.00003>", "arxiv.org/abs/2601.00003"),
        ("show <tel:2601.00003|2601.00003>", "show 2601.00003"),
        ("<mailto:a@example.org>", "a@example.org"),
        ("by <@U1|ann> in <#C1|papers>", "by @ann in #papers"),
        ("by <@U1> in <#C1|>", "by @U1 in #C1"),
        ("subscribe in:<#C1|papers> topic:agents", "subscribe in:C1 topic:agents"),
        ("subscribe channel:<#C1> <#C2|other>", "subscribe channel:C1 #other"),
        ("subscribe IN:<#G1|>", "subscribe IN:G1"),
        ("search within:<#C1|papers>", "search within:#papers"),
        ("<!here> <!channel|@channel> <!subteam^S1|@group>", "@here @channel @group"),
        ("<!subteam^S1>", "@subteam"),
        ("1 < 2 > 0", "1 < 2 > 0"),
        ("", ""),
    ],
)
def test_mrkdwn_becomes_the_typed_text(typed: str, words: str) -> None:
    """References become words, escapes are undone once.

    A channel that a command is given stays an id: others may have its name.
    """
    assert from_mrkdwn(typed) == words


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<@UBOT1> search moe", "search moe"),
        ("<@UBOT1|broadsheet>: search moe", "search moe"),
        ("hey <@UBOT1>, latest", "latest"),
        ("latest, <@UBOT1>", "latest"),
        ("latest <@UBOT1>,", "latest"),
        ("<@UBOT1> search <@U2|ann>", "search @ann"),
        ("<@U2|ann> ask <@UBOT1> for latest", "for latest"),
        ("<@UBOT1>", ""),
        ("search <https://example.org>", "search https://example.org"),
    ],
)
def test_a_mention_is_followed_by_the_command(text: str, line: str) -> None:
    """The text after the mention counts, else the text before it, else all."""
    assert command_in_mention({"text": text}, "UBOT1") == line


def test_any_mention_counts_where_the_bot_does_not_know_its_name() -> None:
    """Without the bot's id the first mention is taken for it."""
    assert command_in_mention({"text": "<@U7> latest"}, None) == "latest"


def test_the_first_few_users_of_a_mention_are_known() -> None:
    """Each counts once, with or without a name, however many a message holds."""
    assert mentioned_users({"text": "<@U1|ann> hi <@UBOT1> <@U1> <#C1>"}) == ["U1", "UBOT1"]
    assert len(mentioned_users({"text": "".join(f"<@U{n}>" for n in range(9_000))})) == 20
    assert mentioned_users({}) == []
