"""What can go wrong above the store; the root class stands in `store.errors`.

BroadsheetError
├── UserError           something typed in chat, at the prompt or on the command line
│   ├── ArgumentError   an argument that can't be read as what it should be
│   └── NotInChannel    a channel that is not there, or not for whoever asks
├── SettingsError       a setting that can't be used
├── PlatformError       a platform that can never be connected to with these settings
├── WebError            the web server can't listen, or doesn't answer
├── PlotError           a picture can't be drawn
├── SendError           a platform did not take what was sent
│   ├── RetryLater      not now; trying again after a while may do
│   ├── NotAllowed      the bot may not do this there, until somebody lets it
│   │   └── TokenLost   the platform takes the bot's token no more, wherever it would post
│   ├── Gone            the place, person or message is no more
│   ├── Refused         what was sent was not understood; trying again won't help
│   └── Unclear         whether it arrived can't be told; sending again could double it
└── SourceError         something that a source said
    ├── DocumentError   a document that can't be taken in as a whole
    │   └── OtherShape  it is whole, but has not what documents of its kind have
    └── FetchError      a page that could not be had
        ├── AddressRefused  its address is none that may be fetched from
        ├── FetchLater      not now; trying again after a while may do
        ├── PageGone        it is no more, or is not given to us
        ├── PageTooLarge    it is longer than what was asked for may be
        └── PageUnusable    it came as something else than what was asked for
"""

from dataclasses import dataclass

from store.errors import BroadsheetError


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A command that may have been meant, and the words on its button."""

    label: str
    command: str


class UserError(BroadsheetError):
    """What was typed can't be done; the remedy names what was expected.

    `suggestions` are the nearest right things, to be offered as buttons.
    """

    def __init__(
        self, sentence: str, remedy: str = "", suggestions: tuple[Suggestion, ...] = ()
    ) -> None:
        self.suggestions = suggestions
        super().__init__(sentence, remedy)


@dataclass(frozen=True, slots=True)
class Option:
    """A value that an argument may have, as it is typed, and words that tell what it is."""

    value: str
    label: str = ""


class ArgumentError(UserError):
    """An argument can't be read; `nearest` are the values that may have been meant.

    Whoever knows the whole command makes suggestions of them, beside those that there are.
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


class NotInChannel(UserError):
    """There is no such channel, or the user is not in it: the same words for both."""


class SettingsError(BroadsheetError):
    """A setting can't be used; the sentence names it and its value."""


class PlatformError(BroadsheetError):
    """A chat platform can never be connected to with these settings: trying again won't help."""


class PlotError(BroadsheetError):
    """A picture can't be drawn; what it shows is told in words all the same."""


class SendError(BroadsheetError):
    """A platform did not take what was sent. `code` is its own word for why, if it gave one."""

    def __init__(self, sentence: str, remedy: str = "", code: str = "") -> None:
        self.code = code
        super().__init__(sentence, remedy)


class RetryLater(SendError):
    """Not now. `after` is how many seconds the platform asks to wait, `None` where it doesn't."""

    def __init__(
        self, sentence: str, remedy: str = "", code: str = "", after: float | None = None
    ) -> None:
        self.after = after
        super().__init__(sentence, remedy, code)


class Crowded(RetryLater):
    """Too much waits for its turn already; the platform was not asked at all."""


class NotAllowed(SendError):
    """The bot may not do this there, until somebody lets it."""


class TokenLost(NotAllowed):
    """The platform no longer takes the bot's token: nothing can be done before it has another."""


class Gone(SendError):
    """The place, the person or the message is no more."""


class Refused(SendError):
    """What was sent was not understood, or came too late; the same again won't help."""


class Unclear(SendError):
    """Whether it arrived can't be told; sending it again could double it.

    `within` is for how many seconds more it may appear, `None` where nobody can say.
    """

    def __init__(
        self, sentence: str, remedy: str = "", code: str = "", within: float | None = None
    ) -> None:
        self.within = within
        super().__init__(sentence, remedy, code)


class WebError(BroadsheetError):
    """The web server can't listen where it should, or does not answer there."""


class SourceError(BroadsheetError):
    """A source gave nothing that can be used."""


class DocumentError(SourceError):
    """A document is refused as a whole and changes nothing.

    `kind` is what it was recognised as, where it was.
    """

    kind: str | None = None


class OtherShape(DocumentError):
    """A document is whole, but has not what documents of its kind have.

    At an address where it was read before, its markup may have changed.
    """


class FetchError(SourceError):
    """A page could not be had; nothing that its host wrote stands in the sentence.

    `host` is whose page it is, `` where the address names none; `status` is what that answered
    with, `None` where it did not. `after` is how many seconds it asks to wait, where it does.
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
    """Nothing was asked: the address, or where its name leads, may not be fetched from."""


class FetchLater(FetchError):
    """Not now: the host is out of reach, in trouble, or asks to be left alone for a while."""


class PageGone(FetchError):
    """The host has no such page, or does not give it to us; the same again won't help."""


class PageTooLarge(FetchError):
    """The page is longer than it may be, as it was sent or unpacked; it was not read further."""


class PageUnusable(FetchError):
    """What was answered is not what was asked for: of another type, or no answer in good form."""
