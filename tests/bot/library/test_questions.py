"""Questions: what they ask for, by their words, and what sentences claim of a name."""

import pytest

from bot.library.claims import (
    announces,
    families,
    gives_name,
    has_price,
    has_size,
    has_size_of,
    is_beside_the_point,
    is_name,
    measures_success,
    numbers,
    says_what_it_does,
    says_what_it_is,
    spells_out,
    stands_for,
)
from bot.library.questions import QuestionKind, read_question, search_words


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Who proposed Mamba?", QuestionKind.WHO),
        ("which lab is behind it", QuestionKind.WHO),
        ("How many tokens was it trained on?", QuestionKind.NUMBER),
        ("By how much does it gain?", QuestionKind.NUMBER),
        ("what accuracy does it reach", QuestionKind.SHARE),
        ("how much better is it", QuestionKind.SHARE),
        ("how many more papers does it find", QuestionKind.SHARE),
        ("which base model was it built on", QuestionKind.NAME),
        ("what did they find out", QuestionKind.FINDING),
        ("what is score dilution", QuestionKind.DEFINITION),
        ("what's the latency of it", QuestionKind.ANY),
        ("can you tell me how many layers it has", QuestionKind.NUMBER),
        ("do watermarks survive when someone rewrites them", QuestionKind.YES_OR_NO),
        ("how does it decide how many to keep", QuestionKind.MEANS),
        ("how long does training take", QuestionKind.DURATION),
        ("when was it published", QuestionKind.TIME),
        ("when does it fail", QuestionKind.CASE),
        ("when is it useful", QuestionKind.CASE),
        ("when is it released", QuestionKind.TIME),
        ("how accurate is it", QuestionKind.DEGREE),
        ("how well do agents plan", QuestionKind.DEGREE),
        ("explain how it fails", QuestionKind.MEANS),
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
    assert read_question("who came up with chain of thought").words == ("chain", "thought")
    assert question.names == (("llama",), ("llama", "2"), ("gpt", "4"))
    assert question.counted == ("tokens",)
    assert search_words("which license is Grok-1 released under?") == "license Grok-1 released"
    assert search_words("what's the difference between LoRA and GaLore?") == "LoRA GaLore"


@pytest.mark.parametrize(
    "text",
    [
        "when is our paper due",
        "should i read it",
        "who is the last author of it",
        "will it rain",
        "which loom is the fastest",
        "what model is best",
    ],
)
def test_some_questions_no_paper_answers(text: str) -> None:
    """People's own matters, what is to come, an author's place and the best of all are beyond."""
    assert read_question(text).is_beyond


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("What is RLHF?", "rlhf"),
        ("what's a chain of thought", "chain of thought"),
        ("what do they mean by model collapse?", "model collapse"),
        ("what does MCP stand for", "mcp"),
        ("define the reversal curse", "reversal curse"),
        ("what is the latency of it", ""),
        ("what are they good at", ""),
        ("what is it", ""),
        ("what is system 3 in the second paper", "system 3"),
        ("what is overthinking in reasoning models", "overthinking"),
        ("what is a needle in a haystack", "needle in a haystack"),
        ("what does overthinking mean for agents", "overthinking"),
        ("what is a shuttle supposed to be", "shuttle"),
        ("what does weft even mean", "weft"),
        ("what is new in Loom", ""),
        ("how does Loom work?", "loom"),
        ("tell me about Loom", "loom"),
        ("can you explain looms to me", "looms"),
    ],
)
def test_some_questions_ask_for_a_meaning(text: str, term: str) -> None:
    """A question of what a short term is or means has it, one of what something has does not."""
    assert " ".join(read_question(text).defined) == term


def test_only_a_question_how_many_counts() -> None:
    """What is counted stands behind "how many" where that is asked, and not how many more."""
    assert read_question("how many looms are there").counted == ("looms",)
    assert read_question("how many more looms are there").counted == ()
    assert read_question("how does it decide how many looms are busy").counted == ()


def test_as_good_as_compares() -> None:
    """One thing may be as good as another, and not better."""
    assert read_question("is Loom as fast as Spin").compares
    assert not read_question("is Loom fast").compares


