"""The bundled samples: what a new installation shows before anything was imported."""

from datetime import date
from importlib.resources import files

from bot.ingest.drafts import ParsedDocument, ParseOptions, RawDocument
from bot.ingest.sources import archive, review
from store.records import Link

_PATH = "samples/weeks.md"
_TEXT = (files("bot") / _PATH).read_text(encoding="utf-8")


def _parsed() -> ParsedDocument:
    return archive.FORMAT.parse(RawDocument(_PATH, _TEXT), ParseOptions(today=date(2026, 1, 1)))


def test_the_samples_are_an_archive_of_their_own_source() -> None:
    """The document is recognised as an archive, and its title makes a slug of its own."""
    assert archive.FORMAT.recognise(_TEXT)
    assert not review.FORMAT.recognise(_TEXT)
    assert _parsed().slug == "broadsheet-samples"


def test_the_samples_are_two_whole_weeks() -> None:
    """Two weeks in a row from Monday to Sunday, the newer first, with ten ranked papers each."""
    editions = _parsed().editions
    assert [(edition.first_day, edition.last_day) for edition in editions] == [
        (date(2025, 6, 16), date(2025, 6, 22)),
        (date(2025, 6, 9), date(2025, 6, 15)),
    ]
    for edition in editions:
        assert [entry.rank for entry in edition.entries] == list(range(1, 11))


def test_nothing_in_the_samples_is_odd() -> None:
    """The parser has nothing to warn of."""
    assert _parsed().warnings == ()


def test_every_sample_has_a_summary_and_an_arxiv_link() -> None:
    """Each paper has words of its own and exactly one link, and no two papers are the same."""
    entries = [entry for edition in _parsed().editions for entry in edition.entries]
    assert all(entry.summary and entry.summary.endswith(".") for entry in entries)
    links = [link for entry in entries for link in entry.links]
    assert all(link == Link("Paper", link.url) for link in links)
    assert all(link.url.startswith("https://arxiv.org/abs/") for link in links)
    assert len({link.url for link in links}) == len(links) == len(entries) == 20
    assert len({entry.title for entry in entries}) == 20


def test_the_first_five_samples_have_highlights() -> None:
    """Two or three highlights with a lead stand under the first five papers of each week."""
    for edition in _parsed().editions:
        counts = [len(entry.highlights) for entry in edition.entries]
        assert set(counts[:5]) <= {2, 3}
        assert set(counts[5:]) == {0}
        highlights = [each for entry in edition.entries for each in entry.highlights]
        assert all(each.lead and each.text.endswith(".") for each in highlights)
