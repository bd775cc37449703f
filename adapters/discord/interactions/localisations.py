"""The names and descriptions of commands and options in other languages.

https://docs.discord.com/developers/interactions/application-commands#localization
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

Json = Mapping[str, Any]

_SUBCOMMAND, _GROUP = 1, 2
_SAME = {"es-419": "es-ES"}


@cache
def tables() -> Mapping[str, Json]:
    """Return the tables of `localisations.toml` by locale; its head says how they read."""
    found = tomllib.loads(files(__package__).joinpath("localisations.toml").read_text("utf-8"))
    return found | {locale: found[same] for locale, same in _SAME.items()}


def localised(part: Json, command: str | None = None) -> dict[str, Any]:
    """Return the payload of a command, or of an option of `command`, in all languages.

    What a language has no words for stays in English there.
    """
    name, kind = part["name"], part.get("type")
    is_option = command is not None and kind not in (_SUBCOMMAND, _GROUP)
    keys = (f"{command} {name}", name) if is_option else (name,)
    texts = _texts("options" if is_option else "commands", keys)
    localisations = {
        "name_localizations": {locale: named for locale, (named, _) in texts.items()},
        "description_localizations": {locale: says for locale, (_, says) in texts.items() if says},
    }
    made = {**part, **{field: found for field, found in localisations.items() if found}}
    if "options" in part:
        made["options"] = [localised(each, name) for each in part["options"]]
    return made


def _texts(kind: str, keys: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the name and the description by locale, of the first key that a locale has."""
    known = {locale: table[kind] for locale, table in tables().items()}
    found = {
        locale: next((texts[key] for key in keys if key in texts), None)
        for locale, texts in known.items()
    }
    return {locale: texts for locale, texts in found.items() if texts}
