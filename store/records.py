"""Frozen records that the store returns and parsers fill in.

They hold no session and never change, so they may be kept, compared and passed between threads.
The terms are those of the glossary in `docs/design.md`.
"""

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Highlight:
    """A bullet of an entry: its bold lead, if any, and its text."""

    lead: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A labelled address, with the label of the edition ("Paper", "Tweet", "Code")."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A theme printed over entries of an edition, and the line under it."""

    title: str
    tagline: str | None


@dataclass(frozen=True, slots=True)
class Source:
    """A publisher of editions; its slug names it everywhere."""

    slug: str
    title: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper's place in an edition.

    `ref` is its permanent name (`dair:2026-01-05#3`, `paperdive:E162`); known kinds have exactly
    one of `rank` (from 1) and `episode` ("E162"). `position` (from 0) is its place in the edition.
    `topics` are slugs assigned by the tagger. `withdrawn` (by arXiv) and `paper` (the database id)
    are no part of the edition: they are set for readers, and unset when imports are compared.
    """

    ref: str
    position: int
    rank: int | None
    episode: str | None
    title: str
    summary: str | None
    highlights: tuple[Highlight, ...]
    heading: str | None
    section: str | None
    links: tuple[Link, ...]
    arxiv_id: str | None
    doi: str | None
    topics: tuple[str, ...] = ()
    withdrawn: bool = False
    paper: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Edition:
    """A weekly round-up of a source, identified by source and `first_day`.

    `kind` is `newsletter`, `review`, `hf-daily` or `consensus`; `year_rule` is the evidence for the
    year of a heading without one, `None` if dates are complete; `minutes` is reading or listening
    time; `sample` marks the bundled ones. `entries` are in order, and empty in lists of editions.
    `others` is set for a consensus to be posted: refs of its papers that it doesn't show now, each
    with the ref that it shows.
    """

    source: str
    kind: str
    title: str
    first_day: date
    last_day: date
    published_on: date | None
    year_rule: str | None
    overview: str | None
    minutes: int | None
    url: str | None
    headings: tuple[Heading, ...]
    sample: bool = False
    entries: tuple[Entry, ...] = ()
    others: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Mention:
    """An entry with its edition (without entries): one place where a paper was featured."""

    paper_id: int
    edition: Edition
    entry: Entry


@dataclass(frozen=True, slots=True)
class Contribution:
    """The content of an edition from one kind of document: `facts` as JSON text, with a hash."""

    kind: str
    digest: str
    sample: bool
    facts: str


@dataclass(frozen=True, slots=True)
class StoredEdition:
    """A stored edition, with its database id and all contributions to it."""

    id: int
    edition: Edition
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class EditionChange:
    """An edition after an import, the contribution imported, and the differences.

    `new`, `changed` and `removed` are refs of entries; `differs` is set if anything but entries
    changed, and `replaces` if other papers replace most of those before.
    """

    edition: Edition
    contribution: Contribution
    new: frozenset[str]
    changed: frozenset[str]
    removed: frozenset[str]
    differs: bool
    replaces: bool = False


class SubscriptionState(StrEnum):
    """The state of a subscription; a refused one can no longer be posted."""

    ACTIVE = "active"
    PAUSED = "paused"
    REFUSED = "refused"


class Layout(StrEnum):
    """The layout of an edition in a channel."""

    COMPACT = "compact"
    FULL = "full"
    THREAD = "thread"


class DeliveryKind(StrEnum):
    """The content of a delivery: an edition, a reader's digest, or what alerts found."""

    POST = "post"
    DIGEST = "digest"
    ALERT = "alert"


class DeliveryState(StrEnum):
    """The state of a delivery, or of one of its parts."""

    PENDING = "pending"
    CLAIMED = "claimed"
    SENDING = "sending"
    SENT = "sent"
    RETRY = "retry"
    UNKNOWN = "unknown"
    DEAD = "dead"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Workspace:
    """A Slack workspace or a Discord guild, under the platform's own id.

    On platforms where people are the same in all workspaces each has one of their own, `@` and
    their id.
    """

    platform: str
    external_id: str

    @property
    def is_personal(self) -> bool:
        """True if it is one person's own, and so no workspace of the platform."""
        return self.external_id.startswith("@")


@dataclass(frozen=True, slots=True)
class Person:
    """A person in a workspace, under the platform's own id."""

    workspace: Workspace
    external_id: str


@dataclass(frozen=True, slots=True)
class SeenList:
    """A list of entries as it was shown at an instant, and the paper that was spoken of last.

    `refs` are numbered from `first` on; there are none where only a paper was spoken of. `it` is
    that paper's ref. `more` and `back` are the command strings of the next and the previous page,
    `None` where there is no such page, `command` is that of the list itself, if it is an answer.
    """

    refs: tuple[str, ...]
    first: int
    it: str | None
    more: str | None
    back: str | None
    at: datetime
    command: str | None = None