@pytest.mark.parametrize(
    ("question", "suited", "other"),
    [
        ("why is it hard", "However, it requires two hands.", "It has two hands."),
        ("why is it slow", "It loses time by turning.", "It is slow by nature."),
        ("does it weave silk", "It finds that silk tears.", "It weaves in silence."),
        ("why is it hard", "It suffers from knots.", "It ties knots."),
    ],
)
def test_sentences_are_worded_as_answers_are(question: str, suited: str, other: str) -> None:
    """A reason has its cause or need, and yes or no is found, shown or denied."""
    assert read_question(question).is_suited_by(suited)
    assert not read_question(question).is_suited_by(other)


def test_the_attribute_of_a_person_is_what_they_do() -> None:
    """The verb behind "who" has to be said, but one of authorship, which any maker does."""
    assert read_question("who owns Loom?").attribute == ("owns",)
    assert read_question("which company now owns Loom?").attribute == ("owns",)
    assert read_question("who made Loom?").attribute == ()
    assert read_question("what is the highest price of it").attribute == ("price",)


def test_the_attribute_stands_before_of() -> None:
    """What is asked of a thing by *what is the … of* is known apart."""
    assert read_question("what is the first learning rate of Loom").attribute == (
        "first",
        "learning",
        "rate",
    )
    assert not read_question("what is the loom").attribute


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("loom", "Loom is a loop that weaves threads of thought."),
        ("loom", "They show LOOM, a loop for threads."),
        ("loom", "Loom (Long Orders Of Memory) refers to what stays."),
        ("woven thought", "The effect is known as “woven-thought” here."),
        ("godel loom", "A Gödel loom is one that rewrites itself."),
        ("sink", "Sinks are the tokens that all others look at."),
        ("loom", "Loom — a machine for threads — weaves them."),
        ("loom", "It introduces Loom (a machine for threads)."),
        ("loom", "Loom occurs when threads cross."),
        ("loco", "It rests on a part called the Loom Core (LoCo)."),
        ("loom", "Proposes Loom which joins threads."),
        ("loom", "They study looms in large mills\u2014a place of threads."),
        ("loom", "Loom employs two threads."),
    ],
)
def test_a_definition_says_what_a_name_is(name: str, text: str) -> None:
    """A definition has the name as its subject, with what it is, or beside that."""
    assert says_what_it_is(name.split(), text)


@pytest.mark.parametrize(
    "text",
    [
        "Loom is used with care.",
        "We train Loom on a million threads.",
        "Loom-X is a machine.",
        "An heirloom is a thing.",
        "It outperforms Loom and others.",
        "It proposes looms to weave.",
        "The loom employs two threads.",
    ],
)
def test_a_mention_is_no_definition(text: str) -> None:
    """A sentence that only mentions a name does not say what it is."""
    assert not says_what_it_is(("loom",), text)


def test_a_lead_is_defined_by_the_sentence_below() -> None:
    """A sentence under a lead that is the name, or ends with it as an acronym, says what it is."""
    assert says_what_it_is(("loom",), "Weaves threads.", "Loom:")
    assert says_what_it_is(("lom",), "Weaves threads.", "Long Orders of Memory (LOM)")
    assert not says_what_it_is(("loom",), "Weaves threads.", "Better than Loom")


def test_an_acronym_is_spelled_out_beside_it() -> None:
    """The words before or in the brackets of an acronym begin with its letters, but small ones."""
    assert spells_out(("lom",), "It uses long orders of memory (LOM) for that.")
    assert spells_out(("loms",), "It uses LOMs (Long-Order Memories) for that.")
    assert not spells_out(("lom",), "It uses something else (LOM) for that.")
    assert not spells_out(("lom",), "It uses LOM for that.")


def test_a_name_is_given_with_a_capital() -> None:
    """A sentence gives a name that its verb introduces, straight away or behind what has it."""
    assert gives_name(("loom",), "Introduces the Loom, a machine.")
    assert gives_name(("loom",), "Presents a set of machines (Loom) for threads.")
    assert not gives_name(("loom",), "Presents machines using threads (Loom) of cotton.")
    assert not gives_name(("loom",), "Presents a loom that weaves.")


