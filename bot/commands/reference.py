"""The commands as Markdown, from their declarations: the README's table and `docs/commands.md`."""

from collections.abc import Iterator, Sequence

from bot.commands.types import Command, Group


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


def _row(*cells: str) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
