"""Typed lines and values as they were meant, and the named arguments in them. Pure.

The words of a note are the reader's own, and stay as they were typed.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from bot.commands.types import Call, Command, Param
from bot.domain.typed_text import STOPS, as_meant
from store.text import storable

_FIRST = re.compile(r"(?<!\S)\S")
_MOST_BEFORE = 12  # words before a note: a group, a command, a paper in quotation marks
# Emoji, their names in Slack and Discord, and smileys; they say nothing to a command.
_PICTURE = (
    r"(?:[\U0001f000-\U0001faff\u2190-\u21ff\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d"
    r"\U000e0020-\U000e007f]"
    r"|<a?:\w{2,32}:\d+>|:[a-z][a-z0-9_+-]{1,99}:(?::skin-tone-\d:)?|[:;]-?[)(DP])"
)
_PICTURES = re.compile(rf'"[^"]*"|(?<!\S){_PICTURE}++(?!\S)')
_EMOJI = r"\U0001f000-\U0001faff\u2600-\u27bf\ufe0f"
_AROUND = re.compile(r'(?<![:\S])"([^"]*)"')  # quotation marks, but of a named argument
_QUOTED = re.compile(r'"[^"]+"')
_BETWEEN = re.compile(r"[,;](?=\s)")


def value_as_meant(param: Param, text: str) -> str:
    """Return the text of an argument that was typed into an option or a field."""
    if param.type.long:
        return text
    meant = as_meant(text)
    if param.type.free:
        return meant
    bare = _without_end(meant).strip()
    key, colon, value = bare.partition(":")
    if colon and key.strip().lower() in param.keys:
        bare = value.strip()
    return bare[1:-1] if _QUOTED.fullmatch(bare) else bare


def call_as_meant(call: Call) -> Call:
    """Return a call whose arguments were typed into options or fields."""
    params = {param.name: param for param in call.command.params}
    arguments = {
        name: value_as_meant(params[name], storable(text)) if name in params else text
        for name, text in call.arguments.items()
    }
    return replace(call, arguments=arguments)


def arguments_as_meant(command: Command, rest: str) -> str:
    """Return what stands behind the name of a command, as `as_meant` gives it, without its slips.

    A blank behind the colon of an argument is none, nor are those around it; stops and pictures
    say nothing. Phrases and sentences stay.
    """
    if any(param.type.long for param in command.params):
        return rest
    blanks, stops, marked, lists = _slips(command)
    rest = _without_pictures(rest)
    rest = blanks.sub(lambda found: f"{found['key']}:" if found["key"] else found[0], rest)
    rest = marked.sub(r'\1"\2"', rest) if "`" in rest else rest
    rest = stops.sub(lambda found: found["value"] or ("" if found["before"] else found[0]), rest)
    if any(param.type.free for param in command.params):
        return _without_end(rest, STOPS)
    if any(param.type.looks and not param.type.several for param in command.placed):
        rest = _AROUND.sub(r"\1", rest)
        rest = rest if lists.search(rest) else _BETWEEN.sub("", rest)
    return _without_end(rest)


@lru_cache(maxsize=128)
def _slips(command: Command) -> tuple[re.Pattern[str], ...]:
    """Return patterns: blanks around a key's colon, stops behind, code marks, keys of lists."""
    keys = any_of(key for param in command.params for key in param.keys)
    lists = any_of(key for param in command.params if param.type.several for key in param.keys)
    blanks = rf'"[^"]*"|(?<!\S)(?P<key>{keys})(?::\s+|\s+:\s+)(?=\S)(?!(?:{keys}):)'
    marked = rf"(?<!\S)((?:{keys}):)`([^`\"\n]+)`"
    stops = (
        rf"(?P<before>(?<![,;])[,;]++(?=\s+(?:{keys}):))"
        rf"|(?<!\S)(?P<value>(?!(?:{lists}):)(?:{keys}):(?:\"[^\"]*\"|[^\s\"]*[^\s\"{STOPS}]))"
        rf"[{STOPS}]+(?=\s)"
        r'|"[^"]*"'
    )
    patterns = blanks, stops, marked, rf"(?<!\S)(?:{lists}):"
    return tuple(re.compile(each, re.IGNORECASE) for each in patterns)


def _without_pictures(rest: str) -> str:
    """Return arguments without pictures that stand alone, if there is anything else."""
    without = _PICTURES.sub(lambda found: found[0] if found[0][0] == '"' else "", rest)
    return without if without.strip() or not rest.strip() else rest


def _without_end(text: str, signs: str = f"{STOPS}?") -> str:
    """Return a text without signs behind its last word."""
    return _at_end(signs).sub("", text)


@lru_cache(maxsize=2)
def _at_end(signs: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=[\w\"')\]+%])[{signs}{_EMOJI}\s]+\Z")


def with_own_words(call: Call, typed: str) -> Call:
    """Return the call of a line whose sentences, which end it, stand as they were typed."""
    for param in call.command.params:
        meant = call.arguments.get(param.name)
        if param.type.long and meant and meant not in typed:
            own = next((end for end in _ends(typed) if as_meant(end).strip() == meant), meant)
            return replace(call, arguments={**call.arguments, param.name: own})
    return call


def _ends(line: str) -> Iterator[str]:
    for word in islice(_FIRST.finditer(line), _MOST_BEFORE):
        yield line[word.start() :].strip()


@lru_cache(maxsize=128)
def argument_pattern(command: Command) -> re.Pattern[str]:
    """Return the pattern of `key:value` and `key:"two words"` for the keys of a command.

    It matches no other word with a colon, such as a ref or an address. A list goes on after a
    comma: `topic:agents, rag`.
    """
    keys = any_of(key for param in command.params for key in param.keys)
    listed = any_of(key for param in command.params if param.type.several for key in param.keys)
    on = rf"(?:(?<=,)\s+|\s+(?=,))(?!(?:{keys}):)\S+"
    return re.compile(
        rf"(?<!\S)(?P<key>(?P<listed>{listed})|{keys}):"
        rf'(?:"(?P<quoted>[^"]*)"|'
        rf"(?P<plain>(?(listed)\S+(?:{on})*|\S+)))",
        re.IGNORECASE,
    )


def any_of(keys: Iterable[str]) -> str:
    """Return a pattern that matches any of the keys."""
    return "|".join(map(re.escape, keys)) or "(?!)"


def without_carried(command: Command, rest: str) -> str:
    """Return arguments without those that only buttons carry."""
    return " ".join(carried_pattern(command).sub(" ", rest).split())


@lru_cache(maxsize=128)
def carried_pattern(command: Command) -> re.Pattern[str]:
    """Return the pattern of arguments that only buttons carry."""
    carried = tuple(param for param in command.params if param.buttons)
    return argument_pattern(replace(command, params=carried))
