"""The requested permissions and the invite URL."""

from urllib.parse import parse_qs, urlsplit

import discord
import pytest

from adapters.discord.api.permissions import (
    PERMISSIONS,
    Permission,
    invite_url,
    permission_label,
    permission_table,
)


def test_the_link_asks_for_these_and_no_others() -> None:
    """The URL has the permissions of the table, and the scopes of the bot and its commands."""
    address = urlsplit(invite_url(42))
    asked = parse_qs(address.query)
    assert f"{address.scheme}://{address.netloc}{address.path}" == (
        "https://discord.com/oauth2/authorize"
    )
    assert asked["client_id"] == ["42"]
    assert asked["scope"] == ["bot applications.commands"]
    wanted = discord.Permissions(**{each.flag: True for each in PERMISSIONS})
    assert int(asked["permissions"][0]) == wanted.value
    assert wanted.value.bit_count() == len(PERMISSIONS)


def test_it_asks_for_nothing_that_moderates() -> None:
    """None of them lets it manage, delete or ping."""
    assert not [
        each.flag for each in PERMISSIONS if "manage" in each.flag or "mention" in each.flag
    ]
    assert "administrator" not in {each.flag for each in PERMISSIONS}


@pytest.mark.parametrize(
    ("flag", "words"),
    [("view_channel", "View Channels"), ("manage_threads", "Manage Threads")],
)
def test_a_permission_has_discord_s_words(flag: str, words: str) -> None:
    """A permission of the table has Discord's label; another one is made of its flag."""
    assert permission_label(flag) == words


def test_the_table_is_markdown() -> None:
    """Each permission is a row: its label, its purpose, and what is lost without it."""
    table = permission_table([Permission("speak", "Speak", "talking", "it is silent")])
    assert table == (
        "| permission | what for | without it |\n|---|---|---|\n| Speak | talking | it is silent |"
    )
