"""Tagging: which topics an entry has, and which words say so."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.drafts import EntryDraft
from bot.domain.topics import Tag, all_topics, tag
from bot.ingest.decide import compute
from store.records import Highlight
from store.text import fold
from tests.bot.ingest.drafts import edition, entry

_PLAIN = [
    ("agents", "Errands", "An agent books trains and hotels in a browser, with many steps a trip."),
    ("multi-agent", "A parliament", "Multiple agents debate until all of them agree."),
    ("tool-use", "The right lever", "Function calling that picks among a thousand functions."),
    ("memory", "Yesterday", "A long term memory that survives the end of a talk."),
    ("reasoning", "Second thoughts", "Chain of thought that goes back when it was wrong."),
    ("math", "Chalk", "An olympiad of proofs, each one checked line by line."),
    ("code", "Mending", "Program repair: the bug is found first and patched after that."),
    ("retrieval", "The librarian", "A retriever that learns from what its reader left out."),
    ("long-context", "A whole shelf", "Reads a million tokens and answers about the first page."),
    ("architectures", "Other wiring", "A state space model with two scans in place of one."),
    ("mixture-of-experts", "Many hands", "A mixture of experts that shares half of its layers."),
    ("inference", "In a hurry", "Speculative decoding with a draft model of one layer."),
    ("compression", "Packed", "Quantization to three bits without a second round of training."),
    ("pretraining", "From nothing", "Scaling laws for corpora that repeat."),
    ("fine-tuning", "The last mile", "LoRA with ranks that differ from layer to layer."),
    (
        "reinforcement-learning",
        "Carrots",
        "Policy optimization with rewards that anyone can check.",
    ),
    ("alignment", "What people want", "Human feedback and whose values it stands for."),
    ("safety", "Locked doors", "A jailbreak that hides in a poem, and a guardrail against it."),
    ("interpretability", "Under the lid", "Sparse autoencoders find a circuit for rhymes."),
    ("evaluation", "School reports", "A benchmark that writes new questions every month."),
    ("factuality", "Says who", "Hallucination falls when every claim needs a citation."),
    ("prompting", "Asking well", "Prompt engineering without an engineer."),
    (
        "data",
        "The larder",
        "Data curation: what to keep of a crawl, and synthetic data for the rest.",
    ),
    ("multimodal", "Eyes and words", "A vision language model that points at what it means."),
    ("vision", "Outlines", "Object detection and segmentation with a single head."),
    ("image-generation", "The easel", "Text to image with inpainting by strokes of a brush."),
    ("video", "Moving", "Text to video that keeps faces the same for a minute."),
    ("audio", "Listen", "Speech recognition for whispers, and music from humming."),
    ("3d", "All around", "Gaussian splatting of rooms, with novel views of every corner."),
    ("robotics", "Hands", "A robot that folds towels, and a humanoid that carries them."),
    ("simulation", "Toy towns", "A world model that learned from one game."),
    ("science", "The bench", "Protein design, and molecules nobody has made yet."),
    ("medicine", "The ward", "Clinical notes of patients, read for signs of a disease."),
    ("multilingual", "Babel", "Machine translation for low resource languages."),
    ("applications", "At the office", "Legal and financial questions, put by those who pay."),
    (
        "surveys",
        "The field at a glance",
        "A survey of ten years, with an overview of what is open.",
    ),
]


def _topics(title: str, summary: str | None = None, **fields: object) -> tuple[str, ...]:
    return tuple(found.topic for found in tag(entry(1, title, summary, **fields)))


def test_each_topic_has_its_plain_entry() -> None:
    """The plain entries below name the topics of the file, each once and in its order."""
    assert [slug for slug, _, _ in _PLAIN] == [topic.slug for topic in all_topics()]


@pytest.mark.parametrize(("slug", "title", "summary"), _PLAIN)
def test_a_plain_entry_has_its_topic_first(slug: str, title: str, summary: str) -> None:
    """An entry that is plainly about one topic has it, and before all others."""
    assert _topics(title, summary)[0] == slug


@pytest.mark.parametrize(
    "summary",
    [
        "The work draws attention to a gap and pays attention to a detail of the transformer.",
        "A contrast agent, and a single agent against rust.",
        "Trains with less GPU memory, since a smaller memory footprint was the aim.",
        "All source code released, code and data too, and the training code is on a server.",
        "A power law and a physical law, as they are seen in society.",
        "An inductive bias, a length bias and a position bias of the same origin.",
        "A game theoretic view, in which game theory meets a zero sum game.",
        "A poll on free speech, where no part of speech is a speech act.",
        "Causal inference and variational inference, serving as a pair.",
    ],
)
def test_words_that_mean_something_else_do_not_count(summary: str) -> None:
    """A word inside a phrase that the topic lists under `not` says nothing."""
    assert _topics("Odds and ends", summary) == ()


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("RAG for the rest of us", "retrieval"),
        ("An MoE on a shoestring", "mixture-of-experts"),
        ("RLHF, revisited", "alignment"),
        ("GRPO without groups", "reinforcement-learning"),
        ("What SAEs miss", "interpretability"),
        ("OCR of old maps", "vision"),
        ("A VLM in every phone", "multimodal"),
        ("TTS that breathes", "audio"),
        ("Faster NeRFs", "3d"),
        ("PEFT by halves", "fine-tuning"),
        ("SSMs at length", "architectures"),
        ("MCP in practice", "tool-use"),
    ],
)
def test_an_acronym_in_a_title_suffices(title: str, slug: str) -> None:
    """An acronym that stands for a topic gives it, alone or in the plural."""
    assert slug in _topics(title)


@pytest.mark.parametrize(
    "spelling",
    ["Long-context", "long context", "long\u2011context", "LONG\u2013CONTEXT", "löng cóntext"],
)
def test_spellings_of_one_phrase_are_the_same(spelling: str) -> None:
    """Capitals, accents and the sign between two words make no difference."""
    assert tag(entry(1, f"{spelling} reading")) == (Tag("long-context", ("long context",)),)


@pytest.mark.parametrize("title", ["One adapter", "Two adapters"])
def test_the_plural_is_found_too(title: str) -> None:
    """A phrase is listed in the singular and found in both numbers."""
    assert tag(entry(1, title)) == (Tag("fine-tuning", ("adapter",)),)


def test_a_plural_may_have_a_rule_of_its_own() -> None:
    """A paper with a benchmark is an evaluation; one that ran on benchmarks need not be."""
    assert _topics("Birds", "A benchmark of calls.") == ("evaluation",)
    assert _topics("Birds", "Ahead on all benchmarks of calls.") == ()


@pytest.mark.parametrize("title", ["BirdAgent", "BirdRAG", "RAGBird", "PolyBench"])
def test_a_joined_name_is_read_in_parts(title: str) -> None:
    """What a made-up name is joined of counts as if it were written apart."""
    apart = title.replace("Agent", " Agent").replace("RAG", " RAG ").replace("Bench", " Bench")
    assert _topics(title, "Evaluation of birds.") == _topics(apart, "Evaluation of birds.")


def test_the_place_of_a_strong_word_decides() -> None:
    """A strong phrase suffices in a title, heading or opening, not farther back or in a bullet."""
    aside = "Watchmakers, " * 30
    assert _topics("A watermark") == ("safety",)
    assert _topics("A week", heading="Watermarks") == ("safety",)
    assert _topics("A week", "A watermark for watches.") == ("safety",)
    assert _topics("A week", f"{aside} and a watermark.") == ()
    assert _topics("A week", highlights=["A watermark for watches."]) == ()


def test_a_weak_word_needs_company() -> None:
    """A weak phrase suffices in a heading only; elsewhere it takes another one."""
    assert _topics("Adoption", "It is slow.") == ()
    assert _topics("Growth", "It is slow.", heading="Adoption") == ("applications",)
    assert _topics("Adoption", "It is slow in the workplace.") == ("applications",)
    assert _topics("Growth", "Slow adoption in the workplace.") == ("applications",)


def test_highlights_add_up() -> None:
    """Where a title and a summary are silent, five strong phrases in the bullets give a topic."""
    told = ["A jailbreak.", "A backdoor.", "Privacy.", "Phishing.", "A watermark."]
    assert _topics("A week", "Of five days.", highlights=told) == ("safety",)
    assert _topics("A week", "Of five days.", highlights=told[1:]) == ()


def test_a_repeated_word_counts_once() -> None:
    """A bullet's word gains nothing by being said again."""
    assert _topics("A week", highlights=["A jailbreak, a jailbreak."] * 20) == ()


