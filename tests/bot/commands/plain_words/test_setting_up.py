"""Setting a post up in people's words, with their reasons beside."""

import pytest

from bot.commands.plain_words.not_offered import NotOffered
from bot.commands.plain_words.posts.wishes import is_subject
from bot.commands.plain_words.reader import Reading, read
from tests.bot.commands.plain_words.test_readings import FACTS


def _first(line: str) -> str:
    reading = read(line, FACTS)
    assert not isinstance(reading, NotOffered)
    return reading.commands[0] if isinstance(reading, Reading) else reading.value


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("half nine on tuesdays please", "subscribe tuesday 09:30"),
        ("can you do half ten instead", "subscribe 10:30"),
        ("change the time to half seven pm", "subscribe 19:30"),
        ("thursdays quarter past 8 in the evening, berlin", "subscribe thursday 20:15 berlin"),
        ("weekly post in #ml, wednesday half one", "subscribe wednesday 13:30 in:#ml"),
        ("half as many papers please", "subscribe size:fewer"),
    ],
)
def test_a_spoken_clock_tells_the_hour_of_a_post(line: str, command: str) -> None:
    """*Half eight* is half past eight; before six it is in the afternoon unless that is said."""
    assert _first(line) == command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("10 is a bit late, can we do 8", "subscribe 08:00"),
        ("8 is way too early for us, 10:30 please", "subscribe 10:30"),
        ("thats too early, make it 11", "subscribe 11:00"),
        ("11 would be better, 9 is too early", "subscribe 11:00"),
        ("9 is too early make it 10", "subscribe 10:00"),
        ("nobody reads ten. top four at most please", "subscribe size:4"),
    ],
)
def test_an_hour_that_is_refused_leaves_the_other(line: str, command: str) -> None:
    """Of two hours the one of a clause that calls it too early or too late is not meant."""
    assert _first(line) == command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("were both out till monday, hold the digest", "pause until:2026-11-30"),
        ("no posts during the holidays, back on monday jan 4", "pause until:2027-01-04"),
        ("pause the weekly thing, we're back 11 january", "pause until:2027-01-11"),
        ("campus closed dec 21 to jan 3, no posts then", "pause until:2027-01-03"),
        ("we are back, post again", "resume"),
        ("we're back from vacation, resume the posts", "resume"),
        ("we are back on monday, what did i miss", 'brief since:"last visit"'),
        ("im back on slack, what happened since oct 12", 'brief since:"oct 12"'),
        ("were all papers on rag retracted", "search rag retracted"),
    ],
)
def test_a_return_to_come_ends_a_pause_and_resumes_nothing(line: str, command: str) -> None:
    """The day on which people are back is the end of a pause; one that was resumes posts."""
    assert _first(line) == command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("turn the pause off", "resume"),
        ("actually no pause, keep posting", "resume"),
        ("cancel the pause, we are back early", "resume"),
        ("undo pause for #ml", "resume in:#ml"),
        ("pause the pause token paper", "search pause the pause token"),
        ("no pause tokens paper", "search no pause tokens"),
    ],
)
def test_a_pause_that_is_taken_back_resumes_posts(line: str, command: str) -> None:
    """Who undoes or ends a pause wants posts again."""
    assert _first(line) == command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("show it to me before it goes out", "preview"),
        ("could i check it before the team sees it", "preview"),
        ("preview for #ml", "preview in:#ml"),
        ("show me the papers before march", "show papers before march"),
        ("see papers before anyone cites them", "show papers before anyone cites them"),
        ("what does attention look like in mamba", "ask what does attention look like in mamba"),
    ],
)
def test_who_wants_to_see_a_post_before_others_sees_that_of_the_channel(
    line: str, command: str
) -> None:
    """A look before others is a preview, of the channel that is named."""
    assert _first(line) == command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("is anything posted to #general", "subscriptions in:#general"),
        ("was the digest cancelled", "subscriptions"),
        ("is the bot muted here", "subscriptions"),
        ("can the post be paused", "pause"),
        ("is scaling dead or what", "ask is scaling dead or what"),
        ("are sparse models dead", "ask are sparse models dead"),
    ],
)
def test_a_question_whether_posts_come_changes_nothing(line: str, command: str) -> None:
    """Whether a channel gets posts, or has them paused, is told by its subscriptions."""
    assert _first(line) == command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("ping me once there's finally a paper on kv cache merging", "alert kv cache merging"),
        (
            "if a paper on tabular transformers ever appears let me know",
            "alert tabular transformers",
        ),
        (
            "notify me if there's ever anything on speech for swahili. my wife is researching that",
            "alert speech for swahili",
        ),
        ("dm me about mamba papers, i care about it a lot", "alert mamba"),
        ("tell me about mamba", "show mamba"),
        ("which model can send alerts on a phone", "ask which model can send alerts on a phone"),
    ],
)
def test_an_alert_is_for_the_subject_without_its_reason(line: str, command: str) -> None:
    """Neither that a paper may come nor why somebody waits for it is a word of an alert."""
    assert _first(line) == command


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("wrong timezone, its berlin", "subscribe berlin"),
        ("your times are off by an hour, we are in london", "subscribe london"),
        ("my timezone is wrong", "search my timezone is wrong"),
        ("all but audio in #ml please", "subscribe in:#ml not:audio"),
        ("anything but robotics in the post, our team does text only", "subscribe not:robotics"),
        ("everything about image generation", "topic image-generation"),
    ],
)
def test_what_is_wrong_is_no_value_of_a_setting(line: str, command: str) -> None:
    """Of a zone that is wrong the place is meant; of everything but a topic all others."""
    assert _first(line) == command


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("morning! hope ur monday was better than mine", "greeting"),
        ("hey, hope the week treats you well", "greeting"),
        ("cheers mate thats all i needed before the weekend", "thanks"),
        ("perfect, thats exactly what i was after for the reading group", "thanks"),
        ("thanks, that will do until monday", "thanks"),
        ("nice one, saved me an hour", "thanks"),
        ("hope is not a strategy paper", "search hope is not a strategy"),
        ("cheers, what came before the weekend", "search cheers, what came before the weekend"),
    ],
)
def test_a_courtesy_may_name_a_time(line: str, said: str) -> None:
    """A wish for somebody's week and thanks before a weekend ask for nothing."""
    assert _first(line) == said


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("monday 9 is too early for us, make that 11", "subscribe monday 11:00"),
        ("monday is too early in the week, make it thursday", "subscribe thursday"),
        ("post it fridays, 9 sharp", "subscribe friday 09:00"),
        ("not before 10 please", "subscribe 10:00"),
        ("papers after 2020 would be nice", "search since:2021-01-01"),
        ("just the top 3 from now on", "subscribe size:3"),
        ("add rl to what we get", "subscribe topic:reinforcement-learning"),
        ("drop the paper", "unsave the paper"),
        ("cancel my flash attention alert please", "alerts"),
        ("do i need to be admin to set this up", "help subscribe"),
    ],
)
def test_a_wish_is_read_with_what_it_is_for(line: str, command: str) -> None:
    """An hour keeps its day, an amount from now on is that of posts, an alert has its subject."""
    assert _first(line) == command