@dataclass(frozen=True, slots=True)
class WorkspaceSettings:
    """The settings of a workspace.

    `zone` is an IANA zone, `None` for the program's default; `unfurls` gives links to known papers
    a card; `role` is the platform's id of the managers' role, `None` without one; `layout` is that
    of new subscriptions, `None` if the kind of channel decides.
    """

    zone: str | None = None
    unfurls: bool = True
    role: str | None = None
    layout: Layout | None = None


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel of a workspace, under the platform's own id."""

    workspace: Workspace
    external_id: str


@dataclass(frozen=True, slots=True)
class ChannelFacts:
    """The last known facts of a channel: its name without `#`, and whether it is private.

    `kind` is the platform's word for the type of channel, `None` if unknown. `direct` messages with
    the bot are one person's.
    """

    name: str | None = None
    private: bool = False
    kind: str | None = None
    direct: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a subscription can no longer be posted, and the remedy.

    `code` is the platform's own, or `removed` if the bot is no longer in the workspace.
    """

    sentence: str
    remedy: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A channel's subscription: when, what and how to post.

    `weekday` counts from Monday, 0; `local_time` is in the IANA zone `zone`; instants are aware.
    `sources` are slugs, or `all` alone; without any nothing is posted. `size` is the most entries
    of a post, `patience` the time that a due time waits for an edition. `owner` is the subscriber's
    id on the platform. `open_due_at` is the due time that still waits, `missed_at` the last one
    without an edition; `cancelled_at` is set after cancellation. A `personal` one posts to the
    owner's direct messages what the owner has not seen.
    """

    channel: Channel
    weekday: int
    local_time: time
    zone: str
    next_due_at: datetime | None
    state: SubscriptionState = SubscriptionState.ACTIVE
    sources: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    not_topics: tuple[str, ...] = ()
    size: int = 10
    layout: Layout = Layout.COMPACT
    patience: timedelta = timedelta(days=3)
    owner: str = ""
    personal: bool = False
    paused_until: datetime | None = None
    open_due_at: datetime | None = None
    missed_at: datetime | None = None
    refusal: Refusal | None = None
    cancelled_at: datetime | None = None
    facts: ChannelFacts = ChannelFacts()
    id: int | None = None

    @property
    def is_direct(self) -> bool:
        """True if it posts to direct messages; older programs note only that it is personal."""
        return self.facts.direct or self.personal


# In place of a digest: other papers replaced those in the message, which is left as it is.
LEFT = "left"


@dataclass(frozen=True, slots=True)
class Part:
    """One message of a delivery, numbered from 1 and sent once for its key.

    `refs` are the entries that it shows. `digest` is the hash of its content when last sent or
    edited, or `LEFT`. `place` (the channel or thread) and `message` are the platform's ids;
    `message` is `None` after it was deleted. `began_at` is when it was first sent, by the system
    clock.
    """

    number: int
    key: str
    refs: tuple[str, ...]
    state: DeliveryState = DeliveryState.PENDING
    digest: str | None = None
    place: str | None = None
    message: str | None = None
    url: str | None = None
    began_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Delivery:
    """A delivery to a channel, and its state.

    One without an edition is a personal digest, one without a subscription tells of what alerts
    found. `attempts` counts tries, not postponements. `waits_until` is when a waiting delivery is
    tried next, by the system clock; `None` if it does not wait.
    """

    id: int
    subscription_id: int | None
    channel: Channel
    source: str | None
    first_day: date | None
    state: DeliveryState
    attempts: int
    due_at: datetime
    sent_at: datetime | None
    error: str | None
    last_day: date | None
    facts: ChannelFacts = ChannelFacts()
    parts: tuple[Part, ...] = ()
    waits_until: datetime | None = None

    @property
    def kind(self) -> DeliveryKind:
        """The kind of its content."""
        if self.subscription_id is None:
            return DeliveryKind.ALERT
        return DeliveryKind.DIGEST if self.first_day is None else DeliveryKind.POST


@dataclass(frozen=True, slots=True)
class InstallationKey:
    """The app and the workspace of an installation, by the platform's ids; '' for a missing id.

    An organisation's installation for all its workspaces has no `team_id`.
    """

    platform: str
    client_id: str
    enterprise_id: str
    team_id: str


@dataclass(frozen=True, slots=True)
class Installation:
    """An installation of the app, with its token, which no log may show.

    `installer` is the id of the person who installed it, first at `installed_at`, last at
    `updated_at`.
    """

    key: InstallationKey
    bot_token: str = field(repr=False)
    bot_id: str
    bot_user_id: str
    bot_scopes: tuple[str, ...]
    app_id: str
    installer: str
    enterprise_name: str
    team_name: str
    is_org_wide: bool
    installed_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class KeptToken:
    """A stored token, encrypted, with its scopes; `owner` is its workspace, in words."""

    platform: str
    client_id: str
    owner: str
    encrypted: str = field(repr=False)
    scopes: tuple[str, ...] = ()
