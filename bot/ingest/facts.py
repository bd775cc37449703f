"""Drafts as JSON and back: what a contribution keeps, and the digest that tells it apart."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import date
from typing import Any

from bot.ingest.drafts import DocumentKind, EditionDraft, EntryDraft, YearRule
from store.records import Heading, Highlight, Link


def to_facts(draft: EditionDraft) -> dict[str, Any]:
    """Return a draft as JSON values, without line numbers: they move and are no fact."""
    entries = [replace(entry, line=0) for entry in draft.entries]
    facts = asdict(replace(draft, line=0, entries=tuple(entries)))
    for field in ("first_day", "last_day", "published_on"):
        facts[field] = facts[field] and facts[field].isoformat()
    return facts


def from_facts(facts: Mapping[str, Any]) -> EditionDraft:
    """Return the draft that facts were made of."""
    published_on = facts["published_on"]
    fields = {
        **facts,
        "kind": DocumentKind(facts["kind"]),
        "first_day": date.fromisoformat(facts["first_day"]),
        "last_day": date.fromisoformat(facts["last_day"]),
        "published_on": published_on and date.fromisoformat(published_on),
        "year_rule": facts["year_rule"] and YearRule(facts["year_rule"]),
        "headings": tuple(Heading(**heading) for heading in facts["headings"]),
        "entries": tuple(_entry(entry) for entry in facts["entries"]),
    }
    return EditionDraft(**fields)


def digest(facts: Mapping[str, Any]) -> str:
    """Return a hash that equal facts share, whatever the order of their keys."""
    text = json.dumps(facts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _entry(facts: Mapping[str, Any]) -> EntryDraft:
    fields = {
        **facts,
        "highlights": tuple(Highlight(**highlight) for highlight in facts["highlights"]),
        "links": tuple(Link(**link) for link in facts["links"]),
    }
    return EntryDraft(**fields)
