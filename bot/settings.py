"""The core's settings, read once by the composition root from the environment or `.env`."""

import os
from datetime import timedelta
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dotenv import dotenv_values
from pydantic import AfterValidator, Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bot.errors import SettingsError


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        # OSError where the name is a folder of zones, such as Europe.
        raise ValueError("no such zone; give an IANA name such as Europe/Berlin") from error
    return name


class Settings(BaseSettings):
    """What the core may be told; each field is the variable `BROADSHEET_` plus its name."""

    model_config = SettingsConfigDict(
        env_prefix="BROADSHEET_", env_file=".env", extra="ignore", frozen=True
    )

    database_url: str = "sqlite:///broadsheet.db"
    timezone: Annotated[str, AfterValidator(_known_zone)] = "UTC"
    clock_offset: float = Field(default=0, description="seconds added to the clock")
    log_format: Literal["text", "json"] | None = None
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"

    @property
    def offset(self) -> timedelta:
        """The clock's offset as a duration."""
        return timedelta(seconds=self.clock_offset)


# What doctor speaks of beside the core's own.
PLATFORM_SETTINGS = ("SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", "DISCORD_TOKEN")
SETTING_NAMES = (
    *(f"BROADSHEET_{name.upper()}" for name in Settings.model_fields),
    *PLATFORM_SETTINGS,
)


def given_variables() -> dict[str, str]:
    """Return the environment over what `.env` says: all that settings are read from."""
    return {**{k: v or "" for k, v in dotenv_values(".env").items()}, **os.environ}


def read_settings() -> Settings:
    """Read the settings.

    Raises:
        SettingsError: naming each variable whose value can't be used, and why.
    """
    try:
        return Settings()
    except ValidationError as error:
        wrong = [
            f"BROADSHEET_{str(detail['loc'][0]).upper()}={detail['input']}: {detail['msg']}"
            for detail in error.errors()
        ]
        raise SettingsError(f"{'; '.join(wrong)}.", "See the settings in the README.") from error
