"""The decision on an edition: its content, computed from the contributions to it. All pure.

The contribution of each kind of document is stored by itself, so that the order of imports never
matters and a corrected document replaces only its own words.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date

from pydantic import TypeAdapter

from bot.domain import paper_ids
from bot.domain.drafts import DocumentKind, EditionDraft, EntryDraft, Note, YearRule
from bot.domain.topics import tag
from bot.domain.week_years import latest_start
from bot.ingest.replacement import find_replacement
from bot.replies.wording import days
from store.records import Contribution, Edition, EditionChange, Entry, Link, StoredEdition
from store.text import title_key

# The order of kinds where two of them have equally long texts.
_KIND_ORDER = tuple(DocumentKind)
_YEAR_ORDER = (
    YearRule.OPTION,
    None,
    YearRule.HEADING,
    YearRule.INDEX,
    YearRule.FEED,
    YearRule.DOCUMENT,
    YearRule.WEEKDAY,
)
_EDITION_KINDS = {
    DocumentKind.NEWSLETTER: "newsletter",
    DocumentKind.ARCHIVE: "newsletter",
    DocumentKind.FEED: "newsletter",
    DocumentKind.REVIEW: "review",
    DocumentKind.HF_DAILY: "hf-daily",
    DocumentKind.LIST: "list",
}
# In editions of this kind a rank changes with every vote.
_RANKED_BY_VOTES = _EDITION_KINDS[DocumentKind.HF_DAILY]
# Their entries come and go as people please.
_FREE_KINDS = frozenset({DocumentKind.HF_DAILY, DocumentKind.LIST})
# The outcome of an edition of which most papers would be other ones.
REFUSED = "refused"


_DRAFT = TypeAdapter(EditionDraft)


@dataclass(frozen=True, slots=True)
class Counts:
    """The numbers of an edition's entries, by what becomes of them."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0


@dataclass(frozen=True, slots=True)
class EditionDecision:
    """The decision on one edition; `change` is `None` where there is nothing to write.

    `outcome` is `new`, `changed`, `unchanged` or `refused`, of the edition as readers see it; the
    last of `warnings` states why one was refused. One that `is_final` no option can overrule.
    """

    outcome: str
    change: EditionChange | None
    entries: Counts
    warnings: tuple[Note, ...] = ()
    is_final: bool = False


def contribute(draft: EditionDraft, *, sample: bool) -> Contribution:
    """Return what a draft contributes to its edition.

    Its facts are the draft as JSON, without line numbers, which are no fact of an edition.
    """
    fields = asdict(draft)
    for numbered in (fields, *fields["entries"]):
        del numbered["line"]
    facts = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), default=date.isoformat)
    digest = hashlib.sha256(facts.encode()).hexdigest()
    return Contribution(draft.kind.value, digest, sample, facts)


def draft_of(contribution: Contribution) -> EditionDraft:
    """Return the draft that a contribution was made of."""
    return draft_from(contribution.facts)


def draft_from(facts: str) -> EditionDraft:
    """Return the draft that the facts of a contribution were made of."""
    fields = json.loads(facts)
    for numbered in (fields, *fields["entries"]):
        numbered["line"] = 0
    return _DRAFT.validate_python(fields)


def decide(
    source: str, draft: EditionDraft, contribution: Contribution, stored: StoredEdition | None
) -> EditionDecision:
    """Decide what a draft and its contribution change about an edition."""
    before = {other.kind: other for other in stored.contributions} if stored else {}
    same = before.pop(contribution.kind, None)
    others = list(before.values())
    edition, warnings = compute(source, [draft, *map(draft_of, others)])
    only_samples = contribution.sample and all(other.sample for other in others)
    edition = replace(edition, sample=only_samples)
    known = stored.edition if stored else None
    change = _compare(edition, known, contribution)
    new, changed, removed = len(change.new), len(change.changed), len(change.removed)
    entries = Counts(new, changed, len(edition.entries) - new - changed, removed)
    if change.differs or new or changed or removed:
        return EditionDecision("changed" if known else "new", change, entries, warnings)
    is_same = same and (same.digest, same.sample) == (contribution.digest, contribution.sample)
    return EditionDecision("unchanged", None if is_same else change, entries, warnings)


