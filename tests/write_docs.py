"""`python -m tests.write_docs`: brings what docs say of commands and permissions up to date."""

import re
from pathlib import Path

from adapters.discord.permissions import permission_table
from adapters.slack.scopes import scope_table
from bot.commands.handlers import COMMANDS
from bot.commands.reference import command_pages, command_table

ROOT = Path(__file__).parents[1]


def generated() -> dict[str, dict[str, str]]:
    """Return, for each document, what stands between its `<!-- NAME -->` marks."""
    return {
        "README.md": {"commands": command_table(COMMANDS)},
        "docs/commands.md": {"commands": command_pages(COMMANDS)},
        "docs/discord.md": {"permissions": permission_table()},
        "docs/slack.md": {"scopes": scope_table()},
    }


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
