"""The rules of an answer, whatever the platform: what is called when, and what users are told."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import pytest

from adapters.common.answers.acknowledgement import Acknowledger
from adapters.common.answers.driver import Answer, AnswerDriver, Asked, given
from adapters.common.answers.showing import Showing
from adapters.common.files import files_of
from adapters.common.tasks import Tasks
from bot.actor import Actor, Role
from bot.app import Broadsheet
from bot.errors import NotAllowed, OutcomeUnknown, Rejected, RetryLater, SendError
from bot.replies.blocks import Button, Reply, Text
from bot.replies.plain_text import plain_text
from store.database import Database
from store.errors import StoreBusy, StoreError
from tests.adapters.common.services import services_over
from tests.file_replies import PICTURE

PRIVATE = Showing()
IN_PUBLIC = Showing(in_public=True)
SHARED = Showing(private=False, share=False, shared=True)
ANSWER = Reply((Text("Ten papers."),), command="latest")
WITH_FILE = Reply((Text("Ten papers."), PICTURE), command="trends")
QUIET = Reply((Text("You voted."),), quiet=True)
ACTOR = Actor("slack", "T1", "U1", Role.READER)
WELCOME = "Broadsheet has the top AI papers of each week."


def voted(votes: int) -> Reply:
    """Return what a vote is answered with: quietly, by the new label of its button."""
    return Reply(QUIET.blocks, quiet=True, renamed=(Button(f"Vote ({votes})", "vote 1"),))


@dataclass
class Recorded:
    """The verbs of a platform that records what it is asked; `errors` are raised once each."""

    errors: dict[str, list[SendError]] = field(default_factory=dict)
    unstorable: list[StoreError] = field(default_factory=list)
    holding: bool = True
    is_ours: bool = True
    has_buttons: bool = True
    calls: list[tuple[str, str]] = field(default_factory=list)

    async def render(self, reply: Reply, showing: Showing) -> Answer:
        """Render nothing."""
        if self.unstorable:
            raise self.unstorable.pop()
        return Answer(reply, showing)

    def holds(self, _answer: Answer) -> bool:
        """Tell as it is set."""
        return self.holding

    async def acknowledge(self, answer: Answer) -> None:
        """Record the answer."""
        self._record("acknowledge", answer.reply)

    async def defer(self, showing: Showing) -> bool:
        """Record whether it is known to be silent."""
        self._note("defer", "silent" if showing.silent else "")
        return self.is_ours

    async def follow_up(self, answer: Answer) -> None:
        """Record the answer."""
        self._record("follow_up", answer.reply)

    def without_files(self, answer: Answer, error: SendError) -> Reply | None:
        """Return the words alone, with the reason."""
        if not files_of(answer.reply):
            return None
        return Reply((answer.reply.blocks[0], Text(f"No file: {error.sentence}")))

    async def relabel(self, buttons: Sequence[Button]) -> bool:
        """Record the labels."""
        self._note("relabel", ", ".join(button.label for button in buttons))
        return self.has_buttons

    async def show_nothing(self) -> None:
        """Record it."""
        self._note("show_nothing")

    async def finish(self, _answer: Answer) -> None:
        """Record it."""
        self._note("finish")

    async def tell(self, reply: Reply) -> None:
        """Record the reply."""
        self._record("tell", reply)

    def _record(self, verb: str, reply: Reply) -> None:
        self._note(verb, " ".join(plain_text(reply).split()))

    def _note(self, verb: str, said: str = "") -> None:
        self.calls.append((verb, said))
        if errors := self.errors.get(verb):
            raise errors.pop()


@dataclass
class Bench:
    """A driver of requests that came in long ago: what is not ready at once is late.

    Late ones are ready when the acknowledgement is out.
    """

    app: Broadsheet
    verbs: Recorded = field(default_factory=Recorded)
    late: bool = False

    async def ask(
        self, *replies: Reply | Exception, requested: Showing = PRIVATE, acknowledged: bool = False
    ) -> list[str]:
        """Answer a request, when it is run again with the next reply; return the calls."""
        left, gate = list(replies), asyncio.Event()
        tasks = Tasks()

        async def run(_actor: Actor) -> Reply:
            if self.late:
                await gate.wait()
            reply = left.pop(0) if len(left) > 1 else left[0]
            if isinstance(reply, Exception):
                raise reply
            return reply

        driver: AnswerDriver[Answer] = AnswerDriver(self.app, Acknowledger(tasks), tasks, "Here")
        asked = Asked(partial(given, ACTOR), run, requested)
        if acknowledged:
            await driver.follow_up(asked, self.verbs)
        else:
            await driver.acknowledge(asked, self.verbs, arrived=0.0)
        gate.set()
        for _ in range(2):  # what follows an answer that follows
            await tasks.finish(1)
        called = [" ".join(filter(None, call)) for call in self.verbs.calls]
        self.verbs.calls.clear()
        return called


@pytest.fixture
def at(database: Database) -> Bench:
    """Return a bench whose bot welcomes nobody."""
    return Bench(services_over(database).app)


async def test_an_answer_in_time_is_the_acknowledgement(at: Bench) -> None:
    """One call shows it; else the request is deferred and the answer follows."""
    assert await at.ask(ANSWER) == ["acknowledge Ten papers.", "finish"]
    at.late = True
    assert await at.ask(ANSWER) == ["defer", "follow_up Ten papers.", "finish"]


async def test_an_answer_that_is_better_seen_to_arrive_follows(at: Bench) -> None:
    """It is deferred though it is ready."""
    at.verbs.holding = False
    assert await at.ask(ANSWER) == ["defer", "follow_up Ten papers.", "finish"]


async def test_a_request_that_another_process_answers_is_left_to_it(at: Bench) -> None:
    """Nothing follows a deferral that came too late."""
    at.late, at.verbs.is_ours = True, False
    assert await at.ask(ANSWER) == ["defer"]


async def test_a_request_that_is_acknowledged_is_answered_at_once(at: Bench) -> None:
    """A button or a message in Slack has nothing to wait for."""
    assert await at.ask(ANSWER, acknowledged=True) == ["follow_up Ten papers.", "finish"]


@pytest.mark.parametrize(
    ("error", "said"),
    [(StoreBusy(), "The store is busy"), (ValueError(), "Something went wrong.")],
)
async def test_whatever_happens_there_is_an_answer(at: Bench, error: Exception, said: str) -> None:
    """An error while the request runs is told, and so is one while it is rendered."""
    [acknowledged, _] = await at.ask(error)
    assert said in acknowledged
    at.verbs.unstorable = [StoreBusy()]
    [acknowledged, _] = await at.ask(ANSWER)
    assert acknowledged.startswith("acknowledge")
    assert "Ten papers" not in acknowledged


async def test_a_quiet_answer_in_public_shows_nothing(at: Bench) -> None:
    """The message with the button shows the change; elsewhere the user is told."""
    assert await at.ask(QUIET, requested=IN_PUBLIC) == ["show_nothing"]
    assert await at.ask(QUIET) == ["acknowledge You voted.", "finish"]
    at.late = True
    assert await at.ask(QUIET, requested=IN_PUBLIC) == ["defer", "show_nothing"]


async def test_public_buttons_are_relabelled_until_their_labels_are_current(at: Bench) -> None:
    """Others press meanwhile, but not for ever."""
    votes = [voted(number) for number in range(1, 9)]
    assert await at.ask(votes[0], requested=IN_PUBLIC) == ["relabel Vote (1)"]
    now = [votes[0], votes[2], votes[2]]
    assert await at.ask(*now, requested=IN_PUBLIC) == ["relabel Vote (1)", "relabel Vote (3)"]
    assert len(await at.ask(*votes, requested=IN_PUBLIC)) == 3


async def test_where_no_button_can_be_relabelled_the_user_is_told(at: Bench) -> None:
    """A message without the button, or that can't be edited, changes nothing about the vote."""
    told = ["relabel Vote (1)", "acknowledge You voted.", "finish"]
    at.verbs.has_buttons = False
    assert await at.ask(voted(1), requested=IN_PUBLIC) == told
    at.verbs.has_buttons, at.verbs.errors = True, {"relabel": [Rejected("No.")]}
    assert await at.ask(voted(1), requested=IN_PUBLIC) == told


