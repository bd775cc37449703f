"""Evidence: how much of a question each stored sentence holds, and its paper. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from bot.domain.sentences import of_entry, stems, stems_of
from bot.library.claims import (
    has_size,
    has_size_of,
    is_beside_the_point,
    is_name,
    numbers,
    says_what_it_is,
    spells_out,
)
from bot.library.question_words import alike, is_light
from bot.library.questions import Question
from store.records import Entry, Mention
from store.search import Run, Term
from store.text import stem

# What is read of the papers at most: sentences of one, characters of a sentence and of all.
_SENTENCES = 80
_SENTENCE = 1_000
_READ = 100_000
_SHORTEST, _LONGEST = 20, 450  # characters of a quote

# How well a text has a word: by one that answers it, by one that begins as it does.
_ALIKE, _BEGINS = 0.7, 0.6
_SHORTEST_BEGINNING = 5  # letters of a stem
_ENDING = 2  # letters of a stem that may differ
# The same where only the lead above a sentence has it, the title, or something else in the paper.
_IN_LEAD, _IN_TITLE, _IN_PAPER = 0.9, 0.5, 0.4

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
_MOST_SPELLINGS = 16
_MOST_TYPED_SMALL = 8  # words that may be names without their capitals
_ACRONYM = re.compile(r"\s?\([^()\s]+\)$|\stechnical report$", re.IGNORECASE)  # ends a title
_PARAMETERS = stems(("parameters",))  # what a size such as 7B counts
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
class SentenceEvidence:
    """A sentence of the `place`-th paper found, as stored, and its shares of a question's words.

    `near` counts the words that it and the title have, `entire` those of the whole paper, `share`
    all of them, those elsewhere in the paper for less, `asked` the same without the name of the
    paper, and `telling` those that it has, for less the more of the paper's sentences have them. It
    `fits` if it may be the answer by its kind and has the names.
    """

    text: str
    mention: Mention
    place: int
    named: bool
    fits: bool
    suited: bool
    near: float
    entire: float
    share: float
    asked: float
    telling: float


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


def evidence(
    question: Question, words: Sequence[WantedWord], found: Sequence[Mention]
) -> Iterator[SentenceEvidence]:
    """Yield the sentences of papers that could be quoted, with what they hold of the words.

    The words weigh something together. No more is read than a fair answer takes.
    """
    counts_parameters = any(_PARAMETERS in (*word.forms, *word.others) for word in words)
    read = list(_read(found, counts_parameters=counts_parameters))
    text = "\n".join(part.text[:_SENTENCE] for _, parts in read for part in parts)
    asked = _asked(question, words, text)
    typed = stems_of(question.text)
    for place, (mention, parts) in enumerate(read):
        paper = _paper(mention.entry, parts, words, typed)
        # What a paper speaks of again and again need not stand in each of its sentences.
        needed = [each for each in asked.names if not each.is_often_in(parts)]
        quotable = [part for part in parts if _SHORTEST <= len(part.text) <= _LONGEST]
        if not asked.is_told_by(paper, parts):
            continue
        says = [asked.is_suited_by(part) for part in quotable]
        introduces = bool(question.defined) and paper.named and not any(says)
        for part, suited in zip(quotable, says, strict=True):
            yield SentenceEvidence(
                part.text,
                mention,
                place,
                paper.named,
                asked.may_be_answered_by(part, paper, needed, suited=suited),
                suited or (introduces and part is quotable[0]),
                *_shares(words, paper, part),
            )


@dataclass(frozen=True, slots=True)
class _Part:
    """A sentence, its stems, and those of the lead above it."""

    text: str
    held: str
    lead: str
    lead_text: str


@dataclass(frozen=True, slots=True)
class _Paper:
    """The stems of a paper's title and of all that is read of it, and the words in both.

    Its `name` is no author, and holds no number that counts. `spread` is how well its sentences
    have each word on average.
    """

    name: str
    title: str
    whole: str
    named: bool
    in_title: tuple[float, ...]
    in_whole: tuple[float, ...]
    spread: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Name:
    """The ways to write a name; a rare one has to stand in the sentence or above it."""

    run: Run
    runs: tuple[str, ...]
    rare: bool

    def stands_in(self, held: str) -> bool:
        """Tell whether the stems of a text have the name."""
        return any(run in held for run in self.runs)

    def is_often_in(self, parts: Sequence[_Part]) -> bool:
        """Tell whether several sentences have the name."""
        return sum(self.stands_in(part.held) for part in parts) > 1


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, its names, and the words that an answer has to have by the question's form."""

    question: Question
    names: tuple[_Name, ...]
    counted: tuple[WantedWord, ...]
    attribute: tuple[WantedWord, ...]

    def is_suited_by(self, part: _Part) -> bool:
        """Tell whether a sentence is worded as an answer."""
        if self.question.defined:
            return says_what_it_is(self.question.defined, part.text, part.lead_text)
        return self.question.is_suited_by(part.text)

    def may_be_answered_by(
        self, part: _Part, paper: _Paper, needed: Sequence[_Name], *, suited: bool
    ) -> bool:
        """Tell whether a sentence may be the answer by its form and by the names that it needs."""
        around = paper.title + part.held + part.lead
        return (
            self.question.may_be_answered_by(part.text.replace(paper.name, ""))
            and all(name.stands_in(around if name.rare else paper.whole) for name in needed)
            and all(word.covered_by(part.held + part.lead) for word in self.attribute)
            and (
                paper.named
                or self.question.compares
                or not any(self._has_in_passing(part, name) for name in self.names)
            )
            and (not self.counted or self._is_counted_in(part, paper))
            and (
                suited
                or paper.named
                or not self.question.defined
                or spells_out(self.question.defined, part.text)
            )
        )

    def is_told_by(self, paper: _Paper, parts: Sequence[_Part]) -> bool:
        """Tell whether a paper says something of what is named, if it has that at all."""
        return (
            paper.named
            or self.question.compares
            or all(
                name.stands_in(paper.title)
                or not name.stands_in(paper.whole)
                or any(
                    name.stands_in(part.held + part.lead) and not self._has_in_passing(part, name)
                    for part in parts
                )
                for name in self.names
            )
        )

    def _is_counted_in(self, part: _Part, paper: _Paper) -> bool:
        """Tell whether a sentence has a number of what is counted, a size of what is named."""
        if any(_PARAMETERS in (*word.forms, *word.others) for word in self.counted):
            return has_size(part.text) and all(
                has_size_of(name.run, part.text)
                and name.stands_in(paper.title + part.held + part.lead)
                for name in self.names
            )
        around = list(numbers(part.text, (name.run for name in self.names)))
        return any(word.covered_by(each) for each in around for word in self.counted)

    def _has_in_passing(self, part: _Part, name: _Name) -> bool:
        """Tell whether a sentence only compares what is named with something, without its size."""
        return is_beside_the_point(name.run, part.text) and not (
            has_size(part.text) and has_size_of(name.run, part.text)
        )


