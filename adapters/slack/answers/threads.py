"""The threads of direct messages: where an answer stands, and what a thread is named by.

To an agent each direct message begins a thread, and so does each that it sends by itself.
https://docs.slack.dev/ai/migrating-to-agent-messaging
"""

import logging
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adapters.slack.api.thread_titles import ThreadTitles, title_of
from adapters.slack.api.tokens import Authorization, Authorizations
from adapters.slack.requests.payloads import Request
from bot.domain.untrusted_text import flat
from bot.replies.blocks import Reply
from store.errors import StoreError

_log = logging.getLogger(__name__)


class DirectThreads:
    """Finds the threads that answers stand in, and has new ones titled.

    Args:
        authorizations: tell which apps are agents.
        titles: titles threads.
    """

    def __init__(self, authorizations: Authorizations, titles: ThreadTitles) -> None:
        self._authorizations = authorizations
        self._titles = titles

    async def place_of(self, request: Request) -> Request:
        """Return a request with the thread that its answer stands in.

        An agent answers below a message; any other app in place, or in the thread of the request.

        Raises:
            StoreError: as `Authorizations.find`.
        """
        if request.thread or request.is_ephemeral or not request.is_direct:
            return request
        found = await self._authorizations.find(request.enterprise, request.team)
        return replace(request, thread=request.message) if found and found.is_agent else request

    async def title(self, place: Request, title: str) -> None:
        """Have the thread titled that a direct message begins, if it begins one."""
        if place.channel is None or place.message is None or place.thread != place.message:
            return
        if found := await self._find(place):
            # Only to an agent does a message name the thread that it begins, whatever its token.
            agent = replace(found, is_agent=True)
            self._titles.set(agent, place.channel, place.message, title, soon=True)

    async def title_own(self, request: Request, sent: Mapping[str, Any], reply: Reply) -> None:
        """Have the thread titled that a message of the bot's own begins."""
        if found := await self._find(request):
            self._titles.set(found, str(sent["channel"]), str(sent["ts"]), title_of(reply))

    async def _find(self, request: Request) -> Authorization | None:
        try:
            return await self._authorizations.find(request.enterprise, request.team)
        except StoreError as error:  # what was sent stays, without a title
            _log.info("thread_not_titled", extra={"reason": error.sentence})
            return None


def asked_for(line: str, reply: Reply) -> str:
    """Return what a thread is named by that begins with a line of a person: the line. Pure.

    No word, or one alone that was read as something (`2`, `it`, `more`), does not say what was
    asked; the command that was run for it does.
    """
    words = flat(line)
    says_little = not words or (reply.read_as is not None and " " not in words)
    return (reply.ran if says_little else words) or words