def refuse(
    source: str, draft: EditionDraft, contribution: Contribution, stored: StoredEdition | None
) -> EditionDecision | None:
    """Refuse a draft that replaces most papers of the one that its kind contributed before.

    Lists ranked by votes are never refused, since they change with every vote, and neither are a
    team's own.
    """
    if stored is None or draft.kind in _FREE_KINDS:
        return None
    same_kind = (other for other in stored.contributions if other.kind == contribution.kind)
    before = next(same_kind, None)
    if before is None or before.digest == contribution.digest:
        return None
    known = draft_of(before)
    found = find_replacement(known.entries, draft.entries)
    if found is None:
        return None
    sentence = (
        f"{draft.title!r} has other papers than {known.title!r}, which is stored as"
        f" {source}, {days(known.first_day, known.last_day)}, and would put them in the place of"
        f" {found.gone} of its {found.total}, such as {found.new!r} in that of"
        f" {found.stored!r}; the stored week was left"
    )
    entries = Counts(unchanged=len(stored.edition.entries))
    return EditionDecision(REFUSED, None, entries, (Note(draft.line, sentence),))


def refuse_ahead(draft: EditionDraft, today: date) -> EditionDecision | None:
    """Refuse a draft whose week begins more than a week after its publication, else after today."""
    latest = latest_start(today, draft.published_on)
    if draft.first_day <= latest:
        return None
    sentence = (
        f"line {draft.line} gives {days(draft.first_day, draft.last_day)} to {draft.title!r}, a"
        f" week that lies ahead: it would begin after {latest:%Y-%m-%d}"
    )
    return EditionDecision(REFUSED, None, Counts(), (Note(draft.line, sentence),), is_final=True)


def compute(source: str, drafts: Sequence[EditionDraft]) -> tuple[Edition, tuple[Note, ...]]:
    """Compute an edition from at least one draft of it, each of another kind.

    Entries are paired by rank or episode. The text is that of the kind with more highlights, then
    more words; links are united. Titles that differ are a warning.
    """
    drafts = sorted(drafts, key=lambda draft: _KIND_ORDER.index(draft.kind))
    dated = min(drafts, key=lambda draft: _YEAR_ORDER.index(draft.year_rule))
    warnings: list[Note] = []
    paired = _paired(drafts)
    entries = [
        _entry(source, dated.first_day, position, _unite(same, warnings))
        for position, same in enumerate(paired)
    ]
    lines = [max(entry.line for entry in same) for same in paired]
    entries = _without_borrowed_ids(entries, lines, warnings)
    kind = _EDITION_KINDS[drafts[0].kind]
    if kind == _RANKED_BY_VOTES:
        # The paper's id names an entry: its ref stays when its rank changes.
        entries = [replace(entry, ref=entry.arxiv_id or entry.ref) for entry in entries]
    edition = Edition(
        source=source,
        kind=kind,
        title=drafts[0].title,
        first_day=dated.first_day,
        last_day=dated.last_day,
        published_on=next((d.published_on for d in drafts if d.published_on), None),
        year_rule=dated.year_rule and dated.year_rule.value,
        overview=next((d.overview for d in drafts if d.overview), None),
        minutes=next((d.minutes for d in drafts if d.minutes), None),
        url=next((d.url for d in drafts if d.url), None),
        headings=next((d.headings for d in drafts if d.headings), ()),
        entries=tuple(entries),
    )
    return edition, tuple(warnings)