def test_a_title_stands_for_its_first_letters() -> None:
    """An acronym of three letters and more names a title whose words begin with them."""
    assert stands_for("lom", "Long Orders of Memory")
    assert not stands_for("lom", "Long Orders of Memory and More")
    assert not stands_for("lo", "Long Orders")


def test_what_is_looked_into_is_announced() -> None:
    """A sentence that begins with looking into something says nothing of what was found."""
    assert announces("Investigates how looms weave.")
    assert announces("This new paper explores looms.")
    assert not announces("Finds that looms weave.")


def test_what_something_does_has_it_as_subject() -> None:
    """A sentence says what something does if it or its name stands before a verb of doing."""
    assert says_what_it_does("Loom", "It slowly weaves silk.")
    assert says_what_it_does("Looms of Many Hands", "LOMH weaves silk.")
    assert says_what_it_does("Loom", "Loom weaves silk.")
    assert not says_what_it_does("Loom", "Loom is of silk.")
    assert not says_what_it_does("A Loom", "A weaver sits there.")
    assert not says_what_it_does("Loom", "With silk, Loom is fast.")


def test_success_is_measured() -> None:
    """A sentence that ranks something or gives its score says how well it does."""
    assert measures_success("Loom outperforms Spin.")
    assert measures_success("It needs 30% of the silk.")
    assert measures_success("It is faster than hands.")
    assert not measures_success("It weaves with two hands.")


def test_a_name_is_written_together_with_its_version() -> None:
    """The family of such a name is one of the words of its sentence."""
    assert families("It fails on Loom3 and Spin2.5, on x2 and 4x4.") == " loom spin "


def test_a_sum_of_money_is_a_price() -> None:
    """A currency stands before or behind a number."""
    assert has_price("for $900")
    assert has_price("for 20 dollars")
    assert not has_price("for 20 days")


def test_what_others_are_better_than_is_beside_the_point() -> None:
    """A name after a word of comparison in its clause is compared, one that acts is not."""
    assert is_beside_the_point(("loom", "2"), "It is faster than looms such as Spin and Loom-2.")
    assert not is_beside_the_point(("loom",), "It uses a trick like Loom.")
    assert is_beside_the_point(("loom",), "It beats Spin, Loom and Weave.")
    assert not is_beside_the_point(("loom",), "Loom is faster than Spin.")
    assert not is_beside_the_point(("loom",), "It beats Spin; Loom comes first.")
    assert not is_beside_the_point(("loom",), "It says nothing of that name.")


def test_a_size_belongs_to_the_name_beside_it() -> None:
    """A size counts for a name beside it, or for the paper where a sentence has no name."""
    assert has_size("a 7B model")
    assert has_size("with 18 billion parameters")
    assert has_size("with 90 million parameters")
    assert not has_size("trained on 7B tokens")
    assert has_size_of(("loom", "2"), "It beats Loom-2 (70B sparse).")
    assert has_size_of(("loom", "2"), "A model of 70B.")
    assert not has_size_of(("loom", "2"), "It beats Loom-2-Mini (7B).")
    assert not has_size_of(
        ("loom", "2"), "What Loom-2 says was also taught to others, of which even the 7B one wins."
    )
    assert not has_size_of(("loom", "2"), "The 14B one outperforms Loom-2-0528 on silk.")


def test_a_number_counts_what_stands_near() -> None:
    """A number counts words around it, but neither a share, a rate nor the number of a name do."""
    assert not list(numbers("It does 70 knots/sec like Loom 2, 80%.", [("loom", "2")]))
    assert list(numbers("It had 12 long days and two nights, 80% of them 4x4.")) == [
        " it had 12 long dai and two night ",
        " long dai and two night of them ",
    ]


def test_papers_write_a_name_with_a_capital() -> None:
    """A word is a name that a text writes only with a capital, once within a sentence."""
    assert is_name("loom", "Looms weave.\nThey use Loom.")
    assert not is_name("loom", "Looms weave.")
    assert not is_name("loom", "They use Loom.\nThe loom weaves.")
