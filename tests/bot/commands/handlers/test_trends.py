"""`trends`, asked as a reader asks and read as a screen reader reads."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from bot.app import Broadsheet
from bot.commands.handlers.trends import alt_text, chart_of, plot_of, trends_reply
from bot.domain.drafts import DocumentKind, EditionDraft
from bot.domain.topics import all_topics
from bot.domain.weeks import Week
from bot.errors import PlotError
from bot.library.trends import Trend, Trends, last_dense_week, styles_of, trends_of, weeks_to
from bot.plots.plotter import STYLES, Picture, Plot
from bot.replies.blocks import Actions, File, Level, Notice, Reply, Text
from bot.replies.plain_text import plain_text
from store.database import Database
from store.library.statistics import WeekCount, WeeklyCounts
from tests.bot.conftest import READER, Ask, FixedClock, answered, bot_of
from tests.bot.ingest.drafts import MONDAY, edition, entry
from tests.store.consensus.fused_weeks import takes_in

# A Thursday: the week of Monday, January 5, has not ended.
_THEN = datetime(2026, 1, 8, 12, tzinfo=UTC)
_TITLES = {"a": "Language agents", "r": "Robots that grasp", "n": "On nothing", "v": "Video clips"}


@dataclass
class Easel:
    """Draws nothing and notes what it was asked for."""

    asked: list[Plot] = field(default_factory=list)
    error: PlotError | None = None

    async def png(self, plot: Picture, _asker: object = None) -> bytes:
        """Return bytes that no other plot has."""
        assert isinstance(plot, Plot)
        if self.error:
            raise self.error
        self.asked.append(plot)
        return f"{len(self.asked)}: {plot.title}".encode()


def _week(topics: str, ago: int, **fields: object) -> EditionDraft:
    """Draft an edition, a paper a letter, so many weeks before the one of the clock."""
    day = MONDAY - timedelta(weeks=ago)
    entries = (
        entry(rank, f"{_TITLES[letter]}, part {ago}.{rank}")
        for rank, letter in enumerate(topics, start=1)
    )
    return replace(edition(*entries, first_day=day), **fields)  # type: ignore[arg-type] # tests name real fields


@pytest.fixture
def store(sqlite_template: Path, tmp_path: Path) -> Iterator[Database]:
    """Return a store with eight weeks in which agents rise and robots fall, and the open week."""
    path = tmp_path / "weeks.db"
    path.write_bytes(sqlite_template.read_bytes())
    weeks = ("rrrn", "rrnn", "rrnn", "rrrn", "arrn", "arnn", "aann", "aaan")
    drafts = (_week(topics, len(weeks) - number) for number, topics in enumerate(weeks))
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(takes_in(database, *(("dair", draft) for draft in drafts)))
        asyncio.run(takes_in(database, ("dair", _week("vvvv", 0))))
        yield database


def _app(database: Database, easel: Easel, at: datetime = _THEN) -> Broadsheet:
    return bot_of(database, FixedClock(at), plots=easel)


def _asking(database: Database, easel: Easel | None = None, at: datetime = _THEN) -> Ask:
    app = _app(database, easel or Easel(), at)
    return lambda text: asyncio.run(answered(app, text, READER))


def _file(reply: Reply) -> File:
    [found] = [block for block in reply.blocks if isinstance(block, File)]
    return found


def test_what_moved_most_is_told_shown_and_led_to(store: Database) -> None:
    """The finding, the numbers and a way to each topic; the week that has not ended is left out."""
    easel = Easel()
    reply = _asking(store, easel)("trends")
    title, finding, _, *others = plain_text(reply).split("\n\n")
    assert title == "Trends · Nov 10, 2025 – Jan 4, 2026"
    assert finding == (
        "agents rose, robotics fell: the last 4 weeks"
        " against the 12 before. Only 4 of the 12 have papers. Of all topics these 2 moved most."
        " Each share is of the papers of dair in four weeks."
    )
    assert "\n\n".join(others).splitlines() == [
        "agents    44% (7 of 16 papers), up 44 points from 0% (0 of 16)",
        "robotics  19% (3 of 16 papers), down 43 points from 62% (10 of 16)",
        "",
        "  > topic agents",
        "    agents",
        "  > topic robotics",
        "    robotics",
    ]
    assert reply.command == "trends until:2026-W01"
    assert len(easel.asked) == 1


def test_the_picture_says_what_the_words_say(store: Database) -> None:
    """Its title is the finding, its labels the topics; its alternative text names its lines."""
    easel = Easel()
    file = _file(_asking(store, easel)("trends robotics agents"))
    assert (file.name, file.media_type) == ("trends.png", "image/png")
    assert file.alt == (
        "Share of the papers, four weeks at a time, Nov 10, 2025 – Jan 4, 2026, as lines that end"
        " at: robotics 19%, agents 44%."
    )
    [plot] = easel.asked
    assert plot.title == (
        "agents rose from 0% to 44% of the papers",
        "robotics fell from 62% to 19%",
    )
    assert plot.measure == (
        "Share of the papers, four weeks at a time; pale: single weeks",
        "Title: the last 4 weeks against the 12 before",
    )
    assert plot.source == "Broadsheet · dair · Nov 10, 2025 – Jan 4, 2026"
    assert (plot.days[0], plot.days[-1], len(plot.days)) == (
        date(2025, 11, 10),
        date(2025, 12, 29),
        8,
    )
    robots, agents = plot.curves
    assert (robots.label, agents.label) == ("robotics 19%", "agents 44%")
    assert robots.dots == (0.75, 0.5, 0.5, 0.75, 0.5, 0.25, 0.0, 0.0)
    assert agents.points[-1] == 7 / 16


def test_the_chart_has_the_numbers_of_the_picture(store: Database) -> None:
    """A value of a topic for each week, in percent, with the days that the weeks begin on."""
    chart = _file(_asking(store)("trends robotics agents")).chart
    assert chart
    assert (chart.title, chart.unit) == ("Share of the papers, four weeks at a time", "Percent")
    assert (chart.categories[0], chart.categories[-1]) == ("Nov 10", "Dec 29")
    robots, agents = chart.series
    assert robots == ("robotics", (75.0, 62.5, 58.3, 62.5, 56.2, 50.0, 37.5, 18.8))
    assert agents[1][-1] == 43.8


def test_who_draws_needs_no_picture(store: Database) -> None:
    """Where lines are drawn of the numbers none is asked for, nor is what draws it needed."""
    easel = Easel(error=PlotError("No pictures here."))
    drawing = replace(READER, draws=True)
    file = _file(asyncio.run(answered(_app(store, easel, _THEN), "trends robotics", drawing)))
    assert (file.data, easel.asked) == (b"", [])
    assert file.chart
    assert file.chart.series[0][0] == "robotics"


def test_a_chart_has_the_gaps_of_the_picture() -> None:
    """A week without papers is a gap; the weeks around it have their numbers."""
    last = Week.of(MONDAY)
    weeks = (week for ago, week in enumerate(reversed(weeks_to(last, 12))) if ago != 3)
    counts = tuple(WeekCount(week.name, 5, {"agents": 2}) for week in weeks)
    chart = chart_of(trends_of(WeeklyCounts(counts, ("dair",)), last, ("agents",)))
    [(_, values)] = chart.series
    assert [place for place, value in enumerate(reversed(values)) if value is None][:1] == [3]
    assert len(values) == len(chart.categories)


def test_many_curves_have_no_single_weeks(store: Database) -> None:
    """Their marks would cover each other, and nothing is said of them."""
    easel = Easel()
    _asking(store, easel)("trends robotics agents video")
    [plot] = easel.asked
    assert {curve.dots for curve in plot.curves} == {()}
    assert plot.measure[0] == "Share of the papers, four weeks at a time"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("trends agents", "agents rose: the last"),
        ("trends robotics", "robotics fell: the last"),
        ("trends video", "video stayed at 0% of the papers: the last"),
        ("trends video math", "No paper of these weeks is on any of these topics. Only 4"),
        ("trends robotics video until:2025-W47", "robotics leads with 62% of the papers. There is"),
        ("trends agents until:2025-W47", "agents has 0% of the papers. There is nothing before"),
        ("trends until:2025-W47", "robotics has 62% of the papers. There is nothing before"),
    ],
)
def test_the_first_sentence_is_what_there_is_to_find(
    store: Database, asked: str, sentence: str
) -> None:
    """The rise, the fall, else the present shares; incomparable ones are not compared."""
    [words] = [block for block in _asking(store)(asked).blocks if isinstance(block, Text)]
    assert words.text.startswith(sentence)


def test_where_none_leads_none_is_said_to() -> None:
    """Topics of the same share lead together, also where they are many."""

    def topics(*shares: float) -> Trends:
        week = Week.of(MONDAY)
        named = (
            Trend(f"t{number}", (share,), (share,), Fraction(share), None, 1000, 0)
            for number, share in enumerate(shares)
        )
        return Trends((week,), tuple(named), recent_weeks=1, earlier_weeks=0, sources=("dair",))

    assert [
        plot_of(topics(*each)).title for each in ((0.14, 0.1, 0.136), (0.5,) * 4, (0, 0.001))
    ] == [
        ("t0 and t2 lead with 14% of the papers each",),
        ("4 topics lead with 50% of the papers each",),
        ("None of these topics has 1% of the papers",),
    ]


def _found(recent: int, earlier: int, *topics: str) -> Trends:
    """Compare weeks of which so many have papers, the last ones five, the earlier ones ten."""
    last = Week(2026, 2)
    before, now = weeks_to(last, 16)[12 - earlier : 12], weeks_to(last, recent)
    counts = (
        *(WeekCount(week.name, 10, {"agents": 3, "code": 1}) for week in before),
        *(WeekCount(week.name, 5, {"agents": 2, "code": 2}) for week in now),
    )
    return trends_of(WeeklyCounts(counts, ("dair",)), last, topics)


def test_a_change_of_less_than_one_paper_is_no_headline() -> None:
    """The shares are next to zero; the numbers are shown all the same."""
    found = _found(1, 12, "agents", "code")
    assert plot_of(found).title == ("code rose from 10% to 40% of the papers",)
    assert alt_text(found).partition(": ")[2] == "agents 40%, code 40%."
    still = plot_of(_found(1, 12, "agents"))
    assert still.title == ("agents stayed at about 40% of the papers",)


def test_the_picture_says_what_its_title_compares() -> None:
    """Below a title that compares stand the weeks it speaks of, below another one nothing."""
    measures = [plot_of(_found(4, 12, *topics)).measure[1:] for topics in ((), ("math",))]
    assert measures == [("Title: the last 4 weeks against the 12 before",), ()]


@pytest.mark.parametrize(
    ("recent", "earlier", "sentence"),
    [
        (2, 6, "Only 2 of these 4 weeks and 6 of the 12 have papers."),
        (3, 12, "Only 3 of these 4 weeks have papers."),
        (4, 1, "Only 1 of the 12 has papers."),
        (4, 12, ""),
    ],
)
def test_how_many_of_the_weeks_have_papers_is_said(
    recent: int, earlier: int, sentence: str
) -> None:
    """Unless all of them have."""
    reply = trends_reply(_found(recent, earlier), Notice(Level.INFO, "-"), "trends")
    [words] = [block for block in reply.blocks if isinstance(block, Text)]
    assert words.text.partition("before. ")[2].partition("Of all")[0].strip() == sentence


def test_one_week_is_no_picture(store: Database) -> None:
    """A curve leads from one week to another, so the numbers stand alone."""
    easel = Easel()
    reply = _asking(store, easel)("trends until:2025-W46")
    assert easel.asked == []
    assert "A picture needs two weeks with papers." in plain_text(reply)
    assert "robotics  75% (3 of 4 papers)" in plain_text(reply)
    assert "Each share is of the papers of dair." in plain_text(reply)


def test_an_open_edition_waits_for_the_end_of_its_week(store: Database) -> None:
    """The very next Monday its papers count."""
    drafted = replace(_week("vvvv", 0), kind=DocumentKind.HF_DAILY)
    asyncio.run(takes_in(store, ("hf-daily", drafted)))
    monday = datetime(2026, 1, 12, tzinfo=UTC)
    for at, numbers in (
        (_THEN, "0% (0 of 16 papers), as before: 0% (0 of 16)"),
        (monday, "25% (4 of 16 papers), up 25 points from 0% (0 of 20)"),
    ):
        assert f"video  {numbers}" in plain_text(_asking(store, at=at)("trends video"))


def test_the_answer_is_given_again_whenever(store: Database) -> None:
    """Its line names the last week, so that weeks that came since are left out."""
    easel = Easel()
    reply = _asking(store, easel)("trends agents, robots")
    assert reply.command == "trends agents,robotics until:2026-W01"
    again = _asking(store, easel, _THEN + timedelta(days=90))(reply.command)
    assert [each for each in again.blocks if not isinstance(each, File)] == [
        each for each in reply.blocks if not isinstance(each, File)
    ]
    assert easel.asked[0] == easel.asked[1]


def test_a_week_without_papers_leads_to_the_last_one_before(store: Database) -> None:
    """Also one to come, and this one."""
    assert _asking(store)("trends until:2027-W10").command == "trends until:2026-W01"
    late = _asking(store, at=_THEN + timedelta(days=900))
    assert late("trends").command == "trends until:2026-W02"


def test_without_a_picture_the_numbers_are_there_all_the_same(store: Database) -> None:
    """The reason is in the place of the picture, with a remedy."""
    error = PlotError("There is no picture: nobody draws.", "Bring a pencil.")
    reply = _asking(store, Easel(error=error))("trends agents")
    assert not reply.failed
    [notice] = [block for block in reply.blocks if isinstance(block, Notice)]
    assert (notice.text, notice.remedy) == (error.sentence, error.remedy)
    assert "agents  44% (7 of 16 papers), up 44 points from 0%" in plain_text(reply)


def test_each_topic_has_a_way_on(store: Database) -> None:
    """Its button lists the papers; as many as a phone's picture can show fit one row."""
    slugs = ("agents", "code", "data", "math", "video")
    reply = _asking(store)(f"trends {' '.join(slugs)}")
    [actions] = [block for block in reply.blocks if isinstance(block, Actions)]
    assert [button.command for button in actions.buttons] == [f"topic {slug}" for slug in slugs]


