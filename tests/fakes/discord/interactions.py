"""An interaction as Discord keeps it: what somebody did, and what the bot answered, so far.

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
# What may answer what; a form may update only the message whose button opened it.
MAY_ANSWER = {
    COMMAND: {MESSAGE, DEFERRED, FORM},
    COMPONENT: {MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, FORM},
    AUTOCOMPLETE: {CHOICES},
    MODAL: {MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE},
}


@dataclass(eq=False, slots=True)
class Modal:
    """A form that somebody has open."""

    opened_by: "Interaction"
    payload: Json

    @property
    def title(self) -> str:
        """What stands above it."""
        return str(self.payload["title"])


@dataclass(eq=False, slots=True)
class Interaction:
    """What somebody did, and what came of it.

    Attributes:
        source: the message whose button was pressed.
        response: the body of the first response.
        deferred: whether that was only the word that an answer will come.
        followed: whether that answer came, or the word was taken away.
        messages: what the bot answered, follow-ups too; the source is none of them.
        error: why the person was told that the app did not respond.
        attempts: how often the bot gave a first response, refused ones too.
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
        """The first answer as it stands now, or the message that was updated."""
        assert self.original, f"no message: {self.error=} {self.response=}"
        return self.original

    @property
    def modal(self) -> Modal:
        """The form that was opened."""
        assert self.form, f"no form: {self.error=} {self.response=}"
        return self.form

    def respond(self, response: Json) -> None:
        """Take the first response."""
        self.response = response
        self._responded.set()

    async def responded(self, seconds: float) -> Self:
        """Wait for the first response; without one in time `error` is set."""
        try:
            await asyncio.wait_for(self._responded.wait(), seconds)
        except TimeoutError:
            self.error = "the application did not respond"
        return self

    async def answered(self, seconds: float = 15) -> Self:
        """Wait until a deferred answer is there; a button's may be an edit of its message.

        Raises:
            AssertionError: where it does not come in time.
        """
        for _ in range(int(seconds * 100)):
            if self.error or (self.original and (self.followed or not self.deferred)):
                return self
            await asyncio.sleep(0.01)
        raise AssertionError(f"still waiting for an answer: {self.response=}")
