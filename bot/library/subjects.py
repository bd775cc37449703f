"""Subjects: what a question is about, by its words, its names and the papers it names. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from bot.domain.sentences import stems, stems_of
from bot.library.claims import gives_name, is_name, stands_for
from bot.library.questions import Question, alike, is_light, may_be_name
from store.search import Run, Term
from store.text import stem

# How well a text has a word: by one that answers it, by one that begins as it does.
_ALIKE, _BEGINS = 0.7, 0.6
_SHORTEST_BEGINNING = 5  # letters of a stem
_ENDING = 2  # letters of a stem that may differ
# Weights, where a word that a single paper has weighs `_MOST`. One that nothing stored has may be
# the name of a paper that is not stored, unless papers say it otherwise.
_MOST, _UNKNOWN, _SAID_OTHERWISE = 6_131, 6_500, 4_500
_LIGHT, _HEAVIEST_LIGHT = 0.25, 4_000
_RARE_NAME = 3_500  # the less rare are words such as RAG, which need not stand in the sentence
_RARE_WITH_VERSION = 2_000
# What a title weighs at least where it names its paper: one word, several; the part before its
# colon or behind it, one word, several; all of its words anywhere in the question.
_TITLE_WORD, _TITLE_WORDS = 3_500, 1_500
_PART_OF_TITLE, _PARTS_OF_TITLE = 5_000, 2_500
_SCATTERED_TITLE = 6_500
_LONGEST_LAST_NAME = 2  # words behind a colon
_SIGNS = ("+", "*")
_MOST_SPELLINGS = 16
_MOST_TYPED_SMALL = 8  # words that may be names without their capitals
_ACRONYM = re.compile(r"\s?\([^()\s]+\)$|\stechnical report$", re.IGNORECASE)  # ends a title
_SMALL = frozenset({
    "a", "an", "the", "of", "in", "for", "with", "to", "and", "on", "via", "by", "from", "is",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class WantedWord:
    """A word of a question: its forms, words that answer it, its beginning, and its weight.

    All but the word itself are stems between blanks. A `light` word says little.
    """

    word: str
    forms: tuple[str, ...]
    others: tuple[str, ...]
    beginning: str
    weight: float
    light: bool

    def covered_by(self, held: str) -> float:
        """Return how well a text has the word, from 0 to 1, by its stems."""
        if any(form in held for form in self.forms):
            return 1
        if any(other in held for other in self.others):
            return _ALIKE
        return _BEGINS if self.beginning and self.beginning in held else 0


@dataclass(frozen=True, slots=True)
class SubjectName:
    """The ways to write a name; a rare one has to stand in the sentence or above it.

    One is `known` in the field if many papers have it, and of a `single` paper if no other has it.
    """

    run: Run
    runs: tuple[str, ...]
    rare: bool
    known: bool
    single: bool

    def stands_in(self, held: str) -> bool:
        """Tell whether the stems of a text have the name."""
        return any(run in held for run in self.runs)


def wanted(term: Term, most: int) -> WantedWord:
    """Return a term of a search as a word that an answer has to have.

    `most` is the weight of a term that a single entry matches, which differs with their number.
    """
    word = term.typed[0]
    others = tuple(f" {other} " for other in alike(word))
    weight = term.weight * _MOST / most or float(_SAID_OTHERWISE if others else _UNKNOWN)
    light = is_light(word)
    if light:
        weight = _LIGHT * min(weight, _HEAVIEST_LIGHT)
    root = stem(word)
    beginning = root[: max(_SHORTEST_BEGINNING, len(root) - _ENDING)]
    begins = len(root) > _SHORTEST_BEGINNING and root.isalpha()
    return WantedWord(
        word=word,
        forms=tuple(map(stems, term.forms)),
        others=others,
        beginning=f" {beginning}" if begins else "",
        weight=weight,
        light=light,
    )


def names_of(question: Question, words: Sequence[WantedWord], text: str) -> tuple[SubjectName, ...]:
    """Return the names of a question, also those that only the texts write with a capital."""
    by_word = {each.word: each for each in words}
    return (*_typed_names(question.names, by_word), *_typed_small(question, words, text))


def named_by(
    title: str,
    opening: Sequence[str],
    question: Question,
    words: Sequence[WantedWord],
    names: Sequence[SubjectName],
) -> frozenset[str]:
    """Return the words by which a question names the paper with a title, none if it does not.

    It has the title, or a name that the title spells out or that a first sentence gives.
    """
    if titled := _titled_by(title, question, words):
        return titled
    for name in names:
        is_spelled = len(name.run) == 1 and (
            stands_for(name.run[0], title.partition(":")[0])
            or title.lower().endswith(f"({name.run[0]})")
        )
        if is_spelled or any(gives_name(name.run, sentence) for sentence in opening):
            return frozenset(name.run)
    return frozenset()


def _titled_by(title: str, question: Question, words: Sequence[WantedWord]) -> frozenset[str]:
    """Return the words by which a question has a title.

    It has it as it stands, the name before its colon, a short one behind it, or all its words.
    """
    typed, signed = question.typed, {*map(stem, question.signed)}
    title = _ACRONYM.sub("", title)
    name, _, last = title.partition(":")
    parts = [(title, _TITLE_WORD, _TITLE_WORDS), (name, _PART_OF_TITLE, _PARTS_OF_TITLE)]
    if len(last.split()) <= _LONGEST_LAST_NAME:
        parts.append((last, _PART_OF_TITLE, _PARTS_OF_TITLE))
    for part, least_of_one, least_of_several in parts:
        bare = _without_ends(stems_of(part).split())
        if bare and (not part.rstrip().endswith(_SIGNS) or bare[-1] in signed):
            # "X 2" is X, so is "X-70B", but "X 3.1" is not X 3.
            is_version = bare[-1].rstrip("bmk").isdigit() and not bare[-2:][0].isdigit()
            if is_version and f" {bare[-1]} " not in typed:
                bare = bare[:-1] or bare
            run = f" {' '.join(bare)} "
            covering = [(form, word) for word in words if (form := _form_in(run, word))]
            weight = sum(word.weight for _, word in covering)
            least = least_of_several if len(bare) > 1 else least_of_one
            had = {root for form, _ in covering for root in form.split()}
            if (run in typed and weight > least) or (
                weight > _SCATTERED_TITLE and had.issuperset(set(bare) - _SMALL)
            ):
                return frozenset(word.word for _, word in covering)
    return frozenset()


def _form_in(run: str, word: WantedWord) -> str | None:
    return next((form for form in word.forms if form in run), None)


def _without_ends(roots: Sequence[str]) -> Sequence[str]:
    """Return the stems of a title without the small words around it."""
    kept = [place for place, root in enumerate(roots) if root not in _SMALL]
    return roots[kept[0] : kept[-1] + 1] if kept else ()


def _typed_names(runs: Sequence[Run], by_word: Mapping[str, WantedWord]) -> Iterator[SubjectName]:
    for run in runs:
        if len(run) == 1 and not may_be_name(run[0]):
            continue
        weights = [by_word[word].weight if word in by_word else 0 for word in run]
        has_version = len(run) > 1 and run[-1].isdigit()
        if has_version and weights[0] < _RARE_WITH_VERSION:  # as in "train 64"
            continue
        forms = [by_word[word].forms if word in by_word else (stems((word,)),) for word in run]
        spellings = islice(product(*forms), _MOST_SPELLINGS)
        parted = (f" {' '.join(map(str.strip, spelling))} " for spelling in spellings)
        joined = f" {stems(run).replace(' ', '')} "
        has_digit = any(letter.isdigit() for word in run for letter in word)
        most = max(weights)
        known = most <= _RARE_NAME
        yield SubjectName(
            run, (*parted, joined), has_digit or not known, known, single=most >= _MOST
        )


def _typed_small(
    question: Question, words: Sequence[WantedWord], text: str
) -> Iterator[SubjectName]:
    """Yield the names that a question has without their capitals, which the texts have."""
    known = {word for run in question.names for word in run}
    may_be = (
        word
        for word in words
        if not word.light
        and word.weight > _RARE_WITH_VERSION
        and word.word not in known
        and may_be_name(word.word)
    )
    for word in islice(may_be, _MOST_TYPED_SMALL):
        if is_name(word.word, text):
            yield SubjectName(
                (word.word,),
                word.forms,
                rare=False,
                known=word.weight <= _RARE_NAME,
                single=word.weight >= _MOST,
            )
