"""Parsing of typed text into a command and its arguments, and the way back. Pure."""

import re
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile

from bot.cache import once_each
from bot.commands.typed_lines import (
    any_of,
    argument_pattern,
    arguments_as_meant,
    call_as_meant,
    carried_pattern,
    without_carried,
)
from bot.commands.types import Call, Command, Param
from bot.commands.unknown_command import unknown_command
from bot.domain.typed_text import STOPS
from bot.errors import Suggestion, UserError
from bot.replies.plain_text import quoted

DEFAULT_COMMAND = "latest"
# A command string must fit whole behind a button; Slack's hold 2,000 characters.
LONGEST_COMMAND_STRING = 1000
LONGEST_RUN = 10  # words that may be one argument together: "the week of 5 jan 2026 to 11 jan 2026"
_MOST_LOOKED_AT = 24  # words without a name; more are no arguments


def parse(text: str, commands: Sequence[Command], *, typed: bool = False) -> Call:
    """Parse a command's name, or its group and name, and its arguments; nothing is `latest`.

    In a `typed` text nothing is an argument that only buttons carry.

    Raises:
        UserError: for an unknown command, arguments that it does not take, or too long a text.
    """
    require_short(len(text))
    head = read_head(text, commands)
    if head.command is None:
        raise unknown_command(head.word, text, commands)
    rest = text[head.end :]
    if not typed:
        return _call(head.command, rest)
    _require_typeable(head.command, rest)
    command = _as_typed(head.command)
    return replace(_call(command, arguments_as_meant(command, rest)), command=head.command)


def fields_as_meant(call: Call) -> Call:
    """Return a call that was typed into options or fields as it was meant.

    Words that name another argument, as in a line, are that argument.

    Raises:
        UserError: if they name one that has a value already.
    """
    call, command = call_as_meant(call), _as_typed(call.command)
    words = next((each for each in command.placed if each.type.free), None)
    typed = call.arguments.get(words.name) if words else None
    if words is None or not typed:
        return call
    arguments = {name: text for name, text in call.arguments.items() if name != words.name}
    named, rest = _named_arguments(command, arguments_as_meant(command, typed))
    for param in command.params:
        if param.name in named:
            _set(command, arguments, param, named[param.name])
    kept = {words.name: rest} if rest else {}
    return replace(call, arguments={**kept, **arguments})


def require_short(length: int) -> None:
    """Raise `UserError` if a command string is longer than `LONGEST_COMMAND_STRING`."""
    if length > LONGEST_COMMAND_STRING:
        raise UserError(
            f"That is {length:,} characters long; a command may have {LONGEST_COMMAND_STRING:,}.",
            "Ask for it in fewer words.",
        )


@dataclass(frozen=True, slots=True)
class FirstWord:
    """The first word of a text, its command if there is one, and where the word begins and ends."""

    word: str
    command: Command | None
    start: int
    end: int


# Pasted from an answer or a page, a command begins with `/papers`, in a chat with the bot's name; a
# list or a quotation has a sign before it.
_WORD = re.compile(
    r"\s*(?:[-\u2010-\u2015\u2022\u2023\u25e6\u2043*>$]\s+)?"
    r"(?:@?broadsheet[,:]?\s+(?=\S))?(?:/papers[,:]?(?!\S)\s*)?(?:/\s*)?(\S*)",
    re.IGNORECASE,
)


def read_head(text: str, commands: Sequence[Command]) -> FirstWord:
    """Find the command that a text begins with, after its group or not."""
    by_name = _by_name(commands)
    first = _next_word(text, 0)
    if not first[1]:
        return FirstWord("", by_name.get(DEFAULT_COMMAND), first.start(1), first.end())
    word, end = _bare(first[1], by_name), first.end()
    if word not in by_name and any(command.group == word for command in commands):
        second = _next_word(text, end)
        if (name := _bare(second[1], by_name)) in by_name:
            word, end = name, second.end()
    return FirstWord(word, by_name.get(word), first.start(1), end)


@once_each(8)  # a person's are the same in all their lines
def _by_name(commands: Sequence[Command]) -> Mapping[str, Command]:
    return {command.name: command for command in commands}


def _bare(word: str, known: Container[str]) -> str:
    """Return a word in small letters, without the signs behind the name of a command."""
    lower = word.lower()
    name = lower.rstrip(f"{STOPS}:")
    return name if name in known else lower


