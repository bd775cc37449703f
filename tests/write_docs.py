"""`python -m tests.write_docs`: brings what docs say of commands and permissions up to date."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from adapters.discord.api.permissions import permission_table
from adapters.slack.api.scopes import scope_table
from bot.commands.handlers import COMMANDS
from bot.commands.plain_words.away.evidence import all_wishes
from bot.commands.plain_words.languages.words import languages
from bot.commands.plain_words.phrases import all_rules
from bot.commands.plain_words.posts.wishes import post_wishes
from bot.commands.seen_list import NARROWING
from bot.commands.types import Command, Group, Param

ROOT = Path(__file__).parents[1]


def generated() -> dict[str, dict[str, str]]:
    """Return, for each document, what stands between its `<!-- NAME -->` marks."""
    return {
        "docs/commands.md": {
            "values": value_table(COMMANDS),
            "commands": command_pages(COMMANDS),
        },
        "docs/discord.md": {"permissions": permission_table()},
        "docs/slack.md": {"scopes": scope_table()},
        "docs/plain-words.md": {"plain words": example_table()},
    }


def command_pages(commands: Sequence[Command]) -> str:
    """Return a section a group, and in it one a command: usage, summary, arguments, examples."""
    return "\n\n".join(_sections(commands)) + "\n"


def value_table(commands: Sequence[Command]) -> str:
    """Return a table of the arguments that many commands have, then of the others' values."""
    shared = _shared(commands)
    described = {param.type.name for param in shared}
    values: dict[str, str] = {}
    for each in (param.type for command in commands for param in command.shown):
        if each.name not in described:
            values[each.name] = max(values.get(each.name, ""), each.expected, key=len)
    rows = [
        *(_row(f"`{each.usage}`", f"{each.summary}. {each.type.expected}") for each in shared),
        *(_row(f"`{name}`", expected) for name, expected in values.items()),
    ]
    return "\n".join([_row("argument or value", "meaning"), "|---|---|", *rows])


def _shared(commands: Sequence[Command]) -> list[Param]:
    """Return the parameters of three commands or more, in the order of their first command."""
    counts = Counter(param for command in commands for param in command.shown)
    return [param for param, count in counts.items() if count > 2]


def _sections(commands: Sequence[Command]) -> Iterator[str]:
    shared = _shared(commands)
    for group in Group:
        yield f"## {group.heading}"
        yield from (_section(each, shared) for each in commands if each.group == group)


def _section(command: Command, shared: Sequence[Param]) -> str:
    own = [param for param in command.shown if param not in shared]
    parts = [
        f"### {command.name}",
        f"`{command.usage}`",
        f"{command.summary}.",
        "\n".join(f"- `{param.usage}`: {param.summary}" for param in own),
        "\n".join(f"    {example}" for example in command.examples[:3]),
    ]
    return "\n\n".join(filter(None, parts))


def example_table() -> str:
    """Return a table of a line for each rule and wish, and lines in other languages."""
    tables = [
        *(rule.examples for rule in all_rules()),
        *(wish.examples for wish in (*all_wishes(), *post_wishes())),
    ]
    lines = [next(iter(examples.items())) for examples in tables if examples]
    lines += [next(iter(each.examples.items())) for each in languages()]
    rows = (_row(line, _in_words(command)) for line, command in lines)
    return "\n".join([_row("a line", "is read as"), "|---|---|", *rows])


def _in_words(command: str) -> str:
    """Return how a command is shown; what narrows a list is none by itself."""
    narrowed = command.removeprefix(NARROWING)
    return f"`{command}`" if narrowed == command else f"the list seen last, with `{narrowed}`"


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def marked(document: str, name: str) -> re.Pattern[str]:
    """Match the part of a document between two marks, which `document` has."""
    if f"<!-- {name} -->" not in document:
        raise ValueError(f"no mark {name}")
    return re.compile(rf"(?<=<!-- {name} -->\n).*?(?=\n<!-- /{name} -->)", re.DOTALL)


def _parted(document: str, name: str) -> tuple[str, str, str]:
    found = marked(document, name).search(document)
    if found is None:
        raise ValueError(f"the marks {name} are not in order")
    return document[: found.start()], found[0], document[found.end() :]


def main() -> None:
    """Write each document anew where its marked parts are out of date."""
    for path, parts in generated().items():
        document = (ROOT / path).read_text(encoding="utf-8")
        for name, text in parts.items():
            before, _, after = _parted(document, name)
            document = before + text.strip() + after
        (ROOT / path).write_text(document, encoding="utf-8")


if __name__ == "__main__":
    main()
