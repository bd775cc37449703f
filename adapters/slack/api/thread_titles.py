"""Titles of the threads in direct messages, which Slack asks an agent app for.

A title belongs to the session of a thread, and nobody may wait for it: it is set in the background
after a message was sent, is tried again for what passes, and is lost with the process.
https://docs.slack.dev/ai/agent-sessions

Slack's pages leave open whether a message makes the session. Those who tried it say that
`agents.sessions.rename` is refused until `agents.sessions.setStatus` made one, so that comes next,
with the status of an agent that waits. Nor is it confirmed how Slack shows marks of mrkdwn in a
title; titles are plain words here.
"""

import logging
from collections import deque
from dataclasses import dataclass

from adapters.common.tasks import Tasks, retried
from adapters.slack.api.rate_limits import RateLimitedApi
from adapters.slack.api.tokens import Authorization
from bot.cache import Cache
from bot.domain.untrusted_text import flat
from bot.errors import RetryLater, SendError
from bot.replies.blocks import Notice, Reply, Title
from bot.replies.wording import shorten
from store.errors import StoreError

# Slack takes 200 characters, and does not say whether it counts them as UTF-16.
LONGEST_TITLE = 80
_MOST_WAITING = 1000
_PAUSES = (None, None)  # as long as Slack asks for
# Where Slack refused titles for a reason that lasts, none is tried for so long.
_REFUSED_SECONDS = 3600.0
_MAX_CACHED = 4096
_RENAME, _SET_STATUS = "agents.sessions.rename", "agents.sessions.setStatus"
_NO_SESSION = frozenset({"session_not_found", "not_authorized"})
_REFUSALS = frozenset(
    {"feature_disabled", "missing_scope", "not_agent_app", "not_authorized", "unknown_method"}
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Thread:
    """A thread to be titled: a channel and the `ts` of its first message."""

    authorization: Authorization
    channel: str
    root: str
    title: str

    @property
    def where(self) -> dict[str, str]:
        return {"channel_id": self.channel, "thread_ts": self.root}


class ThreadTitles:
    """Titles threads in the background, one after the other in each workspace.

    Args:
        limited: the Web API within its rate limits.
        tasks: runs the work.
        most_waiting: how many titles may wait for their rate limit in one workspace; the last
            ones of more get none.
    """

    def __init__(
        self, limited: RateLimitedApi, tasks: Tasks, most_waiting: int = _MOST_WAITING
    ) -> None:
        self._limited = limited
        self._tasks = tasks
        self._most_waiting = most_waiting
        self._waiting: dict[str, deque[_Thread]] = {}
        self._refused: Cache[str, bool] = Cache(_MAX_CACHED, _REFUSED_SECONDS)
        # Workspaces whose threads have no session until one is made.
        self._without_session: Cache[str, bool] = Cache(_MAX_CACHED)

    def set(
        self,
        authorization: Authorization,
        channel: str,
        root: str,
        title: str,
        *,
        soon: bool = False,
    ) -> None:
        """Title a thread, some time after this returns; a person may look at it `soon`.

        Nothing happens for an app that is no agent, and where there are no words.
        """
        workspace, words = authorization.workspace, shorten(flat(title), LONGEST_TITLE)
        if not (authorization.is_agent and words) or workspace in self._refused:
            return
        thread = _Thread(authorization, channel, root, words)
        waiting = self._waiting.get(workspace)
        if waiting is None:
            waiting = self._waiting[workspace] = deque()
            self._tasks.start(self._work(workspace, waiting), "thread-titles")
        if soon:
            waiting.appendleft(thread)
        else:
            waiting.append(thread)
        if len(waiting) > self._most_waiting:
            waiting.pop()

    async def _work(self, workspace: str, waiting: deque[_Thread]) -> None:
        try:
            while waiting:
                await self._try(waiting.popleft())
                if workspace in self._refused:
                    return
        finally:
            del self._waiting[workspace]

    async def _try(self, thread: _Thread) -> None:
        try:
            await retried(
                lambda: self._set(thread), _PAUSES, lambda error: isinstance(error, RetryLater)
            )
        except (SendError, StoreError) as error:
            _log.info("thread_not_titled", extra={"reason": error.sentence})
            if isinstance(error, SendError) and error.code in _REFUSALS:
                self._refused.put(thread.authorization.workspace, True)  # noqa: FBT003 - a set

    async def _set(self, thread: _Thread) -> None:
        """Title a thread, whether it has a session already or not."""
        workspace, call = thread.authorization.workspace, self._limited.call_idempotent
        if workspace not in self._without_session:
            try:
                await call(thread.authorization, _RENAME, title=thread.title, **thread.where)
            except SendError as error:
                if error.code not in _NO_SESSION:
                    raise
                self._without_session.put(workspace, True)  # noqa: FBT003 - a set
            else:
                return
        made = await call(
            thread.authorization, _SET_STATUS, status="active", title=thread.title, **thread.where
        )
        if made.get("title") != thread.title:  # one that was there keeps its own
            await call(thread.authorization, _RENAME, title=thread.title, **thread.where)


def title_of(reply: Reply) -> str:
    """Return what a message is named by that nobody asked for: its title, or what it says first."""
    for block in reply.blocks:
        if isinstance(block, Title):
            return block.text
        if isinstance(block, Notice):
            return block.text
    return ""
