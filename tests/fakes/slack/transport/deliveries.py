"""Deliveries of requests to the bot, over a socket or by HTTP.

https://docs.slack.dev/authentication/verifying-requests-from-slack
"""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlencode

import aiohttp
from aiohttp import web
from slack_sdk.signature import SignatureVerifier

from tests.fakes.slack.records import Json, Message
from tests.fakes.slack.state import World
from tests.fakes.slack.transport.socket_mode import Sockets


@dataclass(eq=False, slots=True)
class Delivery:
    """A request to the bot; `on_answer` applies the payload of its acknowledgement."""

    kind: Literal["slash_commands", "interactive", "events_api"]
    payload: Json
    envelope_id: str
    on_answer: Callable[[Json | None], Message | None] | None = None
    retry_num: int = 0

    def envelope(self) -> Json:
        """Return the envelope of Socket Mode."""
        retry = {
            "retry_attempt": self.retry_num,
            "retry_reason": "timeout" if self.retry_num else "",
        }
        return {
            "envelope_id": self.envelope_id,
            "type": self.kind,
            "accepts_response_payload": self.kind != "events_api",
            "payload": self.payload,
            **(retry if self.kind == "events_api" else {}),
        }

    def body(self) -> tuple[str, bytes]:
        """Return the content type and body of the HTTP request."""
        if self.kind == "events_api":
            return "application/json", json.dumps(self.payload).encode()
        commands = self.kind == "slash_commands"
        form = self.payload if commands else {"payload": json.dumps(self.payload)}
        return "application/x-www-form-urlencoded", urlencode(form).encode()


@dataclass(eq=False, slots=True)
class Ack:
    """The acknowledgement of a delivery, with the message that its payload posted."""

    delivery: Delivery
    acked: bool
    seconds: float
    payload: Json | None = None
    status: int | None = None
    message: Message | None = None
    sent: Message | None = None
    socket: web.WebSocketResponse | None = None


class Deliverer(World):
    """The sender of requests to the bot, over its sockets or to its URL.

    `patience` is the three seconds of Slack and some for the round trip.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sockets = Sockets(self)
        self.bot_url: str | None = None
        self.patience = 3.1
        self.client: aiohttp.ClientSession

    def deliver_to(self, url: str) -> None:
        """Send all requests to a web server of the bot from now on."""
        self.bot_url = url.rstrip("/")

    async def disconnect(self, *, warning: bool = True) -> None:
        """Ask every client to reconnect, or close its connection without a warning."""
        await self.sockets.disconnect(warning=warning)

    async def cut(self) -> None:
        """Abort every connection."""
        await self.sockets.cut()

    async def repeat(self, ack: Ack, *, late: bool = False) -> Ack:
        """Send the same delivery again; if `late`, over another socket."""
        return await self.deliver(ack.delivery, avoid=ack.socket if late else None)

    async def deliver(
        self, delivery: Delivery, *, avoid: web.WebSocketResponse | None = None
    ) -> Ack:
        """Send a request to the bot, and apply its acknowledgement."""
        started = time.monotonic()
        ack = Ack(delivery, acked=False, seconds=0)
        if self.bot_url:
            await self._by_http(ack)
        elif socket := self.sockets.choose(avoid):
            await self._by_socket(socket, ack)
        ack.seconds = time.monotonic() - started
        if ack.acked and delivery.on_answer:
            ack.message = delivery.on_answer(ack.payload)
        elif ack.payload:
            why = "a payload has no effect here"
            self.refuse(delivery.kind, "unexpected_payload", why, ack.payload)
        return ack

    async def _by_socket(self, socket: web.WebSocketResponse, ack: Ack) -> None:
        ack.socket = socket
        with suppress(TimeoutError, ConnectionError):
            ack.payload = await self.sockets.request(socket, ack.delivery.envelope(), self.patience)
            ack.acked = True

    async def _by_http(self, ack: Ack) -> None:
        content_type, body = ack.delivery.body()
        headers = {"Content-Type": content_type, **self.signed(body)}
        if ack.delivery.retry_num:
            headers["X-Slack-Retry-Num"] = str(ack.delivery.retry_num)
            headers["X-Slack-Retry-Reason"] = "http_timeout"
        try:
            ack.status, text = await self.send_raw("/slack/events", body, headers)
        except (TimeoutError, aiohttp.ClientError):
            return
        ack.acked = ack.status == web.HTTPOk.status_code
        if ack.acked and text:
            ack.payload = json.loads(text) if text.startswith("{") else {"text": text}

    def signed(
        self, body: bytes, *, timestamp: str | None = None, secret: str | None = None
    ) -> dict[str, str]:
        """Return the signature headers of a body; a test may forge the timestamp or the secret."""
        timestamp = timestamp or str(int(time.time()))
        verifier = SignatureVerifier(secret or self.signing_secret)
        signature = verifier.generate_signature(timestamp=timestamp, body=body)
        return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": str(signature)}

    async def send_raw(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
        """Post a body to the bot; return the status and the text of the response."""
        url, timeout = f"{self.bot_url}{path}", aiohttp.ClientTimeout(total=self.patience)
        async with self.client.post(url, data=body, headers=headers, timeout=timeout) as got:
            return got.status, await got.text()
