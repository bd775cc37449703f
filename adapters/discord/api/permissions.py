"""The permissions that Broadsheet asks a server for, each with its reason.

Answers to commands need none of them: Discord lets every command be answered where it was asked.
What a call needs stands on its page, such as
https://docs.discord.com/developers/resources/message#create-message
"""

from collections.abc import Sequence
from dataclasses import dataclass

import discord

SCOPES = ("bot", "applications.commands")


@dataclass(frozen=True, slots=True)
class Permission:
    """A permission: its flag in the library, Discord's words for it, and what it is for.

    `lost` is what is lost without it.
    """

    flag: str
    words: str
    purpose: str
    lost: str


PERMISSIONS = (
    Permission(
        "view_channel",
        "View Channels",
        "reaching the channel that is to be posted to",
        "nothing is posted there; `/papers` works",
    ),
    Permission(
        "send_messages",
        "Send Messages",
        "posts in a channel, new posts in a forum, and the welcome",
        "nothing is posted there; `/papers` works",
    ),
    Permission(
        "send_messages_in_threads",
        "Send Messages in Threads",
        "posts in a thread, and the further messages of a post in a forum or below a card",
        "threads get nothing, forums and channels posts of one message only",
    ),
    Permission(
        "create_public_threads",
        "Create Public Threads",
        "the thread of a post that has one reply for each paper",
        "such posts are refused; those in one message work",
    ),
    Permission(
        "read_message_history",
        "Read Message History",
        "looking whether a post arrived, after a connection broke off, before it is sent again",
        "a post whose arrival is unclear has to be looked after by a person",
    ),
    Permission(
        "embed_links",
        "Embed Links",
        "posts as embeds, where Discord does not take the newer layout",
        "such posts are refused",
    ),
)


def named(flag: str) -> str:
    """Return Discord's words for a permission."""
    found = (permission.words for permission in PERMISSIONS if permission.flag == flag)
    return next(found, flag.replace("_", " ").title())


def invite_url(application_id: int) -> str:
    """Return the address where somebody adds the bot to a server, with these permissions."""
    wanted = discord.Permissions(**{permission.flag: True for permission in PERMISSIONS})
    return discord.utils.oauth_url(application_id, permissions=wanted, scopes=SCOPES)


def permission_table(permissions: Sequence[Permission] = PERMISSIONS) -> str:
    """Return the permissions as a table in Markdown."""
    rows = (f"| {each.words} | {each.purpose} | {each.lost} |" for each in permissions)
    return "\n".join(["| permission | what for | without it |", "|---|---|---|", *rows])
