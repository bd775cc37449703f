"""Papers related to one: those that share its most distinctive words and its topics."""

from collections import defaultdict

from sqlmodel import Session

from store.library import mentions
from store.records import Entry, Mention
from store.search import significant
from store.search.corpus import Corpus
from store.text import tokens

# An entry's rarest words tell what it is about; those of its title count twice.
_WORDS = 12
_COMPARED = 60
_TITLE_FACTOR = 2
_LEAST = 0.3  # a smaller part of the best paper's score is chance
_TOPIC_BONUS = 0.25  # of a topic in common, as a part of the score


def related_to(session: Session, mention: Mention, limit: int) -> list[Mention]:
    """Return the papers most related to one, best first, each at its best mention."""
    by_words = _scores(Corpus(session), mention.entry)
    best = sorted(by_words, key=lambda entry: (-by_words[entry], entry))[:_COMPARED]
    scored = [
        (by_words[entry] * _topic_factor(mention.entry, other.entry), other)
        for entry, other in zip(best, mentions.of_entries(session, best), strict=True)
    ]
    scored = [(score, other) for score, other in scored if other.paper_id != mention.paper_id]
    least = _LEAST * max((score for score, _ in scored), default=0)
    papers: dict[int, Mention] = {}
    for score, other in sorted(scored, key=lambda pair: -pair[0]):
        if score >= least:
            papers.setdefault(other.paper_id, other)
    return list(papers.values())[:limit]


def _scores(corpus: Corpus, entry: Entry) -> dict[int, int]:
    """Return entries, by database id, with the weight of the rarest words that they share."""
    title = significant(tokens(entry.title))
    leads = (highlight.lead or "" for highlight in entry.highlights)
    words = significant(tokens(" ".join([entry.title, *leads, entry.summary or ""])))
    weights = {
        word: corpus.weight(((word,),)) * (_TITLE_FACTOR if word in title else 1)
        for word in words
        if corpus.frequency(((word,),)) > 1 and not word.isdigit()
    }
    rarest = sorted(weights, key=lambda word: (-weights[word], word))[:_WORDS]
    scores: dict[int, int] = defaultdict(int)
    for word in rarest:
        for other in corpus.matches(((word,),)):
            scores[other] += weights[word]
    return scores


def _topic_factor(entry: Entry, other: Entry) -> float:
    return 1 + _TOPIC_BONUS * len(set(entry.topics) & set(other.topics))
