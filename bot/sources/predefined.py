"""The sources that come with the program, read from `predefined.toml`; its head says how."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from bot.domain.schedule import WEEKDAYS
from store import sources
from store.database import Database
from store.records import Source
from store.sources import PredefinedSource, UsualTime


@cache
def predefined() -> tuple[PredefinedSource, ...]:
    """Return them in the order of the file."""
    text = files("bot.sources").joinpath("predefined.toml").read_text("utf-8")
    return tuple(map(_predefined, tomllib.loads(text)["source"]))


async def follow_predefined(database: Database) -> None:
    """Add them to the followed sources, unless the store knows them already."""
    known = await database.read(sources.list_followed)
    if not sources.is_predefined(known, predefined()):
        await database.write(sources.predefine, predefined())


def _predefined(table: Mapping[str, Any]) -> PredefinedSource:
    weekday = table.get("weekday")
    return PredefinedSource(
        Source(table["slug"], table["title"]),
        table["enabled"],
        UsualTime(None if weekday is None else WEEKDAYS.index(weekday), table["hour"]),
        tuple((address.get("kind"), address["url"]) for address in table["address"]),
    )
