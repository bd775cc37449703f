"""The settings of the Slack adapter, read from environment variables. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from urllib.parse import urljoin

from pydantic import SecretStr

from bot.errors import SettingsError
from bot.settings import secret_keys

API_URL = "https://slack.com/api/"

# Paths on the web server.
EVENTS_PATH = "/slack/events"
INSTALL_PATH = "/slack/install"
REDIRECT_PATH = "/slack/oauth_redirect"

_TOKENS = (
    "SLACK_BOT_TOKEN",
    "SLACK_APP_TOKEN",
    "SLACK_SIGNING_SECRET",
    "SLACK_CLIENT_ID",
    "SLACK_CLIENT_SECRET",
)
_SCHEMES = ("http://", "https://")
SETTINGS = (*_TOKENS, "BROADSHEET_SLACK_MANAGERS", "BROADSHEET_SLACK_API_URL")


class Transport(StrEnum):
    """The transport of Slack's requests."""

    SOCKET = "socket"
    HTTP = "http"


Managers = Literal["anyone", "admins"]


@dataclass(frozen=True, slots=True)
class Install:
    """The app's OAuth client for many workspaces, and the keys that encrypt their tokens."""

    client_id: str
    client_secret: SecretStr
    secret_keys: tuple[SecretStr, ...]
    redirect_url: str | None


@dataclass(frozen=True, slots=True)
class SlackSettings:
    """The settings.

    Exactly one of `bot_token` (one workspace) and `install` (many) is set. `app_token` is for
    Socket Mode, `signing_secret` for HTTP. `public_url` ends without a slash. `ignored` names the
    variables that are set and have no effect.
    """

    transport: Transport
    bot_token: SecretStr | None
    install: Install | None
    app_token: SecretStr | None
    signing_secret: SecretStr | None
    managers: Managers
    api_url: str
    public_url: str | None = None
    ignored: tuple[str, ...] = ()

    @property
    def authorize_url(self) -> str:
        """The URL of Slack's OAuth consent page."""
        return urljoin(self.api_url, "../oauth/v2/authorize")


def is_configured(variables: Mapping[str, str]) -> bool:
    """Tell whether any of Slack's tokens is set."""
    return any(_value(variables, name) for name in _TOKENS)


def read_slack_settings(variables: Mapping[str, str]) -> SlackSettings:
    """Return the settings.

    Raises:
        SettingsError: where a variable is missing or invalid.
    """
    tokens = _tokens(variables)
    bot_token = tokens.get("SLACK_BOT_TOKEN")
    return SlackSettings(
        transport=_transport(tokens),
        bot_token=bot_token,
        install=None if bot_token else _install(tokens, variables),
        app_token=tokens.get("SLACK_APP_TOKEN"),
        signing_secret=tokens.get("SLACK_SIGNING_SECRET"),
        managers=_managers(variables),
        api_url=api_url(variables),
        public_url=read_public_url(variables),
        ignored=tuple(name for name in tokens if bot_token and name.startswith("SLACK_CLIENT_")),
    )


def read_public_url(variables: Mapping[str, str]) -> str | None:
    """Return the public URL of the web server, without a trailing slash, `None` if unset.

    Raises:
        SettingsError: where it is not a URL.
    """
    url = _value(variables, "BROADSHEET_PUBLIC_URL")
    if url and not url.startswith(_SCHEMES):
        raise SettingsError(
            f"BROADSHEET_PUBLIC_URL={url} is no address.", "It begins with https://."
        )
    return url.rstrip("/") or None


def _tokens(variables: Mapping[str, str]) -> dict[str, SecretStr]:
    values = {name: value for name in _TOKENS if (value := _value(variables, name))}
    for name, value in values.items():
        # HTTP headers hold no other characters.
        if not value.isascii() or not value.isprintable() or " " in value:
            raise SettingsError(f"{name} holds a character that no token has.", "Copy it again.")
    return {name: SecretStr(value) for name, value in values.items()}


def _value(variables: Mapping[str, str], name: str) -> str:
    return (variables.get(name) or "").strip()


def _transport(tokens: Mapping[str, SecretStr]) -> Transport:
    if "SLACK_APP_TOKEN" in tokens:
        return Transport.SOCKET
    if "SLACK_SIGNING_SECRET" in tokens:
        return Transport.HTTP
    raise SettingsError(
        "Slack has no way in: neither SLACK_APP_TOKEN nor SLACK_SIGNING_SECRET is set.",
        "Set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP.",
    )


def _install(tokens: Mapping[str, SecretStr], variables: Mapping[str, str]) -> Install:
    names = ("SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET")
    missing = [name for name in names if name not in tokens]
    if len(missing) == len(names):
        raise SettingsError(
            "SLACK_BOT_TOKEN is not set.",
            "Set it for one workspace, or SLACK_CLIENT_ID and SLACK_CLIENT_SECRET for many.",
        )
    if missing:
        raise SettingsError(f"{missing[0]} is not set.", "Set it beside the other of the two.")
    keys = secret_keys(_value(variables, "BROADSHEET_SECRET_KEY"))
    if not keys:
        raise SettingsError(
            "BROADSHEET_SECRET_KEY is not set, and tokens are not kept unencrypted.",
            "Set it to a long random text, such as openssl rand -base64 32 prints.",
        )
    public = read_public_url(variables)
    return Install(
        client_id=tokens["SLACK_CLIENT_ID"].get_secret_value(),
        client_secret=tokens["SLACK_CLIENT_SECRET"],
        secret_keys=keys,
        redirect_url=f"{public}{REDIRECT_PATH}" if public else None,
    )


def _managers(variables: Mapping[str, str]) -> Managers:
    match _value(variables, "BROADSHEET_SLACK_MANAGERS") or "anyone":
        case "anyone":
            return "anyone"
        case "admins":
            return "admins"
        case other:
            raise SettingsError(
                f"BROADSHEET_SLACK_MANAGERS={other} names nobody.", "Set it to anyone or admins."
            )


def api_url(variables: Mapping[str, str]) -> str:
    """Return the base URL of the Web API, which ends with a slash.

    Raises:
        SettingsError: if it is no address.
    """
    url = _value(variables, "BROADSHEET_SLACK_API_URL") or API_URL
    if not url.startswith(_SCHEMES):
        raise SettingsError(
            f"BROADSHEET_SLACK_API_URL={url} is no address.", f"Slack's own is {API_URL}."
        )
    # Without a trailing slash, joining a method would replace the last part of the path.
    return f"{url.rstrip('/')}/"