def command_string(command: Command, arguments: Mapping[str, object]) -> str:
    """Return the text that calls a command with these arguments, without those that are `None`."""
    given = arguments.items()
    return _written(
        command,
        tuple((name, " ".join(str(each).split())) for name, each in given if each is not None),
    )


@lru_cache(maxsize=1024)  # weeks and pages are the same in many answers
def _written(command: Command, arguments: tuple[tuple[str, str], ...]) -> str:
    texts = dict(arguments)
    unnamed = (
        _written_by_look(command, texts)
        if matches_by_look(command)
        else _written_by_position(command, texts)
    )
    placed = [separated(command, texts[name]) for name in unnamed if texts[name]]
    named = [
        f"{param.key or param.name}:{_quoted(texts[param.name])}"
        for param in command.params
        if param.name in texts and param.name not in unnamed
    ]
    return " ".join([command.name, *placed, *named])


def with_option_names(text: str, commands: Sequence[Command]) -> str:
    """Return a command string with named options: `channel settings name:zone`."""
    try:
        return in_options(parse(text, commands))
    except UserError:
        return text


def in_options(call: Call) -> str:
    """Return a call as it is made by named options: `channel settings name:zone`."""
    options = (f"{name}:{' '.join(value.split())}" for name, value in call.arguments.items())
    return " ".join([call.command.path, *options])


# A word that a named argument may go on with: no other argument, phrase or exclusion.
_GOES_ON = re.compile(r'\s+(?![-"])[^\s:"]+(?!\S)')


def _next_word(text: str, start: int) -> re.Match[str]:
    found = _WORD.match(text, start)
    if found is None:
        raise AssertionError("the pattern matches the empty text")
    return found


@lru_cache(maxsize=128)
def _as_typed(command: Command) -> Command:
    """Return a command without the parameters that only buttons carry."""
    kept = tuple(param for param in command.params if not param.buttons)
    return command if kept == command.params else replace(command, params=kept)


def _require_typeable(command: Command, rest: str) -> None:
    """Refuse an argument that only buttons carry; sentences may hold what looks like one."""
    if any(param.type.long for param in command.params):
        return
    if found := carried_pattern(command).search(rest):
        line = f"{command.name} {without_carried(command, rest)}".strip()
        raise UserError(
            f"{found['key'].lower()}: can't be typed.",
            "Only a button carries it.",
            (Suggestion(line, line),),
        )


def _call(command: Command, rest: str) -> Call:
    arguments, rest = _named_arguments(command, rest)
    _require_value(command, rest)
    found, loose = _by_position(command, rest, arguments)
    for param, value in found:
        _set(command, arguments, param, value)
    return Call(command, arguments, loose)


def _named_arguments(command: Command, rest: str) -> tuple[dict[str, str], str]:
    """Return the named arguments of a text, and the text without them."""
    by_key = {key: param for param in command.params for key in param.keys}
    pattern, arguments = argument_pattern(command), dict[str, str]()
    kept, start = "", 0
    while match := pattern.search(rest, start):
        param, value = by_key[match["key"].lower()], match["quoted"] or ""
        kept += rest[start : match.start()] + " "
        start = match.end()
        if match["plain"]:
            value = _longest(param, rest[match.start("plain") :], match["plain"])
            start = match.start("plain") + len(value)
        _set(command, arguments, param, value)
    return arguments, (kept + rest[start:]).strip()


def _longest(param: Param, text: str, first: str) -> str:
    """Return the longest value that a text begins with, by look: `last month` behind `since:`."""
    longest, end = first, len(first)
    for _ in range(LONGEST_RUN - 1 if param.type.looks else 0):
        word = _GOES_ON.match(text, end)
        if word is None:
            break
        end = word.end()
        if param.type.looks and param.type.looks(text[:end]):
            longest = text[:end]
    return longest


def names_argument(command: Command, text: str) -> bool:
    """Tell whether a line names an argument of a command, be it without its value at the end."""
    return bool(argument_pattern(command).search(text) or _named_last(command, text))


def _named_last(command: Command, text: str) -> Param | None:
    """Return the argument that is named without its value at the end of a text."""
    last = (text.lower().split() or [""])[-1]
    named = (each for each in command.params if last.endswith(":") and last[:-1] in each.keys)
    return next(named, None)


def _require_value(command: Command, rest: str) -> None:
    """Refuse a key without a value at the end, unless the command takes any words."""
    if any(param.type.free or param.type.long for param in command.params):
        return
    if param := _named_last(command, rest):
        raise UserError(f"Nothing stands after {rest.lower().split()[-1]}", param.type.expected)


