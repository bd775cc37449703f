"""The weekly review as a web page: what it says is read, and a page that changed is refused."""

from datetime import date

import pytest

from bot.domain.drafts import EntryDraft, ParsedDocument, ParseOptions
from bot.domain.paper_ids import arxiv_id
from bot.errors import DocumentError
from bot.ingest import documents
from bot.ingest.formats.review import FORMAT
from store.records import Heading, Link
from tests.bot.ingest.drafts import without_lines
from tests.bot.ingest.formats.review.documents import OVERVIEW, parse, warned
from tests.bot.ingest.formats.review.page_documents import EDITION, page_of
from tests.bot.ingest.formats.review.page_printer import Markup
from tests.shared_data import shared_file

_SAMPLE = "samples/review_page.html"
_TODAY = date(2026, 4, 1)


def _sample() -> ParsedDocument:
    readable = documents.read("page.html", shared_file(_SAMPLE).read_bytes())
    return documents.parse(readable.document, ParseOptions(_TODAY))


def _entry(text: str, episode: str) -> EntryDraft:
    (edition,) = parse(text).editions
    return next(entry for entry in edition.entries if entry.episode == episode)


def _warnings(text: str) -> list[str]:
    return [note.text for note in parse(text).warnings]


def _refusal(text: str) -> str:
    with pytest.raises(DocumentError) as caught:
        parse(text)
    return str(caught.value)


def test_the_sample_has_its_week_and_its_length() -> None:
    """The sample's days, publication, minutes and address are those of its page."""
    (edition,) = _sample().editions
    assert (edition.first_day, edition.last_day) == (date(2026, 3, 2), date(2026, 3, 8))
    assert (edition.published_on, edition.minutes) == (date(2026, 3, 8), 17)
    assert edition.url == "https://review.example.org/reviews/2026-03-08"
    assert edition.year_rule is None


def test_the_sample_has_its_episodes_under_three_topics() -> None:
    """The sample's episodes are E31 to E36, three, two and one to a topic; E999 is none."""
    (edition,) = _sample().editions
    headings = [heading.title for heading in edition.headings]
    assert [(entry.episode, headings.index(str(entry.heading))) for entry in edition.entries] == [
        ("E31", 0), ("E32", 0), ("E33", 0), ("E34", 1), ("E35", 1), ("E36", 2),
    ]  # fmt: skip
    assert all(heading.tagline for heading in edition.headings)
    assert all(entry.section and entry.summary for entry in edition.entries)


def test_the_sample_s_lists_give_titles_and_numbers() -> None:
    """An episode of the sample has its paper's title and the arXiv link of the list alone."""
    (edition,) = _sample().editions
    assert [(entry.title.split()[0], arxiv_id(entry.links)) for entry in edition.entries] == [
        ("Chain-of-Thought", "2201.11903"),
        ("Self-Consistency", "2203.11171"),
        ("Tree", "2305.10601"),
        ("QLoRA:", "2305.14314"),
        ("Fast", "2211.17192"),
        ("ReAct:", "2210.03629"),
    ]
    assert {len(entry.links) for entry in edition.entries} == {1}


def test_the_sample_is_read_without_a_remark() -> None:
    """Nothing of the sample is odd, and scripts, styles, ways and the player are passed over."""
    parsed = _sample()
    assert parsed.warnings == ()
    assert {note.line for note in parsed.passed_over} >= {7, 8, 12, 44}


def test_an_entry_begins_on_the_line_of_its_paragraph() -> None:
    """The line of an entry is that of its first paragraph in the page's source."""
    lines = shared_file(_SAMPLE).read_text(encoding="utf-8").split("\n")
    for entry in _sample().editions[0].entries:
        assert lines[entry.line - 1].startswith("<p>")
        assert f">{entry.episode}<" in lines[entry.line - 1]


def test_a_page_without_its_review_s_name_is_no_review() -> None:
    """A web page is recognised by the words that reviews have, wherever they stand."""
    assert FORMAT.recognise(page_of())
    assert not FORMAT.recognise("<!doctype html><html><h1>Recipes of the week E31</h1></html>")


def test_words_that_are_links_stay_in_the_text() -> None:
    """A glossary's link leaves its word in the summary, and is no link of the entry."""
    text = page_of(("keeps a cache", "keeps a <a href='https://wiki.example.com/cache'>cache</a>"))
    assert _entry(text, "E202") == _entry(page_of(), "E202")


def test_a_break_in_a_paragraph_is_a_blank_and_two_end_it() -> None:
    """One line break parts words, two part paragraphs."""
    broken = page_of(("nobody wanted twice", "nobody<br>wanted twice"))
    assert _entry(broken, "E202") == _entry(page_of(), "E202")
    parted = page_of(("meets cold.", "meets cold.<br> <br>It thaws."))
    assert str(_entry(parted, "E202").summary).endswith("meets cold.\n\nIt thaws.")


