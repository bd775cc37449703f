"""Records of Discord with their JSON: guilds, channels, messages."""

from dataclasses import dataclass, field

from tests.fakes.discord.identities import Member, Role, User, iso
from tests.fakes.discord.resolved_components import embed_texts, with_ids
from tests.fakes.discord.rest.attachments import Attachment, kept_and_new
from tests.fakes.discord.rules.components import BUTTON, SELECT, TEXT, Json, walk

EPHEMERAL = 1 << 6
LOADING = 1 << 7
CROSSPOSTED = 1 << 0
HAS_THREAD = 1 << 5
REQUIRE_TAG = 1 << 4
SUPPRESS_EMBEDS = 1 << 2
KINDS = {
    "text": 0,
    "dm": 1,
    "voice": 2,
    "group": 3,
    "category": 4,
    "announcement": 5,
    "announcement_thread": 10,
    "thread": 11,
    "private_thread": 12,
    "forum": 15,
}
THREADS = frozenset({"announcement_thread", "thread", "private_thread"})


@dataclass(eq=False, slots=True)
class Message:
    """A message with its edits; only the user `ephemeral_for` sees an ephemeral one."""

    id: int
    channel: "Channel"
    author: User
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    nonce: str | None = None
    ephemeral_for: User | None = None
    edited: bool = False
    deleted: bool = False
    webhook_id: int | None = None
    interaction: Json | None = None
    allowed_mentions: Json | None = None
    thread: "Channel | None" = None
    forwarded: list[Json] | None = None
    reference: "Message | None" = None

    def fill(self, payload: Json) -> None:
        """Set the fields that a payload has."""
        self.content = (payload.get("content", self.content)) or ""
        self.embeds = (payload.get("embeds", self.embeds)) or []
        self.components = with_ids((payload.get("components", self.components)) or [])
        if "attachments" in payload:
            self.attachments = kept_and_new(payload["attachments"] or [], self.attachments)
        self.allowed_mentions = payload.get("allowed_mentions", self.allowed_mentions)
        self.webhook_id = payload.get("webhook_id", self.webhook_id)
        self.forwarded = payload.get("message_snapshots", self.forwarded)
        self.flags |= payload.get("flags") or 0

    @property
    def ephemeral(self) -> bool:
        """Whether only one user sees it."""
        return self.ephemeral_for is not None

    @property
    def loading(self) -> bool:
        """Whether it still shows that the bot is thinking."""
        return bool(self.flags & LOADING)

    @property
    def texts(self) -> list[str]:
        """All texts in order: content, components, embeds."""
        shown = [each["content"] for each in walk(self.components) if each["type"] == TEXT]
        return [*([self.content] if self.content else []), *shown, *embed_texts(self.embeds)]

    @property
    def text(self) -> str:
        """All texts, a line each."""
        return "\n".join(self.texts)

    @property
    def buttons(self) -> dict[str, Json]:
        """The buttons by label, in order; link buttons too.

        Those beside texts, which say the same, are numbered: `Details 1`, `Details 2`.
        """
        found: dict[str, Json] = {}
        beside = [each["accessory"] for each in walk(self.components) if "accessory" in each]
        for each in walk(self.components):
            if _is(each, BUTTON):
                number = next((at for at, one in enumerate(beside, 1) if one is each), None)
                label = each.get("label", "")
                found[f"{label} {number}" if number else label] = each
        return found

    @property
    def selects(self) -> list[Json]:
        """The selects, in order."""
        return [each for each in walk(self.components) if _is(each, SELECT)]

    @property
    def custom_ids(self) -> list[str]:
        """The custom_ids of all components, in order."""
        return [each["custom_id"] for each in walk(self.components) if each.get("custom_id")]

    def as_json(self) -> Json:
        """Return the JSON of payloads and responses."""
        nobody: Json = {"mentions": [], "mention_roles": [], "mention_everyone": False}
        ids = {"id": str(self.id), "channel_id": str(self.channel.id)}
        said = {"content": self.content, "embeds": self.embeds, "components": self.components}
        times = {
            "timestamp": iso(self.id),
            "edited_timestamp": iso(self.id) if self.edited else None,
        }
        files = {"attachments": [each.as_json() for each in self.attachments]}
        kind = 19 if self.reference else 0
        rest = {"type": kind, "tts": False, "pinned": False, "flags": self.flags, **files}
        maybe: Json = {
            "webhook_id": self.webhook_id and str(self.webhook_id),
            "application_id": self.webhook_id and str(self.webhook_id),
            "interaction_metadata": self.interaction,
            "thread": self.thread and self.thread.as_json(),
            "message_snapshots": self.forwarded,
            "message_reference": self.reference and self.reference.place_json(),
        }
        known = {name: value for name, value in maybe.items() if value is not None}
        return {**ids, "author": self.author.as_json(), **said, **times, **rest, **nobody, **known}

    def place_json(self) -> Json:
        """Return the JSON of a reference to it."""
        known = {"message_id": str(self.id), "channel_id": str(self.channel.id), "type": 0}
        guild = self.channel.guild
        return {**known, "guild_id": str(guild.id)} if guild else known