def is_truncation(draft: EditionDraft, stored: Contribution) -> bool:
    """Tell whether a draft has the first of the stored entries unchanged, and no others.

    Such a document has nothing new and was most likely cut off: importing it would remove entries.
    A list ranked by votes is never one: it gets shorter whenever the site removes its last paper,
    and JSON that was cut off can't be read at all. Nor is a team's own, which may lose rows.
    """
    if draft.kind in _FREE_KINDS:
        return False
    before = draft_of(stored).entries
    entries = tuple(replace(entry, line=0) for entry in draft.entries)
    return len(entries) < len(before) and entries == before[: len(entries)]


def _paired(drafts: Sequence[EditionDraft]) -> list[list[EntryDraft]]:
    """Group the drafts' entries by rank or episode, ranks in order, else as first seen."""
    groups: dict[int | str, list[EntryDraft]] = {}
    for draft in drafts:
        for entry in draft.entries:
            groups.setdefault(entry.episode or entry.rank or 0, []).append(entry)
    keys = list(groups)
    ranks = [key for key in keys if isinstance(key, int)]
    return [groups[key] for key in (sorted(ranks) if len(ranks) == len(keys) else keys)]


def _unite(entries: Sequence[EntryDraft], warnings: list[Note]) -> EntryDraft:
    if len(entries) == 1:
        return entries[0]
    text = max(entries, key=lambda entry: (len(entry.highlights), _words(entry)))
    for other in entries:
        if title_key(other.title) != title_key(text.title):
            sentence = f"two titles for number {text.rank}: {text.title!r} and {other.title!r}"
            warnings.append(Note(max(entry.line for entry in entries), sentence))
    links: list[Link] = []
    for entry in entries:
        known = {link.url for link in links}
        links += (link for link in entry.links if link.url not in known)
    return replace(
        text,
        heading=next((entry.heading for entry in entries if entry.heading), None),
        section=next((entry.section for entry in entries if entry.section), None),
        links=tuple(links),
    )


def _words(entry: EntryDraft) -> int:
    texts = [entry.summary or "", *(f"{h.lead or ''} {h.text}" for h in entry.highlights)]
    return sum(len(text.split()) for text in texts)


def _entry(source: str, first_day: date, position: int, entry: EntryDraft) -> Entry:
    return Entry(
        ref=paper_ids.entry_ref(source, first_day, entry),
        # A rank is a place by itself: a removed entry must not move the others.
        position=position if entry.rank is None else entry.rank - 1,
        rank=entry.rank,
        episode=entry.episode,
        title=entry.title,
        summary=entry.summary,
        highlights=entry.highlights,
        heading=entry.heading,
        section=entry.section,
        links=entry.links,
        arxiv_id=paper_ids.arxiv_id(entry.links),
        doi=paper_ids.doi(entry.links),
        topics=tuple(found.topic for found in tag(entry)),
    )


def _without_borrowed_ids(
    entries: Sequence[Entry], lines: Sequence[int], warnings: list[Note]
) -> list[Entry]:
    """Remove an arXiv id from all but the first entry that has it.

    An edition features a paper once, so that the second entry has the link of another.
    """
    owners: dict[str, Entry] = {}
    kept = []
    for entry, line in zip(entries, lines, strict=True):
        owner = owners.setdefault(entry.arxiv_id, entry) if entry.arxiv_id else entry
        if owner is entry:
            kept.append(entry)
        else:
            sentence = f"{entry.title!r} carries the link of {owner.title!r}, {entry.arxiv_id}"
            warnings.append(Note(line, sentence))
            kept.append(replace(entry, arxiv_id=None))
    return kept


def _compare(edition: Edition, stored: Edition | None, contribution: Contribution) -> EditionChange:
    before = {entry.ref: entry for entry in stored.entries} if stored else {}
    after = {entry.ref: entry for entry in edition.entries}
    new = after.keys() - before.keys()
    changed = {ref for ref in after.keys() & before.keys() if after[ref] != before[ref]}
    return EditionChange(
        edition=edition,
        contribution=contribution,
        new=frozenset(new),
        changed=frozenset(changed),
        removed=frozenset(before.keys() - after.keys()),
        differs=stored is None or replace(stored, entries=()) != replace(edition, entries=()),
    )
