"""The channels of a workspace as whoever asks may see them."""

import logging
from collections.abc import Mapping
from typing import Any

from adapters.slack.api.client import Api
from adapters.slack.requests.memberships import Memberships, Person
from bot.actor import ChannelInfo, Named
from bot.errors import Gone, NotAllowed, NotInChannel, SendError, UserError
from bot.posting.ports import DIRECT
from store.records import Layout

_INVITE = "Invite it there: /invite @Broadsheet."
_NO_CHANNEL = "There is no such channel, or you or Broadsheet are not in it."
_JOIN = "Join it, and if it is private type there: /invite @Broadsheet."
_log = logging.getLogger(__name__)


class SlackChannels:
    """The channels that a person is in.

    Args:
        api: Slack.
        memberships: knows who is in which channel.
        person: who asks.
        here: the channel asked in: Slack lets nobody ask where they are not.
    """

    def __init__(
        self, api: Api, memberships: Memberships, person: Person, here: str | None
    ) -> None:
        self._api = api
        self._memberships = memberships
        self._person = person
        self._here = here
        self._facts_of: dict[str, Mapping[str, Any]] = {}

    async def look(self, channel: str) -> ChannelInfo:
        """Return a channel that the asker is in.

        Raises:
            NotInChannel: where there is no such channel, the asker is not in it or it is hidden
                from the bot, all in the same words.
            UserError: where Slack does not tell.
        """
        if channel.startswith("D"):
            if channel != self._here:
                raise NotInChannel(_NO_CHANNEL, _JOIN)
            return ChannelInfo(channel, DIRECT, private=True)
        facts = await self._facts(channel)
        private = bool(facts.get("is_private"))
        if channel != self._here and not await self._is_in(channel, private=private):
            raise NotInChannel(_NO_CHANNEL, _JOIN)
        return ChannelInfo(channel, str(facts.get("name") or channel), private=private)

    async def enter(self, channel: ChannelInfo, layout: Layout) -> None:
        """Join a channel where the bot is not in it; any layout may be posted in any channel.

        Raises:
            UserError: where it is archived, or the bot has to be invited.
        """
        del layout
        if channel.id.startswith("D"):
            await self._enter_direct(channel.id)
            return
        facts = await self._facts(channel.id)
        if facts.get("is_archived"):
            raise UserError(f"#{channel.name} is archived.", "Take it out of the archive.")
        if not facts.get("is_member"):
            await self._join(channel)

    async def known(self) -> list[Named]:
        """Return the channels that the asker is in, by name; of private ones, those of the bot."""
        try:
            found = await self._memberships.of(self._person)
        except SendError as error:
            _log.info("channels_unknown", extra={"reason": error.sentence})
            return []
        named = (Named(channel, name) for channel, name in found.items())
        return sorted(named, key=lambda each: each.name)

    async def _enter_direct(self, channel: str) -> None:
        """Make sure that the bot is the other one in a conversation: two people may ask there."""
        try:
            opened = await self._api.ask(
                self._person.token, "conversations.open", users=self._person.user
            )
        except NotAllowed:
            return  # a post will show it
        except SendError as error:
            raise _in_words(error) from error
        if opened["channel"]["id"] != channel:
            raise UserError(
                "Broadsheet is not part of that conversation.",
                "Ask in a channel, or in a direct message to Broadsheet itself.",
            )

    async def _join(self, channel: ChannelInfo) -> None:
        try:
            await self._api.ask(self._person.token, "conversations.join", channel=channel.id)
        except (Gone, NotAllowed) as error:
            raise UserError(f"Broadsheet is not in #{channel.name}.", _INVITE) from error
        except SendError as error:
            raise _in_words(error) from error

    async def _facts(self, channel: str) -> Mapping[str, Any]:
        """Return what Slack tells of a channel: is it private, archived, is the bot in it."""
        if channel not in self._facts_of:
            self._facts_of[channel] = await self._asked(channel)
        return self._facts_of[channel]

    async def _asked(self, channel: str) -> Mapping[str, Any]:
        try:
            answer = await self._api.ask(self._person.token, "conversations.info", channel=channel)
        except SendError as error:
            if error.code == "channel_not_found":
                raise self._hidden(channel) from error
            if error.code == "missing_scope" and channel == self._here:
                # What is not known may be secret; whether the bot is in it a post will show.
                return {"is_private": True, "is_member": True}
            raise _in_words(error) from error
        facts: Mapping[str, Any] = answer["channel"]
        return facts

    def _hidden(self, channel: str) -> UserError:
        """Return the answer about a channel that the bot can't see; who asks there is in it."""
        if channel == self._here:
            return UserError("Broadsheet is not in this channel.", _INVITE)
        return NotInChannel(_NO_CHANNEL, _JOIN)

    async def _is_in(self, channel: str, *, private: bool) -> bool:
        try:
            return await self._memberships.is_in(self._person, channel, private=private)
        except Gone:
            return False
        except SendError as error:
            raise _in_words(error) from error


def _in_words(error: SendError) -> UserError:
    return UserError(error.sentence, error.remedy)
