"""The prompt on a real terminal: completion, history, keys. Drawn by prompt_toolkit."""

import os
from collections.abc import AsyncGenerator, Iterator

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import completion_is_selected, has_focus
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.styles import Style

from adapters.terminal.history import open_history
from bot.actor import Actor
from bot.app import Broadsheet
from bot.replies.plain_text import printable

_HOW_TO_LEAVE = "Ctrl-D or exit leaves."
# Colours of the terminal's own palette; prompt_toolkit leaves them out under NO_COLOR.
_STYLE = Style.from_dict({"prompt": "bold ansicyan"})


async def typed_lines(app: Broadsheet, actor: Actor, prompt: str) -> AsyncGenerator[str, None]:
    """Yield the lines that are typed until Ctrl-D; several at once where they are pasted."""
    session: PromptSession[str] = PromptSession(
        [("class:prompt", prompt)],
        style=_STYLE,
        completer=_Completer(app, actor),
        complete_while_typing=False,
        enable_history_search=True,
        history=open_history(os.environ),
        key_bindings=_keys(),
    )
    while True:
        try:
            # Signals are the program's: prompt_toolkit would take its handler of SIGINT away.
            typed = await session.prompt_async(handle_sigint=False)
        except EOFError:
            return
        for line in typed.splitlines():
            yield line


class _Completer(Completer):
    """Asks the bot how a line may go on."""

    def __init__(self, app: Broadsheet, actor: Actor) -> None:
        self._app = app
        self._actor = actor

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
        """Offer nothing: the prompt asks for the completions that may be waited for."""
        del document, event
        return iter(())

    async def get_completions_async(
        self, document: Document, event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """Offer what the bot offers for the text up to the cursor."""
        del event
        text = document.text_before_cursor
        for found in await self._app.complete(text, self._actor):
            yield Completion(
                found.text,
                start_position=found.start - len(text),
                display=printable(found.text),
                display_meta=printable(found.label),
            )


def _keys() -> KeyBindings:
    """Bind Ctrl-C to what a shell does with it, and Enter in the menu to taking what is lit."""
    keys = KeyBindings()

    @keys.add("c-c", filter=has_focus(DEFAULT_BUFFER))
    def clear(event: KeyPressEvent) -> None:
        line = event.current_buffer
        if line.text or line.complete_state:
            line.reset()
        else:
            run_in_terminal(lambda: print(_HOW_TO_LEAVE))  # noqa: T201 - said to who sits there

    @keys.add("enter", filter=completion_is_selected)
    def take(event: KeyPressEvent) -> None:
        event.current_buffer.complete_state = None

    return keys
