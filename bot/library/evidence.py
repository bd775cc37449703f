"""Evidence: how much of a question each stored sentence holds, and its paper. Pure."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import islice, pairwise

from bot.domain.sentences import of_entry, stems, stems_of
from bot.library.claims import (
    families,
    has_price,
    has_size,
    has_size_of,
    is_beside_the_point,
    numbers,
    says_what_it_does,
    says_what_it_is,
    spells_out,
)
from bot.library.questions import MEASURED, Question, QuestionKind
from bot.library.subjects import SubjectName, WantedWord, named_by, names_of
from store.records import Entry, Mention
from store.search.query import STOP_WORDS

# What is read of the papers at most: sentences of one, characters of a sentence and of all.
_SENTENCES = 80
_SENTENCE = 1_000
_READ = 100_000
_OPENING = 2  # sentences that say of what a paper is
_SHORTEST, _LONGEST = 20, 450  # characters of a quote

# How well a sentence has a word that only the lead above it has, the title, or something else in
# the paper.
_IN_LEAD, _IN_TITLE, _IN_PAPER = 0.9, 0.5, 0.4

_PARAMETERS = stems(("parameters",))  # what a size such as 7B counts
_COST = stems(("cost",))  # what a sum of money is
_WHY_DID = stems(("why", "did"))
_USUAL = 3_500  # the weight of a word that papers have no need to say otherwise


@dataclass(frozen=True, slots=True)
class SentenceEvidence:
    """A sentence of the `place`-th paper found, as stored, and its shares of a question's words.

    It is `titled` if two words of the question stand in a row in the title. `near` counts the
    words that it and the title have, `entire` those of the whole paper, `share` all of them,
    those elsewhere in the paper for less, `asked` the same without the name of the paper, and
    `telling` those that it has, for less the more of the paper's sentences have them. It `fits`
    if it may be the answer by its kind and has the names, and `opens` if it is the first of
    several.
    """

    text: str
    mention: Mention
    place: int
    named: bool
    titled: bool
    opens: bool
    fits: bool
    suited: bool
    near: float
    entire: float
    share: float
    asked: float
    telling: float


def evidence(
    question: Question, words: Sequence[WantedWord], found: Sequence[Mention]
) -> Iterator[SentenceEvidence]:
    """Yield the sentences of papers that could be quoted, with what they hold of the words.

    The words weigh something together. No more is read than a fair answer takes.
    """
    asked_of = {form for word in words for form in (*word.forms, *word.others)}
    read = list(_read(found, asked_of & {_PARAMETERS, _COST}))
    text = "\n".join(part.text[:_SENTENCE] for _, parts in read for part in parts)
    asked = _asked(question, words, text)
    pairs = _pairs(question.typed)
    for place, (mention, parts) in enumerate(read):
        paper = _paper(mention.entry, parts, words, asked)
        # What a paper speaks of again and again need not stand in each of its sentences, but where
        # a number is asked for and the paper is about something else.
        needed = [
            each
            for each in asked.names
            if (asked.question.kind in MEASURED and not paper.named) or not _is_subject(each, parts)
        ]
        quotable = [
            part
            for part in parts
            if _SHORTEST <= len(part.text) <= _LONGEST and not part.text.endswith(":")
        ]
        if not asked.is_told_by(paper, parts):
            continue
        says = [asked.is_defined_by(part) for part in quotable]
        introduces = asked.is_definition and paper.named and not any(says)
        for part, defines in zip(quotable, says, strict=True):
            yield SentenceEvidence(
                part.text,
                mention,
                place,
                paper.named,
                bool(paper.pairs & pairs),
                part is quotable[0] and len(quotable) > 1,
                asked.may_be_answered_by(part, paper, needed, defines=defines),
                (introduces and part is quotable[0])
                or (defines if asked.is_definition else asked.is_suited_by(part))
                or (
                    question.kind is QuestionKind.MEANS
                    and says_what_it_does(mention.entry.title, part.text)
                ),
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
    named_by: frozenset[str]
    in_title: tuple[float, ...]
    in_whole: tuple[float, ...]
    spread: tuple[float, ...]
    pairs: frozenset[tuple[str, str]]

    @property
    def named(self) -> bool:
        """Tell whether the question names the paper."""
        return bool(self.named_by)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, its names, and the words that an answer has to have by the question's form."""

    question: Question
    names: tuple[SubjectName, ...]
    counted: tuple[WantedWord, ...]
    attribute: tuple[WantedWord, ...]
    beside: tuple[WantedWord, ...]

    @property
    def is_definition(self) -> bool:
        """Tell whether the question asks what something is, not how it works."""
        return self.question.kind is QuestionKind.DEFINITION

    def is_defined_by(self, part: _Part) -> bool:
        """Tell whether a sentence says what it is that is asked for, if it is such a question."""
        term = self.question.defined
        return bool(term) and says_what_it_is(term, part.text, part.lead_text)

    def is_suited_by(self, part: _Part) -> bool:
        """Tell whether a sentence is worded as an answer; why one did something is said of that."""
        return self.question.is_suited_by(part.text) and (
            not self.question.typed.startswith(_WHY_DID) or self._has_something_beside(part)
        )

    def may_be_answered_by(
        self, part: _Part, paper: _Paper, needed: Sequence[SubjectName], *, defines: bool
    ) -> bool:
        """Tell whether a sentence may be the answer by its form and by the names that it needs."""
        around = paper.title + part.held + part.lead
        return (
            self.question.may_be_answered_by(part.text.replace(paper.name, ""))
            and all(name.stands_in(around if name.rare else paper.whole) for name in needed)
            and self._has_attribute(part)
            and (
                paper.named
                or (self.question.compares and self._is_compared_in(part))
                or (
                    not self.question.compares
                    and not any(self._has_in_passing(part, name) for name in self.names)
                )
            )
            and (not self.counted or self._is_counted_in(part, paper))
            and (
                defines
                or paper.named
                or not self.question.defined
                or (self.question.spelled and spells_out(self.question.defined, part.text))
            )
        )

    def named_throughout(self, parts: Sequence[_Part]) -> frozenset[str]:
        """Return the words of names that a paper alone has, and speaks of again and again."""
        asked = self.question
        if asked.defined or asked.contrasts or asked.kind in MEASURED:
            return frozenset()
        names = (each for each in self.names if each.single and _is_subject(each, parts))
        return frozenset(word for name in names for word in name.run)

    def is_told_by(self, paper: _Paper, parts: Sequence[_Part]) -> bool:
        """Tell whether a paper says something of what is named, if it has that at all."""
        if paper.named:
            return self._has_object(paper)
        return self.question.compares or all(
            name.stands_in(paper.title)
            or not name.stands_in(paper.whole)
            or any(
                name.stands_in(part.held + part.lead)
                and not self._has_in_passing(part, name)
                and (name.known or _is_subject(name, parts) or self._has_something_beside(part))
                for part in parts
            )
            for name in self.names
        )

    def _has_attribute(self, part: _Part) -> bool:
        """Tell whether a sentence has each word of the attribute, and not all said otherwise."""
        covered = [word.covered_by(part.held + part.lead) for word in self.attribute]
        return all(covered) and (len(covered) <= 1 or 1 in covered)

    def _is_compared_in(self, part: _Part) -> bool:
        """Tell whether a sentence tells of both of two names that differ."""
        told = [
            name.stands_in(part.held) and not self._has_in_passing(part, name)
            for name in self.names
        ]
        return len(told) <= 1 or not self.question.contrasts or sum(told) > 1

    def _has_something_beside(self, part: _Part) -> bool:
        """Tell whether a sentence says something of what is asked beside the names."""
        return not self.beside or any(
            word.covered_by(part.held + part.lead) for word in self.beside
        )

    def _has_object(self, paper: _Paper) -> bool:
        """Tell whether a paper has the usual word that a question for yes or no ends with."""
        last = self.beside[-1:] if self.question.kind is QuestionKind.YES_OR_NO else ()
        return all(
            word.covered_by(paper.whole)
            for word in last
            if word.weight < _USUAL and word.word not in paper.named_by
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

    def _has_in_passing(self, part: _Part, name: SubjectName) -> bool:
        """Tell whether a sentence only compares what is named with something, without its size."""
        return is_beside_the_point(name.run, part.text) and not (
            has_size(part.text) and has_size_of(name.run, part.text)
        )


def _is_subject(name: SubjectName, parts: Sequence[_Part]) -> bool:
    """Tell whether the sentences of a paper speak of a name again and again."""
    return sum(name.stands_in(part.held) for part in parts) > 1


def _asked(question: Question, words: Sequence[WantedWord], text: str) -> _Asked:
    by_word = {each.word: each for each in words}
    names = names_of(question, words, text)
    named = {word for name in names for word in name.run}
    return _Asked(
        question,
        names,
        tuple(by_word[word] for word in question.counted if word in by_word),
        tuple(by_word[word] for word in question.attribute if word in by_word),
        tuple(word for word in words if not word.light and word.word not in named),
    )


def _read(
    found: Sequence[Mention], measured: AbstractSet[str]
) -> Iterator[tuple[Mention, list[_Part]]]:
    left = _READ
    for mention in found:
        parts = list(_parts(mention.entry, left, measured))
        left -= sum(min(len(part.text), _SENTENCE) for part in parts)
        yield mention, parts


def _paper(
    entry: Entry, parts: Sequence[_Part], words: Sequence[WantedWord], asked: _Asked
) -> _Paper:
    naming = named_by(
        entry.title[:_SENTENCE],
        [part.text[:_SENTENCE] for part in parts[:_OPENING]],
        asked.question,
        words,
        asked.names,
    ) or asked.named_throughout(parts)
    title = (
        stems_of(entry.title[:_SENTENCE])
        + families(entry.title[:_SENTENCE])
        + stems(sorted(naming))
    )
    whole = title + "".join(part.held + part.lead for part in parts)
    return _Paper(
        entry.title.partition(":")[0],
        title,
        whole,
        naming,
        tuple(word.covered_by(title) for word in words),
        tuple(word.covered_by(whole) for word in words),
        tuple(
            sum(word.covered_by(part.held) for part in parts) / max(len(parts), 1) for word in words
        ),
        _pairs(title),
    )


def _pairs(held: str) -> frozenset[tuple[str, str]]:
    """Return each two stems in a row that say something."""
    return frozenset(pairwise(root for root in held.split() if root not in STOP_WORDS))


def _parts(entry: Entry, left: int, measured: AbstractSet[str]) -> Iterator[_Part]:
    """Yield the sentences of an entry, as many as are read, of at most so many characters.

    A figure says what it measures, as a size does of parameters, where that is asked for.
    """
    for text, lead in islice(of_entry(entry), _SENTENCES):
        read = text[:_SENTENCE]
        left -= len(read)
        if left < 0:
            return
        held = stems_of(read) + families(read)
        held += _PARAMETERS if _PARAMETERS in measured and has_size(read) else ""
        held += _COST if _COST in measured and has_price(read) else ""
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
        if not (word.light or word.word in paper.named_by):
            asked_total += word.weight
            asked += word.weight * max(held, _IN_PAPER * whole, _IN_TITLE * title)
        telling += 0 if word.word in paper.named_by else word.weight * held * (1 - spread)
    return (
        near / total,
        entire / total,
        share / total,
        asked / asked_total if asked_total else 1.0,
        telling / total,
    )
