"""Records of Slack: users, messages, channels, workspaces, views, response_urls, triggers."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(eq=False, slots=True)
class Person:
    """A user whom a workspace knows; their own one is `home`, where they may be an admin."""

    id: str
    tz: str
    admin: bool
    home: str
    guest: bool = False


@dataclass(eq=False, slots=True)
class Upload:
    """A file upload; `data` is set when it is received and `title` when it is shared."""

    id: str
    team: str
    name: str
    length: int
    alt: str | None
    data: bytes | None = None
    title: str = ""
    shared: bool = False


@dataclass(eq=False, slots=True)
class Message:
    """A message with its edits; only the user `ephemeral_for` sees an ephemeral one.

    `visible` is false for an ephemeral reply in a thread without replies, which Slack accepts and
    never shows. https://docs.slack.dev/reference/methods/chat.postEphemeral
    """

    ts: str
    team: str
    channel: str
    user: str
    bot_id: str | None = None
    text: str = ""
    blocks: list[Json] = field(default_factory=list)
    thread_ts: str | None = None
    ephemeral_for: str | None = None
    visible: bool = True
    edited: bool = False
    deleted: bool = False
    unfurl_links: bool | None = None
    unfurl_media: bool | None = None
    metadata: Json | None = None
    unfurls: Json = field(default_factory=dict)
    files: list[Upload] = field(default_factory=list)

    def fill(self, payload: Json) -> None:
        """Set the content from a payload."""
        self.text = payload.get("text") or ""
        self.blocks = with_block_ids(payload.get("blocks") or [])
        self.unfurl_links = payload.get("unfurl_links")
        self.unfurl_media = payload.get("unfurl_media")
        self.metadata = payload.get("metadata")

    @property
    def buttons(self) -> list[str]:
        """Return the labels of the buttons, in order."""
        return [element["text"]["text"] for _, element in buttons(self.blocks)]

    @property
    def menus(self) -> dict[str, list[str]]:
        """Return the labels of the options of each menu, by its placeholder."""
        selects = (each for _, each in elements(self.blocks) if each["type"] == "static_select")
        return {
            select["placeholder"]["text"]: [each["text"]["text"] for each in select["options"]]
            for select in selects
        }

    @property
    def is_reply(self) -> bool:
        """Whether it is a reply in a thread."""
        return self.thread_ts not in (None, self.ts)

    def as_json(self, *, metadata: bool = False) -> Json:
        """Return the JSON of payloads and responses, with the metadata on demand."""
        known = {"type": "message", "ts": self.ts, "user": self.user, "text": self.text}
        may_be: Json = {"blocks": self.blocks, "bot_id": self.bot_id, "thread_ts": self.thread_ts}
        may_be["files"] = [{"id": each.id, "name": each.name} for each in self.files]
        may_be["metadata"] = self.metadata if metadata else None
        may_be["edited"] = {"user": self.user, "ts": self.ts} if self.edited else None
        return known | {name: value for name, value in may_be.items() if value}


@dataclass(eq=False, slots=True)
class Channel:
    """A conversation with its members and messages; it may be `called` something.

    `host` is the workspace that shares it with others.
    """

    id: str
    members: set[str]
    private: bool = False
    archived: bool = False
    read_only: bool = False
    messages: list[Message] = field(default_factory=list)
    called: str = ""
    host: str | None = None

    @property
    def name(self) -> str:
        """The name of the channel."""
        return "directmessage" if self.direct else self.called or f"name-{self.id.lower()}"

    @property
    def direct(self) -> bool:
        """Whether it is a direct message channel of one user and the bot."""
        return self.id.startswith("D")

    def find(self, ts: str) -> Message | None:
        """Return the public message with a ts, unless it is deleted."""
        found = (m for m in self.messages if m.ts == ts and not m.ephemeral_for and not m.deleted)
        return next(found, None)

    def has_thread(self, ts: str) -> bool:
        """Tell whether a message or replies to it exist."""
        return self.find(ts) is not None or self.has_replies(ts)

    def has_replies(self, thread_ts: str) -> bool:
        """Tell whether a thread has public replies."""
        return any(
            m.thread_ts == thread_ts and m.ts != thread_ts and not m.ephemeral_for
            for m in self.messages
        )


@dataclass(eq=False, slots=True)
class Team:
    """A workspace; those of an organisation-wide installation share a bot token."""

    id: str
    bot_token: str
    bot_user: str
    bot_id: str
    scopes: set[str]
    enterprise: str | None
    org_wide: bool
    installed: bool
    people: dict[str, Person] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class View:
    """An open modal or Home tab of a user; `hash` changes with each update."""

    id: str
    team: str
    user: str
    payload: Json
    hash: str
    root: str
    previous: str | None = None
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def blocks(self) -> list[Json]:
        """The view's blocks."""
        blocks: list[Json] = self.payload["blocks"]
        return blocks


@dataclass(eq=False, slots=True)
class Hook:
    """A response_url of one user in one channel, with the message that it replaces."""

    team: Team
    channel: Channel
    user: str
    made_at: float
    message: Message | None = None
    uses: int = 0


@dataclass(eq=False, slots=True)
class Trigger:
    """A trigger id, which opens one modal within three seconds."""

    team: Team
    user: str
    made_at: float
    used: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """A payload that Slack would refuse or ignore."""

    where: str
    error: str
    why: str
    payload: Json


def with_block_ids(blocks: list[Json]) -> list[Json]:
    """Return blocks that each have a block_id, as Slack stores them."""
    return [{"block_id": f"b{number}", **block} for number, block in enumerate(blocks)]


def elements(blocks: list[Json]) -> Iterator[tuple[Json, Json]]:
    """Yield each element of blocks with its block."""
    for block in blocks:
        inside = [*block.get("elements", ()), block.get("accessory") or {}]
        yield from ((block, element) for element in inside if element)


def buttons(blocks: list[Json]) -> Iterator[tuple[Json, Json]]:
    """Return each button of blocks with its block."""
    return (each for each in elements(blocks) if each[1].get("type") == "button")
