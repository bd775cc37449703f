"""A search has the words that a request is about, and none of the story around them."""

import pytest

from bot.commands.plain_words.framing import without_frame
from bot.commands.plain_words.reader import Reading, read
from tests.bot.commands.plain_words.test_readings import FACTS


@pytest.mark.parametrize(
    ("line", "about"),
    [
        ("I remember a paper about models that hide their reasoning, can't recall the name",
         "models that hide their reasoning"),
        ("there was this paper where llms play minecraft, which one was it", "llms play minecraft"),
        ("show me the one about hidden reasoning", "hidden reasoning"),
        ("which paper was it that showed transformers can do gradient descent",
         "transformers can do gradient descent"),
        ("which paper was it that explained attention", "attention"),
        ("what was the paper that walked through training a tiny model step by step",
         "training a tiny model step by step"),
        ("the one that looked into reward hacking", "reward hacking"),
        ("I saw a paper which covered long context evaluation", "long context evaluation"),
        ("is there a paper proving that llms can't reason", "llms can't reason"),
        ("papers that compare dpo and ppo", "dpo and ppo"),
        ("rag or long context, what's better", "rag or long context"),
        ("ok so i need papers for my phd on protein folding", "protein folding"),
        ("it was about llms that lie, I think", "llms that lie"),
        ("what paper talked about moe routing", "moe routing"),
        ("looking for a paper I saw a few weeks ago on personas drifting", "personas drifting"),
        ("do you happen to know the paper with the village of agents", "the village of agents"),
        ("what's the name of the paper on chain of thought being unfaithful",
         "chain of thought being unfaithful"),
        ("can you find me the paper that says emergent abilities are a mirage",
         "emergent abilities are a mirage"),
        ("a colleague mentioned a paper on test time compute, have you got it",
         "test time compute"),
        ("paper with the title attention sinks?", "attention sinks"),
        ("read somewhere that models degrade on their own outputs. which paper is that",
         "models degrade on their own outputs"),
        ("you had a paper about dolphins or whales, where is it", "dolphins or whales"),
        ("there is a paper, I forgot its name, about LLMs doing peer review",
         "LLMs doing peer review"),
        ("help me find a paper: it's about model merging with evolution",
         "model merging with evolution"),
        ("where was that thing about agents shopping on websites", "agents shopping on websites"),
        ("my boss wants to know about agents in finance", "agents in finance"),
        ("I need references on hallucination detection for my thesis", "hallucination detection"),
        ("the paper I saw in june about gui agents", "gui agents"),
        ("anything good on tiny language models lately", "tiny language models"),
        ("saw a paper on twitter about steering vectors", "steering vectors"),
        ('something like "zero-shot reasoners"', '"zero-shot reasoners"'),
    ],
)  # fmt: skip
def test_a_half_remembered_paper_is_searched_for_by_what_it_is_about(line: str, about: str) -> None:
    """Who tells how a paper was met gets a search for its subject, and no question is asked."""
    found = read(line, FACTS)

    assert isinstance(found, Reading)
    assert f"search {about}" in found.commands
    assert not any(each.startswith("ask ") for each in found.commands)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("the 2nd one, what's it about", "the 2nd one"),
        ("number 3. have you got more on it?", "number 3"),
        ("hm, that one, what is it?", "that one"),
    ],
)
def test_a_paper_of_the_list_beside_nothing_else_is_shown(line: str, shown: str) -> None:
    """Who names a paper by its place asks for it, whatever small words stand around."""
    found = read(line, FACTS)

    assert isinstance(found, Reading)
    assert found.commands[0] == f"show {shown}"


@pytest.mark.parametrize(
    "words",
    [
        "papers with code",
        "papers",
        "learning to remember",
        "theory of mind",
        "mind reading from fMRI",
        "reading comprehension of tables",
        "attention sinks",
        "name disambiguation",
        "memory that forgets, and why",
        "sparse attention, last month",
        "since march, sparse attention",
        "papers from june about sparse attention",
        "papers of last month on sparse attention",
        "word " * 200,
    ],
)
def test_words_without_a_frame_stay_as_they_are(words: str) -> None:
    """Words that a frame may have are a subject where nothing else is one."""
    assert without_frame(words).subject == words
