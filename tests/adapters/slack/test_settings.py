"""Slack's settings are read from environment variables."""

import pytest

from adapters.slack.settings import Transport, is_configured, read_slack_settings
from bot.errors import SettingsError

ONE = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"}
MANY = {
    "SLACK_CLIENT_ID": "1.2",
    "SLACK_CLIENT_SECRET": "secret",
    "SLACK_SIGNING_SECRET": "signed",
    "BROADSHEET_SECRET_KEY": "a new and random text,old",
    "BROADSHEET_PUBLIC_URL": "https://papers.example.org/",
}

SECRETS = {*ONE, *MANY} - {"SLACK_CLIENT_ID", "BROADSHEET_PUBLIC_URL"}


def test_an_app_token_is_for_socket_mode() -> None:
    """One workspace with both tokens is connected to by Socket Mode, at Slack's own address."""
    settings = read_slack_settings(ONE)
    assert settings.transport == Transport.SOCKET
    assert settings.install is None
    assert settings.managers == "anyone"
    assert settings.api_url == "https://slack.com/api/"
    assert settings.authorize_url == "https://slack.com/oauth/v2/authorize"


def test_a_signing_secret_alone_is_for_http() -> None:
    """Without an app token requests come in over HTTP; with one the signing secret waits."""
    over_http = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_SIGNING_SECRET": "signed"}
    assert read_slack_settings(over_http).transport == Transport.HTTP
    assert read_slack_settings({**over_http, **ONE}).transport == Transport.SOCKET


def test_a_client_id_is_for_many_workspaces() -> None:
    """Without a bot token workspaces install the app and come back to the public address."""
    settings = read_slack_settings(MANY)
    assert settings.bot_token is None
    assert settings.install is not None
    assert settings.install.client_id == "1.2"
    assert [key.get_secret_value() for key in settings.install.secret_keys] == [
        "a new and random text",
        "old",
    ]
    assert settings.install.redirect_url == "https://papers.example.org/slack/oauth_redirect"


def test_with_a_bot_token_the_client_is_ignored() -> None:
    """A bot token is for one workspace, and what is for many is named as having no effect."""
    settings = read_slack_settings({**MANY, **ONE})
    assert settings.install is None
    assert settings.ignored == ("SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET")


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"SLACK_BOT_TOKEN": "xoxb-1"}, "neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET"),
        ({"SLACK_APP_TOKEN": "xapp-1"}, "SLACK_BOT_TOKEN is not set."),
        ({**MANY, "SLACK_CLIENT_ID": ""}, "SLACK_CLIENT_ID is not set."),
        ({**MANY, "SLACK_CLIENT_SECRET": " "}, "SLACK_CLIENT_SECRET is not set."),
        ({**MANY, "BROADSHEET_SECRET_KEY": " , "}, "BROADSHEET_SECRET_KEY is not set"),
        ({**MANY, "BROADSHEET_SECRET_KEY": f"xoxb,{'x' * 16}"}, "fewer than 16 characters"),
        ({**MANY, "BROADSHEET_SECRET_KEY": f", {'x' * 15} ,"}, "fewer than 16 characters"),
        ({**ONE, "BROADSHEET_SLACK_MANAGERS": "bosses"}, "BROADSHEET_SLACK_MANAGERS=bosses"),
        ({**ONE, "BROADSHEET_SLACK_API_URL": "slack.com"}, "BROADSHEET_SLACK_API_URL=slack.com"),
        ({**ONE, "BROADSHEET_PUBLIC_URL": "papers.org"}, "BROADSHEET_PUBLIC_URL=papers.org"),
        ({**ONE, "SLACK_BOT_TOKEN": "xoxb-1 # mine"}, "SLACK_BOT_TOKEN holds a character"),
        ({**ONE, "SLACK_APP_TOKEN": "xapp-…"}, "SLACK_APP_TOKEN holds a character"),
        ({**ONE, "SLACK_BOT_TOKEN": "xoxb\n1"}, "SLACK_BOT_TOKEN holds a character"),
    ],
)
def test_missing_and_invalid_settings_are_named(variables: dict[str, str], words: str) -> None:
    """The error names the variable, and its remedy says what to set."""
    with pytest.raises(SettingsError) as raised:
        read_slack_settings(variables)
    assert words in raised.value.sentence
    assert raised.value.remedy
    assert "xoxb" not in raised.value.sentence


def test_blanks_around_a_token_do_not_count() -> None:
    """A token pasted with the end of its line is the token."""
    settings = read_slack_settings({**ONE, "SLACK_BOT_TOKEN": " xoxb-1\n"})
    assert settings.bot_token is not None
    assert settings.bot_token.get_secret_value() == "xoxb-1"


def test_the_base_url_may_go_without_its_slash() -> None:
    """An address of the Web API is read with and without the slash at its end."""
    for url in ("http://127.0.0.1:1/api", "http://127.0.0.1:1/api/"):
        settings = read_slack_settings({**ONE, "BROADSHEET_SLACK_API_URL": url})
        assert settings.api_url == "http://127.0.0.1:1/api/"
        assert settings.authorize_url == "http://127.0.0.1:1/oauth/v2/authorize"


def test_slack_is_wanted_where_any_token_is_set() -> None:
    """Any of the tokens configures Slack, so that missing ones are reported."""
    assert is_configured({"SLACK_SIGNING_SECRET": "signed"})
    assert not is_configured({"SLACK_BOT_TOKEN": " ", "BROADSHEET_SLACK_MANAGERS": "admins"})


def test_no_secret_is_printed() -> None:
    """The representation for logs holds no token, secret or key."""
    for variables in (ONE, MANY):
        hidden = {
            name: f"hide-what-{number}-says" for number, name in enumerate(SECRETS & set(variables))
        }
        assert "hide-" not in repr(read_slack_settings({**variables, **hidden}))
