"""The state of the fake Slack: the app, its workspaces, and the refused payloads."""

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
    """The state of all workspaces and of the app."""

    def __init__(self) -> None:
        self.app_id = "A1"
        self.app_token = "xapp-1"  # noqa: S105 - of the fake
        self.signing_secret = "signing-secret"  # noqa: S105 - of the fake
        self.client_id = "11.22"
        self.client_secret = "client-secret"  # noqa: S105 - of the fake
        self.unfurl_domains = {"arxiv.org"}
        self.socket_url: str | None = None  # of a server of the test, instead of this one
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
        self.draws_charts = True  # else it refuses them, as a workspace that knows none yet
        self.is_agent = False
        # The titles of sessions by workspace, channel and thread; "" for one without.
        self.sessions: dict[tuple[str, str, str], str] = {}
        self.previews: dict[str, Message] = {}
        self.most_listed = 999  # of items in one page; Slack lists 15 to some apps
        self.refused: list[Refusal] = []
        self._passed = 0.0
        self._numbers = itertools.count(1)

    @property
    def now(self) -> float:
        """The seconds of a monotonic clock."""
        return time.monotonic() + self._passed

    def pass_time(self, seconds: float) -> None:
        """Advance the clock, so that triggers and response_urls expire."""
        self._passed += seconds

    def next_id(self, prefix: str) -> str:
        """Return a new unique id."""
        return f"{prefix}{next(self._numbers)}"

    def next_ts(self) -> str:
        """Return the ts of a new message, greater than all before."""
        return f"{int(time.time())}.{next(self._numbers):06}"

    def become_agent(self) -> None:
        """Give the app the agent pane; Slack adds its scope to what every workspace granted.

        https://docs.slack.dev/ai/developing-agents
        """
        self.is_agent = True
        for team in self.teams.values():
            team.scopes.add("assistant:write")

    def title_of(self, message: Message) -> str | None:
        """Return the title of the thread that a message begins, `None` if nobody gave it one."""
        return self.sessions.get((message.team, message.channel, message.ts)) or None

    def add_team(  # noqa: PLR0913 - the fields of a workspace
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
        """Add a workspace with the users U1 and U2 and five channels.

        C1 is public with the bot, C2 is public without it, G1 is private without it, and D1 and
        D2 are the direct message channels of U1 and U2 with the bot.
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
        self,
        team: Team,
        user: str,
        *,
        tz: str = "Europe/Berlin",
        admin: bool = False,
        guest: bool = False,
    ) -> Person:
        """Add or replace a user, with a direct message channel."""
        team.people[user] = Person(user, tz, admin, team.id, guest)
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

    def share(self, channel: str, host: Team, *guests: Team) -> Channel:
        """Share a new channel of a workspace with others; all users and bots are in it.

        Each workspace knows the users of the others, except by an id that it has itself.
        https://docs.slack.dev/apis/slack-connect
        """
        shared = self.add_channel(host, channel, members=set())
        shared.host = host.id
        for team in (host, *guests):
            team.channels[channel] = shared
            own = {person.id for person in team.people.values() if person.home == team.id}
            shared.members |= own | ({team.bot_user} if team.installed else set())
        for one, other in itertools.permutations((host, *guests), 2):
            other.people = one.people | other.people
        return shared

    def is_shared_outside(self, channel: Channel) -> bool:
        """Tell whether a channel is shared between organisations."""
        inside = [team for team in self.teams.values() if channel in team.channels.values()]
        return len({team.enterprise or team.id for team in inside}) > 1

    def home_of(self, user: str, team: Team) -> Team:
        """Return the workspace of a user whom a workspace knows."""
        person = team.people.get(user)
        return self.teams[person.home] if person else team

    def post(
        self, channel: Channel, team: Team, payload: Json, *, ephemeral_for: str | None = None
    ) -> Message:
        """Post a message of the bot to a channel."""
        thread_ts = payload.get("thread_ts")
        message = Message(self.next_ts(), team.id, channel.id, team.bot_user, team.bot_id)
        message.fill(payload)
        message.thread_ts = thread_ts
        message.ephemeral_for = ephemeral_for
        message.visible = not (ephemeral_for and thread_ts) or channel.has_replies(thread_ts)
        channel.messages.append(message)
        return message

    def make_hook(
        self, team: Team, channel: Channel, user: str, message: Message | None = None
    ) -> str:
        """Return a new response_url."""
        key = self.next_id("hook-")
        self.hooks[key] = Hook(team, channel, user, self.now, message)
        return f"{self.url}/response/{key}"

    def make_trigger(self, team: Team, user: str) -> str:
        """Return a new trigger id."""
        key = self.next_id("trigger.")
        self.triggers[key] = Trigger(team, user, self.now)
        return key

    def refuse(self, where: str, error: str, why: str, payload: Json) -> str:
        """Record a refused payload and return its error."""
        self.refused.append(Refusal(where, error, why, payload))
        return error

    def message_error(self, where: str, payload: Json) -> str | None:
        """Return the error of a message and record it, or `None` for a valid one."""
        kinds = {block["type"] for block in payload.get("blocks") or ()}
        if "data_visualization" in kinds and not self.draws_charts:
            return "invalid_blocks"
        found = message_rules.message_error(payload)
        return self.refuse(where, *found, payload) if found else None

    def view_error(self, where: str, view: Json) -> str | None:
        """Return the error of a view and record it, or `None` for a valid one."""
        found = message_rules.view_error(view)
        return self.refuse(where, *found, view) if found else None
