"""Evidence: how much of a question each stored sentence holds, and its paper. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from bot.domain.sentences import of_entry, stems, stems_of
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
    by_word = {each.word: each for each in words}
    counted = [by_word[word] for word in question.counted if word in by_word]
    names = list(_names(question.names, by_word))
    typed = stems_of(question.text)
    left = _READ
    for place, mention in enumerate(found):
        parts = list(_parts(mention.entry, left))
        left -= sum(min(len(part.text), _SENTENCE) for part in parts)
        paper = _paper(mention.entry, parts, words, typed)
        # What a paper speaks of again and again need not stand in each of its sentences.
        needed = [each for each in names if not each.is_often_in(parts)]
        # The name of a paper is no author, and holds no number that counts.
        name = mention.entry.title.partition(":")[0]
        for part in parts:
            if not _SHORTEST <= len(part.text) <= _LONGEST:
                continue
            around = paper.title + part.held + part.lead
            fits = (
                question.may_be_answered_by(part.text.replace(name, ""))
                and all(name.stands_in(around, paper.whole) for name in needed)
                and (
                    paper.named
                    or not counted
                    or any(word.covered_by(part.held) for word in counted)
                )
            )
            yield SentenceEvidence(
                part.text,
                mention,
                place,
                paper.named,
                fits,
                question.is_suited_by(part.text),
                *_shares(words, paper, part),
            )


@dataclass(frozen=True, slots=True)
class _Part:
    """A sentence, its stems, and those of the lead above it."""

    text: str
    held: str
    lead: str


@dataclass(frozen=True, slots=True)
class _Paper:
    """The stems of a paper's title and of all that is read of it, and the words in both.

    `spread` is how well its sentences have each word on average.
    """

    title: str
    whole: str
    named: bool
    in_title: tuple[float, ...]
    in_whole: tuple[float, ...]
    spread: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Name:
    """The ways to write a name; a rare one has to stand in the sentence or above it."""

    runs: tuple[str, ...]
    rare: bool

    def stands_in(self, around: str, whole: str) -> bool:
        """Tell whether the stems around a sentence, or those of its paper, have the name."""
        held = around if self.rare else whole
        return any(run in held for run in self.runs)

    def is_often_in(self, parts: Sequence[_Part]) -> bool:
        """Tell whether several sentences have the name."""
        return sum(any(run in part.held for run in self.runs) for part in parts) > 1


def _paper(entry: Entry, parts: Sequence[_Part], words: Sequence[WantedWord], typed: str) -> _Paper:
    title = stems_of(entry.title[:_SENTENCE])
    whole = title + "".join(part.held + part.lead for part in parts)
    return _Paper(
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
        yield _Name((*parted, joined), has_digit or max(weights) > _RARE_NAME)


def _is_named(title: str, words: Sequence[WantedWord], typed: str) -> bool:
    """Tell whether a question, by its stems, names the paper with a title.

    It has the title as it stands, the name before its colon, a short one behind it, or all words.
    """
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


def _parts(entry: Entry, left: int) -> Iterator[_Part]:
    """Yield the sentences of an entry, as many as are read, of at most so many characters."""
    for text, lead in islice(of_entry(entry), _SENTENCES):
        read = text[:_SENTENCE]
        left -= len(read)
        if left < 0:
            return
        yield _Part(text.removesuffix(";"), stems_of(read), stems_of(lead))


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
