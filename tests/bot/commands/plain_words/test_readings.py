"""The rules of plain words: their examples, lists, filters and schedules."""

from datetime import date

import pytest

from bot.commands.plain_words.absences import read_pause_end
from bot.commands.plain_words.away.evidence import all_wishes
from bot.commands.plain_words.filters import ReadingFacts, split_filters
from bot.commands.plain_words.keywords import all_intents
from bot.commands.plain_words.languages.words import languages
from bot.commands.plain_words.list_references import ListReference, read_list_reference
from bot.commands.plain_words.not_offered import NotOffered, examples_of_wishes
from bot.commands.plain_words.phrases import all_rules
from bot.commands.plain_words.posts.schedules import read_schedule
from bot.commands.plain_words.posts.wishes import post_wishes
from bot.commands.plain_words.reader import Courtesy, Reading, Turn, read
from bot.domain.topics import topic_names

_CHANGING = frozenset({
    "alert", "deliver", "forget", "note", "pause", "resume", "save", "settings", "subscribe",
    "unalert", "unsave", "unsubscribe", "vote",
})  # fmt: skip
_COMMANDS = _CHANGING | {
    "alerts", "ask", "brief", "consensus", "help", "latest", "preview", "random", "related",
    "saved", "search", "show", "sources", "status", "subscriptions", "top", "topic", "trends",
    "week",
}  # fmt: skip
FACTS = ReadingFacts(
    topics=topic_names(),
    sources=frozenset({"dair", "paperdive", "hf-daily", "consensus"}),
    commands=_COMMANDS,
    changing=_CHANGING,
    today=date(2026, 11, 25),
)
_EXAMPLES = {
    **{line: told for rule in all_rules() for line, told in rule.examples.items()},
    **{line: told for intent in all_intents() for line, told in intent.examples.items()},
    **{line: told for wish in all_wishes() for line, told in wish.examples.items()},
    **{line: told for wish in post_wishes() for line, told in wish.examples.items()},
    **{line: told for each in languages() for line, told in each.examples.items()},
    **examples_of_wishes(),
}


def _first(line: str) -> str:
    reading = read(line, FACTS)
    if isinstance(reading, NotOffered):
        return reading.sentence
    return reading.commands[0] if isinstance(reading, Reading) else reading.value


@pytest.mark.parametrize(("line", "command"), _EXAMPLES.items())
def test_examples_are_read_as_they_say(line: str, command: str) -> None:
    """Each example of a rule is read as the command beside it."""
    assert _first(line) == command


@pytest.mark.parametrize(
    "line",
    [
        "mixture of experts",
        "rag vs long context",
        "kv cache compression",
        "agents that remember what they did last time",
        "overview of unusual attacks on models",
        "latent",  # is not "latest" mistyped
        "visor",  # nor is this the topic "vision"
    ],
)
def test_other_words_are_searched_for(line: str) -> None:
    """Words that ask for nothing else are looked for, at least where they name no paper."""
    reading = read(line, FACTS)

    assert isinstance(reading, Reading)
    assert reading.commands[-1] == f"search {line}"
    assert not {each.partition(" ")[0] for each in reading.commands} - {"show", "search"}


@pytest.mark.parametrize(
    "line",
    [
        "why does chain of thought help?",
        "can small models reason as well as big ones?",
        "does quantization hurt accuracy",
        "which model won the math olympiad",
        "whats the diff between lora and lora+",
    ],
)
def test_questions_are_asked(line: str) -> None:
    """A question that names no paper is answered from the store."""
    assert _first(line).startswith("ask ")


