"""Calls to Slack: the Web API and response URLs, errors in words.

No client repeats a request whose connection was lost: the SDK's default does, and a post then
stands there twice. `patient` calls wait out a rate limit; the others, whose user is waiting or
whose trigger expires, are told of it at once.
"""

import logging
from collections.abc import Awaitable, Mapping
from io import BytesIO
from typing import Any

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.http_retry.async_handler import AsyncRetryHandler
from slack_sdk.http_retry.builtin_async_handlers import AsyncRateLimitErrorRetryHandler
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from adapters.common.server_time import ServerTime
from adapters.slack.api.errors import in_words, of_response
from adapters.slack.api.library_logs import quiet_logger
from adapters.slack.api.request_left import attempted, trace
from bot.errors import OutcomeUnknown, RetryLater, SendError
from bot.operations.metrics import Metrics

# A shared session's own limit counts; the SDK puts its `timeout` only into sessions it makes.
_SECONDS = 10
# Nobody waits for a file, and it may be large.
_UPLOAD_SECONDS = 60
_RATE_LIMIT_REPEATS = 2
# What people ask for, beside what is posted.
_CONNECTIONS = 100
_WRITTEN = {"Content-Type": "application/json; charset=utf-8"}
_log = logging.getLogger(__name__)


def open_session(posts: int = 0, seconds: float = _SECONDS) -> aiohttp.ClientSession:
    """Open the one session that all calls share, so that connections are kept.

    Time spent waiting for a connection counts as the call's, of so many seconds, so nobody waits
    for one while no more than so many `posts` are sent side by side.
    """
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=_CONNECTIONS + posts),
        timeout=aiohttp.ClientTimeout(total=seconds),
        trace_configs=[trace()],
    )


class Api:
    """Slack's servers, as spoken to by the bot.

    Args:
        url: the base of the Web API, ending in a slash.
        session: what requests go through.
        metrics: counts calls by method and outcome.
    """

    def __init__(self, url: str, session: aiohttp.ClientSession, metrics: Metrics) -> None:
        self._session = session
        self._metrics = metrics
        self.time = ServerTime()
        self._logger = quiet_logger("slack_sdk.web")
        self.quick = AsyncWebClient(
            base_url=url, session=session, retry_handlers=[], logger=self._logger
        )
        patience: list[AsyncRetryHandler] = [
            AsyncRateLimitErrorRetryHandler(max_retry_count=_RATE_LIMIT_REPEATS)
        ]
        self.patient = AsyncWebClient(
            base_url=url, session=session, retry_handlers=patience, logger=self._logger
        )

    async def call(
        self,
        token: str | None,
        method: str,
        *,
        patient: bool = False,
        **arguments: Any,  # noqa: ANN401 - each method's own
    ) -> dict[str, Any]:
        """Call a method, named as on its page (`chat.postMessage`), and return its answer.

        Raises:
            SendError: as `adapters.slack.api.errors` says; nothing is repeated but a rate limit's
                refusal, and that only if `patient`.
        """
        client = self.patient if patient else self.quick
        function = getattr(client, method.replace(".", "_"))
        given = {"token": token, **arguments} if token else arguments
        response = await self._answered(method, function(**given))
        answer: dict[str, Any] = response.data
        return answer

    async def call_written(self, token: str, method: str, body: bytes) -> dict[str, Any]:
        """Call a method with arguments that are JSON already, and return its answer.

        Raises:
            SendError: as `call`.
        """
        response = await self._answered(
            method,
            self.quick.api_call(
                method,
                data=body,  # type: ignore[arg-type] # the SDK hands on what is no dictionary
                headers={"Authorization": f"Bearer {token}", **_WRITTEN},
            ),
        )
        answer: dict[str, Any] = response.data
        return answer

    async def call_form(
        self, token: str | None, method: str, form: Mapping[str, str]
    ) -> dict[str, Any]:
        """Call a method with arguments too long for an address, patiently; return its answer.

        Raises:
            SendError: as `call`.
        """
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        asking = self.patient.api_call(method, data=dict(form), headers=headers)
        response = await self._answered(method, asking)
        answer: dict[str, Any] = response.data
        return answer

    async def upload(self, url: str, data: bytes) -> None:
        """Send a file to where `files.getUploadURLExternal` said.

        Raises:
            SendError: as `call`.
        """
        timeout = aiohttp.ClientTimeout(total=_UPLOAD_SECONDS)
        try:
            # In pieces, so that nobody else waits for a large one to be sent.
            sent = BytesIO(data)
            async with self._session.post(url, data=sent, timeout=timeout) as response:
                status, body = response.status, await response.text()
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise self._failed("upload", in_words(error)) from error
        if refusal := of_response(status, body, response.headers.get("Retry-After")):
            raise self._failed("upload", refusal)
        self._metrics.called("slack", "upload", "ok")

    async def ask(
        self,
        token: str | None,
        method: str,
        **arguments: Any,  # noqa: ANN401 - each method's own
    ) -> dict[str, Any]:
        """Call a method that may be called again: it changes nothing, or the same each time.

        Raises:
            SendError: as `call`, but `RetryLater` in place of `OutcomeUnknown`.
        """
        return await _again_later(self.call(token, method, **arguments))

    async def ask_written(self, token: str, method: str, body: bytes) -> dict[str, Any]:
        """Do the same with arguments that are JSON already.

        Raises:
            SendError: as `ask`.
        """
        return await _again_later(self.call_written(token, method, body))

    async def identify(self, token: str) -> tuple[dict[str, Any], tuple[str, ...]]:
        """Return whose a token is and the scopes it was granted, where Slack tells them.

        https://docs.slack.dev/reference/methods/auth.test

        Raises:
            SendError: as `call`.
        """
        response = await self._answered("auth.test", self.quick.auth_test(token=token))
        scopes = str(response.headers.get("x-oauth-scopes", ""))
        answer: dict[str, Any] = response.data
        return answer, tuple(name.strip() for name in scopes.split(",") if name.strip())

    async def respond(self, url: str, payload: dict[str, Any]) -> None:
        """Send a message, a replacement or a deletion through the response URL of a request.

        https://docs.slack.dev/interactivity/handling-user-interaction#message_responses

        Raises:
            SendError: the same.
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
            raise self._failed("response_url", in_words(error)) from error
        after = response.headers.get("Retry-After")
        if refusal := of_response(response.status_code, response.body, after):
            raise self._failed("response_url", refusal)
        self._metrics.called("slack", "response_url", "ok")

    async def _answered(self, method: str, asking: Awaitable[Any]) -> Any:  # noqa: ANN401 - the SDK's response
        with attempted() as attempt:
            try:
                response = await asking
            except (TimeoutError, SlackApiError, aiohttp.ClientError, OSError) as error:
                said = in_words(error, left=not attempt.came_to_nothing)
                raise self._failed(method, said) from error
        self._metrics.called("slack", method, "ok")
        self.time.update(response.headers.get("Date"))
        return response

    def _failed(self, method: str, error: SendError) -> SendError:
        outcome = type(error).__name__.lower()
        self._metrics.called("slack", method, outcome)
        facts = {"method": method, "code": error.code or None, "reason": error.sentence}
        _log.warning("slack_call_failed", extra=facts)
        return error


async def _again_later(asking: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    try:
        return await asking
    except OutcomeUnknown as error:
        raise RetryLater(error.sentence, "Try again in a moment.", error.code) from error
