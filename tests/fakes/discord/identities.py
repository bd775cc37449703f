"""Snowflakes, and the users, roles and members that have them.

https://docs.discord.com/developers/reference#snowflakes
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from tests.fakes.discord.rules.components import Json

_EPOCH = 1420070400000


def iso(snowflake: int) -> str:
    """Return the time of a snowflake."""
    return datetime.fromtimestamp(((snowflake >> 22) + _EPOCH) / 1000, UTC).isoformat()


def snowflake_at(seconds: float, number: int) -> int:
    """Return a snowflake of a time."""
    return (int(seconds * 1000) - _EPOCH) << 22 | number


@dataclass(eq=False, slots=True)
class User:
    """A user, or the bot."""

    id: int
    name: str
    locale: str = "en-US"
    bot: bool = False
    closed: bool = False  # takes no direct messages
    installed: bool = False  # has installed the app for themselves

    def as_json(self) -> Json:
        """Return the JSON of payloads."""
        known = {"id": str(self.id), "username": self.name, "global_name": self.name.title()}
        nothing = {"avatar": None, "primary_guild": None, "flags": 0, "public_flags": 0}
        return {**known, **nothing, "discriminator": "0", "bot": self.bot}


@dataclass(eq=False, slots=True)
class Role:
    """A role of a guild."""

    id: int
    name: str
    permissions: int

    def as_json(self) -> Json:
        """Return the JSON of payloads."""
        known = {"id": str(self.id), "name": self.name, "permissions": str(self.permissions)}
        looks = {"color": 0, "hoist": False, "managed": False, "mentionable": False, "flags": 0}
        colours = {"primary_color": 0, "secondary_color": None, "tertiary_color": None}
        return {**known, **looks, "position": 1, "colors": colours}


@dataclass(eq=False, slots=True)
class Member:
    """A member of a guild, with their roles except `@everyone`, and their time-out."""

    user: User
    roles: list[Role] = field(default_factory=list)
    timed_out_until: datetime | None = None

    def as_json(self) -> Json:
        """Return the JSON of payloads."""
        roles = [str(role.id) for role in self.roles]
        state = {"deaf": False, "mute": False, "pending": False, "flags": 0, "nick": None}
        joined = {"joined_at": iso(self.user.id), "premium_since": None, "avatar": None}
        silent = self.timed_out_until and self.timed_out_until.isoformat()
        known = {"user": self.user.as_json(), "roles": roles, **state, **joined}
        return {**known, "communication_disabled_until": silent}