@pytest.mark.parametrize(
    "line",
    [
        "why didn't we get anything on monday",
        "did today's post fail",
        "what do you know about me?",
        "stop words in retrieval",
        "send me the papers from monday",
        "papers on daily life with robots",
        "use test time",
        "share it",
        "star attention",
        "delete tokens from the cache",
        "how does a channel of noise stop training?",
        "how can I send a paper to my team?",
        "make it simple",
        "papers on time series for london",
        "put this in context",
        "papers on channel coding in my field",
        "did you set up the weekly post?",
        "skip connections",
        "early stopping",
        "a break of symmetry",
        "weekly planning agents",
        "limit of scaling",
        "messages in slack",
        "offline rl in 2025",
        "return conditioned rl",
        "daily news on agents since march",
        "papers on job scheduling with RL",
        "holiday season demand forecasting",
        "message passing neural networks",
        "stopping criteria for text generation",
        "channel estimation with transformers",
        "subscription business models llm",
        "time series forecasting every hour",
        "a survey on early stopping",
        "muting attention heads",
        "thread of thought prompting",
        "where can i get the full text of it",
        "what do you have in this week's digest",
        "agents that take a break",
        "the subscription pricing of llm apis",
        "early warning alerts for sepsis",
        "clinical alert fatigue",
        "what do newsletters get wrong about llms",
        "dry run of policies",
        "blog post generation every monday",
        "newsletter summarization with llms",
        "pausing generation to think",
        "has anyone studied how newsletters end",
    ],
)
def test_lines_that_change_nothing_name_no_change(line: str) -> None:
    """A question or other words never end in a command that changes something."""
    reading = read(line, FACTS)

    assert isinstance(reading, Reading | NotOffered)
    commands = reading.commands if isinstance(reading, Reading) else reading.offers
    assert not _CHANGING & {each.partition(" ")[0] for each in commands}


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("i meant mamba 2", "search mamba 2"),
        ("sorry, typo: speculative decoding", "search speculative decoding"),
        ("did anything about kv cache come out in 2025", "search kv cache since:2025 until:2025"),
        ("wats the best paper on tool use", "top topic:tool-use"),
        ("new here, how does this work", "help"),
        ("who are you and what do you do", "help"),
        ("show its authors", "show it"),
        ("trendng", "trends"),
        ("what is trendng", "trends"),
        ("lastest papers", "latest"),
        ("whta's new this weke", "latest"),
        ("best ppaers 2025", "top 2025"),
    ],
)
def test_what_stands_around_a_request_is_none_of_it(line: str, command: str) -> None:
    """A correction, a newcomer's greeting, a verb at the end say nothing of what is asked."""
    assert _first(line) == command


def test_an_address_is_never_searched_for_by_the_words_beside_it() -> None:
    """Where the paper can't be shown, that is said."""
    reading = read("https://arxiv.org/abs/2501.12948 thoughts?", FACTS)
    assert isinstance(reading, Reading)
    assert reading.commands == ("show 2501.12948",)


@pytest.mark.parametrize(
    "line",
    [
        "hey can you help me find a paper",
        "the other one",
        "where is it",
        "good ones",
        "show me papers",
    ],
)
def test_words_that_name_nothing_are_not_searched_for(line: str) -> None:
    """What to look for is asked, where a line has only words that any request may have."""
    found = read(line, FACTS)
    assert isinstance(found, NotOffered)
    assert found.sentence == "What shall I look for?"


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("Hello dear bot, how are you today?", Courtesy.GREETING),
        ("\N{WAVING HAND SIGN}", Courtesy.GREETING),
        ("That was very helpful, I appreciate it", Courtesy.THANKS),
        ("danke, das war hilfreich", Courtesy.THANKS),
        ("got any others?", Turn.MORE),
        ("5 more", Turn.MORE),
        ("show me all of them", Turn.MORE),
        ("go back one page", Turn.BACK),
    ],
)
def test_courtesies_and_turns_are_told_by_their_words(line: str, kind: Courtesy | Turn) -> None:
    """Words that ask for nothing, and those that turn a page, are no search."""
    assert read(line, FACTS) is kind


@pytest.mark.parametrize(
    "line",
    ["<https://arxiv.org/abs/2412.19437|the paper>", "alphaxiv.org/abs/2412.19437 thoughts?"],
)
def test_addresses_are_papers_with_words_around_them(line: str) -> None:
    """An address shows its paper, in the marks of Slack and with a word or two beside it."""
    assert _first(line) == "show 2412.19437"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("#2", ListReference((2,))),
        ("number seven", ListReference((7,))),
        ("the third one", ListReference((3,))),
        ("the last one on the list", ListReference((-1,))),
        ("the second to last", ListReference((-2,))),
        ("both", ListReference((1, 2))),
        ("those two", ListReference((1, 2))),
        ("the first three", ListReference((1, 2, 3))),
        ("the last two", ListReference((-2, -1))),
        ("1-3", ListReference((1, 2, 3))),
        ("1..3", ListReference((1, 2, 3))),
        ("1…3", ListReference((1, 2, 3))),
        ("1;3", ListReference((1, 3))),
        ("1+3", ListReference((1, 3))),
        ("1&3", ListReference((1, 3))),
        ("1, 3 and 5", ListReference((1, 3, 5))),
        ("the first and the third", ListReference((1, 3))),
        ("that one", ListReference(is_it=True)),
        ("all of them", ListReference(is_all=True)),
        ("1-900", None),
        ("one-shot learning", None),
        ("first and foremost", None),
    ],
)
def test_lists_are_spoken_of_by_number_and_place(words: str, meant: ListReference | None) -> None:
    """Numbers, places and `it` speak of the list seen last; other words do not."""
    assert read_list_reference(words) == meant


