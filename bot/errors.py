"""The errors above the store, by cause: an input, a setting, a platform's call, a document, a page.

The root class is in `store.errors`. Each adapter maps vendor errors to these by one table.
"""

from dataclasses import dataclass

from store.errors import BroadsheetError


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A command that the user may have meant, and the label of its button."""

    label: str
    command: str


class UserError(BroadsheetError):
    """An input that can't be executed; the remedy names what was expected.

    `suggestions` are the nearest valid commands, shown as buttons. A `page` elsewhere, if any, is
    a label and its address.
    """

    page: tuple[str, str] | None = None

    def __init__(
        self, sentence: str, remedy: str = "", suggestions: tuple[Suggestion, ...] = ()
    ) -> None:
        self.suggestions = suggestions
        super().__init__(sentence, remedy)


class Choice(UserError):
    """An input that means one of several things: the user chooses, and nothing is wrong."""


@dataclass(frozen=True, slots=True)
class Option:
    """A value of an argument as it is typed, and its label."""

    value: str
    label: str = ""


class ArgumentError(UserError):
    """An argument that can't be read; `nearest` are the values that may have been meant.

    The application makes suggestions of them, with the rest of the command.
    """

    def __init__(
        self,
        sentence: str,
        remedy: str = "",
        nearest: tuple[Option, ...] = (),
        suggestions: tuple[Suggestion, ...] = (),
    ) -> None:
        self.nearest = nearest
        super().__init__(sentence, remedy, suggestions)


class SeveralMeant(ArgumentError):
    """A text that fits several values: the user chooses one of `nearest`; no error."""


class NotInChannel(UserError):
    """The channel does not exist or the user is not in it: the same words for both."""


class SettingsError(BroadsheetError):
    """An invalid setting; the sentence names it and its value."""


class PlatformError(BroadsheetError):
    """A chat platform can't be connected to with these settings; another try won't help."""


class PlotError(BroadsheetError):
    """A picture can't be drawn; its numbers are given in words."""


class SendError(BroadsheetError):
    """A call to a platform failed; `code` is the platform's error code, if it gave one."""

    def __init__(self, sentence: str, remedy: str = "", code: str = "") -> None:
        self.code = code
        super().__init__(sentence, remedy)


class RetryLater(SendError):
    """A temporary failure; `after` is the seconds that the platform asks to wait, if any."""

    def __init__(
        self, sentence: str, remedy: str = "", code: str = "", after: float | None = None
    ) -> None:
        self.after = after
        super().__init__(sentence, remedy, code)


class QueueFull(RetryLater):
    """Too many calls wait for the rate limit already; this one was not made."""


class NotAllowed(SendError):
    """The bot lacks a permission there."""


class TokenRevoked(NotAllowed):
    """The platform no longer accepts the bot's token; only a new token helps."""


class Gone(SendError):
    """The channel, the user or the message no longer exists."""


class Rejected(SendError):
    """The request was invalid or too late; the same request fails again."""


class OutcomeUnknown(SendError):
    """The outcome of a call is unknown; another try could post twice.

    `within` is the seconds in which the message may still appear, `None` if unknown.
    """

    def __init__(
        self, sentence: str, remedy: str = "", code: str = "", within: float | None = None
    ) -> None:
        self.within = within
        super().__init__(sentence, remedy, code)


class WebError(BroadsheetError):
    """The web server can't listen on its address, or does not answer there."""


class SourceError(BroadsheetError):
    """A source gave an unusable answer; `after` are the seconds that its host asks to wait."""

    after: float | None = None


class DocumentError(SourceError):
    """A document is refused as a whole and changes nothing.

    `kind` is its recognised kind, if any.
    """

    kind: str | None = None


class WrongShape(DocumentError):
    """A document is whole, but lacks the parts of its kind; a site's markup may have changed."""


class FetchError(SourceError):
    """A page could not be fetched; the sentence quotes nothing of the host's answer.

    `host` is empty if the address names none, and `status` is `None` without an answer.
    """

    def __init__(
        self,
        sentence: str,
        remedy: str = "",
        *,
        host: str = "",
        status: int | None = None,
        after: float | None = None,
    ) -> None:
        self.host = host
        self.status = status
        self.after = after
        super().__init__(sentence, remedy)


class AddressRefused(FetchError):
    """The address, or the one its name resolves to, may not be fetched; no request was made."""


class FetchLater(FetchError):
    """The host is unreachable, failing, or asks to wait."""


class PageGone(FetchError):
    """The page does not exist, or access is denied; the same request fails again."""


class PageTooLarge(FetchError):
    """The page is longer than the limit, as sent or unpacked; the rest was not read."""


class PageUnusable(FetchError):
    """The answer is of another type, or malformed."""
