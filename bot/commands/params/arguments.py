"""The values of arguments, and the answer to arguments that can't be read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from bot.actor import Actor
from bot.commands.params.scalars import PAGE
from bot.commands.params.weeks import which_week
from bot.commands.parser import command_string, in_options, matches_by_look, parse, separated
from bot.commands.types import Call, Command, Context, Group, Kind, Param
from bot.errors import ArgumentError, Choice, Option, SeveralMeant, Suggestion, UserError
from bot.replies.plain_text import quoted
from store.text import storable

_NEAREST = 2  # values suggested for each argument that loose words may be
_OFFERED = 3  # values suggested for a missing argument
_LONGEST_LABEL = 40  # characters of a command string on a button
_MOST_MEANT = 3
_SHORTEST_SUBJECT = 4  # letters of what may be searched for instead
# Each candidate may take milliseconds to read, and a text of nothing but keys has hundreds.
_MOST_READ = 16


@dataclass(frozen=True, slots=True)
class ReadCall:
    """A call whose arguments were read, with a context that holds them as canonical text."""

    command: Command
    values: Mapping[str, Any]
    context: Context


async def read_call(call: Call, context: Context) -> ReadCall:
    """Return a call with the values of its arguments; free words are as its string has them.

    Raises:
        UserError: as `read_arguments`.
    """
    values = await read_arguments(call, context)
    context = with_arguments(context, call.command, _canonical_texts(call, values))
    words = {name: context.arguments[name] for name in _free(call.command) & values.keys()}
    return ReadCall(call.command, {**values, **words}, context)


def with_arguments(context: Context, command: Command, texts: Mapping[str, str]) -> Context:
    """Return a context with the arguments of a command as canonical text, and its string.

    Read again, free words are no other argument.
    """
    free = _free(command)
    arguments = {
        name: separated(command, " ".join(text.split())) if name in free else text
        for name, text in texts.items()
    }
    return replace(
        context,
        arguments=arguments,
        command_string=command_string(command, arguments),
        display_command=in_options(Call(command, arguments)) if context.actor.by_name else None,
    )


def _free(command: Command) -> frozenset[str]:
    return frozenset(param.name for param in command.params if param.type.free)


async def read_arguments(call: Call, context: Context) -> dict[str, Any]:
    """Return the values of the arguments of a call by name.

    Raises:
        UserError: if one can't be read or is missing, with the nearest right command strings.
    """
    # Those that were named come first: what is offered for loose words repeats them.
    given = [param for param in call.command.params if param.name in call.arguments]
    values = {param.name: await _value(call, param, context) for param in given}
    call = await place_loose(call, context)
    for param in call.command.params:
        if param.name in values:
            continue
        if param.name in call.arguments:
            values[param.name] = await _value(call, param, context)
        elif param.required:
            raise await _missing(call, param, context)
    return values


async def place_loose(call: Call, context: Context) -> Call:
    """Return a call whose loose words are each the first argument that reads them.

    Raises:
        UserError: if none does, with what each argument would have read in their place.
    """
    for text in call.loose:
        errors: dict[Param, ArgumentError] = {}
        for param in call.command.placed:
            if param.name in call.arguments or param in errors:
                continue
            try:
                await (param.type.read_loose or param.type.read)(storable(text), context)
            except ArgumentError as error:
                errors[param] = error
            else:
                call = replace(call, arguments={**call.arguments, param.name: text})
                break
        else:
            of_lookup = call.command.group is Group.LOOKUP
            day = which_week(text) if of_lookup else None
            raise day or _fits_none(call, text, errors, context.actor)
    return replace(call, loose=()) if call.loose else call


def _fits_none(
    call: Call, text: str, errors: Mapping[Param, ArgumentError], actor: Actor
) -> UserError:
    """Return the error for words that are no argument; it names what was understood."""
    *names, last = map(_kind, errors) if errors else ("further argument",)
    kinds = f"{', '.join(names)} or {last}" if names else last
    understood = ", ".join(f"{name} {value}" for name, value in call.arguments.items())
    remedies = (error.remedy for error in errors.values())
    remedy = f"Understood: {understood}." if understood else next(remedies, "")
    begun = _at_first_page(call)
    suggestions = [
        _suggested(begun, param, option, actor)
        for param, error in errors.items()
        for option in error.nearest[:_NEAREST]
        if not _lacks(begun, param, option)
    ]
    offered = (each for error in errors.values() for each in error.suggestions)
    suggestions += [] if call.arguments else offered
    return UserError(f"I can't read {quoted(text)} as a {kinds}.", remedy, tuple(suggestions))


def _at_first_page(call: Call) -> Call:
    pages = {param.name for param in call.command.params if param.type is PAGE}
    kept = {name: text for name, text in call.arguments.items() if name not in pages}
    return replace(call, arguments=kept)


def _lacks(call: Call, param: Param, option: Option) -> bool:
    """Tell whether a call still lacks an argument once this one has a value that is offered."""
    return not _is_enough(call.command, {**call.arguments, param.name: option.value})


def _is_enough(command: Command, texts: Mapping[str, str]) -> bool:
    required = {param.name for param in command.params if param.required}
    return texts.keys() >= required and command.suffices(texts)


def _kind(param: Param) -> str:
    return f"number of {param.name}" if param.type.kind is Kind.NUMBER else param.name


def _canonical_texts(call: Call, values: Mapping[str, Any]) -> dict[str, str]:
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
        kept = await _readable(call, param, context)
        # Free text is refused for what it says, not because it is another argument.
        is_sure = param.key or param.type.free or context.actor.by_name
        meant = [] if is_sure else await _meant(kept, param, context)
        strings = (command_string(call.command, arguments) for arguments in meant)
        nearest = [each for each in error.nearest if not _lacks(kept, param, each)]
        suggestions = (
            *(Suggestion(string, string) for string in strings),
            *(_suggested(kept, param, option, context.actor) for option in nearest),
            *error.suggestions,
        )
        if not (is_sure or (suggestions and " " not in call.arguments[param.name].strip())):
            suggestions += _as_search(call, param)
        sentence, remedy = _unread(call, param, error, context.actor)
        kind = Choice if isinstance(error, SeveralMeant) else UserError
        told = kind(sentence, remedy, suggestions)
        told.page = error.page
        raise told from None


def _as_search(call: Call, param: Param) -> tuple[Suggestion, ...]:
    """Return the search that a line may be which begins with a command of a channel.

    "Pause tokens" and "resume screening by models" are subjects of papers.
    """
    text = call.arguments[param.name]
    is_subject = text.replace(" ", "").isalpha() and len(text) >= _SHORTEST_SUBJECT
    if call.command.group is not Group.CHANNEL or not is_subject:
        return ()
    return (Suggestion("Search for these words", f"search {call.command.name} {text}"),)


async def _readable(call: Call, param: Param, context: Context) -> Call:
    """Return a call without the unreadable arguments after one, and at the first page.

    So a command string that is suggested for that argument is not refused for another one.
    """
    kept = dict(call.arguments)
    params = call.command.params
    for other in params[params.index(param) + 1 :]:
        if other.type is PAGE:
            kept.pop(other.name, None)
        elif other.name in kept:
            try:
                await other.type.read(storable(kept[other.name]), context)
            except UserError:
                del kept[other.name]
    return replace(call, arguments=kept)


def _suggested(call: Call, param: Param, option: Option, actor: Actor) -> Suggestion:
    """Suggest a value; the label of a long command string is the changed argument."""
    arguments = {**call.arguments, param.name: option.value}
    string = command_string(call.command, arguments)
    is_hidden = not arguments.keys() <= {each.name for each in call.command.shown}
    is_long = is_hidden or len(string) > _LONGEST_LABEL
    changed = f"{_shown_name(param, actor)}: {option.value}"
    return Suggestion(option.label or (changed if is_long else string), string)


def _shown_name(param: Param, actor: Actor) -> str:
    return param.name if actor.by_name else param.key or param.name


def _unread(call: Call, param: Param, error: ArgumentError, actor: Actor) -> tuple[str, str]:
    """Return the error of one argument; unnamed words may have been meant as any of several."""
    if param.key or param.type.kind is Kind.NUMBER:
        return f"{_shown_name(param, actor)}: {error.sentence}", error.remedy
    if error.nearest or actor.by_name or not matches_by_look(call.command):
        return error.sentence, error.remedy
    *names, last = (each.name for each in call.command.placed)
    sentence = (
        f"I can't read {quoted(call.arguments[param.name])} as a {', '.join(names)} or {last}."
    )
    keys = ", ".join(f"{each.key}:" for each in call.command.shown if each.key)
    return sentence, f"{error.remedy} Anything else needs its name: {keys}."


async def _missing(call: Call, param: Param, context: Context) -> UserError:
    """Return the error for a missing argument, with values that it may have or examples.

    An example is offered only where it is answered: `unsave 3` counts in the list seen last.
    """
    options = (await param.type.complete("", context))[:_OFFERED]
    begun = dict(_at_first_page(call).arguments)
    suggestions = [
        Suggestion(each.label, command_string(call.command, begun | {param.name: each.value}))
        for each in options
    ] or [
        Suggestion(example, example)
        for example in call.command.examples[:_OFFERED]
        if await _is_answered(parse(example, [call.command]), context)
    ]
    return UserError(
        f"{call.command.name} needs a {param.name}.",
        f"Usage: {call.command.usage_for(context.actor)}",
        tuple(suggestions),
    )


async def _meant(call: Call, param: Param, context: Context) -> list[dict[str, str]]:
    """Return readable arguments that a call may have been meant to have.

    Words that are no value of `param` may be another argument without its name (`subscribe agents`)
    or with its name but no colon (`pause 2 until monday`).
    """
    found: list[dict[str, str]] = []
    for arguments in islice(_candidates(call, param), _MOST_READ):
        if await _is_readable(call, arguments, context):
            found.append(arguments)
        if len(found) == _MOST_MEANT:
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
            # A name of two words without quotation marks: save 3 tag:to read
            for number in range(1, len(words)):
                name = " ".join([rest[other.name], *words[number:]])
                yield {**rest, param.name: " ".join(words[:number]), other.name: name}


async def _is_answered(call: Call, context: Context) -> bool:
    """Tell whether all arguments of a call can be read, and none is missing."""
    return await _is_readable(Call(call.command, {}), dict(call.arguments), context)


async def _is_readable(call: Call, arguments: dict[str, str], context: Context) -> bool:
    """Tell whether the changed arguments of a call can be read, and none is missing."""
    if not _is_enough(call.command, arguments):
        return False
    try:
        for param in call.command.params:
            text = arguments.get(param.name)
            if text is not None and text != call.arguments.get(param.name):
                await param.type.read(text, context)
    except UserError:
        return False
    return True