def test_links_of_a_text_join_those_of_the_list() -> None:
    """Code in a paragraph is its episode's; another arXiv number there is only mentioned."""
    text = page_of(
        ("keeps a cache", "keeps <a href='https://github.com/example/cache'>a cache</a>"),
        ("nobody wanted", "<a href='https://arxiv.org/pdf/2501.00001v2'>nobody</a> wanted"),
    )
    assert _entry(text, "E202").links == (
        *_entry(page_of(), "E202").links,
        Link("Code", "https://github.com/example/cache"),
        Link("Link", "https://arxiv.org/abs/2501.00001"),
    )


def test_share_buttons_reach_nothing() -> None:
    """What asks to share the page or plays it is no part of an entry, in lists neither."""
    share = "<a href='https://x.com/intent/post?text=E202'>Share</a><button>Play E202</button>"
    text = page_of((" <span>12 min</span>", f"{share} <span>12 min</span>"))
    assert without_lines(parse(text).editions[0]) == EDITION
    assert _warnings(text) == []


def test_a_link_without_its_address_is_no_link() -> None:
    """A relative address in a list leads around the site."""
    text = page_of(("https://e201.example.net/", "/projects/e201"))
    assert [link.label for link in _entry(text, "E201").links] == ["Paper"]


def test_the_title_is_found_in_the_page_s_head() -> None:
    """Where no heading has the title, the page's own title is taken, with a warning."""
    text = page_of((f"<h1>{EDITION.title}</h1>", ""))
    assert without_lines(parse(text).editions[0]) == EDITION
    assert "no heading has the title; it was taken from the page's head" in _warnings(text)


def test_the_day_of_publication_is_found_in_the_page_s_head() -> None:
    """Where no line of facts states it, the head does; the count is missed then."""
    text = page_of(("Weekly review · 4 episodes · Mar 15, 2026 · 17 min", "17 min"))
    assert without_lines(parse(text).editions[0]) == EDITION
    assert _warnings(text) == ["no count of episodes is stated that could be checked"]


def test_two_days_of_publication_are_odd() -> None:
    """The page's head and its line of facts may differ by the hours of a time zone only."""
    assert _warnings(page_of(("2026-03-15T09", "2026-03-16T00"))) == []
    assert _warnings(page_of(("2026-03-15T09", "2026-03-19T00"))) == [
        "the page's head gives another day of publication: 2026-03-19"
    ]


def test_headings_of_one_level_are_told_apart_by_the_lists() -> None:
    """Where topics and sections have headings of one level, a list ends each topic."""
    text = page_of(("<h3>", "<h2>"), ("</h3>", "</h2>"))
    assert without_lines(parse(text).editions[0]) == EDITION


def test_facts_may_stand_side_by_side() -> None:
    """The review's facts are read where each has an element of its own."""
    line = "<p>Weekly review · 4 episodes · Mar 15, 2026 · 17 min</p>"
    apart = "<div><span>Weekly review</span><span>4 episodes</span><b>Mar 15, 2026</b></div>"
    text = page_of((line, f"{apart}<div>17 min</div>"))
    assert without_lines(parse(text).editions[0]) == EDITION
    assert _warnings(text) == []


def test_what_an_episode_s_list_lacks_is_told() -> None:
    """An episode without an item, a title or a link in the lists is warned of."""
    title, number = "<span>A Cache That Forgets</span>", "<span>E202</span>"
    assert "E202 is listed without a title" in _warnings(page_of((title, "")))
    assert "E202 is in no list of episodes" in _warnings(page_of((number, "")))
    paper, number = "https://arxiv.org/abs/2603.10202", "arXiv:2603.10202"
    bare = page_of((paper, "/x"), (number, "Notes"), ("https://e202.example.net/", "/y"))
    assert "E202 is listed without a link" in _warnings(bare)


def test_an_item_without_its_number_gives_nothing_to_its_neighbour() -> None:
    """The links of an item whose number is missing go to no other episode."""
    number = '<a href="/episodes/E202"><span>E202</span><span>A Cache That Forgets</span></a>'
    text = page_of((number, ""))
    assert _entry(text, "E201") == _entry(page_of(), "E201")


def test_numbers_beside_a_list_s_name_are_items_of_it() -> None:
    """Episodes in the line that begins a list are listed; their titles may come below."""
    text = page_of(("<h4>Episodes in this topic", "<h4>Episodes in this topic: E201, E202"))
    assert without_lines(parse(text).editions[0]) == EDITION
    assert _warnings(text) == []


def test_empty_lists_are_told_once() -> None:
    """Lists that hold nothing leave the sections' titles, with one warning."""
    items = Markup(parts="none")
    text = page_of(markup=items)
    assert _warnings(text) == ["the lists of episodes hold none: no titles of papers, no links"]
    assert _entry(text, "E204").title == "A pause before each grasp"


