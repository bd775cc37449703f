"""Editions, entries and hits as the JSON that other programs read (see docs/json.md).

Dates are `YYYY-MM-DD`; what is unknown is `null`; objects may gain keys.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from bot.domain.untrusted_text import escaped
from bot.library.search import Hit
from store.library.arxiv import NO_METADATA, ArxivPaper
from store.records import Edition, Entry, Mention

Told = Mapping[str, ArxivPaper]


def to_json(editions: Sequence[Edition], told: Told = NO_METADATA) -> str:
    """Write every fact of editions (newest first) as indented JSON; `told` is what arXiv says."""
    facts = editions_json(editions, entries=True, told=told)
    return written(facts)


def written(facts: Any) -> str:  # noqa: ANN401 - any JSON value
    """Write facts as indented JSON, letters of every language as they are, but for controls."""
    return escaped(json.dumps(facts, ensure_ascii=False, indent=2)) + "\n"


def editions_json(
    editions: Iterable[Edition], *, entries: bool, told: Told = NO_METADATA
) -> dict[str, Any]:
    """Return `{"editions": […]}`, with or without their entries; `told` is what arXiv says."""
    return {"editions": [_edition(edition, told, entries=entries) for edition in editions]}


def mentions_json(mentions: Iterable[Mention], told: Told = NO_METADATA) -> dict[str, Any]:
    """Return `{"entries": […]}`, each with its edition's source and first day."""
    return {"entries": [mention_json(mention.edition, mention.entry, told) for mention in mentions]}


def mention_json(edition: Edition | None, entry: Entry, told: Told = NO_METADATA) -> dict[str, Any]:
    """Return an entry with its edition's source and first day, where there is an edition."""
    return {
        "source": edition.source if edition else None,
        "first_day": edition.first_day.isoformat() if edition else None,
        **_entry(entry, told),
    }


def hits_json(query: str, corrected: str | None, hits: Sequence[Hit]) -> dict[str, Any]:
    """Return `{"query", "corrected", "hits": […]}`, best first."""
    return {"query": query, "corrected": corrected, "hits": [_hit(hit) for hit in hits]}


def _edition(edition: Edition, told: Told, *, entries: bool) -> dict[str, Any]:
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
        facts["entries"] = [_entry(entry, told) for entry in edition.entries]
    return facts


def _entry(entry: Entry, told: Told) -> dict[str, Any]:
    paper = told.get(entry.arxiv_id or "")
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
