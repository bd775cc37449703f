"""The settings of the core, read once by the composition root from the environment or `.env`."""

import os
from datetime import timedelta
from typing import Annotated, Literal

from dotenv import dotenv_values
from pydantic import AfterValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.domain.typed_text import as_meant
from bot.domain.zones import is_offset, known_zones, zones_meant
from bot.errors import SettingsError


def _known_zone(text: str) -> str:
    """Read a zone as people's are read; nobody can be asked which of several is meant."""
    typed = as_meant(text).strip()
    match zones_meant(typed, known_zones()):
        case [zone]:
            return zone
        case [*some, last] if some:
            raise ValueError(f"it may mean {', '.join(some)} or {last}; give one of these")
        case _ if is_offset(typed):
            raise ValueError("no zone is at that offset all year; give a city, such as Adelaide")
    raise ValueError("no such zone; give an IANA name such as Europe/Berlin")


_CENTURY = 100 * 365 * 86_400.0  # seconds; Python's dates end some time after that


class Settings(BaseSettings):
    """The settings of the core; each field is the variable `BROADSHEET_` plus its name."""

    model_config = SettingsConfigDict(
        env_prefix="BROADSHEET_", env_file=".env", extra="ignore", frozen=True
    )

    database_url: str = Field(default="sqlite:///broadsheet.db", repr=False)  # has a password
    timezone: Annotated[str, AfterValidator(_known_zone)] = "UTC"
    clock_offset: float = Field(
        default=0,
        ge=-_CENTURY,
        le=_CENTURY,
        allow_inf_nan=False,
        description="seconds added to the clock",
    )
    tick_seconds: float = Field(default=30, gt=0, le=3600)
    web_host: str = Field(default="127.0.0.1", min_length=1)
    web_port: int = Field(default=8080, ge=0, le=65535)
    sync: bool = True
    fetch_allow: str = ""
    arxiv_url: str = "https://export.arxiv.org/api/query"
    public_url: str | None = None
    secret_key: SecretStr | None = None
    log_format: Literal["text", "json"] | None = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    @property
    def offset(self) -> timedelta:
        """The clock's offset as a duration."""
        return timedelta(seconds=self.clock_offset)


SETTING_NAMES = tuple(f"BROADSHEET_{name.upper()}" for name in Settings.model_fields)

_SHORTEST_KEY = 16  # characters; shorter ones can be guessed


def secret_keys(text: str) -> tuple[SecretStr, ...]:
    """Return the keys of `BROADSHEET_SECRET_KEY`: the first encrypts, all decrypt.

    Raises:
        SettingsError: if the first one can be guessed. The others may have any length, so that an
            operator can rotate a weak one out.
    """
    keys = [key for part in text.split(",") if (key := part.strip())]
    if keys and len(keys[0]) < _SHORTEST_KEY:
        raise SettingsError(
            f"The first key of BROADSHEET_SECRET_KEY has fewer than {_SHORTEST_KEY} characters:"
            " it can be guessed.",
            "Put a longer one and a comma before it, NEW,OLD, and what the old one encrypted stays"
            " readable; openssl rand -base64 32 makes one.",
        )
    return tuple(map(SecretStr, keys))


# The addresses for "all interfaces", and their loopback address.
_LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - no binding


def loopback(host: str) -> str:
    """Return the address by which this machine reaches a server on `host`."""
    return _LOOPBACK.get(host, host)


def web_url(host: str, port: int) -> str:
    """Return the URL by which this machine reaches a web server on `host`."""
    reached = loopback(host)
    return f"http://[{reached}]:{port}" if ":" in reached else f"http://{reached}:{port}"


def environment() -> dict[str, str]:
    """Return the variables of `.env`, overruled by those of the environment."""
    return {**{k: v or "" for k, v in dotenv_values(".env").items()}, **os.environ}


def read_settings() -> Settings:
    """Read the settings.

    Raises:
        SettingsError: names each invalid variable and the reason, without secret values.
    """
    try:
        settings = Settings()
    except ValidationError as error:
        wrong = [
            f"BROADSHEET_{str(detail['loc'][0]).upper()}={detail['input']}:"
            f" {detail['msg'].removeprefix('Value error, ')}"
            for detail in error.errors()
        ]
        raise SettingsError(
            f"{'; '.join(wrong)}.", "See the settings in docs/reference.md."
        ) from error
    if settings.secret_key:
        secret_keys(settings.secret_key.get_secret_value())
    return settings
