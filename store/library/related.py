"""Papers that are like one: those that share its telling words and its topics."""

from collections import defaultdict

from sqlmodel import Session

from store.database.statements import Reader
from store.library import mentions
from store.records import Entry, Mention
from store.search import significant
from store.search.corpus import Corpus
from store.text import tokens

# An entry's rarest words tell what it is about; those of its title count again.
_TELLING = 12
_COMPARED = 60
_FOR_TITLE = 2
_LEAST = 0.3  # less of the likest paper's likeness than this is chance
_FOR_TOPIC = 0.25  # what a topic in common adds to the likeness, as a share of it


def related_to(session: Session, mention: Mention, limit: int) -> list[Mention]:
    """Return the papers most like one, the likest first, each at its likest mention."""
    likeness = _likeness(Corpus(Reader(session.connection())), mention.entry)
    likest = sorted(likeness, key=lambda entry: (-likeness[entry], entry))[:_COMPARED]
    found = mentions.of_entries(session, likest)
    likes = [
        (likeness[entry] * _common(mention.entry, other.entry), other)
        for entry, other in zip(likest, found, strict=True)
    ]
    others = [(like, other) for like, other in likes if other.paper_id != mention.paper_id]
    least = _LEAST * max((like for like, _ in others), default=0)
    papers: dict[int, Mention] = {}
    for like, other in sorted(others, key=lambda each: -each[0]):
        if like >= least:
            papers.setdefault(other.paper_id, other)
    return list(papers.values())[:limit]


def _likeness(corpus: Corpus, entry: Entry) -> dict[int, int]:
    """Return, by database id, how much of the rarest words that others hold too entries hold."""
    title = significant(tokens(entry.title))
    leads = (highlight.lead or "" for highlight in entry.highlights)
    words = significant(tokens(" ".join([entry.title, *leads, entry.summary or ""])))
    weights = {
        word: corpus.weight(((word,),)) * (_FOR_TITLE if word in title else 1)
        for word in words
        if corpus.frequency(((word,),)) > 1 and not word.isdigit()
    }
    telling = sorted(weights, key=lambda word: (-weights[word], word))[:_TELLING]
    likeness: dict[int, int] = defaultdict(int)
    for word in telling:
        for other in corpus.holders(((word,),)):
            likeness[other] += weights[word]
    return likeness


def _common(entry: Entry, other: Entry) -> float:
    return 1 + _FOR_TOPIC * len(set(entry.topics) & set(other.topics))
