"""The JSON that other programs read (see docs/json.md).

Days are `YYYY-MM-DD`, instants ISO 8601 in UTC; unknown values are `null`; objects may gain keys.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from bot.domain.schedule import WEEKDAYS
from bot.domain.untrusted_text import escaped
from bot.export.bibliography import NO_ARXIV_FACTS, ArxivFacts
from bot.library.search import Hit
from bot.replies.deliveries import post_url
from store.records import Delivery, Edition, Entry, Mention, Subscription, Workspace


def to_json(editions: Sequence[Edition], arxiv: ArxivFacts = NO_ARXIV_FACTS) -> str:
    """Write every fact of editions (newest first) as indented JSON."""
    return json_text(editions_json(editions, entries=True, arxiv=arxiv))


def json_text(value: Any) -> str:  # noqa: ANN401 - any JSON value
    """Write a value as indented JSON; letters of every language stay, controls are escaped."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


def with_next(facts: dict[str, Any], path: str | None) -> dict[str, Any]:
    """Return the facts of a page with the path of the next one; unchanged on the last."""
    return {**facts, "next": path} if path else facts


def editions_json(
    editions: Iterable[Edition], *, entries: bool, arxiv: ArxivFacts = NO_ARXIV_FACTS
) -> dict[str, Any]:
    """Return `{"editions": […]}`, with or without their entries."""
    return {"editions": [_edition(edition, arxiv, entries=entries) for edition in editions]}


def mentions_json(mentions: Iterable[Mention], arxiv: ArxivFacts) -> dict[str, Any]:
    """Return `{"entries": […]}`, each with its edition's source and first day."""
    found = [mention_json(mention.edition, mention.entry, arxiv) for mention in mentions]
    return {"entries": found}


def mention_json(edition: Edition | None, entry: Entry, arxiv: ArxivFacts) -> dict[str, Any]:
    """Return an entry with the source and first day of its edition, if it has one."""
    return {
        "source": edition.source if edition else None,
        "first_day": edition.first_day.isoformat() if edition else None,
        **_entry(entry, arxiv),
    }


def hits_json(query: str, corrected: str | None, hits: Sequence[Hit]) -> dict[str, Any]:
    """Return `{"query", "corrected", "hits": […]}`, best first."""
    return {"query": query, "corrected": corrected, "hits": list(map(_hit, hits))}


def _edition(edition: Edition, arxiv: ArxivFacts, *, entries: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "source": edition.source,
        "kind": edition.kind,
        "title": edition.title,
        "first_day": edition.first_day.isoformat(),
        "last_day": edition.last_day.isoformat(),
        "published_on": edition.published_on and edition.published_on.isoformat(),
        "year_rule": edition.year_rule,
        "overview": edition.overview,
        "minutes": edition.minutes,
        "url": edition.url,
        "headings": [asdict(heading) for heading in edition.headings],
        "sample": edition.sample,
    }
    if entries:
        facts["entries"] = [_entry(entry, arxiv) for entry in edition.entries]
    return facts


def _entry(entry: Entry, arxiv: ArxivFacts) -> dict[str, Any]:
    paper = arxiv.get(entry.arxiv_id or "")
    return {
        "ref": entry.ref,
        "rank": entry.rank,
        "episode": entry.episode,
        "title": entry.title,
        "summary": entry.summary,
        "highlights": [asdict(highlight) for highlight in entry.highlights],
        "heading": entry.heading,
        "section": entry.section,
        "topics": list(entry.topics),
        "links": [asdict(link) for link in entry.links],
        "arxiv_id": entry.arxiv_id,
        "doi": entry.doi,
        "authors": list(paper.authors) if paper else [],
        "abstract": paper.abstract if paper else None,
        "categories": list(paper.categories) if paper else [],
        "withdrawn": entry.withdrawn,
    }


def _hit(hit: Hit) -> dict[str, Any]:
    entry, edition = hit.mention.entry, hit.mention.edition
    return {
        "ref": entry.ref,
        "title": entry.title,
        "arxiv_id": entry.arxiv_id,
        "source": edition.source,
        "first_day": edition.first_day.isoformat(),
        "rank": entry.rank,
        "episode": entry.episode,
        "score": round(hit.score, 6),
        "snippet": hit.snippet,
        "withdrawn": entry.withdrawn,
    }


def subscription_json(subscription: Subscription) -> dict[str, Any]:
    """Return a subscription; `patience` is in seconds."""
    workspace = subscription.channel.workspace
    return {
        "id": subscription.id,
        "platform": workspace.platform,
        "workspace": _workspace_id(workspace),
        "channel": subscription.channel.external_id,
        "channel_name": subscription.facts.name,
        "owner": subscription.owner,
        "personal": subscription.personal,
        "state": subscription.state.value,
        "day": WEEKDAYS[subscription.weekday],
        "time": f"{subscription.local_time:%H:%M}",
        "zone": subscription.zone,
        "sources": list(subscription.sources),
        "topics": list(subscription.topics),
        "not_topics": list(subscription.not_topics),
        "size": subscription.size,
        "layout": subscription.layout.value,
        "patience": int(subscription.patience.total_seconds()),
        "paused_until": _instant(subscription.paused_until),
        "next_due_at": _instant(subscription.next_due_at),
        "missed_at": _instant(subscription.missed_at),
        "refusal": asdict(subscription.refusal) if subscription.refusal else None,
    }


def delivery_json(delivery: Delivery) -> dict[str, Any]:
    """Return a delivery, with its messages as `parts`."""
    workspace = delivery.channel.workspace
    parts = [
        {"key": p.key, "message": p.message, "state": p.state.value, "url": p.url or None}
        for p in delivery.parts
    ]
    return {
        "id": delivery.id,
        "kind": delivery.kind.value,
        "subscription": delivery.subscription_id,
        "platform": workspace.platform,
        "workspace": _workspace_id(workspace),
        "channel": delivery.channel.external_id,
        "source": delivery.source,
        "first_day": delivery.first_day.isoformat() if delivery.first_day else None,
        "state": delivery.state.value,
        "attempts": delivery.attempts,
        "next_try_at": _instant(delivery.waits_until),
        "parts": parts,
        "due_at": _instant(delivery.due_at),
        "sent_at": _instant(delivery.sent_at),
        "error": delivery.error,
        "url": post_url(delivery),
    }


def _workspace_id(workspace: Workspace) -> str | None:
    """Return the platform's id of a workspace, `None` for direct messages that are of none."""
    return None if workspace.is_personal else workspace.external_id


def _instant(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat() if at else None
