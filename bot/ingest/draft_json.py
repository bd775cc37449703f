"""Drafts as JSON and back: what a contribution keeps, and the digest that tells it apart."""

import hashlib
import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from bot.domain.drafts import DocumentKind, EditionDraft, EntryDraft, YearRule
from store.records import Heading, Highlight, Link


def to_facts(draft: EditionDraft) -> str:
    """Return a draft as JSON, without line numbers: they move and are no fact."""
    facts = {
        "kind": draft.kind,
        "title": draft.title,
        "first_day": draft.first_day.isoformat(),
        "last_day": draft.last_day.isoformat(),
        "year_rule": draft.year_rule,
        "published_on": draft.published_on and draft.published_on.isoformat(),
        "overview": draft.overview,
        "minutes": draft.minutes,
        "url": draft.url,
        "headings": [{"title": h.title, "tagline": h.tagline} for h in draft.headings],
        "entries": [_entry_facts(entry) for entry in draft.entries],
    }
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"))


def from_facts(text: str) -> EditionDraft:
    """Return the draft that facts were made of."""
    facts = json.loads(text)
    published_on = facts["published_on"]
    fields = {
        **facts,
        "line": 0,
        "kind": DocumentKind(facts["kind"]),
        "first_day": date.fromisoformat(facts["first_day"]),
        "last_day": date.fromisoformat(facts["last_day"]),
        "published_on": published_on and date.fromisoformat(published_on),
        "year_rule": facts["year_rule"] and YearRule(facts["year_rule"]),
        "headings": tuple(Heading(**heading) for heading in facts["headings"]),
        "entries": tuple(_entry(entry) for entry in facts["entries"]),
    }
    return EditionDraft(**fields)


def digest(facts: str) -> str:
    """Return a hash that tells one text of facts from another."""
    return hashlib.sha256(facts.encode()).hexdigest()


def _entry_facts(entry: EntryDraft) -> dict[str, Any]:
    return {
        "title": entry.title,
        "rank": entry.rank,
        "episode": entry.episode,
        "summary": entry.summary,
        "highlights": [{"lead": h.lead, "text": h.text} for h in entry.highlights],
        "heading": entry.heading,
        "section": entry.section,
        "links": [{"label": link.label, "url": link.url} for link in entry.links],
    }


def _entry(facts: Mapping[str, Any]) -> EntryDraft:
    fields = {
        **facts,
        "line": 0,
        "highlights": tuple(Highlight(**highlight) for highlight in facts["highlights"]),
        "links": tuple(Link(**link) for link in facts["links"]),
    }
    return EntryDraft(**fields)
