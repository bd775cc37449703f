"""A client of Slack's Web API and response URLs that maps errors to `SendError`.

It never repeats a request whose connection was lost, as the SDK's default does: a message would be
posted twice. Calls with `retry_rate_limit` wait out a rate limit; the others, whose user is waiting
or whose trigger expires, fail at once. Lists that come page by page are read to their end as
long as there is time.
"""

import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.common.call_attempt import attempted, current_attempt, repeatable
from adapters.common.library_logs import drop_redundant, limit
from adapters.common.response_headers import ServerTime
from adapters.slack.api.errors import as_send_error, response_error
from bot.errors import RetryLater, SendError
from bot.operations.metrics import Metrics

# The SDK applies its own `timeout` only to sessions that it opens itself.
_SECONDS = 10
# No user waits for an upload, and a file may be large.
_UPLOAD_SECONDS = 60
_RATE_LIMIT_RETRIES = 2
# For answers to users; scheduled posts come on top.
_CONNECTIONS = 100
_REDUNDANT = (
    # Our own log lines report these with a reason.
    "Failed to connect",
    "Failed to retrieve WSS URL",
    "Failed to check the current",
    # Bolt found SLACK_BOT_TOKEN in the environment, which we use too.
    "As you gave `client`",
)

# Bolt logs the OAuth code that Slack refused, which is any text that a visitor sent.
_CODE = re.compile(r"with code: .* - error", re.DOTALL)
_log = logging.getLogger(__name__)


def quiet_logger(name: str) -> logging.Logger:
    """Return a library's logger, limited to warnings and errors that are worth it."""
    logger = logging.getLogger(name)
    limit(logger)
    drop_redundant(logger, _REDUNDANT, partial(_CODE.sub, "with its code - error"))
    return logger


def open_session(posts: int = 0, seconds: float = _SECONDS) -> aiohttp.ClientSession:
    """Open the session that all calls share, so that connections are reused.

    Args:
        posts: how many posts are sent at once; each gets a connection of its own, because waiting
            for a connection counts towards the timeout.
        seconds: the timeout of a call.
    """
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=_CONNECTIONS + posts),
        timeout=aiohttp.ClientTimeout(total=seconds),
        trace_configs=[request_trace()],
    )