@pytest.mark.parametrize(
    ("text", "words", "named"),
    [
        (
            "agents by Yoshua Bengio since march",
            "agents",
            {"author": "Yoshua Bengio", "since": "march"},
        ),
        ("paperdive papers on rag", "rag", {"from": "paperdive"}),
        ("dair's picks on rag", "picks on rag", {"from": "dair"}),
        ("rl between january and june 2025", "rl", {"since": "january 2025", "until": "june 2025"}),
        ("gui agents, last 6 months", "gui agents", {"since": "last 6 months"}),
        ("jailbreaks in 2024", "jailbreaks", {"since": "2024", "until": "2024"}),
        ("robots before 2024", "robots", {"until": "2023-12-31"}),
        ("learning by doing", "learning by doing", {}),
        ("lora 2024 dair", "lora", {"from": "dair", "since": "2024", "until": "2024"}),
        ("llms lying, maybe 2025", "llms lying", {"since": "2025", "until": "2025"}),
    ],
)
def test_filters_are_taken_from_their_words(text: str, words: str, named: dict[str, str]) -> None:
    """Sources, authors and periods are filters wherever they stand."""
    wanted = split_filters(text, FACTS)

    assert (wanted.words, dict(wanted.named)) == (words, named)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("agents since april 2025 not surveys", 'search agents -surveys since:"april 2025"'),
        ("agents no robotics", "search agents -robotics"),
        ("llms are not agents", "search llms are not agents"),
        ("attention is not explanation", "search attention is not explanation"),
        (
            "rag papers of 3/2025 that are not surveys",
            "search rag -surveys since:2025-3 until:2025-3",
        ),
        ("models that are not aligned", "search models that are not aligned"),
        (
            "memory in agents (not rag) since june 24",
            'search memory in agents -rag since:"june 24"',
        ),
    ],
)
def test_a_topic_that_is_denied_at_the_end_is_left_out(line: str, command: str) -> None:
    """A word behind a verb is none: the line says something of it."""
    assert _first(line) == command


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("fridays at 5 in the afternoon, berlin time", "friday 5pm berlin"),
        ("monday morning at 8", "monday 8am"),
        ("tuesday at nine from paperdive", "tuesday 09:00 from:paperdive"),
        ("every thursday 8:30 in boston", "thursday 8:30 new york"),
        ("weekly in #ml as a thread", "in:#ml layout:thread"),
        ("sundays, at most five papers on rag", "sunday topic:retrieval size:5"),
        ("mondays, everything but no robotics", "monday not:robotics"),
        ("wednesdays 10am, the top 5 papers", "wednesday 10am size:5"),
        ("monday 9 berlin, best three", "monday 09:00 berlin size:3"),
        ("do not post on mondays", None),
        ("thursdays 16h", "thursday 16h"),
        ("tuesdays, and fewer papers", "tuesday size:fewer"),
        ("wednesdays after lunch", "wednesday 13:00"),
        ("fridays, close of business", "friday 17:00"),
        ("first thing on mondays", "monday 08:00"),
        ("thursdays at 4ish, berlin", "thursday 4pm berlin"),
        ("sat evening, not 10 papers, five", "saturday 18:00 size:5"),
        ("about agents", None),
    ],
)
def test_schedules_are_read_in_any_order(text: str, arguments: str | None) -> None:
    """Days, times, places, channels, topics and sizes are arguments of a subscription."""
    assert read_schedule(text, FACTS) == arguments


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("half an hour earlier", "time:30m-earlier"),
        ("can it come a day later please", "day:1d-later"),
        ("push it back an hour", "time:60m-later"),
        ("bring it forward by 2 hrs", "time:2h-earlier"),
        ("the day before pls", "day:1d-earlier"),
        ("we would like it a bit later", "time:1h-later"),
    ],
)
def test_a_change_by_some_time_is_read_as_such(line: str, arguments: str) -> None:
    """What it is counted from is known where posts are."""
    assert _first(line) == f"subscribe {arguments}"


