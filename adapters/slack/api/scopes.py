"""The OAuth scopes of the bot, each with its purpose; an app with an agent pane has one more.

The scopes of a method or an event are listed on its page, such as
https://docs.slack.dev/reference/methods/chat.postMessage
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """A scope, its purpose, and the loss without it.

    Hardly anything works without one that is `needed`. Only some features work through one that is
    `optional`: whoever installs the app may leave it out.
    """

    name: str
    purpose: str
    lost: str
    needed: bool = False
    optional: bool = False


SCOPES = (
    Scope(
        "commands",
        "the slash command and the two shortcuts",
        "`/papers` and the shortcuts do not exist",
        needed=True,
    ),
    Scope(
        "chat:write",
        "the posts of each week, answers to mentions and direct messages, and the welcome",
        "nothing is posted, mentions and direct messages stay unanswered, nobody is welcomed",
        needed=True,
    ),
    Scope(
        "channels:read",
        "the names of public channels, and whether whoever orders posts for one is in it",
        "posts are ordered only in the channel that is to get them, once the bot was invited",
    ),
    Scope(
        "groups:read",
        "the same of private channels that the bot was invited to",
        "the same",
    ),
    Scope(
        "channels:join",
        "joining a public channel that is to get posts",
        "the bot has to be invited to every channel",
        optional=True,
    ),
    Scope(
        "channels:history",
        "looking in a public channel whether a post stands there whose answer was lost",
        "such a post is shown as `unknown`, and a manager decides",
        optional=True,
    ),
    Scope(
        "groups:history",
        "the same in private channels that the bot was invited to",
        "the same",
        optional=True,
    ),
    Scope(
        "im:write",
        "the direct messages that files for one person go to, and looking there whether a notice "
        "arrived whose answer was lost",
        "files come only where they are asked for in a direct message or shared, and such a notice "
        "may be sent twice",
    ),
    Scope(
        "files:write",
        "the pictures and files that come with answers",
        "answers come as words, and say which file is missing",
        optional=True,
    ),
    Scope(
        "app_mentions:read",
        "seeing messages that mention the bot, and no others",
        "mentions are not seen; `/papers` works",
    ),
    Scope(
        "im:history",
        "reading what is written to the bot in a direct message",
        "direct messages are not seen, and a notice may be sent twice; `/papers` works there too",
    ),
    Scope(
        "links:read",
        "seeing that a message holds a link to arXiv",
        "links get no cards",
        optional=True,
    ),
    Scope(
        "links:write",
        "putting a card below such a link",
        "links get no cards",
        optional=True,
    ),
    Scope(
        "users:read",
        "the zone in a person's profile, and whether a person is an admin",
        "`this week` follows the workspace's zone, "
        "and `BROADSHEET_SLACK_MANAGERS=admins` lets nobody change settings",
        optional=True,
    ),
)
# Slack adds it to an app that is declared an agent (https://docs.slack.dev/ai/agent-sessions), and
# nothing else of a token tells one. That nobody adds it to another app is taken for granted.
AGENT_SCOPE = Scope(
    "assistant:write",
    "Slack's agent pane, with the prompts that it suggests and titles of threads; by this scope "
    "Broadsheet knows that its app is an agent",
    "Broadsheet takes its app for one without the pane, and answers direct messages in place",
)
BOT_SCOPES = tuple(scope.name for scope in SCOPES)
OPTIONAL_SCOPES = tuple(scope.name for scope in SCOPES if scope.optional)


def is_agents(granted: Collection[str]) -> bool:
    """Tell whether a token with these scopes is of an app with Slack's agent pane."""
    return AGENT_SCOPE.name in granted


def missing_scopes(granted: Collection[str]) -> list[Scope]:
    """Return the scopes that were not granted, in the order of `SCOPES`; an agent's is no loss."""
    return [scope for scope in SCOPES if scope.name not in granted]


def scope_table(scopes: Sequence[Scope] = (*SCOPES, AGENT_SCOPE)) -> str:
    """Return the scopes as a Markdown table for the docs."""
    names = (f"`{each.name}`{_condition(each)}" for each in scopes)
    rows = (
        f"| {name} | {each.purpose} | {each.lost} |"
        for name, each in zip(names, scopes, strict=True)
    )
    return "\n".join(["| scope | what for | without it |", "|---|---|---|", *rows])


def _condition(scope: Scope) -> str:
    if scope is AGENT_SCOPE:
        return ", only with `--agent`"
    return ", optional" if scope.optional else ""
