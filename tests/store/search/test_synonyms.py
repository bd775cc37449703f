"""Words that a search takes for each other: the file's, and acronyms as texts explain them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search.query import STOP_WORDS
from store.search.synonyms import (
    everyday,
    everyday_lines,
    explained_acronyms,
    singular,
    stems,
    synonyms,
)
from store.text import fold


@pytest.mark.parametrize(
    ("text", "letters", "words"),
    [
        ("It scales Mixture of Experts (MoE) layers.", "moe", "mixture of expert"),
        ("By retrieval-augmented generation (RAG).", "rag", "retrieval augmented generation"),
        ("It keeps the key-value (KV) cache.", "kv", "key value"),
        ("Most large language models (LLMs) agree.", "llm", "large language model"),
        ("Trains low‑rank adapters (LoRA), cheaply.", "lora", "low rank adapter"),
        ("Finds features by sparse autoencoders (SAEs).", "sae", "sparse autoencoder"),
        ("A medal at the Olympiad in Informatics (OI).", "oi", "olympiad in informatic"),
        ("Samples from a state space model (SSM; here a small one).", "ssm", "state space model"),
        ("Built on MoE (mixture of experts).", "moe", "mixture of expert"),
        ("We call them RLMs (recursive language models).", "rlm", "recursive language model"),
    ],
)  # fmt: skip
def test_an_explained_acronym_is_learnt(text: str, letters: str, words: str) -> None:
    """Either may stand in parentheses; hyphens part words, and a plural is none."""
    assert list(explained_acronyms(text)) == [(letters, tuple(words.split()))]


@pytest.mark.parametrize(
    "text",
    [
        "It beats the older model (GPT).",
        "It works for code (and for math).",
        "Both are compared (see the appendix).",
        "A benchmark for agents (SWE) in the wild.",
        "Adaptation (A) helps.",
        "(LLM)",
        "Trained on a lot of data (Mamba).",
    ],
)
def test_what_explains_nothing_is_not_learnt(text: str) -> None:
    """No word that means something may be passed over, and a lone capital is no acronym."""
    assert list(explained_acronyms(text)) == []


@given(st.text(alphabet="ab (),;MoE-‑\n", max_size=60))
def test_any_text_may_be_read(text: str) -> None:
    """Whatever the text, what is learnt are two words or more for two letters or more."""
    for letters, words in explained_acronyms(text):
        assert len(letters) >= 2
        assert len(words) >= 2


@pytest.mark.parametrize(
    ("words", "alone"),
    [("language models", "language model"), ("loss", "loss"), ("rag", "rag"), ("llms", "llm")],
)
def test_the_singular_lacks_one_s(words: str, alone: str) -> None:
    """Only the last word changes, and one on -ss doesn't."""
    assert singular(words.split()) == tuple(alone.split())


def test_the_lines_are_in_order() -> None:
    """Both tables stand in the order of the alphabet, each word as a search folds it."""
    for table in (synonyms(), everyday_lines()):
        assert list(table) == sorted(table)
        assert all(words == fold(words) for words in table)
    terms = [*synonyms().values(), *(term for line in everyday_lines().values() for term in line)]
    assert all(term == fold(term) for term in terms)


def test_no_line_is_of_no_use() -> None:
    """No two lines share their stems, none repeats itself, and none is made of stop words."""
    assert len(everyday()) == len(everyday_lines())
    for words, terms in everyday_lines().items():
        runs = [stems(tuple(run.split())) for run in (words, *terms)]
        assert len(set(runs)) == len(runs) > 1, words
        assert not STOP_WORDS.issuperset(words.split()), words
