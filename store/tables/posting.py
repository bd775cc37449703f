"""The tables of posting: subscriptions, deliveries with their parts, and notices."""

from datetime import datetime, time

from sqlalchemy import Boolean, Column, Index, UniqueConstraint, false, text
from sqlmodel import Field, SQLModel

from store.database.types import Instant, Strings, choice
from store.records import DeliveryState, Layout, SubscriptionState

_PERSONAL = text("edition_id IS NULL AND subscription_id IS NOT NULL")
_TOLD = text("channel_id IS NOT NULL")
_READY, _CLAIMED = text("owner IS NULL AND ready_at IS NOT NULL"), text("owner IS NOT NULL")


class SubscriptionRow(SQLModel, table=True):
    """A subscription of a channel; it is due at `next_due_at`.

    A `personal` one posts what its owner has not seen to the owner's direct messages.
    `patience` is in seconds. `open_due_at` is the due time that still waits for an edition, until
    `open_until`.
    """

    __tablename__ = "subscription"
    # Due subscriptions are found fast however many are cancelled, paused or refused.
    __table_args__ = tuple(
        Index(f"ix_subscription_cancelled_at_state_{when}", "cancelled_at", "state", when)
        for when in ("next_due_at", "open_until", "paused_until")
    )

    id: int = Field(default=None, primary_key=True)
    channel_id: int = Field(foreign_key="channel.id", index=True)
    state: SubscriptionState = Field(sa_column=Column(choice(SubscriptionState), nullable=False))
    weekday: int
    local_time: time
    zone: str
    sources: tuple[str, ...] = Field(sa_column=Column(Strings, nullable=False))
    topics: tuple[str, ...] = Field(sa_column=Column(Strings, nullable=False))
    not_topics: tuple[str, ...] = Field(sa_column=Column(Strings, nullable=False))
    size: int
    layout: Layout = Field(sa_column=Column(choice(Layout), nullable=False))
    patience: int
    owner: str
    personal: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=false()))
    paused_until: datetime | None = Field(sa_column=Column(Instant))
    next_due_at: datetime | None = Field(sa_column=Column(Instant))
    open_due_at: datetime | None = Field(sa_column=Column(Instant))
    open_until: datetime | None = Field(sa_column=Column(Instant))
    missed_at: datetime | None = Field(sa_column=Column(Instant))
    refusal: str | None
    remedy: str | None
    refusal_code: str | None
    cancelled_at: datetime | None = Field(sa_column=Column(Instant))


class DeliveryRow(SQLModel, table=True):
    """The delivery of an edition to a subscription; there is one for each pair.

    One without an edition is a personal digest, of which a subscription gets one for each
    `due_at`; one without a subscription tells a channel of what its alerts found.

    `due_at` and `content_at` are by the clock that `BROADSHEET_CLOCK_OFFSET` moves, as is the
    edition's `changed_at`; `ready_at` and `enqueued_at` are by the system clock. `ready_at` is from
    when on it may be claimed, `None` where there is nothing to do. `owner` is the process that has
    claimed it, and `fencing_token` counts its transitions, so that one with an older token is
    rejected. `send_anyway` is set where a user wants an unknown delivery sent, `votes_changed`
    where the votes for its papers have changed since it was laid out. `layout`, `size` and the
    topics are those of the subscription when the delivery began.
    """

    __tablename__ = "delivery"
    __table_args__ = (
        UniqueConstraint("subscription_id", "edition_id"),
        Index(
            "ix_delivery_subscription_id_due_at",
            "subscription_id",
            "due_at",
            unique=True,
            sqlite_where=_PERSONAL,
            postgresql_where=_PERSONAL,
        ),
        Index("ix_delivery_edition_id_content_at", "edition_id", "content_at"),
        # Few of all deliveries wait, and fewer are claimed.
        Index("ix_delivery_ready_at", "ready_at", sqlite_where=_READY, postgresql_where=_READY),
        Index("ix_delivery_channel_id", "channel_id", sqlite_where=_TOLD, postgresql_where=_TOLD),
        Index("ix_delivery_owner", "owner", sqlite_where=_CLAIMED, postgresql_where=_CLAIMED),
    )

    id: int = Field(default=None, primary_key=True)
    subscription_id: int | None = Field(foreign_key="subscription.id")
    edition_id: int | None = Field(foreign_key="edition.id")
    channel_id: int | None = Field(foreign_key="channel.id")
    state: DeliveryState = Field(sa_column=Column(choice(DeliveryState), nullable=False))
    attempts: int = 0
    due_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    enqueued_at: datetime = Field(sa_column=Column(Instant, nullable=False))
    ready_at: datetime | None = Field(sa_column=Column(Instant))
    owner: str | None
    fencing_token: int = 0
    send_anyway: bool = False
    layout: Layout | None = Field(sa_column=Column(choice(Layout)))
    size: int | None
    topics: tuple[str, ...] | None = Field(sa_column=Column(Strings))
    not_topics: tuple[str, ...] | None = Field(sa_column=Column(Strings))
    content_at: datetime | None = Field(sa_column=Column(Instant))
    votes_changed: bool = Field(sa_column=Column(Boolean, nullable=False, server_default=false()))
    sent_at: datetime | None = Field(sa_column=Column(Instant))
    error: str | None


class DeliveryPartRow(SQLModel, table=True):
    """One message of a delivery."""

    __tablename__ = "delivery_part"

    delivery_id: int = Field(foreign_key="delivery.id", primary_key=True)
    number: int = Field(primary_key=True)
    key: str = Field(unique=True)
    refs: tuple[str, ...] = Field(sa_column=Column(Strings, nullable=False))
    state: DeliveryState = Field(sa_column=Column(choice(DeliveryState), nullable=False))
    digest: str | None
    place: str | None
    message: str | None = Field(index=True)
    url: str | None
    began_at: datetime | None = Field(sa_column=Column(Instant))


class NoticeRow(SQLModel, table=True):
    """A private notice to the owner of a subscription, deleted once it was sent."""

    __tablename__ = "notice"

    id: int = Field(default=None, primary_key=True)
    subscription_id: int = Field(foreign_key="subscription.id", index=True)
    key: str
    sentence: str
    remedy: str
    attempts: int = 0
    began_at: datetime | None = Field(sa_column=Column(Instant))
    ready_at: datetime = Field(sa_column=Column(Instant, nullable=False, index=True))