def test_an_entry_full_of_one_topic_asks_more_of_the_others() -> None:
    """What would suffice in a silent entry is a mention in one that says much about its topic."""
    much = "Robots, humanoids and drones, in locomotion and grasping, with a song."
    assert _topics("A week", "A podcast with a song.") == ("audio",)
    assert _topics("A robot", much) == ("robotics",)


def test_the_longest_phrase_uses_its_words_up() -> None:
    """Of phrases that start at one word the longest counts, and none inside it."""
    assert tag(entry(1, "Chain of thought")) == (Tag("reasoning", ("chain of thought",)),)


def test_one_phrase_may_speak_for_several_topics() -> None:
    """A phrase that two topics list gives both, in the order of the file."""
    assert _topics("RLHF") == ("reinforcement-learning", "alignment")


def test_topics_stand_strongest_first_and_equals_in_file_order() -> None:
    """More points come first; where two have the same, the order of the file decides."""
    assert _topics("A watermark", "A podcast.") == ("safety", "audio")
    assert _topics("A podcast", "A watermark.") == ("audio", "safety")
    assert _topics("A podcast with a watermark") == ("safety", "audio")


def test_an_entry_has_five_topics_at_most() -> None:
    """Of eight topics in a title the first five of the file are kept."""
    title = "Robot podcast video survey: protein jailbreaks, clinical quantization"
    assert _topics(title) == ("compression", "safety", "audio", "robotics", "science")


