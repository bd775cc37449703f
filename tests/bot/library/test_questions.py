"""Questions: what they ask for, by their words."""

import pytest

from bot.library.questions import QuestionKind, read_question, search_words


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Who proposed Mamba?", QuestionKind.WHO),
        ("which lab is behind it", QuestionKind.WHO),
        ("How many tokens was it trained on?", QuestionKind.NUMBER),
        ("By how much does it gain?", QuestionKind.NUMBER),
        ("what accuracy does it reach", QuestionKind.NUMBER),
        ("what is score dilution", QuestionKind.ANY),
        ("can you tell me how many layers it has", QuestionKind.NUMBER),
        ("do watermarks survive when someone rewrites them", QuestionKind.YES_OR_NO),
        ("how does it decide how many to keep", QuestionKind.MEANS),
        ("how long does training take", QuestionKind.DURATION),
        ("when was it published", QuestionKind.TIME),
        ("why does it fail", QuestionKind.REASON),
    ],
)
def test_the_first_asking_words_tell_the_kind(text: str, kind: QuestionKind) -> None:
    """What a question asks for is what its first word of asking does."""
    assert read_question(text).kind is kind


def test_words_of_asking_count_for_nothing() -> None:
    """Only words that say about what are looked for, names with their versions among them."""
    question = read_question("How many tokens was Llama 2 trained on in GPT-4's place?")
    assert question.words == ("tokens", "llama", "2", "trained", "gpt", "4", "place")
    assert question.names == (("llama",), ("llama", "2"), ("gpt", "4"))
    assert question.counted == ("tokens",)
    assert search_words("which license is Grok-1 released under?") == "license Grok-1 released"


@pytest.mark.parametrize(
    "text",
    ["when is our paper due", "should i read it", "who is the last author of it", "will it rain"],
)
def test_some_questions_no_paper_answers(text: str) -> None:
    """One about people's own matters, what is to come or an author's place is beyond papers."""
    assert read_question(text).is_beyond
