"""The names and descriptions of the commands in other languages."""

import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from adapters.discord.interactions.command_tree import payload
from adapters.discord.interactions.sync import localised
from bot.commands.handlers import COMMANDS
from tests.fakes.discord.rules.commands import command_size
from tests.fakes.discord.rules.components import Json

LOCALES = ("de", "es-419", "es-ES", "fr", "ja", "pt-BR", "zh-CN")
LONGEST_NAME, LONGEST_DESCRIPTION = 32, 100
# Of the 8,000 that Discord takes; the rest is for commands to come.
MOST_CHARACTERS = 6500
MESSAGE_COMMAND = 3


def parts(part: Json, path: str = "") -> Iterator[tuple[str, Json]]:
    """Yield a command, its subcommands and options with their paths."""
    path = f"{path} {part['name']}".strip()
    yield path, part
    for each in part.get("options") or ():
        yield from parts(each, path)


def every_part() -> list[tuple[str, Json]]:
    """Return all that is registered, with its paths."""
    return [each for command in payload(COMMANDS) for each in parts(command)]


def named(part: Json) -> dict[str, str]:
    """Return the names of a part by locale."""
    return dict(part.get("name_localizations") or {})


def described(part: Json) -> dict[str, str]:
    """Return the descriptions of a part by locale."""
    return dict(part.get("description_localizations") or {})


def test_nothing_is_left_in_english() -> None:
    """Each command, group and option has a name and a description in each language."""
    missing = [
        f"{locale}: {path}"
        for path, part in every_part()
        for locale in LOCALES
        if locale not in named(part) or (part.get("description") and locale not in described(part))
    ]
    assert missing == [], "add these to adapters/discord/interactions/localisations.toml"


@pytest.mark.parametrize("locale", LOCALES)
def test_names_are_such_as_discord_takes(locale: str) -> None:
    """A name is of letters, digits, `-`, `_` and `'`, in lower case, and short."""
    names = {path: named(part).get(locale, "") for path, part in every_part()}
    del names["Look up papers"]  # the names of message commands may be any
    wrong = {path: name for path, name in names.items() if not _is_name(name)}
    assert wrong == {}


@pytest.mark.parametrize("locale", LOCALES)
def test_names_beside_each_other_differ(locale: str) -> None:
    """No two commands of a group, and no two options of a command, have one name."""
    for path, part in every_part():
        counts = Counter(named(each).get(locale) for each in part.get("options") or ())
        assert {name: n for name, n in counts.items() if n > 1} == {}, path


def test_descriptions_are_short() -> None:
    """A description has at most a hundred characters, and some."""
    texts = [(path, text) for path, part in every_part() for text in described(part).values()]
    assert [each for each in texts if not 1 <= len(each[1]) <= LONGEST_DESCRIPTION] == []


def test_all_commands_together_leave_room() -> None:
    """Discord counts each text in its longest language."""
    papers, _ = payload(COMMANDS)
    assert command_size(papers) <= MOST_CHARACTERS


def test_an_option_may_say_otherwise_in_a_command() -> None:
    """The words of a command's own option come before those of all options with its name."""
    option: dict[str, Any] = {"name": "source", "type": 3, "description": "Whose"}
    usual, own = (localised(option, command) for command in ("latest", "subscribe"))
    assert named(usual) == named(own)
    assert described(usual)["de"] != described(own)["de"]


def test_what_has_no_words_stays_in_english() -> None:
    """A command without localisations is registered as it is declared."""
    command = {"name": "unheard-of", "type": 1, "description": "What it does"}
    assert localised(command) == command


def _is_name(text: str) -> bool:
    # https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-naming
    fits = 1 <= len(text) <= LONGEST_NAME and text == text.lower()
    return fits and all(unicodedata.category(each)[0] in "LN" or each in "-_'" for each in text)
