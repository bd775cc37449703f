"""The client that every process is logged in with, whether it holds the gateway or not."""

import asyncio
import logging
from collections.abc import Callable

import discord

from adapters.common.tasks import Tasks
from adapters.discord.gateway.login import RESET, Login
from adapters.discord.settings import DiscordSettings
from bot.errors import PlatformError, SendError

_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
_ANOTHER = "What answers at BROADSHEET_DISCORD_API_URL is not Discord."
REFUSED = f"Discord no longer accepts DISCORD_TOKEN. {RESET}"
_log = logging.getLogger(__name__)


class Home:
    """A client that makes calls, and is never connected.

    Args:
        make_client: makes one.
        settings: where to log in, and as whom.
    """

    def __init__(
        self, make_client: Callable[[], discord.Client], settings: DiscordSettings
    ) -> None:
        self._login = Login(make_client, settings)
        self._tasks = Tasks()
        self.trouble = ""

    @property
    def client(self) -> discord.Client:
        """The client, logged in or not."""
        return self._login.client

    @property
    def is_in(self) -> bool:
        """Whether it is logged in."""
        return self._login.done

    async def start(self) -> None:
        """Log in; where Discord can't be reached, go on trying.

        Raises:
            PlatformError: if Discord does not take the token.
        """
        try:
            await self._login.log_in()
        except discord.LoginFailure as error:
            raise PlatformError("Discord refuses DISCORD_TOKEN.", RESET) from error
        except ValueError as error:
            raise PlatformError(_ANOTHER, "Look at its value.") from error
        except SendError as error:
            self._note(error.sentence)
            self._tasks.start(self._go_on(), "discord-login")

    async def stop(self) -> None:
        """Be logged in no longer."""
        await self._tasks.finish(0)
        await self._login.close()

    async def _go_on(self) -> None:
        pause = _FIRST_PAUSE
        while not await self._attempt():
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _attempt(self) -> bool:
        """Try to log in; return whether there is no use in trying again."""
        try:
            await self._login.log_in()
        except discord.LoginFailure:
            self._note(REFUSED)
            return True
        except SendError as error:
            self._note(error.sentence)
            return False
        except ValueError:
            self._note(_ANOTHER)
            await self._login.begin_anew()
            return False
        self.trouble = ""
        return True

    def _note(self, sentence: str) -> None:
        if self.trouble != sentence:
            _log.warning("discord_disconnected", extra={"reason": sentence})
        self.trouble = sentence
