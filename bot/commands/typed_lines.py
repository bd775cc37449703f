"""Typed lines and values as they were meant. Pure.

The words of a note are the reader's own, and stay as they were typed.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from bot.commands.types import Call, Param
from bot.domain.typed_text import as_meant

_FIRST = re.compile(r"(?<!\S)\S")
_MOST_BEFORE = 12  # words before a note: a group, a command, a paper in quotation marks


def value_as_meant(param: Param, text: str) -> str:
    """Return the text of an argument that was typed into an option or a field."""
    return text if param.type.long else as_meant(text)


def call_as_meant(call: Call) -> Call:
    """Return a call whose arguments were typed into options or fields."""
    params = {param.name: param for param in call.command.params}
    arguments = {
        name: value_as_meant(params[name], text) if name in params else text
        for name, text in call.arguments.items()
    }
    return replace(call, arguments=arguments)


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