@pytest.mark.parametrize(
    "line", ["drop hf-daily from the post", "no consensus reviews in the post please"]
)
def test_a_source_that_is_refused_is_neither_set_nor_the_end_of_posts(line: str) -> None:
    """A source can't be left out, so a line that wishes for that changes nothing."""
    assert _first(line).partition(" ")[0] in ("search", "ask")


@pytest.mark.parametrize(
    ("line", "is_about_it"),
    [
        ("resume screening bias llm", True),
        ("unsubscribe link detection in phishing mail", True),
        ("resume parsing with llms", True),
        ("unsubscribe foo", False),  # one word may be mistyped
        ("unsubscribe from the weekly post", False),
        ("pause until jan 5 in #ml", False),
        ("subscribe mondy nine", False),
    ],
)
def test_a_subject_behind_a_command_of_posts_is_none_of_it(line: str, *, is_about_it: bool) -> None:
    """Several words that no post is told by are what somebody looks for."""
    assert is_subject(line, FACTS) is is_about_it


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("threads are annoying, one message please", "subscribe layout:compact"),
        ("no threads please, just one message", "subscribe layout:compact"),
        ("in threads please", "subscribe layout:thread"),
        ("love the monday posts", "search love the monday posts"),
        ("we'd love the post on tuesdays", "subscribe tuesday"),
        ("is there a post in #cv", "subscriptions in:#cv"),
        ("notify the channel about new safety papers", "alert safety"),
    ],
)
def test_praise_blame_and_questions_set_nothing_up(line: str, command: str) -> None:
    """Threads that annoy are not wanted, posts that are loved stay, a question is answered."""
    assert _first(line) == command


@pytest.mark.parametrize(
    "line",
    [
        "no posts came this week",
        "there were no posts in august",
        "think before you speak, the pause token paper",
    ],
)
def test_posts_that_did_not_come_are_not_paused(line: str) -> None:
    """That no posts came is no wish for none, and a word of a title none for a pause."""
    assert _first(line).partition(" ")[0] not in ("pause", "resume", "unsubscribe")