@pytest.mark.parametrize("refusal", [Rejected("Too large."), NotAllowed("Too large.")])
async def test_an_answer_is_sent_without_files_that_are_refused(
    at: Bench, refusal: SendError
) -> None:
    """The words say why; an answer without files is not sent again."""
    at.verbs.errors = {"acknowledge": [refusal]}
    first, second, last = await at.ask(WITH_FILE)
    assert first.startswith("acknowledge Ten papers.")
    assert (second, last) == ("acknowledge Ten papers. No file: Too large.", "finish")
    at.verbs.errors = {"acknowledge": [refusal]}
    assert await at.ask(ANSWER) == ["acknowledge Ten papers."]


async def test_a_lost_answer_is_a_line_in_the_log(
    at: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """Where the request was acknowledged before, whoever handles it is told."""
    for verb in ("acknowledge", "defer", "follow_up"):
        at.late = verb != "acknowledge"
        at.verbs.errors = {verb: [RetryLater("Not now.")]}
        called = await at.ask(ANSWER)
        assert called[-1].startswith(verb)
    assert [record.msg for record in caplog.records] == ["answer_lost"] * 3
    at.verbs.errors = {"follow_up": [RetryLater("Not now.")]}
    at.late = False
    with pytest.raises(RetryLater):
        await at.ask(ANSWER, acknowledged=True)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (NotAllowed("Only some may post.", "Ask them."), "Only some may post. Ask them."),
        (OutcomeUnknown("Lost."), "Here broke off while the answer was being shared. Look"),
    ],
)
async def test_the_user_is_told_why_sharing_failed(at: Bench, error: SendError, said: str) -> None:
    """It is not tried again, which could post it twice, and nothing comes after it."""
    at.verbs.errors = {"acknowledge": [error]}
    shared, told = await at.ask(ANSWER, requested=SHARED)
    assert shared == "acknowledge Ten papers."
    assert said in told
    assert told.startswith("tell")


