"""`python -m tests.write_docs`: brings what docs say of commands and permissions up to date."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from adapters.discord.api.permissions import permission_table
from adapters.slack.api.scopes import scope_table
from bot.commands.handlers import COMMANDS
from bot.commands.plain_words.rules import all_rules, other_languages
from bot.commands.types import Command, Group

ROOT = Path(__file__).parents[1]


def generated() -> dict[str, dict[str, str]]:
    """Return, for each document, what stands between its `<!-- NAME -->` marks."""
    return {
        "README.md": {"commands": command_table(COMMANDS)},
        "docs/commands.md": {"commands": command_pages(COMMANDS)},
        "docs/discord.md": {"permissions": permission_table()},
        "docs/slack.md": {"scopes": scope_table()},
        "docs/plain-words.md": {"plain words": example_table()},
    }


def command_table(commands: Sequence[Command]) -> str:
    """Return a table a group: usage and summary of each command."""
    return "\n\n".join(_tables(commands))


def command_pages(commands: Sequence[Command]) -> str:
    """Return a section a command: usage, summary, arguments and examples."""
    return "\n\n".join(_section(command) for command in commands) + "\n"


def _tables(commands: Sequence[Command]) -> Iterator[str]:
    for group in Group:
        rows = [_row(f"`{c.usage}`", c.summary) for c in commands if c.group == group]
        if rows:
            yield "\n".join([_row(group.heading, "answer"), "|---|---|", *rows])


def _section(command: Command) -> str:
    parts = [f"## {command.name}", f"`{command.usage}`", f"{command.summary}."]
    if command.shown:
        rows = [
            _row(f"`{param.usage}`", f"{param.summary}. {param.type.expected}")
            for param in command.shown
        ]
        parts.append("\n".join([_row("argument", "meaning"), "|---|---|", *rows]))
    examples = "\n".join(f"    {example}" for example in command.examples)
    return "\n\n".join([*parts, f"Examples:\n\n{examples}"])


def example_table() -> str:
    """Return a table of lines in plain words, and the command that each is read as."""
    rules = (*all_rules(), *other_languages())
    rows = (_row(line, f"`{command}`") for rule in rules for line, command in rule.examples.items())
    return "\n".join([_row("a line", "is read as"), "|---|---|", *rows])


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
