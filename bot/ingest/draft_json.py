"""Drafts as JSON and back: the facts that a contribution stores, and their digest."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from typing import Any

from bot.domain.drafts import DocumentKind, EditionDraft, EntryDraft, YearRule
from store.records import Heading, Highlight, Link


def to_facts(draft: EditionDraft) -> str:
    """Return a draft as JSON, without line numbers, which are no fact of an edition."""
    facts = asdict(draft)
    for numbered in (facts, *facts["entries"]):
        del numbered["line"]
    return json.dumps(facts, ensure_ascii=False, separators=(",", ":"), default=date.isoformat)


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
        "entries": tuple(map(_entry, facts["entries"])),
    }
    return EditionDraft(**fields)


def digest(facts: str) -> str:
    """Return a hash of facts."""
    return hashlib.sha256(facts.encode()).hexdigest()


def _entry(facts: Mapping[str, Any]) -> EntryDraft:
    fields = {
        **facts,
        "line": 0,
        "highlights": tuple(Highlight(**highlight) for highlight in facts["highlights"]),
        "links": tuple(Link(**link) for link in facts["links"]),
    }
    return EntryDraft(**fields)
