"""Interactions and their responses.

https://docs.discord.com/developers/interactions/receiving-and-responding
"""

import asyncio
from dataclasses import dataclass, field
from typing import Self

from tests.fakes.discord.identities import User
from tests.fakes.discord.records import Channel, Message
from tests.fakes.discord.rules.components import Json

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, FORM = 4, 5, 6, 7, 8, 9
# The allowed responses; a modal may update only the message whose button opened it.
MAY_ANSWER = {
    COMMAND: {MESSAGE, DEFERRED, FORM},
    COMPONENT: {MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, FORM},
    AUTOCOMPLETE: {CHOICES},
    MODAL: {MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE},
}


@dataclass(eq=False, slots=True)
class Modal:
    """A modal that a user has open."""

    opened_by: "Interaction"
    payload: Json

    @property
    def title(self) -> str:
        """The title of the modal."""
        return str(self.payload["title"])


@dataclass(eq=False, slots=True)
class Interaction:
    """An interaction of a user, with the responses of the bot.

    Attributes:
        source: the message whose button was pressed.
        response: the body of the first response.
        deferred: whether the first response deferred the answer.
        followed: whether the deferred answer was sent or deleted.
        messages: the answers and follow-ups, without the source.
        error: the error that the user sees if the app did not respond.
        attempts: the number of first responses, refused ones too.
    """

    id: int
    token: str
    kind: int
    payload: Json
    user: User
    channel: Channel
    made_at: float
    bot_is_member: bool
    source: Message | None = None
    response: Json | None = None
    deferred: bool = False
    followed: bool = False
    original: Message | None = None
    messages: list[Message] = field(default_factory=list)
    form: Modal | None = None
    choices: list[Json] | None = None
    error: str | None = None
    attempts: int = 0
    _responded: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def message(self) -> Message:
        """The first answer with its edits, or the updated message."""
        assert self.original, f"no message: {self.error=} {self.response=}"
        return self.original

    @property
    def modal(self) -> Modal:
        """The modal that the bot opened."""
        assert self.form, f"no form: {self.error=} {self.response=}"
        return self.form

    def respond(self, response: Json) -> None:
        """Store the first response."""
        self.response = response
        self._responded.set()

    async def responded(self, seconds: float) -> Self:
        """Wait for the first response; after a timeout, set `error`."""
        try:
            await asyncio.wait_for(self._responded.wait(), seconds)
        except TimeoutError:
            self.error = "the application did not respond"
        return self

    async def answered(self, seconds: float = 15) -> Self:
        """Wait for a deferred answer, which may be an edit of the button's message.

        Raises:
            AssertionError: after a timeout.
        """
        for _ in range(int(seconds * 100)):
            if self.error or (self.original and (self.followed or not self.deferred)):
                return self
            await asyncio.sleep(0.01)
        raise AssertionError(f"still waiting for an answer: {self.response=}")