def _asked(question: Question, words: Sequence[WantedWord], text: str) -> _Asked:
    by_word = {each.word: each for each in words}
    return _Asked(
        question,
        (*_names(question.names, by_word), *_typed_small(question, words, text)),
        tuple(by_word[word] for word in question.counted if word in by_word),
        tuple(by_word[word] for word in question.attribute if word in by_word),
    )


def _read(
    found: Sequence[Mention], *, counts_parameters: bool
) -> Iterator[tuple[Mention, list[_Part]]]:
    left = _READ
    for mention in found:
        parts = list(_parts(mention.entry, left, counts_parameters=counts_parameters))
        left -= sum(min(len(part.text), _SENTENCE) for part in parts)
        yield mention, parts


def _paper(entry: Entry, parts: Sequence[_Part], words: Sequence[WantedWord], typed: str) -> _Paper:
    title = stems_of(entry.title[:_SENTENCE])
    whole = title + "".join(part.held + part.lead for part in parts)
    return _Paper(
        entry.title.partition(":")[0],
        title,
        whole,
        _is_named(entry.title[:_SENTENCE], words, typed),
        tuple(word.covered_by(title) for word in words),
        tuple(word.covered_by(whole) for word in words),
        tuple(
            sum(word.covered_by(part.held) for part in parts) / max(len(parts), 1) for word in words
        ),
    )


