"""Frozen records that travel: what the store hands out and what parsers fill in.

They hold no session and nothing that changes, so they may be kept, compared and passed
between threads. The words are those of the glossary in `docs/design.md`.
"""

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Highlight:
    """One bullet of an entry: its bold lead (`None` where it has none) and its text."""

    lead: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A labelled address, the label as the edition printed it ("Paper", "Tweet", "Code")."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Heading:
    """The theme an edition printed over its entries, and the line under it."""

    title: str
    tagline: str | None


@dataclass(frozen=True, slots=True)
class Source:
    """Where editions come from; the slug is its name everywhere."""

    slug: str
    title: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper's place in an edition.

    `ref` names it for good (`dair:2026-01-05#3`, `paperdive:E162`); exactly one of `rank`
    (from 1) and `episode` ("E162") is given for the known kinds. `position` (from 0) is the
    order in the edition. `topics` are slugs that the tagger assigned, none before it ran.
    `withdrawn` and `paper` are no words of the edition's, and told to readers and to nobody who
    decides what an import changes: what arXiv says of the paper, and what the store knows it by.
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
    """One weekly round-up of one source, known by (source, first_day).

    `kind` is `newsletter`, `review`, `hf-daily` or `consensus`; `year_rule` is the evidence
    that gave a yearless heading its year, `None` where the dates came whole; `minutes` is
    reading or listening time; `sample` marks the bundled ones. `entries` stand in order and
    are left empty by functions that list editions. `others` are told of a consensus where what was
    posted of it may have to be found again: refs of its papers that it doesn't show now, each with
    the ref of the entry that it shows.
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
    """An entry with its edition (entries left out): one place where a paper was featured."""

    paper_id: int
    edition: Edition
    entry: Entry


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one kind of document said about an edition.

    `facts` is what it said, as JSON text, and `digest` a hash over that.
    """

    kind: str
    digest: str
    sample: bool
    facts: str


@dataclass(frozen=True, slots=True)
class StoredEdition:
    """An edition as it is stored, with all that was contributed to it and its database id."""

    id: int
    edition: Edition
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class EditionChange:
    """An edition as it shall be, the contribution that made it so, and what differs.

    `new`, `changed` and `removed` are refs of entries; `differs` says whether anything but entries
    changed, and `replaces` whether other papers take the place of most of those before.
    """

    edition: Edition
    contribution: Contribution
    new: frozenset[str]
    changed: frozenset[str]
    removed: frozenset[str]
    differs: bool
    replaces: bool = False


class SubscriptionState(StrEnum):
    """Whether a standing order is carried out; `refused` means that it no longer can be."""

    ACTIVE = "active"
    PAUSED = "paused"
    REFUSED = "refused"


class Layout(StrEnum):
    """How an edition is laid out in a channel."""

    COMPACT = "compact"
    FULL = "full"
    THREAD = "thread"


class DeliveryState(StrEnum):
    """Where a delivery, or one part of it, stands."""

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
    """A Slack workspace or a Discord guild, under the platform's own id."""

    platform: str
    external_id: str


@dataclass(frozen=True, slots=True)
class Person:
    """A person under the platform's own id, in the workspace that the person's facts belong to."""

    workspace: Workspace
    external_id: str


@dataclass(frozen=True, slots=True)
class WorkspaceSettings:
    """What a workspace settled for itself.

    `zone` is an IANA zone, `None` where the program's default holds; `unfurls` whether links to
    known papers get a card; `role` the platform's id of the role whose members are managers,
    `None` where there is none; `layout` that of new standing orders, `None` where the kind of
    channel decides.
    """

    zone: str | None = None
    unfurls: bool = True
    role: str | None = None
    layout: Layout | None = None


@dataclass(frozen=True, slots=True)
class Channel:
    """A place to post, under the platform's own id; every fact of it belongs to its workspace."""

    workspace: Workspace
    external_id: str


@dataclass(frozen=True, slots=True)
class ChannelFacts:
    """What was last known of a channel: its name without a sign, and whether not all may see it.

    `kind` is the platform's word for what it is, `None` where nobody told.
    """

    name: str | None = None
    private: bool = False
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a standing order can no longer be carried out, and what helps.

    `code` is the platform's own word, or `removed` where the bot is no longer in the workspace.
    """

    sentence: str
    remedy: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class Subscription:
    """A channel's standing order: when, what and how to post.

    `weekday` counts from Monday, 0; `local_time` is wall time in the IANA zone `zone`. The
    instants are aware. `sources` are slugs, or `all` alone; with none it follows no source.
    `size` is the most entries of one post, `patience` how long a due time waits for an edition.
    `owner` is who gave the order, under the platform's id. `open_due_at` is the due time that
    still waits, `missed_at` the last for which nothing came; `cancelled_at` is set where somebody
    took the order back.
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
    paused_until: datetime | None = None
    open_due_at: datetime | None = None
    missed_at: datetime | None = None
    refusal: Refusal | None = None
    cancelled_at: datetime | None = None
    facts: ChannelFacts = ChannelFacts()
    id: int | None = None


# In the place of a digest: other papers took the place of those that the message shows.
LEFT = "left"


@dataclass(frozen=True, slots=True)
class Part:
    """One message of a delivery, known by its number from 1 and sent once for its key.

    `refs` are the entries that it shows. `digest` tells what it said when it was last sent or
    edited, or that it is left as it is (`LEFT`). `place`, `message` and `url` are where it stands,
    under the platform's ids; of a message that somebody removed only `message` is `None`.
    `began_at` is when it was first sent, by a clock that no setting moves.
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
    """One edition owed to one subscription, and what became of it.

    `attempts` counts how often it was tried, not how often it was put off. `waits_until` is when a
    delivery that waits is worked on next, by a clock that no setting moves; `None` where it does
    not wait.
    """

    id: int
    subscription_id: int
    source: str
    first_day: date
    state: DeliveryState
    attempts: int
    due_at: datetime
    sent_at: datetime | None
    error: str | None
    last_day: date
    parts: tuple[Part, ...] = ()
    waits_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class InstallationKey:
    """Whose app is installed where, under the platform's ids; an id that is none is ''.

    An organisation's installation for all its workspaces has no `team_id`.
    """

    platform: str
    client_id: str
    enterprise_id: str
    team_id: str


@dataclass(frozen=True, slots=True)
class Installation:
    """An app installed, and the token that speaks there, which no log may show.

    `installer` is the id of the person who did it; `installed_at` the first time, `updated_at`
    the last.
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
    """A token as it is stored, encrypted; `owner` is the workspace that it speaks to, in words."""

    platform: str
    client_id: str
    owner: str
    encrypted: str = field(repr=False)