@pytest.mark.parametrize(
    "line",
    [
        "two days later another model came out",
        "models that improve an hour later",
        "half an hour ahead forecasting of wind",
        "day ahead price forecasting",
        "papers to read over lunch",
        "first thing i should read",
        "end of day stock prediction",
        "how many heads are enough",
        "is 10 papers too many for a review",
        "threads in multi-agent systems",
        "can i get the full version",
        "we only care about inference speed",
        "weekend effects in traffic forecasting",
        "10 papers for my lunch break",
        "messages sent privately between agents",
        "privately trained models",
    ],
)
def test_words_of_times_and_amounts_wish_for_no_post_beside_others(line: str) -> None:
    """They are those of a schedule only where hardly anything else is said."""
    reading = read(line, FACTS)
    assert isinstance(reading, Reading | NotOffered)
    commands = reading.commands if isinstance(reading, Reading) else reading.offers
    assert commands[0].partition(" ")[0] not in _CHANGING


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("my boss is back from leave and asks how rlhf works", "ask how rlhf works?"),
        ("news recommendation for returning users", "search recommendation for returning users"),
        ("export my list to bibtex before i leave on friday", "saved as:bibtex"),
        ("thanks, that summary was very helpful", "thanks"),
        ("what did the model miss", "ask what did the model miss"),
        ("finding what a model has missed", "search finding what a model has missed"),
        ("what did the whole team miss", 'brief since:"last visit"'),
        ("agents that catch up on missed events", "search agents that catch up on missed events"),
    ],
)
def test_a_line_about_an_absence_asks_for_what_it_says(line: str, command: str) -> None:
    """Words of an absence beside another wish, or of a subject, are no recap."""
    assert _first(line) == command


def test_what_stands_behind_a_colon_is_what_its_word_is_of() -> None:
    """A word before it is no wish by itself."""
    assert _first("recap: agents") == "brief topic:agents"
    assert _first("recap: summarizing meetings automatically").startswith("search ")


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("pause until jan 5", "until:2027-01-05"),
        ("a break for two weeks", "until:2026-12-09"),
        ("mute until monday", "until:2026-11-30"),
        ("nothing this week", "until:2026-11-30"),
        ("pause the posts", ""),
        ("pause until it is better", None),
    ],
)
def test_pauses_end_on_the_day_that_is_named(text: str, until: str | None) -> None:
    """A pause ends on a day to come, after some weeks, or has no end."""
    assert read_pause_end(text, FACTS) == until


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("vision papers of 2023, oldest first", "search vision since:2023 until:2023"),
        (
            "which alignment paper from 2023 has the most github stars",
            "search alignment since:2023 until:2023",
        ),
        (
            "papers w/ more than 10 authors on pretraining 2024",
            "search pretraining since:2024 until:2024",
        ),
        ("longest paper on memory in 2025?", "search memory since:2025 until:2025"),
        ("find: topic=safety year=2025", "search safety since:2025 until:2025"),
    ],
)
def test_what_the_store_cannot_know_is_not_searched_for(line: str, command: str) -> None:
    """An order, a count or a superlative that no paper is stored with is no word of a search."""
    assert _first(line) == command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("rag papers, my boss asked for them", "search rag"),
        ("papers on routing, i need them for a talk", "search routing"),
        ("papers on routing, our survey", "search routing, our survey"),
    ],
)
def test_why_somebody_asks_is_no_word_of_a_search(line: str, command: str) -> None:
    """A clause that says what somebody wants or likes is left out; other words stay."""
    assert _first(line) == command


@pytest.mark.parametrize(
    ("line", "command"),
    [("shw 3", "show 3"), ("sav 2", "save 2"), ("relatd 1", "related 1"), ("vte 1", "vote 1")],
)
def test_a_mistyped_command_before_a_number_is_that_command(line: str, command: str) -> None:
    """No paper is looked for by a number of the list seen last."""
    assert _first(line) == command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("topp agents", "top agents"),
        ("tok agents", "top agents"),
        ("relatd 2501.12948", "related 2501.12948"),
        ("sav https://arxiv.org/abs/2501.12948", "save https://arxiv.org/abs/2501.12948"),
        ("vot agents", None),
        ("toy agents that plan", None),
    ],
)
def test_a_mistyped_command_before_its_argument_is_that_command(
    line: str, command: str | None
) -> None:
    """A topic alone is an argument of what only looks, a paper of any."""
    assert (_first(line) == command) is (command is not None)


@pytest.mark.parametrize(
    "line", ["gpt 3", "phi 3", "sam 2", "llama 3", "gemma 2", "qwen 2", "clip 1"]
)
def test_a_name_before_its_version_is_no_mistyped_command(line: str) -> None:
    """A model is looked for."""
    assert _first(line).startswith("search")