def test_a_short_line_among_the_paragraphs_is_left_out() -> None:
    """A line without a full stop that is no heading is warned of."""
    text = page_of(("<h3>What a", "<p>Heard on the train</p><h3>What a"))
    note = "left out, a short line that is no heading: Heard on the train"
    assert note in _warnings(text)


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    [
        (EDITION.title, "The Review of March", "no title names a week"),
        ("4 episodes", "5 episodes", "it counts 5 episodes, and 4 were found"),
        (" <a href='/episodes/E202'>E202</a>.", ".", "the lists name E202, and no paragraph does"),
        ("E20", "No. 20", "no paragraph names an episode"),
        ("<h2>Robots That Wait</h2>", "", "there is no heading over the list"),
        ("<h2>Robots That Wait</h2>", "<p>Robots That Wait</p>", "is no heading by its tag"),
    ],
)
def test_a_page_whose_mark_up_changed_is_refused(old: str, new: str, missing: str) -> None:
    """Where what a page promises isn't found, it is refused and the missing thing named."""
    refusal = _refusal(page_of((old, new)))
    assert refusal.startswith("The page's mark-up seems to have changed: ")
    assert missing in refusal


def test_a_page_that_is_filled_by_a_script_is_refused() -> None:
    """A page that holds its title and nothing else names no episode."""
    text = f"<html><head><title>{EDITION.title}</title></head><body><p></p></body></html>"
    assert "no paragraph names an episode" in _refusal(text)


def test_a_page_without_its_closing_tag_is_refused() -> None:
    """A page that breaks off in its main part is refused, all of its episodes there or not."""
    text = page_of()
    assert "cut off: its closing tag </main> is missing" in _refusal(text.partition("</main>")[0])
    assert parse(text.partition("</main>")[0] + "</main>").editions


def test_two_reviews_on_a_page_are_refused() -> None:
    """Texts under the headings of two weeks are two reviews."""
    other = "<h2>AI Papers Week in Review: March 2–8, 2026</h2><h2>Robots"
    assert "two reviews" in _refusal(page_of(("<h2>Robots", other)))


def test_elements_without_end_are_refused() -> None:
    """A page that nests deeper than any is refused before it is parsed."""
    assert "deep in each other" in _refusal("<html>" + "<div>" * 100_000)


def test_an_episode_in_the_foot_of_the_page_is_none() -> None:
    """Navigation, hidden text and the page's foot are passed over."""
    text = page_of(("</main>", "<p hidden>E205 is hidden.</p><nav>E206 comes next.</nav></main>"))
    parsed = parse(text)
    assert without_lines(parsed.editions[0]) == EDITION
    assert {"is hidden", "leads to other pages"} <= {note.text for note in parsed.passed_over}


def test_text_behind_the_last_list_is_told() -> None:
    """A line behind the last list belongs to no episode, and is warned of."""
    text = page_of(("</main>", "<p>Thank you for reading.</p></main>"))
    assert warned(parse(text), text, "<p>Thank you")[:1] != []
    parsed = parse(text.replace("</main><footer>", "</main>\n<footer>"))
    assert without_lines(parsed.editions[0]) == EDITION


def test_a_page_without_headings_taglines_or_overview_says_so() -> None:
    """A missing tagline and a missing overview are warned of."""
    tagline = f"<p>{EDITION.headings[1].tagline}</p>"
    text = page_of((tagline, ""))
    assert parse(text).editions[0].headings[1] == Heading("Robots That Wait", None)
    assert "the heading “Robots That Wait” has no tagline" in _warnings(text)
    assert "the page has no overview" in _warnings(_without_overview())


def _without_overview() -> str:
    before, opening, rest = page_of().partition(f"<p>{OVERVIEW[:20]}")
    assert opening
    return before + rest.partition("</p>")[2]


def test_the_same_text_is_not_changed_by_an_ampersand() -> None:
    """Entities are letters: what a page escapes stands plain in the entry."""
    text = page_of(("It is small", "It is small &amp; &lt;quick&gt;"))
    assert "twice. It is small & <quick>.\n\n" in str(_entry(text, "E202").summary)


def test_a_page_is_read_again_as_it_was() -> None:
    """The whole page gives the whole edition, without a warning."""
    parsed = parse(page_of())
    assert without_lines(parsed.editions[0]) == EDITION
    assert parsed.warnings == ()


def test_a_page_of_very_many_tags_is_refused() -> None:
    """A page that would take gigabytes to be parsed is refused before it is."""
    crowded = page_of(("</main>", "<br>" * 100_001 + "</main>"))
    assert "more than 100,000 tags" in _refusal(crowded)
