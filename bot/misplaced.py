"""What may have been meant by words that can't be read where they stand."""

from collections.abc import Iterator
from itertools import islice

from bot.command import Call, Context, Param
from bot.errors import UserError

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