def test_an_empty_store_says_so(empty_app: Broadsheet) -> None:
    """There is nothing to draw before anything was imported."""
    reply = asyncio.run(empty_app.run_text("trends", READER))
    assert reply.failed
    assert "No edition is stored yet." in plain_text(reply)


def test_no_week_that_ended_is_said_in_words(store: Database) -> None:
    """Before the first week there is nothing either."""
    reply = _asking(store)("trends until:2025-W45")
    assert reply.failed
    assert "No week up to 2025-W45 has papers." in plain_text(reply)


def test_papers_without_topics_are_no_picture(sqlite_template: Path, tmp_path: Path) -> None:
    """Nothing moved where there is nothing that could."""
    path = tmp_path / "plain.db"
    path.write_bytes(sqlite_template.read_bytes())
    with closing(Database(f"sqlite:///{path}")) as database:
        asyncio.run(takes_in(database, ("dair", _week("nnn", 1))))
        reply = _asking(database)("trends")
    assert reply.failed
    assert "No paper of these weeks has a topic." in plain_text(reply)


def test_many_sources_are_counted_and_not_named(store: Database) -> None:
    """So that the line under the picture fits."""
    for number in range(12):
        asyncio.run(takes_in(store, (f"source-{number}", _week("an", 1))))
    easel = Easel()
    _asking(store, easel)("trends")
    assert easel.asked[0].source.startswith("Broadsheet · 13 sources · ")


