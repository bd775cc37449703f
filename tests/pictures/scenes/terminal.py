"""Scenes in a terminal: what the prompt prints, with the styles of a coloured one."""

from collections.abc import AsyncIterator

from adapters.terminal.client import TerminalClient
from adapters.terminal.render import TextStyle, render
from adapters.terminal.reply_lines import letter_buttons, lettered_lines
from bot.replies.blocks import Reply
from store.database import Database
from tests.adapters.common.services import services_over
from tests.pictures.scenes.records import Printed, Scene
from tests.pictures.table import PICTURES, Platform

WIDE_COLUMNS, NARROW_COLUMNS = 80, 36
# As prompt_toolkit draws it: bold, in cyan.
_PROMPT = "\x1b[1;36mpapers> \x1b[0m"


async def scenes(database: Database) -> AsyncIterator[Scene]:
    """Give the scenes of the table, in its order."""
    app = services_over(database).app
    for picture in PICTURES:
        if Platform.TERMINAL in picture.platforms:
            reply = await app.run_text(picture.line, TerminalClient.actor)
            await app.wait()
            by_columns = {
                columns: f"{_PROMPT}{picture.line}\n{_printed(reply, columns)}"
                for columns in (WIDE_COLUMNS, NARROW_COLUMNS)
            }
            yield Scene(picture.name, Platform.TERMINAL, (Printed(by_columns),))


def _printed(reply: Reply, columns: int) -> str:
    lines = lettered_lines(reply, letter_buttons(reply), refs=False)
    return render(lines, columns, TextStyle.COLOURED)
