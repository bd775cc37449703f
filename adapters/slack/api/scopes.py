"""The OAuth scopes of the bot, each with its purpose.

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
    # https://docs.slack.dev/ai/developing-agents
    Scope(
        "assistant:write",
        "the pane of the bot beside a conversation, with the prompts that it suggests",
        "the bot has no pane; direct messages work",
        optional=True,
    ),
)
BOT_SCOPES = tuple(scope.name for scope in SCOPES)
OPTIONAL_SCOPES = tuple(scope.name for scope in SCOPES if scope.optional)


def missing_scopes(granted: Collection[str]) -> list[Scope]:
    """Return the scopes that were not granted, in the order of `SCOPES`."""
    return [scope for scope in SCOPES if scope.name not in granted]


def scope_table(scopes: Sequence[Scope] = SCOPES) -> str:
    """Return the scopes as a Markdown table for the docs."""
    names = (f"`{each.name}`{', optional' if each.optional else ''}" for each in scopes)
    rows = (
        f"| {name} | {each.purpose} | {each.lost} |"
        for name, each in zip(names, scopes, strict=True)
    )
    return "\n".join(["| scope | what for | without it |", "|---|---|---|", *rows])
