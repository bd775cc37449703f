"""Commands that are tested on every platform, valid and invalid."""

from bot.commands.handlers import COMMANDS

# What is stored about its asker, with the button that says so, and their last change is each one's
# own.
OF_ONE = frozenset({"forget", "undo"})
# Which of several papers are new on a list or were read depends on what was pressed before.
_OF_SEVERAL = frozenset({"save 1-3", "read 1-3"})
EXAMPLES = tuple(
    line
    for command in COMMANDS
    if command.name not in OF_ONE
    for line in command.examples
    if line not in _OF_SEVERAL
)
MORE = (
    "week 2025-W44",  # in parts
    "week 2026-W02",  # of several sources
    "show other:2025-10-27#1",
    "show other:2025-10-27#2",
    "show dair:2025-12-29#1",  # withdrawn, with an abstract
    "search agents",
    "search agents page:2",
    "search attenton",
    "search zebra",
    "search nothing from:paperdive",
    "topic agents",
    "topic agents page:2",
    "help",
    "help settings",
    "related dair:2026-01-05#1",
    "save 1",
    "note 1 read by Monday",
    "note 1",
    "saved as:json",
    "unsave 1",
    "unsave 1",
    "pause 2 until:2w",
    "subscriptions",
    "status",
    "preview 1",
    "deliver 1",
    "resume 2",
    "unsubscribe 3",
    "unsubscribe 2",
    "subscriptions",
    "preview",
    "pause",
    "status",
)
WRONG = (
    "latest from:diar",
    "week someday",
    "show 99",
    "show E32",
    "show agents part",
    "show nothing of the kind",
    "show 2601.00004",
    "search",
    "search -survey",
    "search agents since:soon",
    "search agents page:99",
    "related zebra",
    "random topic:nonsense",
    "save tag:rag",
    "unsave zebra",
    "note",
    "saved page:99",
    "topic agents page:99",
    "help serch",
    "sources please",
    "latest from:dair from:dair",
    "settings zone Nowhere",
    "settings colour",
    "settings role zzz",
    "settings value:on",
    "subscribe 25:00",
    "subscribe monday tuesday",
    "subscribe from:diar",
    "subscribe topic:agnets",
    "subscribe patience:9d",
    "pause 99",
    "pause until:yesterday",
    "preview seven",
)

NEAREST: dict[str, tuple[str, list[str]]] = {
    "latest from:diar": ("There is no source 'diar'.", ["latest from:dair"]),
    "week someday": (
        "I can't read 'someday' as a week, source or topic.",
        ["week 2026-W02", "search someday"],
    ),
    "show 99": (
        "The newest edition has no paper 99; it has 3 papers.",
        ["show dair:2026-01-05#3"],
    ),
    "show E32": ("No edition that is stored names the paper E32.", ["show paperdive:E31"]),
    "show": ("show needs a paper.", [f"show dair:2026-01-05#{rank}" for rank in (1, 2, 3)]),
    "help serch": ("There is no command 'serch'.", ["help search", "help sources"]),
}
REFUSED = "settings is for managers."
