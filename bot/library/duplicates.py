"""Duplicate papers: an operator's merges and splits of them, and the pairs that are in doubt."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain.paper_ids import arxiv_id_in_url, bare_arxiv_id
from bot.errors import ArgumentError, Option
from bot.library.paper_lookup import find_paper, names_entry
from bot.replies.wording import count, place
from store.database import Session
from store.identity import overrides
from store.identity.overrides import ManualOverrides, Merge, Separation
from store.imports import merge_papers
from store.imports.merge_papers import MergeOutcome, MergeResult
from store.library import mentions, papers
from store.records import Mention
from store.text import fold


def merge(session: Session, one: str, other: str, now: datetime) -> MergeResult:
    """Join the papers that two texts name; raises as `find_paper`."""
    first, second = (_find(session, text, now) for text in (one, other))
    return merge_papers.merge(session, first, second, now)


def split(session: Session, text: str, other: str | None, now: datetime) -> MergeResult:
    """Undo the merges of the paper that a text names, or split off the entry that it names.

    With another text, the papers that both name stay separate. A merge whose papers are not stored
    is named as it is listed.

    Raises:
        UserError: as `find_paper`, and for a paper of several entries, none of which it names.
    """
    if other is not None:
        return merge_papers.separate(
            session, _find(session, text, now), _find(session, other, now), now
        )
    try:
        found = _find(session, text, now)
    except ArgumentError:
        waiting = [each for each in overrides.read(session).merges if _is_listed(each, text)]
        if not waiting:
            raise
        return merge_papers.undo_merges(session, waiting)
    judged = merge_papers.split(session, found, now, is_entry=names_entry(text))
    if judged.outcome is MergeOutcome.AMBIGUOUS:
        entries = judged.before[0]
        raise ArgumentError(
            f"{text} is in {count(len(entries), 'edition')}, and nobody merged these.",
            "Which entry is of another paper?",
            tuple(Option(each.entry.ref, _line(each)) for each in entries),
        )
    return judged


_ANSWERS = {
    MergeOutcome.MERGED: "They are one paper from now on.",
    MergeOutcome.ALREADY_ONE: "They are one paper already.",
    MergeOutcome.UNMERGED: "The merge was removed.",
    MergeOutcome.SPLIT: "The entry is a paper of its own from now on.",
    MergeOutcome.SEPARATED: "They are two papers from now on.",
    MergeOutcome.NOT_JOINED: "It is joined with nothing.",
}


def answer(judged: MergeResult) -> Iterator[str]:
    """Yield lines about the outcome: the entries of each paper, before and now."""
    yield _ANSWERS[judged.outcome]
    if judged.touched:
        yield "Before:"
        yield from _listed(judged.before)
        yield "Now:"
    yield from _listed(judged.after)


def in_words(name: str) -> str:
    """Word the identifier of a paper in a manual override."""
    kind, _, rest = name.partition(":")
    if kind == "title":
        year, _, title = rest.partition(":")
        return f"“{title}” ({year})"
    return {"arxiv": f"arXiv {rest}", "doi": f"DOI {rest}"}.get(kind, rest)


def _is_listed(merge: Merge, text: str) -> bool:
    """Tell whether a text is an identifier of a merge, in words or as in JSON."""
    names = merge.one, merge.other
    return text in names or fold(text) in {fold(in_words(name)) for name in names}


def overrides_json(stored: ManualOverrides) -> dict[str, object]:
    """Return all manual overrides as a JSON object."""
    return {
        "merges": [_pair_json(each) for each in stored.merges],
        "splits": [{"ref": each.ref, "at": each.at.isoformat()} for each in stored.splits],
        "apart": [_pair_json(each) for each in stored.separations],
    }


def _pair_json(pair: Merge | Separation) -> dict[str, str]:
    return {"one": pair.one, "other": pair.other, "at": pair.at.isoformat()}


def _find(session: Session, text: str, now: datetime) -> Mention:
    """Find the mention that a text names; of a merged paper, the one with the named arXiv id."""
    found = find_paper(session, text, now.date())
    arxiv = arxiv_id_in_url(text) or bare_arxiv_id(text)
    mentioned = mentions.of_paper(session, found.paper_id) if arxiv else []
    return next((each for each in mentioned if each.entry.arxiv_id == arxiv), found)


def _listed(papers: Sequence[Sequence[Mention]]) -> Iterator[str]:
    for number, paper in enumerate(papers, 1):
        for position, each in enumerate(paper):
            label = f"{number}." if position == 0 else ""
            yield f"{label:>4} {each.entry.ref}  {_line(each)}"


def _line(mention: Mention) -> str:
    return f"{mention.entry.title} ({place(mention.edition, mention.entry)})"


@dataclass(frozen=True, slots=True)
class DoubtfulPair:
    """Two mentions that may be of one paper, and how many words their summaries share."""

    one: Mention
    other: Mention
    shared: int
    of: int

    def command(self, verb: str) -> str:
        """Return what to type in a shell to say that they are one (`merge`) or two (`split`)."""
        refs = (each.entry.ref for each in (self.one, self.other))
        return shlex.join(["broadsheet", "papers", verb, *refs])


def doubtful(session: Session) -> list[DoubtfulPair]:
    """Return the undecided pairs, newest first."""
    found = papers.doubtful(session)
    entries = [entry.entry for each in found for entry in (each.one, each.other)]
    mentioned = iter(mentions.of_entries(session, entries))
    return [DoubtfulPair(next(mentioned), next(mentioned), each.shared, each.of) for each in found]


def pair_lines(found: Sequence[DoubtfulPair]) -> Iterator[str]:
    """Yield lines about each pair: both papers, the doubt, and the commands to run."""
    if not found:
        yield "No papers are in doubt."
        return
    for number, each in enumerate(found, 1):
        why = f"Their summaries share {each.shared} of {count(each.of, 'word')}."
        yield f"{number:>3}. {_linked_line(each.one)}"
        yield f"     {_linked_line(each.other)}"
        yield f"     {why if each.of else 'One of them has no summary to go by.'}"
        yield f"     one paper:  {each.command('merge')}"
        yield f"     two papers: {each.command('split')}"


def pairs_json(found: Sequence[DoubtfulPair]) -> dict[str, object]:
    """Return the pairs as a JSON object."""
    return {
        "doubtful": [
            {
                "entries": [_entry_json(each.one), _entry_json(each.other)],
                "shared_words": each.shared,
                "of_words": each.of,
                "merge": each.command("merge"),
                "split": each.command("split"),
            }
            for each in found
        ]
    }


def _linked_line(mention: Mention) -> str:
    entry = mention.entry
    linked = entry.arxiv_id and f"arXiv {entry.arxiv_id}"
    linked = linked or (entry.doi and f"DOI {entry.doi}")
    linked = linked or next((each.url for each in entry.links), "no link")
    return f"{entry.ref}  {_line(mention)}, {linked}"


def _entry_json(mention: Mention) -> dict[str, object]:
    entry = mention.entry
    return {
        "ref": entry.ref,
        "title": entry.title,
        "source": mention.edition.source,
        "first_day": mention.edition.first_day.isoformat(),
        "arxiv_id": entry.arxiv_id,
        "doi": entry.doi,
        "links": [{"label": each.label, "url": each.url} for each in entry.links],
        "summary": entry.summary,
    }