def test_words_are_given_best_first_as_the_file_has_them() -> None:
    """A tag says why: the phrases of the file, that of the title before that of a bullet."""
    draft = entry(1, "Watermarks", "A jailbreak.", highlights=["Phishing, and backdoors."])
    [found] = tag(draft)
    assert found.words == ("watermark", "jailbreak", "phishing", "backdoor")


def test_a_draft_and_its_entry_have_the_same_topics() -> None:
    """What a parser drafted is tagged as what the store will hand out."""
    drafts = [entry(rank, title, summary) for rank, (_, title, summary) in enumerate(_PLAIN, 1)]
    computed, _ = compute("dair", [edition(*drafts)])
    assert [tag(entry) for entry in computed.entries] == [tag(draft) for draft in drafts]


def test_other_processes_give_the_same_tags() -> None:
    """Tags and digest do not depend on how a process happens to hash."""
    script = (
        "from bot.domain.topics import digest, tag; from tests.bot.ingest.drafts import entry;"
        "print(digest(), tag(entry(1, 'RLHF for RAG', 'A survey of agents and of speech.')))"
    )
    printed = {
        subprocess.check_output(
            [sys.executable, "-c", script], env={**os.environ, "PYTHONHASHSEED": seed}, text=True
        )
        for seed in ("1", "2")
    }
    assert len(printed) == 1


_SAID = [word for _, title, summary in _PLAIN for word in f"{title} {summary}".split()]
_TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(_SAID), max_size=60).map(" ".join),
)
_DRAFTS = st.builds(
    EntryDraft,
    line=st.just(1),
    title=_TEXTS.filter(str.strip),
    rank=st.just(1),
    summary=st.none() | _TEXTS,
    highlights=st.lists(st.builds(Highlight, st.none() | _TEXTS, _TEXTS), max_size=4).map(tuple),
    heading=st.none() | _TEXTS,
    section=st.none() | _TEXTS,
)


@given(_DRAFTS)
def test_any_text_is_safe(draft: EntryDraft) -> None:
    """Whatever an entry holds, it has at most five topics, each once and each of the file."""
    slugs = [found.topic for found in tag(draft)]
    assert len(slugs) <= 5
    assert sorted(set(slugs)) == sorted(slugs)
    assert set(slugs) <= {topic.slug for topic in all_topics()}


@given(_DRAFTS)
def test_the_words_of_a_tag_stand_in_the_entry(draft: EntryDraft) -> None:
    """Every phrase given as a reason is there, but for blanks and the ending of a plural."""
    texts = [draft.title, draft.summary, draft.heading, draft.section]
    texts += [text for highlight in draft.highlights for text in (highlight.lead, highlight.text)]
    said = fold(" ".join(text or "" for text in texts)).replace(" ", "")
    reasons = [phrase for found in tag(draft) for phrase in found.words]
    assert [p for p in reasons if p.removesuffix("y").replace(" ", "") not in said] == []