@dataclass(eq=False, slots=True)
class Channel:
    """A channel with its messages; a thread has a parent and members."""

    id: int
    kind: str
    name: str = ""
    guild: "Guild | None" = None
    parent: "Channel | None" = None
    recipients: list[User] = field(default_factory=list)
    overwrites: dict[int, tuple[int, int]] = field(default_factory=dict)
    tags: dict[str, int] = field(default_factory=dict)
    applied_tags: list[int] = field(default_factory=list)
    flags: int = 0
    owner_id: int = 0
    archived: bool = False
    locked: bool = False
    deleted: bool = False
    members: set[int] = field(default_factory=set)
    messages: list[Message] = field(default_factory=list)

    @property
    def is_thread(self) -> bool:
        """Whether the channel is a thread."""
        return self.kind in THREADS

    @property
    def mention(self) -> str:
        """The mention of the channel in a text."""
        return f"<#{self.id}>"

    def find(self, message_id: int) -> Message | None:
        """Return a message by its id, unless it is deleted."""
        found = (each for each in self.messages if each.id == message_id and not each.deleted)
        return next(found, None)

    @property
    def posts(self) -> list[Message]:
        """The public messages that are not deleted."""
        return [each for each in self.messages if not each.ephemeral and not each.deleted]

    def as_json(self, permissions: int | None = None) -> Json:
        """Return the JSON of payloads; in an interaction it has the permissions of the user."""
        known: Json = {"id": str(self.id), "type": KINDS[self.kind], "flags": self.flags}
        last = str(self.messages[-1].id) if self.messages else None
        known["last_message_id"] = last
        if permissions is not None:
            known["permissions"] = str(permissions)
        if self.guild is None:
            people = [user.as_json() for user in self.recipients]
            group = {"owner_id": str(self.owner_id), "icon": None, "name": self.name}
            return {**known, "recipients": people, **(group if self.kind == "group" else {})}
        placed = {**known, "guild_id": str(self.guild.id), "name": self.name}
        return {**placed, **(self._thread_json() if self.is_thread else self._place_json())}

    def _place_json(self) -> Json:
        tags = [
            {
                "id": str(each),
                "name": name,
                "moderated": False,
                "emoji_id": None,
                "emoji_name": None,
            }
            for name, each in self.tags.items()
        ]
        overwrites = [self._overwrite(who, *change) for who, change in self.overwrites.items()]
        talk = {"topic": None, "nsfw": False, "rate_limit_per_user": 0, "parent_id": None}
        known = {"position": 0, "permission_overwrites": overwrites, **talk}
        voice = {"bitrate": 64000, "user_limit": 0} if self.kind == "voice" else {}
        return {**known, **voice, **({"available_tags": tags} if self.kind == "forum" else {})}

    def _overwrite(self, who: int, allow: int, deny: int) -> Json:
        of_member = self.guild is not None and who in self.guild.members
        return {"id": str(who), "type": int(of_member), "allow": str(allow), "deny": str(deny)}

    def _thread_json(self) -> Json:
        times = {"archive_timestamp": iso(self.id), "create_timestamp": iso(self.id)}
        state = {"archived": self.archived, "locked": self.locked, "auto_archive_duration": 1440}
        count = len(self.posts)
        counts = {"message_count": count, "member_count": 1, "total_message_sent": count}
        ids = {
            "parent_id": str(self.parent.id if self.parent else 0),
            "owner_id": str(self.owner_id),
        }
        tags = {"applied_tags": [str(each) for each in self.applied_tags]}
        return {**ids, **tags, **counts, "thread_metadata": {**state, **times}}


@dataclass(eq=False, slots=True)
class Guild:
    """A guild; `bot_in` is whether the bot is a member."""

    id: int
    name: str
    owner_id: int
    everyone: Role
    locale: str = "en-US"
    bot_in: bool = True
    available: bool = True
    roles: dict[int, Role] = field(default_factory=dict)
    members: dict[int, Member] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)
    system_channel: Channel | None = None  # for welcome messages

    def as_json(self, bot_id: int) -> Json:
        """Return the JSON of GUILD_CREATE, with channels, threads and the bot as only member."""
        live = [channel for channel in self.channels.values() if not channel.deleted]
        known = [each for each in live if each.kind != "private_thread" or bot_id in each.members]
        threads = [each.as_json() for each in known if each.is_thread and not each.archived]
        places = [each.as_json() for each in live if not each.is_thread]
        me = [self.members[bot_id].as_json()] if bot_id in self.members else []
        inside = {"channels": places, "threads": threads, "members": me}
        nothing: Json = {name: [] for name in _EMPTY}
        counts = {"member_count": len(self.members), "large": False, "unavailable": False}
        return {**self.partial_json(), **nothing, **inside, **counts, "joined_at": iso(self.id)}

    def partial_json(self) -> Json:
        """Return the JSON of a request for the guild."""
        roles = [role.as_json() for role in (self.everyone, *self.roles.values())]
        known = {"id": str(self.id), "name": self.name, "owner_id": str(self.owner_id)}
        levels = dict.fromkeys(_LEVELS, 0)
        looks: Json = {"icon": None, "preferred_locale": self.locale, "features": [], "emojis": []}
        lobby = {"system_channel_id": self.system_channel and str(self.system_channel.id)}
        return {**known, "roles": roles, **levels, **looks, "stickers": [], **lobby}


_EMPTY = (
    "voice_states",
    "presences",
    "stage_instances",
    "guild_scheduled_events",
    "soundboard_sounds",
)
_LEVELS = (
    "verification_level",
    "default_message_notifications",
    "explicit_content_filter",
    "mfa_level",
    "nsfw_level",
    "premium_tier",
    "system_channel_flags",
)


def _is(component: Json, kind: int) -> bool:
    return bool(component["type"] == kind)