def test_a_topic_keeps_its_style_in_every_picture() -> None:
    """Whichever others are beside it; of two with the same the later takes the next."""
    order = [each.slug for each in all_topics()]
    for topic in order:
        assert styles_of([topic])[topic] == order.index(topic) % STYLES
    same = order[STYLES]
    assert styles_of([same, order[0]]) == {order[0]: 0, same: 1}


@pytest.mark.parametrize(
    ("weeks", "dense"),
    [
        ((), None),
        (range(1, 6), None),
        (range(1, 7), 6),
        ((*range(1, 7), 40), 6),
        ((*range(1, 13, 2), 40, 42), 11),
        ((*range(1, 7), *range(30, 40)), 39),
    ],
)
def test_a_picture_ends_where_papers_become_rare(weeks: Iterable[int], dense: int | None) -> None:
    """Six of sixteen weeks have papers: an edition long after the others is left out."""
    names = [f"2025-W{week:02}" for week in weeks]
    assert last_dense_week(names) == (dense and f"2025-W{dense:02}")


def test_a_line_that_ends_the_other_way_is_no_mover() -> None:
    """More than before, but less than four weeks ago; and a change of few papers is none."""
    rising = Trend("agents", (0.1,) * 8, (), Fraction(1, 5), Fraction(1, 10), 50, 100)
    assert rising.is_mover
    assert not replace(rising, shares=(0.3,) * 8).is_mover
    assert not replace(rising, recent_papers=20, earlier_papers=40).is_mover


async def test_the_newest_weeks_are_offered_where_they_are_few(database: Database) -> None:
    """Half a year after the last of many weeks one more edition makes no trend."""
    await takes_in(
        database, *(("dair", _week("aar", ago)) for ago in range(30, 40)), ("dair", _week("a", 1))
    )
    reply = await bot_of(database, clock=FixedClock(_THEN)).run_text("trends", READER)
    assert "too few weeks have papers to show a trend" in plain_text(reply)
    assert reply.command is not None
    [*_, offer] = reply.blocks
    assert isinstance(offer, Actions)
    assert [each.command for each in offer.buttons] == ["trends until:2026-W01"]
    shown = await bot_of(database, clock=FixedClock(_THEN)).run_text(
        "trends until:2026-W01", READER
    )
    assert "too few weeks" not in plain_text(shown)
