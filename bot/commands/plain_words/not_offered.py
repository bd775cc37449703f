"""Wishes for what Broadsheet does not do, as `not_offered.toml` lists them.

Pure, once the file is loaded.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from bot.commands.plain_words.list_references import read_list_reference
from bot.commands.plain_words.phrases import PhraseForm, table_of, whole_forms

_SLOT = re.compile(r"\{(\w+)\}")
_MOST_WORDS = 20  # a longer line is a description
_SIGNS = ",.;:!?"


@dataclass(frozen=True, slots=True)
class NotOffered:
    """A wish that can't be met: why not, what there is instead, and commands that come near."""

    sentence: str
    remedy: str
    offers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Wish:
    says: tuple[PhraseForm, ...]
    only_listed: bool  # each slot has to speak of the list seen last
    answer: NotOffered

    def read(self, words: str, parts: frozenset[str]) -> NotOffered | None:
        """Return the answer where one of the forms fits cleaned words."""
        for form in self.says:
            slots = form.match(words, parts)
            if slots is None or (
                self.only_listed and not all(map(read_list_reference, slots.values()))
            ):
                continue
            return NotOffered(
                self.answer.sentence, self.answer.remedy, tuple(_filled(self.answer.offers, slots))
            )
        return None


@cache
def _wishes() -> tuple[_Wish, ...]:
    name = "not_offered.toml"
    return tuple(
        _Wish(
            whole_forms(name, wish["says"]),
            wish.get("only_listed", False),
            NotOffered(wish["sentence"], wish["remedy"], tuple(wish["offers"])),
        )
        for wish in table_of(name)["wishes"]
    )


@cache
def examples_of_wishes() -> Mapping[str, str]:
    """Return what is said of each example, by the example."""
    wishes = table_of("not_offered.toml")["wishes"]
    return {line: wish["sentence"] for wish in wishes for line in wish["examples"]}


def find_not_offered(*lines: str) -> NotOffered | None:
    """Return the answer to a wish that can't be met, by the first of several forms of its line."""
    for line in lines:
        words = line.strip()
        parts = frozenset(word.strip(_SIGNS) for word in words.lower().split())
        if len(parts) > _MOST_WORDS:
            continue
        for wish in _wishes():
            if answer := wish.read(words, parts):
                return answer
    return None


def _filled(offers: tuple[str, ...], slots: Mapping[str, str]) -> Iterator[str]:
    """Yield offers with their slots, without those whose slots speak of no list seen last."""
    for offer in offers:
        names = _SLOT.findall(offer)
        if all(read_list_reference(slots.get(name, "")) for name in names):
            yield _SLOT.sub(lambda slot: slots[slot[1]], offer)
