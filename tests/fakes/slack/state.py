"""All that Slack knows: its workspaces, the app, and what it would not take from it."""

import itertools
import time
from collections.abc import Iterable

from tests.fakes.slack.records import (
    Channel,
    Hook,
    Json,
    Message,
    Person,
    Refusal,
    Team,
    Trigger,
    Upload,
    View,
)
from tests.fakes.slack.web_api import message_rules

DEFAULT_SCOPES = (
    "app_mentions:read",
    "channels:history",
    "channels:join",
    "channels:read",
    "chat:write",
    "commands",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:write",
    "links:read",
    "links:write",
    "users:read",
)


class World:
    """All workspaces, and the app as Slack knows it."""

    def __init__(self) -> None:
        self.app_id = "A1"
        self.app_token = "xapp-1"  # noqa: S105 - of the fake
        self.signing_secret = "signing-secret"  # noqa: S105 - of the fake
        self.client_id = "11.22"
        self.client_secret = "client-secret"  # noqa: S105 - of the fake
        self.unfurl_domains = {"arxiv.org"}
        self.socket_url: str | None = None  # of somebody else, where a test has one
        self.url = ""
        self.teams: dict[str, Team] = {}
        self.dead_tokens: dict[str, str] = {}
        self.hooks: dict[str, Hook] = {}
        self.triggers: dict[str, Trigger] = {}
        self.stacks: dict[tuple[str, str], list[View]] = {}
        self.homes: dict[tuple[str, str], View] = {}
        self.codes: dict[str, Json] = {}
        self.uploads: dict[str, Upload] = {}
        self.tickets: set[str] = set()
        self.refuse_sockets = False
        self.previews: dict[str, Message] = {}
        self.most_listed = 999  # things in one answer; of some apps Slack lists 15
        self.refused: list[Refusal] = []
        self._passed = 0.0
        self._numbers = itertools.count(1)

    @property
    def now(self) -> float:
        """Seconds on a clock that only goes forward."""
        return time.monotonic() + self._passed

    def pass_time(self, seconds: float) -> None:
        """Let triggers and response_urls grow older."""
        self._passed += seconds

    def next_id(self, prefix: str) -> str:
        """Return an id that nothing else has."""
        return f"{prefix}{next(self._numbers)}"

    def next_ts(self) -> str:
        """Return a message's ts, greater than all before."""
        return f"{int(time.time())}.{next(self._numbers):06}"

    def add_team(  # noqa: PLR0913 - a workspace is what it is made of
        self,
        team_id: str,
        *,
        bot_token: str | None = None,
        bot_user: str | None = None,
        bot_id: str | None = None,
        scopes: Iterable[str] = DEFAULT_SCOPES,
        enterprise: str | None = None,
        org_wide: bool = False,
        installed: bool = True,
    ) -> Team:
        """Add a workspace with its people U1 and U2, and channels that differ in who is in.

        C1 is public and has the bot, C2 is public without it, G1 is private without it, D1 and
        D2 are the direct messages of U1 and U2 with the bot.
        """
        number = team_id.removeprefix("T")
        team = Team(
            team_id,
            bot_token or f"xoxb-{number}",
            bot_user or f"UBOT{number}",
            bot_id or f"B{number}",
            set(scopes),
            enterprise,
            org_wide,
            installed,
        )
        self.teams[team_id] = team
        for user in ("U1", "U2"):
            self.add_user(team, user)
        self.add_channel(team, "C1", members={"U1", "U2", team.bot_user})
        self.add_channel(team, "C2", members={"U1", "U2"})
        self.add_channel(team, "G1", members={"U1", "U2"}, private=True)
        return team

    def add_user(
        self, team: Team, user: str, *, tz: str = "Europe/Berlin", admin: bool = False
    ) -> Person:
        """Add somebody, or change them, and their direct messages with the bot."""
        team.people[user] = Person(user, tz, admin)
        direct = f"D{user.removeprefix('U')}"
        if direct not in team.channels:
            self.add_channel(team, direct, members={user, team.bot_user}, private=True)
        return team.people[user]

    def add_channel(
        self, team: Team, channel: str, *, members: set[str], private: bool = False
    ) -> Channel:
        """Add a channel."""
        team.channels[channel] = Channel(channel, set(members), private)
        return team.channels[channel]

    def post(
        self, channel: Channel, team: Team, payload: Json, *, ephemeral_for: str | None = None
    ) -> Message:
        """Let the bot say something."""
        thread_ts = payload.get("thread_ts")
        message = Message(self.next_ts(), team.id, channel.id, team.bot_user, team.bot_id)
        message.fill(payload)
        message.thread_ts = thread_ts
        message.ephemeral_for = ephemeral_for
        message.shown = not (ephemeral_for and thread_ts) or channel.has_replies(thread_ts)
        channel.messages.append(message)
        return message

    def make_hook(
        self, team: Team, channel: Channel, user: str, message: Message | None = None
    ) -> str:
        """Return a fresh response_url."""
        key = self.next_id("hook-")
        self.hooks[key] = Hook(team, channel, user, self.now, message)
        return f"{self.url}/response/{key}"

    def make_trigger(self, team: Team, user: str) -> str:
        """Return a fresh trigger id."""
        key = self.next_id("trigger.")
        self.triggers[key] = Trigger(team, user, self.now)
        return key

    def refuse(self, where: str, error: str, why: str, payload: Json) -> str:
        """Note what Slack would not take; return its error."""
        self.refused.append(Refusal(where, error, why, payload))
        return error

    def message_error(self, where: str, payload: Json) -> str | None:
        """Return the error for a message, which is noted, `None` for a good one."""
        found = message_rules.message_error(payload)
        return self.refuse(where, *found, payload) if found else None

    def view_error(self, where: str, view: Json) -> str | None:
        """Return the error for a view, which is noted, `None` for a good one."""
        found = message_rules.view_error(view)
        return self.refuse(where, *found, view) if found else None
