"""A guild that tests can change: its channels, roles, members, and whether the bot is in it."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.fakes.discord.gateway import Gateway
from tests.fakes.discord.identities import Member, Role, User
from tests.fakes.discord.permissions import EVERYONE
from tests.fakes.discord.records import REQUIRE_TAG, Channel, Guild
from tests.fakes.discord.state import World
from tests.fakes.discord.users.users import Person


class Server(Guild):
    """A guild that tests change; each change sends its gateway event to the bot."""

    world: World
    gateway: Gateway
    people: dict[int, Person]

    @classmethod
    def create(
        cls, world: World, gateway: Gateway, people: dict[int, Person], name: str
    ) -> "Server":
        """Return a new guild without the bot, with an owner that is no person of the tests."""
        guild_id, owner = world.next_id(), User(world.next_id(), "owner")
        server = cls(guild_id, name, owner.id, Role(guild_id, "@everyone", int(EVERYONE)))
        server.world, server.gateway, server.people = world, gateway, people
        server.members, server.bot_in = {owner.id: Member(owner)}, False
        return server

    def add_channel(  # noqa: PLR0913 - the fields of a channel
        self,
        name: str,
        *,
        kind: str = "text",
        tags: Iterable[str] = (),
        require_tag: bool = False,
        deny: int = 0,
        bot_lacks: int = 0,
        overwrites: Mapping[int, tuple[int, int]] | None = None,
    ) -> Channel:
        """Add a channel: `text`, `announcement`, `forum`, `voice` or `category`.

        Args:
            name: its name.
            kind: its kind.
            tags: the tags of a forum.
            require_tag: whether every post of a forum needs a tag.
            deny: permissions denied to everyone.
            bot_lacks: permissions denied to the bot.
            overwrites: allowed and denied permissions by the id of a role or person.
        """
        channel = Channel(self.world.next_id(), kind, name, self)
        channel.tags = {tag: self.world.next_id() for tag in tags}
        channel.flags = REQUIRE_TAG if require_tag else 0
        channel.overwrites = dict(overwrites or {})
        if deny:
            channel.overwrites[self.id] = (0, int(deny))
        if bot_lacks:
            channel.overwrites[self.world.bot.id] = (0, int(bot_lacks))
        self.world.store(channel)
        self._dispatch("CHANNEL_CREATE", channel.as_json())
        return channel

    def add_thread(
        self,
        parent: Channel,
        name: str,
        *,
        archived: bool = False,
        locked: bool = False,
        people: Iterable[Person | User] | None = None,
    ) -> Channel:
        """Add a thread of the guild's owner; in a forum it is a post.

        A thread with `people` is private, with them and the owner as members.
        """
        kind = "announcement_thread" if parent.kind == "announcement" else "thread"
        kind = kind if people is None else "private_thread"
        thread = Channel(self.world.next_id(), kind, name, self, parent, owner_id=self.owner_id)
        thread.archived, thread.locked = archived, locked
        thread.members = {self.owner_id, *(each.id for each in people or ())}
        self.world.store(thread)
        if not archived and (people is None or self.world.bot.id in thread.members):
            self._dispatch("THREAD_CREATE", thread.as_json())
        return thread

    def update_channel(self, channel: Channel, **facts: Any) -> None:
        """Change a channel: `name`, `tags`, `flags`, `overwrites`, `archived`, `locked`."""
        for name, value in facts.items():
            setattr(channel, name, value)
        self._dispatch(
            "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE", channel.as_json()
        )

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel."""
        channel.deleted = True
        self._dispatch(
            "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE", channel.as_json()
        )

    def forbid_bot(self, channel: Channel, permissions: int) -> None:
        """Deny permissions in a channel to the bot; 0 allows all again."""
        channel.overwrites[self.world.bot.id] = (0, int(permissions))
        self._dispatch("CHANNEL_UPDATE", channel.as_json())

    def time_out_bot(self, seconds: float) -> None:
        """Give the bot a time-out; 0 seconds end it."""
        member = self.members[self.world.bot.id]
        until = datetime.now(UTC) + timedelta(seconds=seconds)
        member.timed_out_until = until if seconds else None
        self._dispatch("GUILD_MEMBER_UPDATE", {**member.as_json(), "guild_id": str(self.id)})

    def add_role(self, name: str, permissions: int = 0) -> Role:
        """Add a role."""
        role = Role(self.world.next_id(), name, int(permissions))
        self.roles[role.id] = role
        self._dispatch("GUILD_ROLE_CREATE", {"guild_id": str(self.id), "role": role.as_json()})
        return role

    def add_member(
        self,
        who: str | Person,
        *,
        permissions: int = 0,
        roles: Iterable[Role] = (),
        locale: str = "en-US",
        installed: bool = False,
    ) -> Person:
        """Add a member: a new person by name, or a known one."""
        if isinstance(who, str):
            user = User(self.world.next_id(), who, locale, installed=installed)
            self.world.users[user.id] = user
            who = self.people[user.id] = Person(self.world, self.gateway, user)
        given = list(roles)
        if permissions:
            given.append(self.add_role(f"of {who.user.name}", permissions))
        self.members[who.id] = Member(who.user, given)
        return who

    def remove_bot(self) -> None:
        """Remove the bot from the guild."""
        self.bot_in = False
        self.members.pop(self.world.bot.id, None)
        self._dispatch("GUILD_DELETE", {"id": str(self.id)}, always=True)

    def add_bot(self) -> None:
        """Add the bot to the guild."""
        self.bot_in = self.available = True
        self.members[self.world.bot.id] = Member(self.world.bot)
        created = self.as_json(self.world.bot.id)
        # https://docs.discord.com/developers/events/gateway-events#guild-create
        del created["unavailable"]
        self._dispatch("GUILD_CREATE", created)

    def unavailable(self) -> None:
        """Start an outage of the guild."""
        self.available = False
        self._dispatch("GUILD_DELETE", {"id": str(self.id), "unavailable": True})

    def back(self) -> None:
        """End the outage."""
        self.available = True
        self._dispatch("GUILD_CREATE", self.as_json(self.world.bot.id))

    def _dispatch(self, event: str, data: dict[str, Any], *, always: bool = False) -> None:
        if self.bot_in or always:
            self.world.dispatch(event, data, self.id)
