"""How Slack brings something to the bot, over a socket or by HTTP, and what came back.

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
    """A request to the bot; `on_answer` does what an acknowledgement with a body asks for."""

    kind: Literal["slash_commands", "interactive", "events_api"]
    payload: Json
    envelope_id: str
    on_answer: Callable[[Json | None], Message | None] | None = None
    retry_num: int = 0

    def envelope(self) -> Json:
        """Return it as a socket carries it."""
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
        """Return its content type and body as HTTP carries it."""
        if self.kind == "events_api":
            return "application/json", json.dumps(self.payload).encode()
        commands = self.kind == "slash_commands"
        form = self.payload if commands else {"payload": json.dumps(self.payload)}
        return "application/x-www-form-urlencoded", urlencode(form).encode()


@dataclass(eq=False, slots=True)
class Ack:
    """What came back: within how many seconds, and the message that its payload made."""

    delivery: Delivery
    acked: bool
    seconds: float
    payload: Json | None = None
    status: int | None = None
    message: Message | None = None
    sent: Message | None = None
    socket: web.WebSocketResponse | None = None


class Delivering(World):
    """Slack's way to the bot: the sockets that are open, unless an address was given.

    Its patience is Slack's three seconds and the way there and back.
    """

    def __init__(self) -> None:
        super().__init__()
        self.sockets = Sockets(self)
        self.bot_url: str | None = None
        self.patience = 3.1
        self.client: aiohttp.ClientSession

    def deliver_to(self, url: str) -> None:
        """Send everything to the bot's web server from now on."""
        self.bot_url = url.rstrip("/")

    async def disconnect(self, *, warning: bool = True) -> None:
        """Ask every client to come again, or just close its connection."""
        await self.sockets.disconnect(warning=warning)

    async def cut(self) -> None:
        """Drop every connection without a word."""
        await self.sockets.cut()

    async def repeat(self, ack: Ack, *, late: bool = False) -> Ack:
        """Bring the very same again; `late` by another socket than before."""
        return await self.deliver(ack.delivery, avoid=ack.socket if late else None)

    async def deliver(
        self, delivery: Delivery, *, avoid: web.WebSocketResponse | None = None
    ) -> Ack:
        """Bring something to the bot, and do what its acknowledgement says."""
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
            why = "nobody reads a body here"
            self.refuse(delivery.kind, "unexpected_payload", why, ack.payload)
        return ack

    async def _by_socket(self, socket: web.WebSocketResponse, ack: Ack) -> None:
        ack.socket = socket
        with suppress(TimeoutError, ConnectionError):
            ack.payload = await self.sockets.ask(socket, ack.delivery.envelope(), self.patience)
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
        """Return the headers that prove who sends a body; a test may get either part wrong."""
        timestamp = timestamp or str(int(time.time()))
        verifier = SignatureVerifier(secret or self.signing_secret)
        signature = verifier.generate_signature(timestamp=timestamp, body=body)
        return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": str(signature)}

    async def send_raw(self, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
        """Post anything to the bot; return the status and the text of the answer."""
        url, timeout = f"{self.bot_url}{path}", aiohttp.ClientTimeout(total=self.patience)
        async with self.client.post(url, data=body, headers=headers, timeout=timeout) as got:
            return got.status, await got.text()
