"""The pictures: what is asked for, and in which looks each is kept."""

from dataclasses import dataclass
from enum import StrEnum


class Platform(StrEnum):
    """A place where people see it."""

    SLACK = "slack"
    DISCORD = "discord"
    TERMINAL = "terminal"


class Way(StrEnum):
    """The way to a picture's messages, on each of its platforms.

    `ASKED` is the answer to a command, `POSTED` a post with a layout, `FORM` the form that a
    button of an answer opens, `HOME` is Slack's App Home. `DIRECT` is an answer in direct messages,
    `ALERTED` the message of an alert after an import, `DIGEST` that of a subscription made there.
    `TALK` is a conversation in direct messages, `ROOM` one in a channel.
    """

    ASKED = "asked"
    POSTED = "posted"
    FORM = "form"
    HOME = "home"
    DIRECT = "direct"
    ALERTED = "alerted"
    DIGEST = "digest"
    TALK = "talk"
    ROOM = "room"


# The column of messages beside a list of channels, and the narrowest of phones.
WIDE, NARROW = 720, 320


@dataclass(frozen=True, slots=True)
class Look:
    """A theme, and a width in pixels."""

    theme: str = "light"
    width: int = WIDE

    @property
    def suffix(self) -> str:
        """The end of a picture's name."""
        return f"{self.theme}-{self.width}" if self.width == NARROW else self.theme


LIGHT, DARK = Look(), Look("dark")
PHONE = Look("light", NARROW)
DARK_PHONE = Look("dark", NARROW)
ALL_LOOKS = (LIGHT, DARK, PHONE, DARK_PHONE)
_CHATS = (Platform.SLACK, Platform.DISCORD)
_EVERYWHERE = tuple(Platform)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of what people see.

    Attributes:
        name: the beginning of its file's name.
        way: how its messages come about.
        line: the command string; of a post, its layout; of a conversation, the lines that are
            typed, with buttons that are pressed in brackets.
        platforms: where it is taken.
        looks: those that are kept in the repository.
        button: the label of the button that opens the form; without one it is the search's
            window, opened in App Home and submitted.
    """

    name: str
    way: Way
    line: str
    platforms: tuple[Platform, ...] = _CHATS
    looks: tuple[Look, ...] = (LIGHT,)
    button: str = ""


# In the order in which they are taken: a subscription is there before it is listed.
PICTURES = (
    Picture("latest", Way.ASKED, "latest", _EVERYWHERE, (LIGHT, PHONE)),
    Picture("search", Way.ASKED, "search small models", _EVERYWHERE),
    Picture("show", Way.ASKED, "show 2510.04871", _EVERYWHERE, (LIGHT, DARK)),
    Picture("ask", Way.ASKED, "ask why do language models hallucinate?", _EVERYWHERE),
    Picture("help", Way.ASKED, "help", _EVERYWHERE),
    Picture("top", Way.ASKED, "top month"),
    Picture("trends", Way.ASKED, "trends agents,reasoning,retrieval"),
    Picture("consensus", Way.ASKED, "consensus"),
    Picture("sources", Way.ASKED, "sources"),
    Picture("brief", Way.ASKED, "brief 5"),
    Picture("saved", Way.ASKED, "saved"),
    Picture("subscribed", Way.ASKED, "subscribe monday 09:00 topic:agents size:5"),
    Picture("subscriptions", Way.ASKED, "subscriptions"),
    Picture("preview", Way.ASKED, "preview"),
    Picture("subscribe-form", Way.FORM, "subscriptions", button="Subscribe to more…"),
    Picture("search-form", Way.FORM, "search small models", (Platform.DISCORD,), button="Refine"),
    Picture("search-form", Way.FORM, "search small models", (Platform.SLACK,)),
    Picture("home", Way.HOME, "", (Platform.SLACK,)),
    Picture("post", Way.POSTED, "compact", looks=ALL_LOOKS),
    Picture("post-full", Way.POSTED, "full"),
    Picture("post-thread", Way.POSTED, "thread"),
    Picture("status", Way.ASKED, "status"),
    Picture("alert", Way.DIRECT, "alert speculative decoding"),
    Picture("alerted", Way.ALERTED, "alert mamba", looks=(LIGHT, PHONE)),
    Picture("alerts", Way.DIRECT, "alerts"),
    Picture("digest", Way.DIGEST, "subscribe monday 09:00", looks=(LIGHT, PHONE)),
    # The journeys of the tour.
    Picture(
        "journey-paper",
        Way.TALK,
        "that paper where a playbook grows from small edits\n"
        "how many points does it add on AppWorld?\npdf please",
        looks=(LIGHT, PHONE),
    ),
    Picture(
        "journey-week",
        Way.TALK,
        "what's new this week?\nsave 2",
        looks=(LIGHT, PHONE),
    ),
    Picture(
        "journey-holiday",
        Way.TALK,
        "I was on holiday for three weeks, what did I miss?\nsave 1 and 3",
        looks=(LIGHT, PHONE),
    ),
    Picture("journey-topic", Way.TALK, "follow agents\n[Alert instead]", looks=(LIGHT, PHONE)),
    Picture(
        "journey-monday",
        Way.ROOM,
        "post this here every Monday at 9:30 Berlin time\n[See it first]",
        looks=(LIGHT, PHONE),
    ),
)


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A picture of the web page at a path, and the looks that are kept."""

    name: str
    path: str
    looks: tuple[Look, ...] = (LIGHT,)

    @property
    def key(self) -> str:
        """The beginning of its files' names."""
        return f"{self.name}-web"


PAGE_PICTURES = (
    PagePicture("home", "/", (LIGHT, PHONE)),
    PagePicture("paper", "/papers/2510.04871", (DARK,)),
    PagePicture("trends", "/trends"),
)
