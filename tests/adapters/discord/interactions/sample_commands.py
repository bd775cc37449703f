"""Sample commands with the documented names and options."""

from bot.commands.types import Command, Context, Group, Kind, Param, ParamType
from bot.errors import Option
from bot.replies.blocks import Reply

_KINDS = {"channel": Kind.CHANNEL, "size": Kind.NUMBER, "minutes": Kind.NUMBER}
_REQUIRED = {"week", "paper", "query", "question", "text"}
_ORDER = ("id", "channel")

FILTERS = ("topic", "source", "author", "since", "until")
COMMAND_PARAMS: dict[Group, dict[str, tuple[str, ...]]] = {
    Group.LOOKUP: {
        "latest": ("source", "topic", "author"),
        "week": ("week", "source", "topic", "author"),
        "show": ("paper",),
        "ask": ("question",),
        "search": ("query", *FILTERS),
        "related": ("paper",),
        "random": FILTERS,
        "topic": FILTERS,
        "sources": (),
        "top": ("period", *FILTERS[:3], "by"),
        "consensus": ("week",),
        "trends": ("topics",),
        "brief": ("minutes", *FILTERS),
        "status": (),
        "help": ("command",),
    },
    Group.LIST: {
        "save": ("paper", "tag"),
        "unsave": ("paper", "tag"),
        "read": ("paper",),
        "unread": ("paper",),
        "note": ("paper", "text"),
        "vote": ("paper",),
        "saved": (*FILTERS, "state", "tag", "format"),
        "dismiss": ("paper",),
        "alert": ("words", "topic", "source", "author", "channel"),
        "alerts": (),
        "unalert": ("id",),
        "undo": (),
        "forget": (),
    },
    Group.CHANNEL: {
        "subscribe": (
            "day",
            "time",
            "zone",
            "channel",
            "source",
            "topic",
            "not",
            "size",
            "layout",
            "patience",
        ),
        "subscriptions": ("channel",),
        "unsubscribe": _ORDER,
        "pause": ("id", "until", "channel"),
        "resume": _ORDER,
        "preview": _ORDER,
        "deliver": _ORDER,
        "settings": ("name", "value"),
    },
}


async def _answer(_context: Context) -> Reply:
    return Reply(())


async def _read(text: str, _context: Context) -> str:
    return text


async def _complete(_beginning: str, _context: Context) -> list[Option]:
    return []


def param(name: str, summary: str = "What it is", *, required: bool = False) -> Param:
    """Return a parameter whose kind follows from its name."""
    type_ = ParamType(name.upper(), _read, _complete, "", kind=_KINDS.get(name, Kind.TEXT))
    return Param(name, summary, type_, required=required)


def command(name: str, group: Group, *params: Param, summary: str = "What it does") -> Command:
    """Return a command with an empty answer."""
    return Command(name, group, summary, _answer, params)


def sample_command(name: str, group: Group, summary: str) -> Command:
    """Return a documented command, with one summary for it and all of its options."""
    options = COMMAND_PARAMS[group][name]
    params = (param(each, summary, required=each in _REQUIRED) for each in options)
    return command(name, group, *params, summary=summary)
