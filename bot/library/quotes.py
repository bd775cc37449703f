"""Quotes: the stored sentences that answer a question, word for word.

Of a paper that the question names only its own sentences count, and they have to hold what is asked
about it. Otherwise one paper has to stand out among those found. What is in doubt is not quoted.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from itertools import islice

from bot.domain.sentences import with_neighbours
from bot.library.claims import announces, measures_success
from bot.library.evidence import SentenceEvidence, evidence
from bot.library.questions import Question, QuestionKind, read_question
from bot.library.subjects import WantedWord, wanted
from store.database import Session
from store.library import mentions
from store.records import Mention
from store.search import SearchQuery, SearchResult, Term, most_weight, search
from store.search.query import STOP_WORDS

_MOST_QUOTES = 3
_PASSAGE = 400  # characters of the first quote with the sentences beside it
_CANDIDATES = 40  # entries that hold most of the words
_TITLED = 20  # entries whose titles do
_ONE_SPELLING = 0.87  # of two words alike: "behaviour" is, "conference" is not "confidence"

# Found by the questions in `tests/data/questions.toml` that are not held out.
_LEAST_LEVEL_NAMED, _LEAST_ENTIRE, _LEAST_ASKED = 0.5, 0.65, 0.35
_LEAST_LEVEL, _LEAST_WITH_LEAD, _MOST_LEAD = 0.6, 0.7, 0.15
_FEW, _LEAST_LEVEL_OF_FEW = 3, 0.72  # of so few words none may be missing
_LEAST_NEAR, _LEAST_NEAR_BESIDE_NAMED = 0.3, 0.85
_RARE_ALONE = 4_000  # the weight of a word that is enough by itself
# How far the level of a paper may be from the best: of the first that is quoted, of the others.
_AS_LIKELY, _ALSO_LIKELY = 0.03, 0.1
_LEAST_ALSO_QUOTED, _MOST_BEHIND = 0.45, 0.7  # a further quote is nearly as good as the first
_FIRST_HIT, _EARLY_HIT, _EARLY = 0.1, 0.05, 3
_IN_TITLE = 0.1  # two words of a question in a row in a title
_SUITED = 0.3
_ANNOUNCES = 0.2
# How well something does is neither how nor why it does.
_MEASURES_SUCCESS = 0.2
_TELL_HOW = frozenset({QuestionKind.MEANS, QuestionKind.REASON})
# Who made something or what it is stands in the first sentence, how or why it is so seldom does.
_OPENS = {
    QuestionKind.WHO: 0.15,
    QuestionKind.DEFINITION: 0.15,
    QuestionKind.NUMBER: 0,
    QuestionKind.ANY: 0,
}
_OPENS_OTHERS = -0.2


@dataclass(frozen=True, slots=True)
class Quotation:
    """A sentence as it is stored, the text to quote it in, and its entry."""

    sentence: str
    text: str
    mention: Mention


def find_quotes(session: Session, text: str, paper_id: int | None = None) -> tuple[Quotation, ...]:
    """Return the sentences that answer a question, best first, at most three.

    With a paper those of that paper alone, as if the question named it.
    """
    question = read_question(text)
    asks_nothing = paper_id is None and STOP_WORDS.issuperset(question.words)
    if question.is_beyond or asks_nothing:
        return ()
    query = SearchQuery(words=question.query)
    result = search(session, query, _CANDIDATES)
    if paper_id is not None:
        found = mentions.of_paper(session, paper_id)
        return choose(question, _as_typed(result), most_weight(session), found, are_named=True)
    titled = search(session, replace(query, title_only=True), _TITLED)
    entries = dict.fromkeys(hit.entry_id for hit in (*result.hits, *titled.hits))
    return choose(
        question,
        _as_typed(result),
        most_weight(session),
        mentions.of_entries(session, [*entries]),
    )


def choose(
    question: Question,
    terms: Sequence[Term],
    most: int,
    found: Sequence[Mention],
    *,
    are_named: bool = False,
) -> tuple[Quotation, ...]:
    """Choose the sentences that answer a question from the entries found, best first. Pure.

    The first is quoted with those beside it, while that is short: they often complete it.

    `most` is the weight of a term that a single entry matches; `are_named` says that these papers
    are meant, whether the question names them or not.
    """
    words = [wanted(term, most) for term in terms]
    if not words:
        return ()
    every = [
        replace(each, named=True) if are_named else each
        for each in evidence(question, words, found)
    ]
    fitting = [each for each in every if each.fits]
    passed = [each for each in fitting if each.named and _says_what_is_asked(each)]
    if question.defined:
        passed = passed or fitting
    elif not passed:
        beside_named = any(each.named for each in every)
        passed = _standing_out(words, fitting, beside_named=beside_named)
    if not passed or (question.kind is QuestionKind.REASON and _lacks_reason(question, passed)):
        return ()
    best = max(map(_level, passed))
    papers = {each.mention.entry.ref for each in passed if _level(each) >= best - _ALSO_LIKELY}
    likeliest = {each.mention.entry.ref for each in passed if _level(each) >= best - _AS_LIKELY}
    quotable = [
        each
        for each in fitting
        if each.mention.entry.ref in papers and (each in passed or each.share >= _LEAST_ALSO_QUOTED)
    ]
    ranked = sorted(quotable, key=partial(_rank, question.kind), reverse=True)
    first = next(each for each in ranked if each.mention.entry.ref in likeliest)
    ranked.insert(0, first)
    least = _rank(question.kind, first) - _MOST_BEHIND
    # A paper may say the same in two editions.
    quotes = {each.text: each.mention for each in reversed(ranked)}
    mention = quotes[first.text]
    passage = with_neighbours(mention.entry, first.text, _PASSAGE)
    others = (
        Quotation(each.text, each.text, quotes[each.text])
        for each in ranked
        if each.text not in passage and _rank(question.kind, each) >= least
    )
    return Quotation(first.text, passage, mention), *islice(dict.fromkeys(others), _MOST_QUOTES - 1)


def _as_typed(result: SearchResult) -> list[Term]:
    """Return the terms of a search; one corrected to another word is unknown instead."""
    others = {
        meant: typed
        for typed, meant in result.corrections
        if SequenceMatcher(None, typed, meant).ratio() < _ONE_SPELLING
    }
    return [
        Term((typed,), ((typed,),), 0) if (typed := others.get(term.typed[0])) else term
        for term in result.terms
    ]


def _says_what_is_asked(each: SentenceEvidence) -> bool:
    return (
        _level(each) >= _LEAST_LEVEL_NAMED
        and each.entire >= _LEAST_ENTIRE
        and each.asked >= _LEAST_ASKED
    )


def _lacks_reason(question: Question, passed: Sequence[SentenceEvidence]) -> bool:
    """Tell whether a question why is about something named of which no sentence gives a reason."""
    is_named = bool(question.names) or passed[0].named
    return is_named and not any(each.suited for each in passed)


def _standing_out(
    words: Sequence[WantedWord], fitting: Sequence[SentenceEvidence], *, beside_named: bool
) -> list[SentenceEvidence]:
    """Return the sentences of papers that are not named, if one holds nearly all or stands out.

    `beside_named` says that another paper is named, which does not answer.
    """
    heavy = [word for word in words if not word.light]
    if len(heavy) == 1 and all(word.weight < _RARE_ALONE for word in words):
        return []
    unnamed = [each for each in fitting if not each.named]
    levels: dict[int, float] = {}
    for each in unnamed:
        paper = each.mention.paper_id
        levels[paper] = max(levels.get(paper, 0), _level(each))
    best, second = sorted((*levels.values(), 0.0, 0.0), reverse=True)[:2]
    least = _LEAST_LEVEL_OF_FEW if len(heavy) <= _FEW else _LEAST_LEVEL
    if best < least or best + min(best - second, _MOST_LEAD) < _LEAST_WITH_LEAD:
        return []
    least_near = _LEAST_NEAR_BESIDE_NAMED if beside_named else _LEAST_NEAR
    return [
        each for each in unnamed if _level(each) >= best - _ALSO_LIKELY and each.near >= least_near
    ]


def _level(each: SentenceEvidence) -> float:
    """Return how likely a paper is meant; the search's first ones are more."""
    early = _EARLY_HIT if each.place < _EARLY else 0
    found = _FIRST_HIT if each.place == 0 else early
    return (each.entire + each.near) / 2 + found + (_IN_TITLE if each.titled else 0)


def _rank(kind: QuestionKind, each: SentenceEvidence) -> float:
    """Return how well a sentence answers among those of papers that are meant."""
    opens = _OPENS.get(kind, _OPENS_OTHERS) if each.opens else 0
    tells_how = kind in _TELL_HOW and measures_success(each.text)
    suited = _SUITED if each.suited and not tells_how else 0
    is_found = kind is QuestionKind.DEFINITION or not announces(each.text)
    return (
        each.share
        + each.telling
        + suited
        + opens
        - (0 if is_found else _ANNOUNCES)
        - (_MEASURES_SUCCESS if tells_how else 0)
    )
