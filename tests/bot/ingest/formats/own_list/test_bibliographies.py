"""BibTeX and RIS as reference managers write them."""

from bot.domain.drafts import DocumentKind
from store.records import Highlight, Link
from tests.bot.ingest.formats.own_list.reading import entries, papers, parse, titles, told

_BIBTEX = r"""% Our papers
@string{nips = "NeurIPS"}

@inproceedings{vaswani2017attention,
  author    = {Vaswani, Ashish and Shazeer, Noam},
  title     = {{Attention} Is All {Y}ou Need},
  booktitle = nips,
  url       = {https://arxiv.org/abs/1706.03762},
  note      = {The \emph{transformer}, 50\% of all},
}

@misc{mamba,
  title = "M{\"a}mba \& Fr{\'e}chet: {$\alpha$}-Models",
  eprint = {2312.00752}, archivePrefix = {arXiv},
  abstract = {Linear
              time.}
}
@article{lstm, title={Long Short-Term Memory}, doi={10.1162/neco.1997.9.8.1735}, year=1997}
@article{jamba, title={Jamba}, journal={arXiv preprint arXiv:2403.19887}, year={2024}}
@comment{nothing}
"""
_RIS = """TY  - JOUR
AU  - Vaswani, Ashish
TI  - Attention Is All You Need
PY  - 2017
UR  - https://arxiv.org/abs/1706.03762
N1  - <p>The transformer</p>
AB  - An abstract
that goes on.
ER  -\x20

TY - UNPB
T1 - Mamba
AN - arXiv:2312.00752
DO - 10.5555/1234
ER -
"""


def test_bibtex_is_read() -> None:
    """Braces, accents, signs and joined strings are what LaTeX makes of them."""
    parsed = parse(_BIBTEX, "ours.bib")
    assert parsed.kind is DocumentKind.LIST
    assert papers(parsed) == [
        (
            "Attention Is All You Need",
            "The transformer, 50% of all",
            "https://arxiv.org/abs/1706.03762",
        ),
        (
            "M\u00e4mba & Fr\u00e9chet: \u03b1-Models",
            "Linear time.",
            "https://arxiv.org/abs/2312.00752",
        ),
        ("Long Short-Term Memory", None, "https://doi.org/10.1162/neco.1997.9.8.1735"),
        ("Jamba", None, "https://arxiv.org/abs/2403.19887"),
    ]
    assert [entry.line for entry in entries(parsed)] == [4, 12, 18, 19]
    assert parsed.unread_rows == 0


def test_bad_references_are_named_and_the_others_read() -> None:
    """One without a title and one without its end cost themselves alone; a key may come twice."""
    text = (
        "@misc{a, title={Mamba}}\n@misc{b, year={2020}}\n@misc{c, title={Half\n"
        "@misc{a, title={Attention}}\n@misc{d, title={LSTM}, title={LSTM}}\n"
    )
    parsed = parse(text, "ours.bib")
    assert titles(parsed) == ["Mamba", "Attention"]
    assert [note.line for note in parsed.warnings] == [2, 3, 5]


def test_ris_is_read() -> None:
    """Values may go on in the next line, and notes come before the abstract."""
    parsed = parse(_RIS, "ours.ris")
    first, second = entries(parsed)
    assert told(first) == (
        "Attention Is All You Need",
        "The transformer",
        "https://arxiv.org/abs/1706.03762",
    )
    assert first.highlights == (Highlight("Abstract", "An abstract that goes on."),)
    assert second.links == (
        Link("Paper", "https://arxiv.org/abs/2312.00752"),
        Link("DOI", "https://doi.org/10.5555/1234"),
    )


def test_a_reference_without_its_end_is_ended_by_the_next() -> None:
    """Nothing is lost of a reference that lacks `ER`; lines outside are named."""
    text = "TY  - JOUR\nTI  - Mamba\nTY  - JOUR\nPY  - 2020\nER  - \nhello\nTY  - GEN\nTI  - LSTM\n"
    parsed = parse(text, "ours.ris")
    assert titles(parsed) == ["Mamba", "LSTM"]
    assert [note.line for note in parsed.warnings] == [3, 6]


def test_what_zotero_writes_of_arxiv_is_no_summary() -> None:
    """A field in a note says nothing, and a paper's three addresses are one link."""
    text = (
        "@misc{a, title = {Sleepy}, url = {http://arxiv.org/abs/2607.11111},"
        " doi = {10.48550/arXiv.2607.11111}, eprint = {2607.11111},"
        " note = {arXiv:2607.11111 [cs]}}\n"
        "@misc{b, title = {Nap}, note = {arXiv:2607.22222 [stat.ML]}}\n"
    )
    assert papers(parse(text, "zotero.bib")) == [
        ("Sleepy", None, "http://arxiv.org/abs/2607.11111"),
        ("Nap", None, "https://arxiv.org/abs/2607.22222"),
    ]
    ris = "TY  - JOUR\nTI  - Nap\nN1  - arXiv:2607.22222 [cs]\nER  - \n"
    assert told(entries(parse(ris, "zotero.ris"))[0])[:2] == ("Nap", None)


def test_strings_are_joined_and_links_in_titles_are_links() -> None:
    """BibTeX joins texts and names of texts by `#`; a link in a title has its words."""
    text = (
        '@string{nap = "Nap"}\n@misc{a, title = "Second " # nap # { of} # " Two", year = 2026}\n'
        r"@misc{b, title = {\href{https://arxiv.org/abs/2607.11111}{Sleepy \& Co}}}" + "\n"
        '@misc{c, title = {A #1 Nap}, note = "C# and F#"}\n'
    )
    assert papers(parse(text, "a.bib")) == [
        ("Second Nap of Two", None),
        ("Sleepy & Co", None, "https://arxiv.org/abs/2607.11111"),
        ("A #1 Nap", "C# and F#"),
    ]


def test_references_in_ris_may_be_counted() -> None:
    """A number in front of a type, or in a line of its own, is no row."""
    text = (
        "1. TY  - JOUR\nTI  - Sleepy\nER  - \n\n2.\nTY  - JOUR\nTI  - Nap\nER  - \n"
        "[3] TY  - JOUR\nTI  - Dream\n"
    )
    parsed = parse(text, "refs.ris")
    assert titles(parsed) == ["Sleepy", "Nap", "Dream"]
    assert parsed.unread_rows == 0
