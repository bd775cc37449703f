"""Lines in other languages are read by the words of one language, and English ones by none."""

from collections import Counter

import pytest

from bot.commands.plain_words.languages.reading import foreign_lines, sentences
from bot.commands.plain_words.languages.words import Language, bare, languages, table
from tests.bot.commands.plain_words.test_readings import FACTS

_OTHER_SIGNS = {"alone", "only", "time", "day", "since", "until"}
_ALSO_READ = {"greet", "thanks", "praise", "one", "ago"}


@pytest.mark.parametrize(
    "line",
    [
        "tag",
        "die hard negatives",
        "de novo protein design",
        "mixtral de novo",
        "was mamba published?",
        "papers by Yann Le Cun",
        "El Niño forecasting",
        "the latest on RAG",
        "resume",
        "plus size models",
        "mixture of experts",
        "what did i miss since june",
        "comment on 3: nice",
        "does LoRA do better on no data?",
        "naïve bayes",
        "à la carte distillation of models",
        "TEM images",
        "show nova",
        "aide to navigation",
        "Mistral and Codestral",
        "a suite of benchmarks for vision",
        "robotic papers by Noam Shazeer",
        "Pixtral, Sora and Kosmos since 2024",
    ],
)
def test_english_lines_are_no_other_language(line: str) -> None:
    """A line of English is not read by the words of another language."""
    assert not list(foreign_lines(line, FACTS))


@pytest.mark.parametrize("language", languages(), ids=lambda each: each.name)
def test_each_word_has_one_meaning(language: Language) -> None:
    """A word stands once in the file of a language."""
    tables = (table(language.name)[name].values() for name in ("signs", "english", "drop"))
    words = Counter(bare(word) for texts in tables for text in texts for word in text.split(", "))
    assert [word for word, count in words.items() if count > 1] == []


@pytest.mark.parametrize("language", languages(), ids=lambda each: each.name)
def test_each_sign_is_one_of_the_sentences(language: Language) -> None:
    """The signs of a language are those by which sentences are told."""
    asked = {sign for each in sentences() for signs in each.when for sign in signs} - _OTHER_SIGNS
    assert set(table(language.name)["signs"]) <= asked | _ALSO_READ
    assert asked <= set(table("de")["signs"])