async def test_what_is_private_is_not_shared(at: Bench) -> None:
    """A button of an earlier version gets a sentence, which the user alone sees."""
    private = Reply((Text("My list."),), command="saved", private=True)
    [refused, _] = await at.ask(private, requested=SHARED)
    assert "My list." not in refused


@pytest.fixture
def greeting(database: Database) -> Bench:
    """Return a bench whose bot welcomes new users."""
    return Bench(services_over(database, welcomes=True).app)


async def test_a_first_answer_is_followed_by_the_welcome_once(greeting: Bench) -> None:
    """It stands below the answer and its files; no error and nothing shared is followed by it."""
    failed = Reply((Text("No."),), failed=True)
    assert len(await greeting.ask(failed)) == 2
    assert await greeting.ask(ANSWER, requested=SHARED) == ["acknowledge Ten papers.", "finish"]
    greeting.verbs.errors = {"finish": [RetryLater("Not now.")]}
    [_, finish, welcome] = await greeting.ask(ANSWER)
    assert finish == "finish"
    assert WELCOME in welcome
    assert len(await greeting.ask(ANSWER)) == 2


@pytest.mark.parametrize(("error", "again"), [(NotAllowed("No."), 1), (OutcomeUnknown("Lost."), 0)])
async def test_a_welcome_that_was_refused_follows_the_next_answer(
    greeting: Bench, error: SendError, again: int
) -> None:
    """One that may have arrived does not."""
    greeting.verbs.errors = {"tell": [error]}
    assert len(await greeting.ask(ANSWER)) == 3
    assert len(await greeting.ask(ANSWER)) == 2 + again