def _names(runs: Sequence[Run], by_word: Mapping[str, WantedWord]) -> Iterator[_Name]:
    for run in runs:
        weights = [by_word[word].weight if word in by_word else 0 for word in run]
        has_version = len(run) > 1 and run[-1].isdigit()
        if has_version and weights[0] < _RARE_WITH_VERSION:  # as in "train 64"
            continue
        forms = [by_word[word].forms if word in by_word else (stems((word,)),) for word in run]
        spellings = islice(product(*forms), _MOST_SPELLINGS)
        parted = (f" {' '.join(map(str.strip, spelling))} " for spelling in spellings)
        joined = f" {stems(run).replace(' ', '')} "
        has_digit = any(letter.isdigit() for word in run for letter in word)
        yield _Name(run, (*parted, joined), has_digit or max(weights) > _RARE_NAME)


def _typed_small(question: Question, words: Sequence[WantedWord], text: str) -> Iterator[_Name]:
    """Yield the names that a question has without their capitals, which a paper has to have."""
    known = {word for run in question.names for word in run}
    may_be = (
        word
        for word in words
        if not word.light and word.weight > _RARE_WITH_VERSION and word.word not in known
    )
    for word in islice(may_be, _MOST_TYPED_SMALL):
        if is_name(word.word, text):
            yield _Name((word.word,), word.forms, rare=False)


def _is_named(title: str, words: Sequence[WantedWord], typed: str) -> bool:
    """Tell whether a question, by its stems, names the paper with a title.

    It has the title as it stands, the name before its colon, a short one behind it, or all words.
    """
    title = _ACRONYM.sub("", title)
    name, _, last = title.partition(":")
    parts = [(title, _TITLE_WORD, _TITLE_WORDS), (name, _PART_OF_TITLE, _PARTS_OF_TITLE)]
    if len(last.split()) <= _LONGEST_LAST_NAME:
        parts.append((last, _PART_OF_TITLE, _PARTS_OF_TITLE))
    for part, least_of_one, least_of_several in parts:
        if bare := _without_ends(stems_of(part).split()):
            run = f" {' '.join(bare)} "
            covering = [(form, word.weight) for word in words if (form := _form_in(run, word))]
            weight = sum(weight for _, weight in covering)
            if run in typed and weight > (least_of_several if len(bare) > 1 else least_of_one):
                return True
            had = {root for form, _ in covering for root in form.split()}
            if weight > _SCATTERED_TITLE and had.issuperset(set(bare) - _SMALL):
                return True
    return False


def _form_in(run: str, word: WantedWord) -> str | None:
    return next((form for form in word.forms if form in run), None)


def _without_ends(roots: Sequence[str]) -> Sequence[str]:
    """Return the stems of a title without the small words around it."""
    kept = [place for place, root in enumerate(roots) if root not in _SMALL]
    return roots[kept[0] : kept[-1] + 1] if kept else ()


def _parts(entry: Entry, left: int, *, counts_parameters: bool) -> Iterator[_Part]:
    """Yield the sentences of an entry, as many as are read, of at most so many characters."""
    for text, lead in islice(of_entry(entry), _SENTENCES):
        read = text[:_SENTENCE]
        left -= len(read)
        if left < 0:
            return
        held = stems_of(read) + (_PARAMETERS if counts_parameters and has_size(read) else "")
        yield _Part(text.removesuffix(";"), held, stems_of(lead), lead)


def _shares(
    words: Sequence[WantedWord], paper: _Paper, part: _Part
) -> tuple[float, float, float, float, float]:
    """Return what a sentence and its paper have: near, entire, share, asked, telling."""
    total = near = entire = share = asked = asked_total = telling = 0.0
    for word, title, whole, spread in zip(
        words, paper.in_title, paper.in_whole, paper.spread, strict=True
    ):
        held = max(word.covered_by(part.held), _IN_LEAD * word.covered_by(part.lead))
        total += word.weight
        near += word.weight * max(held, title)
        entire += word.weight * whole
        share += word.weight * max(held, title, _IN_PAPER * whole)
        if not (word.light or (paper.named and title == 1)):
            asked_total += word.weight
            asked += word.weight * max(held, _IN_PAPER * whole, _IN_TITLE * title)
        telling += word.weight * held * (1 - spread)
    return (
        near / total,
        entire / total,
        share / total,
        asked / asked_total if asked_total else 1.0,
        telling / total,
    )
