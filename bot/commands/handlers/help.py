"""The help command, and the welcome of a new user or workspace."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from bot.actor import Actor, Role
from bot.commands.params.scalars import COMMAND_NAME
from bot.commands.parser import with_option_names
from bot.commands.permissions import for_actor, may
from bot.commands.types import Command, Context, Group, Param
from bot.replies.blocks import Actions, Block, Button, Choices, Fields, Reply, Text, Title
from bot.replies.wording import workspace_noun


async def show_help(context: Context, command: str | None = None) -> Reply:
    """Show what people ask for most and all commands, or describe one."""
    allowed = [each for each in context.commands if may(context.actor, each)]
    if command is None:
        return for_actor(context, _help_reply(context.actor, allowed))
    [asked] = [each for each in allowed if each.name == command]
    return _command_reply(asked, by_name=context.actor.by_name)


HELP = Command(
    name="help",
    group=Group.LOOKUP,
    summary="What you may ask, with examples",
    handler=show_help,
    params=(Param("command", "One command to say more about", COMMAND_NAME),),
    examples=("help search",),
)


# What people come for, each with the command strings that do it.
_TASKS = (
    ("Read what is new", ("latest", "week last week", "brief 10")),
    ("Find papers", ("search mixture of experts", "topic agents", "top 2025")),
    ("Ask about them", ("show 3", "related 3", "ask what is a state space model?")),
    ("Keep what you like", ("save 3", "vote 3", "saved")),
    ("Be told of new papers", ("alert mamba", "alert author:bengio", "alerts")),
    ("Get a post every week", ("subscribe monday 09:00", "preview", "subscriptions")),
)
_BUTTONS = (
    Button("Newest edition", "latest"),
    Button("Try a search", "search mixture of experts"),
    Button("Brief", "brief 10"),
    Button("Your list", "saved"),
    Button("Weekly posts", "subscriptions"),
)
_MENUS = {
    Group.LOOKUP: "More about a lookup",
    Group.LIST: "More about your list",
    Group.CHANNEL: "More about posts",
}


def _help_reply(actor: Actor, commands: Sequence[Command]) -> Reply:
    """Show six tasks with examples, then the names of all commands and a menu to each."""
    names = {command.name for command in commands}
    typed = partial(with_option_names, commands=commands) if actor.by_name else str
    tasks = (
        (task, " · ".join(typed(line) for line in lines if line.split()[0] in names))
        for task, lines in _TASKS
    )
    type_this = f"Type {_IN_CHATS} and one of these" if actor.in_chat else "Type one of these"
    where = " in a direct message" if actor.by_name else ""
    blocks: list[Block] = [
        Title("Broadsheet: the top AI papers of each week"),
        Text(f"{type_this}, or ask in your own words{where}."),
        Fields(tuple((task, examples) for task, examples in tasks if examples)),
        Actions(tuple(button for button in _BUTTONS if button.command.split()[0] in names)),
        Text(f"All commands; {typed('help search')} says more about one:"),
    ]
    grouped = [(group, [each.name for each in commands if each.group == group]) for group in Group]
    blocks.append(Fields(tuple((group.heading, ", ".join(of)) for group, of in grouped if of)))
    if actor.in_chat:
        blocks += (
            Choices(_MENUS[group], tuple(Button(name, f"help {name}") for name in of))
            for group, of in grouped
            if of
        )
    return Reply(tuple(blocks))


def _command_reply(command: Command, *, by_name: bool) -> Reply:
    blocks: list[Block] = [Title(_usage(command, by_name=by_name)), Text(command.summary)]
    pairs = tuple(
        (param.name if by_name else param.usage, f"{param.summary}. {param.type.expected}")
        for param in command.shown
    )
    if pairs:
        blocks.append(Fields(pairs))
    known = (command,)
    examples = (with_option_names(line, known) if by_name else line for line in command.examples)
    blocks.append(Text(f"Examples: {' · '.join(examples)}"))
    return Reply(tuple(blocks))


def _usage(command: Command, *, by_name: bool) -> str:
    return command.options if by_name else command.usage


_EXAMPLE = "search mixture of experts"
_USEFUL, _MOST_USEFUL = ("latest", _EXAMPLE, "brief", "topic"), 3
_IN_CHATS = "/papers"

# Returns a command string as a user types it.
_Typed = Callable[[str], str]


def welcome_reply(
    actor: Actor, commands: Sequence[Command], *, person: bool, workspace: bool
) -> Reply:
    """Welcome a user, their workspace or both."""
    typed = typed_by(actor, commands)
    if person and workspace:
        # The other lines of each would repeat those of the other.
        mine, there = _to_person(typed, commands, actor), _to_workspace(typed)
        return Reply((*mine[:2], *there[1:]))
    blocks: list[Block] = []
    if person:
        blocks += _to_person(typed, commands, actor)
    if workspace:
        blocks += [Title(f"New in this {workspace_noun(actor.platform)}"), *_to_workspace(typed)]
    return Reply(tuple(blocks))


def workspace_welcome(
    commands: Sequence[Command], more: Iterable[Button] = (), *, by_name: bool, hint: str = ""
) -> Reply:
    """Welcome a workspace that the bot came to; `hint` is a sentence about subscribing there."""
    typed = typed_in(commands, by_name=by_name)
    buttons = (
        Button("Newest edition", "latest"),
        Button("Try a search", _EXAMPLE),
        *more,
        Button("All commands", "help"),
    )
    lines = _to_workspace(typed, hint)
    return Reply((Title("Welcome to Broadsheet"), *lines, Actions(buttons)))


def typed_in(commands: Sequence[Command], *, by_name: bool) -> _Typed:
    """Return how command strings are typed in a chat: `/papers search query:experts`."""
    words: _Typed = partial(with_option_names, commands=commands) if by_name else str
    return lambda line: f"{_IN_CHATS} {words(line)}"


def typed_by(actor: Actor, commands: Sequence[Command]) -> _Typed:
    """Return how an actor types command strings."""
    return typed_in(commands, by_name=actor.by_name) if actor.in_chat else str


def _to_person(typed: _Typed, commands: Sequence[Command], actor: Actor) -> tuple[Text, ...]:
    names = {command.name for command in commands}
    useful = [typed(line) for line in _USEFUL if line.split()[0] in names][:_MOST_USEFUL]
    if actor.in_chat:
        who = "type" if actor.role >= Role.MANAGER else "a manager types"
        last = (
            f"Save keeps a paper on your list: {typed('saved')} shows it."
            f" To have a channel get a post every week {who} {typed('subscribe')} there."
        )
    else:
        last = f"{typed('save 3')} keeps paper 3 on your list: {typed('saved')} shows it."
    return (
        Text("Broadsheet has the top AI papers of each week. Only you see its answers."),
        Text(f"Most useful: {' · '.join(useful)}"),
        Text(last),
    )


def _to_workspace(typed: _Typed, hint: str = "") -> tuple[Text, ...]:
    weekly = (
        f"A manager can have each week's edition posted in a channel: {typed('subscribe')} there."
        f" {hint}"
    )
    return (
        Text(
            f"The top AI papers of each week, for whoever types {typed('latest')} or"
            f" {typed(_EXAMPLE)}; they alone see the answer, and nothing is posted unasked."
        ),
        Text(weekly.strip()),
        Text(f"{typed('settings')} shows what is settled here, {typed('help')} all commands."),
    )
