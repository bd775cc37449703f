"""User actions in Slack: commands, buttons, modals, messages, links, uninstalling."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from tests.fakes.slack.records import Channel, Json, Message, Team, View
from tests.fakes.slack.transport import payloads, response_urls
from tests.fakes.slack.transport.deliveries import Ack, Deliverer, Delivery
from tests.fakes.slack.web_api import message_rules, views

Answering = Callable[[Json | None], Message | None]


class Users(Deliverer):
    """The users of all workspaces; each action sends a request to the bot and returns its Ack."""

    async def command(
        self, text: str = "", user: str = "U1", channel: str = "C1", team: str = "T1"
    ) -> Ack:
        """Run the command `/papers`; the text is escaped as by Slack."""
        return await self.deliver(self.command_delivery(text, user, channel, team))

    def command_delivery(
        self, text: str = "", user: str = "U1", channel: str = "C1", team: str = "T1"
    ) -> Delivery:
        """Return the delivery of a command without sending it."""
        payload = payloads.command(self, *self._place(user, channel, team), user, text)
        hook = self.hooks[payload["response_url"].rpartition("/")[2]]

        def on_answer(answer: Json | None) -> Message | None:
            if answer:
                response_urls.answer(self, hook, answer, "acknowledgement")
            return hook.message if answer else None

        return Delivery("slash_commands", payload, self.next_id("envelope-"), on_answer)

    async def click(self, target: Message | View, label: str, user: str = "U1") -> Ack:
        """Press the only button with a label, accessibility label or action_id; see `pressed`."""
        return await self._act(target, payloads.pressed(target, label, self.next_ts()), user)

    async def choose(self, target: Message | View, menu: str, option: str, user: str = "U1") -> Ack:
        """Choose the option with a label from the menu with a placeholder."""
        return await self._act(target, payloads.picked(target, menu, option, self.next_ts()), user)

    async def shortcut(self, callback_id: str, user: str = "U1", team: str = "T1") -> Ack:
        """Run a global shortcut."""
        return await self._interact("shortcut", team, user, {"callback_id": callback_id})

    async def message_shortcut(self, callback_id: str, message: Message, user: str = "U1") -> Ack:
        """Run a message shortcut; ephemeral messages have none."""
        assert not message.ephemeral_for
        place = self._at(message, user) | {"callback_id": callback_id}
        return await self._interact("message_action", message.team, user, place)

    async def submit(self, view: View, values: dict[str, str | None]) -> Ack:
        """Submit a modal with values by block_id or action_id."""
        form = payloads.at_view(self, view, payloads.filled(view, values))

        def on_answer(answer: Json | None) -> None:
            views.submitted(self, view, answer or {})

        return await self._interact("view_submission", view.team, view.user, form, on_answer)

    async def suggest(self, view: View, action_id: str, value: str) -> Ack:
        """Type into an external select, for which the bot suggests options."""
        inputs = [block for block in view.blocks if "element" in block]
        block_id = next(b["block_id"] for b in inputs if b["element"]["action_id"] == action_id)
        typed = {"action_id": action_id, "block_id": block_id, "value": value}

        def on_answer(answer: Json | None) -> None:
            if error := message_rules.options_error(answer or {}):
                self.refuse("block_suggestion", *error, answer or {})

        form = payloads.at_view(self, view) | typed
        return await self._interact("block_suggestion", view.team, view.user, form, on_answer)

    async def mention(  # noqa: PLR0913 - the facts of a mention
        self,
        text: str,
        user: str = "U1",
        channel: str = "C1",
        team: str = "T1",
        *,
        thread_ts: str | None = None,
        authorized: str | None = None,
    ) -> Ack:
        """Mention the bot of a workspace in one of its channels.

        Slack delivers it once, for any one installation that sees the channel: `authorized`, else
        that workspace's. https://github.com/slackapi/bolt-python/issues/1107
        """
        bot = self.teams[team].bot_user
        assert bot in self.teams[team].channels[channel].members, (
            "no event reaches a bot outside the channel"
        )
        message = self.say(f"<@{bot}> {text}", user, channel, team, thread_ts=thread_ts)
        mention = {**message.as_json(), "type": "app_mention"}
        return await self._sent(message, mention, authorized)

    async def direct_message(
        self,
        text: str,
        user: str = "U1",
        team: str = "T1",
        *,
        thread_ts: str | None = None,
        names_itself: bool = False,
        **more: Any,
    ) -> Ack:
        """Send a direct message to the bot, in a thread or by itself.

        In an agent app each by itself begins a thread. Some tell of events in which such a message
        `names_itself` as the one that its thread hangs on; Slack's pages show it without. What is
        `more` stands in the event, as the subtype of one with a file.
        """
        message = self.say(text, user, f"D{user.removeprefix('U')}", team, thread_ts=thread_ts)
        if names_itself:
            message.thread_ts = message.ts
        return await self._sent(message, {**message.as_json(), "channel_type": "im", **more})

    async def open_home(self, user: str = "U1", team: str = "T1") -> Ack:
        """Open the bot's Home tab."""
        view = self.home(user, team)
        place = {"user": user, "channel": f"D{user.removeprefix('U')}", "tab": "home"}
        shown = {"view": views.as_json(self, view)} if view else {}
        opened = {"type": "app_home_opened", "event_ts": self.next_ts(), **place, **shown}
        return await self.event(opened, team)

    async def post_link(
        self,
        text: str,
        user: str = "U1",
        channel: str = "C1",
        team: str = "T1",
        *,
        composing: bool = False,
    ) -> Ack:
        """Post a message with links, or only compose it, without a message yet."""
        message = self.say(text, user, channel, team)
        urls = [url for url in re.findall(r"https?://[^\s<>|]+", text) if self._ours(url)]
        unfurl_id = self.next_id("unfurl-")
        source = {"source": "conversations_history", "message_ts": message.ts, "channel": channel}
        if composing:
            # It is only in the composer, and may be posted or discarded.
            message.deleted, self.previews[unfurl_id] = True, message
            ts = self.next_id("uuid-")
            source = {"source": "composer", "message_ts": ts, "channel": "COMPOSER"}
        links = [{"domain": urlsplit(url).hostname, "url": url} for url in urls]
        shared = {"type": "link_shared", "user": user, "links": links, "unfurl_id": unfurl_id}
        return await self._sent(message, shared | source)

    async def uninstall(self, team: str = "T1") -> list[Ack]:
        """Uninstall the app from a workspace."""
        self.teams[team].installed = False
        happened = {"type": "app_uninstalled"}, self._revoked(team, "account_inactive")
        return [await self.event(event, team) for event in happened]

    async def revoke(self, team: str = "T1") -> Ack:
        """Revoke the bot token of a workspace."""
        return await self.event(self._revoked(team, "token_revoked"), team)

    async def event(
        self, event: Json, team: str = "T1", *, event_id: str | None = None, retry_num: int = 0
    ) -> Ack:
        """Send an event to the bot; a retry has the same event_id."""
        payload = payloads.event(self, self.teams[team], event, event_id)
        envelope_id = self.next_id("envelope-")
        return await self.deliver(Delivery("events_api", payload, envelope_id, None, retry_num))

    def say(
        self,
        text: str,
        user: str = "U1",
        channel: str = "C1",
        team: str = "T1",
        *,
        thread_ts: str | None = None,
    ) -> Message:
        """Post a message of a user without an event."""
        _, place = self._place(user, channel, team)
        message = Message(self.next_ts(), team, channel, user, text=text, thread_ts=thread_ts)
        place.messages.append(message)
        return message

    def seen(self, user: str = "U1", channel: str = "C1", team: str = "T1") -> list[Message]:
        """Return the messages of a channel that a user sees."""
        _, place = self._place(user, channel, team)
        readable = [m for m in place.messages if m.ephemeral_for in (None, user)]
        return [message for message in readable if message.visible and not message.deleted]

    def home(self, user: str = "U1", team: str = "T1") -> View | None:
        """Return the Home tab of a user, if it was published."""
        return self.homes.get((team, user))

    def modals(self, user: str = "U1", team: str = "T1") -> list[View]:
        """Return the open modals of a user, the top one last."""
        return list(self.stacks.get((team, user), []))

    def _revoked(self, team: str, error: str) -> Json:
        self.dead_tokens[self.teams[team].bot_token] = error
        tokens = {"oauth": [], "bot": [self.teams[team].bot_user]}
        return {"type": "tokens_revoked", "tokens": tokens}

    async def _sent(self, message: Message, event: Json, authorized: str | None = None) -> Ack:
        team = authorized or message.team
        place = {"channel": message.channel, "team": team, "event_ts": message.ts}
        ack = await self.event({**place, **event}, team)
        ack.sent = message
        return ack

    async def _interact(
        self, kind: str, team: str, user: str, payload: Json, on_answer: Answering | None = None
    ) -> Ack:
        common = payloads.interaction(self, kind, self.teams[team], user)
        envelope_id = self.next_id("envelope-")
        return await self.deliver(Delivery("interactive", common | payload, envelope_id, on_answer))

    async def _act(self, target: Message | View, action: Json, user: str) -> Ack:
        if isinstance(target, View):
            place = payloads.at_view(self, target)
        else:
            place = self._at(target, user)
        return await self._interact("block_actions", target.team, user, place | action)

    def _at(self, message: Message, user: str) -> Json:
        assert message in self.seen(user, message.channel, message.team), "not seen by them"
        return payloads.at_message(self, message, user)

    def _place(self, user: str, channel: str, team: str) -> tuple[Team, Channel]:
        place = self.teams[team].channels[channel]
        assert user in place.members, f"{user} is not in {channel} of {team}"
        guest = user in self.teams[team].people and self.teams[team].people[user].guest
        assert not (guest and self.is_agent), "Slack shuts guests out of an agent app"
        return self.teams[team], place

    def _ours(self, url: str) -> bool:
        host = urlsplit(url).hostname or ""
        return any(host == d or host.endswith(f".{d}") for d in self.unfurl_domains)
