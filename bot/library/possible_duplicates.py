"""Papers that may be one, offered to an operator: the facts of both, and what to run."""

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.replies.wording import count, place
from store.database import Session
from store.library import mentions, papers
from store.records import Mention


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


def in_lines(found: Sequence[DoubtfulPair]) -> Iterator[str]:
    """Yield lines about each pair: both papers, the doubt, and the commands to run."""
    if not found:
        yield "No papers are in doubt."
        return
    for number, each in enumerate(found, 1):
        yield f"{number:>3}. {_line(each.one)}"
        yield f"     {_line(each.other)}"
        yield f"     {_why(each)}"
        yield f"     one paper:  {each.command('merge')}"
        yield f"     two papers: {each.command('split')}"


def to_json(found: Sequence[DoubtfulPair]) -> dict[str, object]:
    """Return the pairs as a JSON object."""
    return {
        "doubtful": [
            {
                "entries": [_facts(each.one), _facts(each.other)],
                "shared_words": each.shared,
                "of_words": each.of,
                "merge": each.command("merge"),
                "split": each.command("split"),
            }
            for each in found
        ]
    }


def _line(mention: Mention) -> str:
    entry = mention.entry
    linked = entry.arxiv_id and f"arXiv {entry.arxiv_id}"
    linked = linked or (entry.doi and f"DOI {entry.doi}")
    linked = linked or next((each.url for each in entry.links), "no link")
    return f"{entry.ref}  {entry.title} ({place(mention.edition, entry)}), {linked}"


def _why(each: DoubtfulPair) -> str:
    if not each.of:
        return "One of them has no summary to go by."
    return f"Their summaries share {each.shared} of {count(each.of, 'word')}."


def _facts(mention: Mention) -> dict[str, object]:
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
