"""The values of arguments, and the answer to arguments that can't be read."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from bot.actor import Actor
from bot.commands.params.words import PAGE
from bot.commands.parser import finds_by_looks, write
from bot.commands.types import Call, Context, Kind, Param
from bot.errors import ArgumentError, Option, Suggestion, UserError
from bot.replies.plain_text import quoted
from store.text import storable

_OFFERED = 3  # values suggested where an argument is missing
_LONGEST_LABEL = 40  # of a line on a button


async def read_arguments(call: Call, context: Context) -> dict[str, Any]:
    """Return the values of the arguments of a call by name.

    Raises:
        UserError: if one can't be read or is missing, with the nearest right command strings.
    """
    values: dict[str, Any] = {}
    for param in call.command.params:
        if param.name in call.arguments:
            values[param.name] = await _value(call, param, context)
        elif param.required:
            raise await _missing(call, param, context)
    return values


def canonical_texts(call: Call, values: Mapping[str, Any]) -> dict[str, str]:
    """Return the arguments of a call as canonical text, by name, without defaults."""
    texts: dict[str, str] = {}
    for param in call.command.params:
        if param.name in values:
            write_value = param.type.write
            text = write_value(values[param.name]) if write_value else call.arguments[param.name]
            if text is not None:
                texts[param.name] = text
    return texts


async def _value(call: Call, param: Param, context: Context) -> object:
    try:
        return await param.type.read(storable(call.arguments[param.name]), context)
    except ArgumentError as error:
        mended = await _readable(call, param, context)
        lines = await _misplaced(mended, param, context)
        suggestions = [
            *(Suggestion(line, line) for line in lines),
            *(_suggested(mended, param, option, context.actor) for option in error.nearest),
            *error.suggestions,
        ]
        sentence, remedy = _unread(call, param, error, context.actor)
        raise UserError(sentence, remedy, tuple(suggestions)) from None


async def _readable(call: Call, param: Param, context: Context) -> Call:
    """Return a call without what can't be read after one of its arguments.

    So a line that is offered for that argument is not refused for another. It begins at the first
    page: what it finds may have no more.
    """
    kept = dict(call.arguments)
    params = call.command.params
    for each in params[params.index(param) + 1 :]:
        if each.type is PAGE:
            kept.pop(each.name, None)
        elif each.name in kept:
            try:
                await each.type.read(storable(kept[each.name]), context)
            except UserError:
                del kept[each.name]
    return replace(call, arguments=kept)


async def _misplaced(call: Call, param: Param, context: Context) -> list[str]:
    """Return the lines that may have been meant by words that stand in the wrong place."""
    if param.key or context.actor.by_name:
        return []
    return [write(call.command, each) for each in await meant(call, param, context)]


def _suggested(call: Call, param: Param, option: Option, actor: Actor) -> Suggestion:
    arguments = {**call.arguments, param.name: option.value}
    label = option.label or _label(call, arguments, param, actor)
    return Suggestion(label, write(call.command, arguments))


def _label(call: Call, arguments: dict[str, str], param: Param, actor: Actor) -> str:
    """Return a line as the words on its button; where that is long, what it changes."""
    line = write(call.command, arguments)
    is_hidden = any(each.hidden and each.name in arguments for each in call.command.params)
    if len(line) <= _LONGEST_LABEL and not is_hidden:
        return line
    return f"{_called(param, actor)}: {arguments[param.name]}"


def _called(param: Param, actor: Actor) -> str:
    """Return what an argument is called where an actor is."""
    return param.name if actor.by_name else param.key or param.name


def _unread(call: Call, param: Param, error: ArgumentError, actor: Actor) -> tuple[str, str]:
    """Say what can't be read, and as what: words without a name may have been any of some."""
    if param.key or param.type.kind is Kind.NUMBER:
        return f"{_called(param, actor)}: {error.sentence}", error.remedy
    if error.nearest or actor.by_name or not finds_by_looks(call.command):
        return error.sentence, error.remedy
    *names, last = (each.name for each in call.command.placed)
    said = f"I can't read {quoted(call.arguments[param.name])} as a {', '.join(names)} or {last}."
    keys = ", ".join(f"{each.key}:" for each in call.command.shown if each.key)
    return said, f"{error.remedy} Anything else needs its name: {keys}."


async def _missing(call: Call, param: Param, context: Context) -> UserError:
    """Return what to say where an argument is missing: what it may be, or what it is like."""
    options = (await param.type.complete("", context))[:_OFFERED]
    lines = [
        Suggestion(option.label, write(call.command, {**call.arguments, param.name: option.value}))
        for option in options
    ] or [Suggestion(example, example) for example in call.command.examples[:_OFFERED]]
    return UserError(
        f"{call.command.name} needs a {param.name}.",
        f"Usage: {call.command.usage_for(context.actor)}",
        tuple(lines),
    )


_MOST = 3
# A line may name each argument of a command once or twice; one that is nothing but such names has
# hundreds of meanings, each of which may take milliseconds to read.
_MOST_READ = 16


async def meant(call: Call, param: Param, context: Context) -> list[dict[str, str]]:
    """Return the arguments that a call may have been meant to have, all of them readable.

    Words that `param` can't be may be another argument, which needed its name (`subscribe agents`),
    or hold such a name without its colon (`pause 2 until monday`).
    """
    found: list[dict[str, str]] = []
    for each in islice(_candidates(call, param), _MOST_READ):
        if await _reads(call, each, context):
            found.append(each)
        if len(found) == _MOST:
            break
    return found


def _candidates(call: Call, param: Param) -> Iterator[dict[str, str]]:
    text = call.arguments[param.name]
    rest = {name: value for name, value in call.arguments.items() if name != param.name}
    named = [each for each in call.command.shown if each.key and each is not param]
    words = text.split()
    for number, word in enumerate(words[:-1]):
        for other in named:
            if word.lower().rstrip(":") in other.keys and other.name not in rest:
                before = " ".join(words[:number])
                kept = {param.name: before} if before else {}
                yield {**rest, **kept, other.name: " ".join(words[number + 1 :])}
    for other in named:
        several = ",".join(words)
        if other.name not in rest:
            yield {**rest, other.name: several if other.type.several else text}
        elif other.type.several:
            yield {**rest, other.name: f"{rest[other.name]},{several}"}


async def _reads(call: Call, arguments: dict[str, str], context: Context) -> bool:
    """Tell whether all that a call is to have besides what it has can be read, and is enough."""
    for param in call.command.params:
        text = arguments.get(param.name)
        if text is None and param.required:
            return False
        if text is not None and text != call.arguments.get(param.name):
            try:
                await param.type.read(text, context)
            except UserError:
                return False
    return True
