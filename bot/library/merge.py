"""An operator's merges and splits of papers: the papers that they name, and the outcome."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from bot.domain.paper_ids import arxiv_id_in_url, bare_arxiv_id
from bot.errors import ArgumentError, Option
from bot.library.paper_lookup import find_paper, names_entry
from bot.replies.wording import count, place
from store.database import Session
from store.identity import overrides
from store.identity.overrides import ManualOverrides, Merge
from store.imports import merge_papers
from store.imports.merge_papers import MergeResult, Outcome
from store.library import mentions
from store.records import Mention
from store.text import fold


def merge(session: Session, one: str, other: str, now: datetime) -> MergeResult:
    """Join the papers that two texts name.

    Raises:
        ArgumentError: if one of them names no paper, or several.
        UserError: if nothing is stored yet.
    """
    first, second = (_find(session, text, now) for text in (one, other))
    return merge_papers.merge(session, first, second, now)


def split(session: Session, text: str, other: str | None, now: datetime) -> MergeResult:
    """Undo the merges of the paper that a text names, or split off the entry that it names.

    With another text, the papers that both name stay separate. A merge whose papers are not stored
    is named as it is listed.

    Raises:
        ArgumentError: if it names no paper, or several; or a paper of several entries, none of
            which it names.
        UserError: if nothing is stored yet.
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
    if judged.outcome is Outcome.AMBIGUOUS:
        entries = judged.before[0]
        raise ArgumentError(
            f"{text} is in {count(len(entries), 'edition')}, and nobody merged these.",
            "Which entry is of another paper?",
            tuple(Option(each.entry.ref, _line(each)) for each in entries),
        )
    return judged


_ANSWERS = {
    Outcome.MERGED: "They are one paper from now on.",
    Outcome.ALREADY_ONE: "They are one paper already.",
    Outcome.UNMERGED: "What was merged is taken back.",
    Outcome.SPLIT: "The entry stands apart from now on.",
    Outcome.SEPARATED: "They are two papers from now on.",
    Outcome.NOT_JOINED: "It is joined with nothing.",
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


def to_json(stored: ManualOverrides) -> dict[str, object]:
    """Return all manual overrides as a JSON object."""
    return {
        "merges": [
            {"one": each.one, "other": each.other, "at": each.at.isoformat()}
            for each in stored.merges
        ],
        "splits": [{"ref": each.ref, "at": each.at.isoformat()} for each in stored.splits],
        "apart": [
            {"one": each.one, "other": each.other, "at": each.at.isoformat()}
            for each in stored.separations
        ],
    }


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
