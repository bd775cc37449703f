"""What people do in Slack: type, press, open, submit, post links, uninstall."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

from tests.fakes.slack.records import Channel, Json, Message, Team, View
from tests.fakes.slack.transport import payloads, response_urls
from tests.fakes.slack.transport.deliveries import Ack, Delivering, Delivery
from tests.fakes.slack.web_api import message_rules, views

Answering = Callable[[Json | None], Message | None]


class People(Delivering):
    """Everybody's hands and eyes; each deed is brought to the bot and returns what came back."""

    async def command(
        self, text: str = "", user: str = "U1", channel: str = "C1", team: str = "T1"
    ) -> Ack:
        """Type `/papers …`; the text as Slack escapes it."""
        return await self.deliver(self.command_delivery(text, user, channel, team))

    def command_delivery(
        self, text: str = "", user: str = "U1", channel: str = "C1", team: str = "T1"
    ) -> Delivery:
        """Return what typing `/papers …` would bring to the bot."""
        payload = payloads.command(self, *self._place(user, channel, team), user, text)
        hook = self.hooks[payload["response_url"].rpartition("/")[2]]

        def on_answer(answer: Json | None) -> Message | None:
            if answer:
                response_urls.answer(self, hook, answer, "acknowledgement")
            return hook.message if answer else None

        return Delivery("slash_commands", payload, self.next_id("envelope-"), on_answer)

    async def click(self, target: Message | View, label: str, user: str = "U1") -> Ack:
        """Press the one button with a label (or name for ears, or action_id) there."""
        return await self._act(target, payloads.pressed(target, label, self.next_ts()), user)

    async def choose(self, target: Message | View, menu: str, option: str, user: str = "U1") -> Ack:
        """Pick the one option with a label of the one menu with these words in it."""
        return await self._act(target, payloads.picked(target, menu, option, self.next_ts()), user)

    async def shortcut(self, callback_id: str, user: str = "U1", team: str = "T1") -> Ack:
        """Choose a global shortcut."""
        return await self._interact("shortcut", team, user, {"callback_id": callback_id})

    async def message_shortcut(self, callback_id: str, message: Message, user: str = "U1") -> Ack:
        """Choose a shortcut on a message, which can't be an ephemeral one."""
        assert not message.ephemeral_for
        place = self._at(message, user) | {"callback_id": callback_id}
        return await self._interact("message_action", message.team, user, place)

    async def submit(self, view: View, values: dict[str, str | None]) -> Ack:
        """Fill in a modal, inputs by their block_id or action_id, and submit it."""
        form = payloads.at_view(self, view, payloads.filled(view, values))

        def on_answer(answer: Json | None) -> None:
            views.submitted(self, view, answer or {})

        return await self._interact("view_submission", view.team, view.user, form, on_answer)

    async def suggest(self, view: View, action_id: str, value: str) -> Ack:
        """Type into a select whose options come from the bot."""
        inputs = [block for block in view.blocks if "element" in block]
        block_id = next(b["block_id"] for b in inputs if b["element"]["action_id"] == action_id)
        typed = {"action_id": action_id, "block_id": block_id, "value": value}

        def on_answer(answer: Json | None) -> None:
            if error := message_rules.options_error(answer or {}):
                self.refuse("block_suggestion", *error, answer or {})

        form = payloads.at_view(self, view) | typed
        return await self._interact("block_suggestion", view.team, view.user, form, on_answer)

    async def mention(
        self,
        text: str,
        user: str = "U1",
        channel: str = "C1",
        team: str = "T1",
        *,
        thread_ts: str | None = None,
    ) -> Ack:
        """Name the bot in a channel that it is in."""
        bot = self.teams[team].bot_user
        assert bot in self.teams[team].channels[channel].members, "Slack tells no stranger of it"
        message = self.say(f"<@{bot}> {text}", user, channel, team, thread_ts=thread_ts)
        return await self._sent(message, {**message.as_json(), "type": "app_mention"})

    async def direct_message(self, text: str, user: str = "U1", team: str = "T1") -> Ack:
        """Write to the bot alone."""
        message = self.say(text, user, f"D{user.removeprefix('U')}", team)
        return await self._sent(message, {**message.as_json(), "channel_type": "im"})

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
        """Post a message with links, or only write it: then there is no message yet."""
        message = self.say(text, user, channel, team)
        urls = [url for url in re.findall(r"https?://[^\s<>|]+", text) if self._ours(url)]
        unfurl_id = self.next_id("unfurl-")
        source = {"source": "conversations_history", "message_ts": message.ts, "channel": channel}
        if composing:
            # Nobody has seen it, and it may yet be posted or thrown away.
            message.deleted, self.previews[unfurl_id] = True, message
            ts = self.next_id("uuid-")
            source = {"source": "composer", "message_ts": ts, "channel": "COMPOSER"}
        links = [{"domain": urlsplit(url).hostname, "url": url} for url in urls]
        shared = {"type": "link_shared", "user": user, "links": links, "unfurl_id": unfurl_id}
        return await self._sent(message, shared | source)

    async def uninstall(self, team: str = "T1") -> list[Ack]:
        """Remove the app from a workspace."""
        self.teams[team].installed = False
        happened = {"type": "app_uninstalled"}, self._revoked(team, "account_inactive")
        return [await self.event(event, team) for event in happened]

    async def revoke(self, team: str = "T1") -> Ack:
        """Take the bot's token away."""
        return await self.event(self._revoked(team, "token_revoked"), team)

    async def event(
        self, event: Json, team: str = "T1", *, event_id: str | None = None, retry_num: int = 0
    ) -> Ack:
        """Let something happen that the app subscribed to; a retry carries the same event_id."""
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
        """Write something that the bot isn't told of."""
        _, place = self._place(user, channel, team)
        message = Message(self.next_ts(), team, channel, user, text=text, thread_ts=thread_ts)
        place.messages.append(message)
        return message

    def seen(self, user: str = "U1", channel: str = "C1", team: str = "T1") -> list[Message]:
        """Return what somebody sees in a channel."""
        _, place = self._place(user, channel, team)
        readable = [m for m in place.messages if m.ephemeral_for in (None, user)]
        return [message for message in readable if message.shown and not message.deleted]

    def home(self, user: str = "U1", team: str = "T1") -> View | None:
        """Return somebody's Home tab, if it was ever filled."""
        return self.homes.get((team, user))

    def modals(self, user: str = "U1", team: str = "T1") -> list[View]:
        """Return the modals that somebody has open, the one in front last."""
        return list(self.stacks.get((team, user), []))

    def _revoked(self, team: str, error: str) -> Json:
        self.dead_tokens[self.teams[team].bot_token] = error
        tokens = {"oauth": [], "bot": [self.teams[team].bot_user]}
        return {"type": "tokens_revoked", "tokens": tokens}

    async def _sent(self, message: Message, event: Json) -> Ack:
        place = {"channel": message.channel, "team": message.team, "event_ts": message.ts}
        ack = await self.event({**place, **event}, message.team)
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
        return self.teams[team], place

    def _ours(self, url: str) -> bool:
        host = urlsplit(url).hostname or ""
        return any(host == d or host.endswith(f".{d}") for d in self.unfurl_domains)