def _set(command: Command, arguments: dict[str, str], param: Param, value: str) -> None:
    if param.name in arguments:
        named = f"{param.key}:" if param.key else f"The {param.name}"
        raise UserError(f"{named} is given twice.", f"Usage: {command.usage}")
    arguments[param.name] = value


def _by_position(
    command: Command, rest: str, arguments: Collection[str]
) -> tuple[list[tuple[Param, str]], tuple[str, ...]]:
    """Return the arguments that stand without a name, and words that look like none."""
    params = command.placed
    if not params and rest:
        raise UserError(
            f"{command.name} has no place for {quoted(rest, 60)}.",
            f"Usage: {command.usage}",
            (Suggestion(command.name, command.name),),
        )
    if matches_by_look(command):
        return _match_by_look(params, rest.split(), arguments)
    # A named argument takes no position: note paper:"two words" and so on.
    free = [param for param in params if param.name not in arguments] or params
    return list(zip(free, rest.split(maxsplit=len(free) - 1), strict=False)), ()


def matches_by_look(command: Command) -> bool:
    """Tell whether the words of a command are matched to its parameters by look."""
    return any(param.type.looks for param in command.placed)


def _match_by_look(
    params: Sequence[Param], words: Sequence[str], named: Collection[str]
) -> tuple[list[tuple[Param, str]], tuple[str, ...]]:
    """Match each run of words to the parameter that it looks like, the longest run first.

    Words that look like none go to the last parameter if that takes any; else their runs are loose.
    So do all words if there are very many, as each is looked at several times.
    """
    found: list[tuple[Param, str]] = []
    unmatched: list[list[str]] = [[]]
    matched = set(named)
    start = 0
    while start < len(words):
        run = words[start : start + LONGEST_RUN] if len(words) <= _MOST_LOOKED_AT else ()
        match = _match_first(params, run, matched)
        if match:
            found.append(match)
            matched.add(match[0].name)
            unmatched.append([])
        else:
            unmatched[-1].append(words[start])
        start += len(match[1].split()) if match else 1
    runs = tuple(" ".join(run) for run in unmatched if run)
    if params[-1].key or not runs:
        return found, runs
    return [*found, (params[-1], " ".join(runs))], ()


def _match_first(
    params: Sequence[Param], words: Sequence[str], matched: Collection[str]
) -> tuple[Param, str] | None:
    """Return the parameter that the longest run of first words looks like, and that run."""
    for length in range(len(words), 0, -1):
        run = " ".join(words[:length])
        looked = [param for param in params if param.type.looks and param.type.looks(run)]
        free = (param for param in looked if param.name not in matched)
        # If it has words already, it gets these too, and the error says so.
        param = next(free, looked[0] if looked else None)
        if param:
            return param, run
    return None


def _written_by_look(command: Command, texts: Mapping[str, str]) -> list[str]:
    """Return the arguments that can be written without names: all of those, or none."""
    names = [param.name for param in command.placed if param.key is None and param.name in texts]
    words = [word for name in names for word in texts[name].split()]
    found, loose = _match_by_look(command.placed, words, texts.keys() - names)
    matches = [(param.name, text) for param, text in found]
    is_same = not loose and sorted(matches) == sorted((name, texts[name]) for name in names)
    return names if is_same and not argument_pattern(command).search(" ".join(words)) else []


def _written_by_position(command: Command, texts: Mapping[str, str]) -> list[str]:
    """Return the arguments that can be written by position; the others need their names.

    No position may be left out, and only the last argument may have several words.
    """
    names = [param.name for param in command.params if param.key is None]

    def is_word(text: str) -> bool:
        return len(text.split()) == 1 and not argument_pattern(command).search(text)

    present = takewhile(texts.__contains__, names)
    return [name for name in present if name == names[-1] or is_word(texts[name])]


def _quoted(value: str) -> str:
    plain = " ".join(value.replace('"', " ").split())
    is_one = plain and not re.search(r"\s|^,|,$", plain)
    return plain if is_one else f'"{plain}"'


def separated(command: Command, text: str) -> str:
    """Separate words that look like a named argument, also a nested one: from:from:dair.

    A blank behind the colon would be none to whoever types it.
    """
    return _nested_pattern(command).sub(lambda found: found[0].replace(":", " :"), text)


@lru_cache(maxsize=128)
def _nested_pattern(command: Command) -> re.Pattern[str]:
    keys = any_of(key for param in command.params for key in param.keys)
    return re.compile(rf"(?<!\S)(?:(?:{keys}):)+(?=\S)", re.IGNORECASE)