class Api:
    """A client of Slack's Web API.

    Args:
        url: the base URL of the Web API, ending in a slash.
        session: the shared HTTP session.
        metrics: counts calls by method and outcome.
    """

    def __init__(self, url: str, session: aiohttp.ClientSession, metrics: Metrics) -> None:
        self._session = session
        self._metrics = metrics
        self.time = ServerTime()
        self._logger = quiet_logger("slack_sdk.web")
        self.client = AsyncWebClient(
            base_url=url, session=session, retry_handlers=[], logger=self._logger
        )
        retries: list[AsyncRetryHandler] = [
            AsyncRateLimitErrorRetryHandler(max_retry_count=_RATE_LIMIT_RETRIES)
        ]
        self.retrying_client = AsyncWebClient(
            base_url=url, session=session, retry_handlers=retries, logger=self._logger
        )

    async def call(
        self,
        token: str | None,
        method: str,
        *,
        retry_rate_limit: bool = False,
        **arguments: Any,  # noqa: ANN401 - each method's own
    ) -> dict[str, Any]:
        """Call a method by its documented name (`chat.postMessage`) and return its response.

        Raises:
            SendError: as `adapters.slack.api.errors` maps it. Only a rate-limited call is repeated,
                and only with `retry_rate_limit`.
        """
        client = self.retrying_client if retry_rate_limit else self.client
        function = getattr(client, method.replace(".", "_"))
        response = await self._send(
            method, function(**({"token": token} if token else {}), **arguments)
        )
        data: dict[str, Any] = response.data
        return data

    async def call_form(
        self, token: str | None, method: str, form: Mapping[str, str]
    ) -> dict[str, Any]:
        """Call a method with a form body, retrying rate limits; return its response.

        Use it where the SDK would put arguments into the URL that are too long for one.

        Raises:
            SendError: as `call`.
        """
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        call = self.retrying_client.api_call(method, data=dict(form), headers=headers)
        response = await self._send(method, call)
        data: dict[str, Any] = response.data
        return data

    async def upload(self, url: str, data: bytes) -> None:
        """Send a file to the URL that `files.getUploadURLExternal` returned.

        Raises:
            SendError: as `call`.
        """
        timeout = aiohttp.ClientTimeout(total=_UPLOAD_SECONDS)
        try:
            # A stream is sent in pieces, so that a large file doesn't block the event loop.
            stream = BytesIO(data)
            async with self._session.post(url, data=stream, timeout=timeout) as response:
                status, body = response.status, await response.text()
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise self._failed("upload", as_send_error(error)) from error
        if refusal := response_error(status, body, response.headers):
            raise self._failed("upload", refusal)
        self._metrics.called("slack", "upload", "ok")

    async def call_idempotent(
        self,
        token: str | None,
        method: str,
        **arguments: Any,  # noqa: ANN401 - each method's own
    ) -> dict[str, Any]:
        """Call a method that is safe to repeat: a lost response means `RetryLater`.

        Raises:
            SendError: as `call`, but `RetryLater` in place of `OutcomeUnknown`.
        """
        with repeatable():
            return await self.call(token, method, **arguments)

    async def open_direct(self, token: str | None, user: str) -> str:
        """Return the id of a user's direct messages with the bot, opened if need be.

        https://docs.slack.dev/reference/methods/conversations.open

        Raises:
            SendError: as `call_idempotent`.
        """
        data = await self.call_idempotent(token, "conversations.open", users=user)
        return str(data["channel"]["id"])

    async def auth_test(self, token: str) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return the identity of a token and its granted scopes, empty where Slack omits them.

        https://docs.slack.dev/reference/methods/auth.test

        Raises:
            SendError: as `call`.
        """
        response = await self._send("auth.test", self.client.auth_test(token=token))
        scopes = str(response.headers.get("x-oauth-scopes", ""))
        data: dict[str, Any] = response.data
        return data, tuple(name.strip() for name in scopes.split(",") if name.strip())

    async def respond(self, url: str, payload: dict[str, Any]) -> None:
        """Post, replace or delete a message through a response URL.

        https://docs.slack.dev/interactivity/handling-user-interaction#message_responses

        Raises:
            SendError: as `call`.
        """
        client = AsyncWebhookClient(
            url,
            session=self._session,
            retry_handlers=[AsyncRateLimitErrorRetryHandler()],
            logger=self._logger,
        )
        try:
            response = await client.send_dict(payload)
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise self._failed("response_url", as_send_error(error)) from error
        if refusal := response_error(response.status_code, response.body, response.headers):
            raise self._failed("response_url", refusal)
        self._metrics.called("slack", "response_url", "ok")

    async def _send(self, method: str, call: Awaitable[Any]) -> Any:  # noqa: ANN401 - the SDK's response
        with attempted() as attempt:
            try:
                response = await call
            except (TimeoutError, SlackApiError, aiohttp.ClientError, OSError) as error:
                mapped = as_send_error(error, was_sent=not attempt.is_certainly_undone)
                raise self._failed(method, mapped) from error
        self._metrics.called("slack", method, "ok")
        self.time.update(response.headers.get("Date"))
        return response

    def _failed(self, method: str, error: SendError) -> SendError:
        outcome = type(error).__name__.lower()
        self._metrics.called("slack", method, outcome)
        facts = {"method": method, "code": error.code or None, "reason": error.sentence}
        _log.warning("slack_call_failed", extra=facts)
        return error


def request_trace() -> aiohttp.TraceConfig:
    """Return the trace of a session, which notes in the current attempt whether requests left.

    Headers are written once there is a connection, TLS included:
    https://docs.aiohttp.org/en/stable/tracing_reference.html
    """

    async def on_request_start(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        _params: aiohttp.TraceRequestStartParams,
    ) -> None:
        if attempt := current_attempt():
            attempt.was_started = True

    async def on_headers_sent(
        _session: aiohttp.ClientSession,
        _context: SimpleNamespace,
        _params: aiohttp.TraceRequestHeadersSentParams,
    ) -> None:
        if attempt := current_attempt():
            attempt.may_be_done = True

    config = aiohttp.TraceConfig()
    config.on_request_start.append(on_request_start)
    config.on_request_headers_sent.append(on_headers_sent)
    return config


@dataclass(frozen=True, slots=True)
class Listed:
    """The items of a list; it is `cut` where Slack has more of them."""

    items: tuple[Mapping[str, Any], ...]
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Lists:
    """Reads lists.

    Args:
        api: the Web API.
        seconds: a monotonic clock.
        most_seconds: when no further page of a list is begun.
    """

    api: Api
    seconds: Callable[[], float]
    most_seconds: float

    async def read(self, token: str | None, method: str, member: str, **arguments: Any) -> Listed:  # noqa: ANN401 - each method's own
        """Return a list, whose items are the `member` of each page.

        A page may hold fewer than were asked for, or none: only an empty cursor ends a list.

        Raises:
            SendError: where Slack refuses or fails; after the first page it is cut if Slack only
                asks to wait.
        """
        begun = self.seconds()
        found: list[Mapping[str, Any]] = []
        cursor: str | None = None
        while True:
            try:
                page = await self.api.call_idempotent(token, method, cursor=cursor, **arguments)
            except RetryLater:
                if cursor is None:
                    raise
                return Listed(tuple(found), cut=True)
            items: Iterable[Mapping[str, Any]] = page[member]
            found += items
            cursor = (page.get("response_metadata") or {}).get("next_cursor")
            if not cursor:
                return Listed(tuple(found))
            if self.seconds() - begun >= self.most_seconds:
                return Listed(tuple(found), cut=True)
