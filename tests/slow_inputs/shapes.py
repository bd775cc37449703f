"""What stands around a text that grows within a document, by kind, and what each stumbles over."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Around = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Shape:
    """The heads and tails of a kind of document, and fragments of its own."""

    around: Around
    fragments: Sequence[str]


_LETTER = "Top AI Papers of the Week (January 5 - January 11)\n\n"
_NEWSLETTER = (
    (f"{_LETTER}1. A Title\n\n", "\n"),
    (f"{_LETTER}1. A Title\n\nWords.\n\n", "\n"),
    (f"{_LETTER}1. A Title\n\nWords.\n\n- ", "\n"),
    (f"{_LETTER}1. A Title\n\nWords.\n\nPaper: https://a.b/c ", " | https://a.b\n"),
    (f"{_LETTER}1. ", "\n\nWords.\n"),
    (_LETTER, "\n\n1. A Title\n\nWords.\n"),
    ("", f"\n{_LETTER}1. A Title\n\nWords.\n"),
)

_WEEK = (
    "# Papers\n## Top AI Papers of the Week (January 5 - January 11) - 2026\n"
    "| **Paper** | **Links** |\n|---|---|\n"
)
_LINKS = " | [Paper](https://arxiv.org/abs/2601.00001) |\n"
_ROW = f"| 1) **A Title** - Words.{_LINKS}"
_ARCHIVE = (
    (f"{_WEEK}| 1) **A Title** - ", _LINKS),
    (f"{_WEEK}| 1) **A Title** - Words.<br>\u25cf **Lead**: ", _LINKS),
    (f"{_WEEK}| 1) ", _LINKS),
    (f"{_WEEK}| 1) **A Title** - Words. | ", " |\n"),
    (f"{_WEEK}| 1) **A Title** - Words. | [Paper](https://a.b/c)", " |\n"),
    (f"{_WEEK}{_ROW}", "\n"),
    (f"{_WEEK}{_ROW}## Top ", "\n"),
    ("# Papers\n", f"\n{_WEEK}{_ROW}"),
    ("# Papers\n- [Jan 5 - Jan 11](./2026.md)\n- [Jan 12 - Jan 18](./", ")\n"),
)

_TITLE = "Week in Review: June 1\u20137, 2026"
_COPY = (
    (
        f"{_TITLE}\n\nAn overview.\n\nA Heading\nA tagline.\n\nA title\n\n",
        "\n\nE1 says so. E2 too.\n",
    ),
    (f"{_TITLE}\n\nA Heading\n\nWords of E1.", "\n\nEpisodes in this topic\nE1 A Title\n"),
    (f"{_TITLE}\n\nA Heading\n\nWords of E1.\n\nEpisodes in this topic\n", "\n"),
    (_TITLE, "\n\nA Heading\n\nWords of E1.\n"),
    ("", f"\n{_TITLE}\n\nA Heading\n\nWords of E1.\n"),
)
_HEAD = f"<html><head><title>{_TITLE}</title></head><body><main><h1>{_TITLE}</h1>"
_TEXT, _END = "<h2>A Heading</h2><p>Words of E1.", "</main></body></html>"
_LIST = "<h2>A Heading</h2><p>E1.</p><p>Episodes in this topic</p><ul><li>E1 "
_PAGE = (
    (f"{_HEAD}{_TEXT}</p>", _END),
    (f"{_HEAD}{_TEXT}", f"</p>{_END}"),
    (f"{_HEAD}{_TEXT}</p><p>", f"</p>{_END}"),
    (f"{_HEAD}{_TEXT}</p><a ", f">a</a>{_END}"),
    (f"{_HEAD}{_LIST}", f"</ul>{_END}"),
    (_HEAD, f"{_TEXT}</p>{_END}"),
    ("", f"{_HEAD}{_TEXT}</p>{_END}"),
)

_CHANNEL = '<rss version="2.0"><channel><title>Letter</title><item>'
_ITEM = (
    f"{_CHANNEL}<title>Top Papers (January 5-11)</title><link>https://a.b/c</link>"
    "<pubDate>Mon, 12 Jan 2026 09:00:00 GMT</pubDate>"
)
_ENDED = "</item></channel></rss>"
_POST = f"{_ITEM}<description><![CDATA[<p>1. A Title</p><p>Words.</p>"
_POSTED = f"]]></description>{_ENDED}"
_ATOM = (
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>Letter</title><entry>'
    "<title>Top Papers (January 5-11)</title>"
)
_XHTML = '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>1. A</p>'
_RDF = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
    ' xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">'
    "<item><title>Top Papers (January 5-11)&nbsp;</title><description>1. A</description>"
)
_FEED = (
    (_POST, _POSTED),
    (f"{_POST}<p>", f"</p>{_POSTED}"),
    (f"{_POST}<p ", f">a</p>{_POSTED}"),
    (f"{_POST}]]></description><category ", f">a</category>{_ENDED}"),
    (f"{_POST}]]></description>", _ENDED),
    (f"{_CHANNEL}<title>", f"</title><description>a</description>{_ENDED}"),
    (f"{_ITEM}<description>", f"</description>{_ENDED}"),
    ('<rss version="2.0" ', f"><channel><title>t</title><item><title>a</title>{_ENDED}"),
    ("", f"{_POST}{_POSTED}"),
    (f'{_ATOM}<content type="html">&lt;p&gt;1. A&lt;/p&gt;', "</content></entry></feed>"),
    (f"{_ATOM}{_XHTML}", "</div></content></entry></feed>"),
    (_ATOM, "</entry></feed>"),
    (f"{_RDF}<dc:date>", "</dc:date></item></rdf:RDF>"),
    (_RDF, "</item></rdf:RDF>"),
)

_PAPER = (
    '{"paper": {"id": "2601.00001", "upvotes": 1, "submittedOnDailyAt": "2026-01-05T06:35:00Z",'
    ' "title": "A"'
)
_LISTED = _PAPER.replace("2601.00001", "26{i}.00001") + "}},"
_DAILY = (
    (f'[{_PAPER}, "summary": "', '"}}]'),
    (f'[{_PAPER}, "githubRepo": "https://', '"}}]'),
    (f'[{_PAPER}, "id": "', '"}}]'),
    (f"[{_PAPER}, ", "}}]"),
    (f"[{_PAPER}}}}}", "]"),
    ("[", f"{_PAPER}}}}}]"),
)

_LISTED_WEEK = "# Ours\n\n## Week of Jan 5, 2026\n\n"
_WIDE = "| Paper " + "|a" * 99 + "|\n" + "|-" * 100 + "|\n" + "A\n" * 100 + "\n"
_LIST_HEAD = "Title,URL,Week,Notes\n"
_LISTS = (
    (f"{_LISTED_WEEK}1. ", "\n"),
    (f"{_LISTED_WEEK}1. [A Title](", ")\n"),
    (f"{_LISTED_WEEK}1. **A Title** - ", "\n2. B\n"),
    (f"{_LISTED_WEEK}1. A Title\n", "\n"),
    (f"{_LISTED_WEEK}(1) A Title ", "\n(2) B\n"),
    (f"{_LISTED_WEEK}| Paper | Why |\n|---|---|\n| A | ", " |\n"),
    (f"{_LISTED_WEEK}| Paper | Why |\n|---|---|\n", "\n"),
    (f"{_LISTED_WEEK}| Paper{'|a' * 249}|\n{'|-' * 250}|\n", "\n"),
    (f"{_LISTED_WEEK}1. A [a](https://a.b) ", "\n"),
    ("", f"\n{_LISTED_WEEK}1. A Title\n"),
    ("## ", "\n1. A Title\n"),
    ("---\ndate: ", "\n---\n1. A Title\n"),
    ("<!--", "-->\n1. A Title\n"),
    (_LIST_HEAD, "\n"),
    (f'{_LIST_HEAD}A,b,2026-W02,"', '"\n'),
    (f"{_LIST_HEAD}A,b,", ",d\n"),
    (f"{_LIST_HEAD}", "\nA,b,2026-W02,d\n"),
    ("", "\nA,b,2026-W02,d\n"),
    ("@misc{a, title={", "}}\n"),
    ("@misc{a, title={A}, note={", "}}\n"),
    ("@misc{a, title={A}, ", "}\n"),
    ("@misc{a, title={A}}\n", "@misc{b, title={B}}\n"),
    ("TY  - JOUR\nTI  - A\nUR  - ", "\nER  - \n"),
    ("TY  - JOUR\nTI  - ", "\nER  - \n"),
    ("TY  - JOUR\n", "\nER  - \n"),
    (f"{_LISTED_WEEK}### [A Title](https://arxiv.org/abs/2601.00001)\n", "\n"),
    (f"{_LISTED_WEEK}### A Title\n[paper](https://arxiv.org/abs/2601.00001)\n", "\n"),
    (f"{_LISTED_WEEK}- Solo et al. ", ' "A Title". https://a.b/c.pdf\n'),
    ("<h1>Ours</h1>\n<details><summary>2026-W02</summary>\n\n", "\n1. A\n</details>\n"),
    ("Ours\n", f"\n{_LIST_HEAD}A,b,2026-W02,d\n"),
    ('[{"title": "A", "week": "2026-W02"', "}]"),
    ('[{"title": "A"},', '{"title": "B"}]'),
    ('@string{a = "b"}\n@misc{a, title={A}, note = "c" # ', "}\n"),
    (f"{_LISTED_WEEK}<ul>\n<li>A</li>\n", "\n</ul>\n- B\n"),
    (f"{_LISTED_WEEK}<ul><li>", "</li></ul>\n- B\n"),
    (f"{_LISTED_WEEK}<table><tr><th>Paper</th></tr><tr><td>A</td></tr>", "</table>\n"),
    (f"{_LISTED_WEEK}**A B**\n[paper](https://arxiv.org/abs/2601.00001)\n", "\n"),
    (f"{_LISTED_WEEK}A B\nhttps://arxiv.org/abs/2601.00001\n", "\n"),
    (f"{_LIST_HEAD}=HYPERLINK(", ',c,d\nA,b,2026-W02,"d"\n'),
)
_FOREIGN = (
    ("<html><head>", "</head></html>"),
    ("<html><title>", "</title></html>"),
    ("<!--", "--><html>"),
    ("%A a\n", "\n%0 B\n"),
    ("OWN - a\n", "\nPMID- 1\n"),
    ('{"cells": [', "]}"),
    ("<?xml?>", "<opml>"),
    ("%", "\n\\documentclass"),
    ("<rdf:RDF ", ">"),
    ("<html><body>", "</body></html>"),
)

_MARKUP = (
    "<b></b>", "<b> </b>", "<b>a</b>", "<p><b a{i}>", "<b a{i}>", "<p>", "<div>", "<i>", "<span>",
    "<a href=https://a.b>", "</a>", "<a>", "<br>", "<ul><li>", "<table><tr><td>", "<h2>", "</p>",
    "<p hidden>", "<svg>", "<time>",
)  # fmt: skip

SHAPES: Mapping[str, Shape] = {
    "newsletter": Shape(
        _NEWSLETTER,
        (
            "1. A\n\nb\n", "2. A\n", "{i}. A\n\nb\n", "- Lead: a\n", "(Jan 5 - Jan 11)\n",
            "(January 5 - January 11)\n{i}a\n",
        ),
    ),
    "archive": Shape(
        _ARCHIVE,
        (
            "<br>\u25cf ", "| {i}) **A** - b | [P](https://a.b/{i}) |\n", "|", "\n|1)", "[P](",
            "**A", "## Jan 5 - Jan 11\n", "- Jan 5 - Jan 11\n",
        ),
    ),
    "review": Shape(
        (*_COPY, *_PAGE),
        (
            "E1 a\n", "E{i}\n\n", "E1 https://a.b/{i}\n", "https://a.b/{i}\n", "A Heading\n\n",
            "Episodes in this topic\n", "<h2>a</h2>", "<p>E{i}</p>", "<time datetime=", "<main>",
            "<a href=https://a.b/{i}>E{i}</a> ", *_MARKUP,
        ),
    ),
    "feed": Shape(
        _FEED,
        (
            "<item>", "</item>", "<item><title>a</title></item>", "<p>{i}. A</p><p>b</p>",
            'a{i}="" ', "&lt;p", "<![CDATA[", "<a:b>", "<category>a{i}</category>", "<?a?> ",
            "<tags>a{i},", "<x xml:base='a{i}/'>", "<x xmlns:a{i}='b{i}'/>", "<link>/a</link>",
            "<pubDate>1", "<guid>{i}</guid>", "&nbsp;", "11 Jan ", "2026年1月",
            "&lt;a href='b'>c&lt;/a> ", "&lt;!--", *_MARKUP,
        ),
    ),
    "list": Shape(
        _LISTS,
        (
            "### A{i}\n", "### [A](https://arxiv.org/abs/2601.{i})\n", "- [a](https://a.b/c.pdf)\n",
            "(ICLR 2026) ", "[2601.00001] ", "2026-01-05: ", "`a` ", "~~", "A, B. ", " et al. ",
            "<summary>", "<details>\n", "<h2>a</h2>\n", ' # "a"', " # a", '{"title": "A{i}"},',
            ', "a{i}": 1', "[{", "\\href{a}{b}", "1.\n", "=HYPERLINK(",
            "1. A{i}\n", "- [A](https://a.b/{i})\n", "  - ", "(1) A\n", "[", "](", "![[", "**",
            "*_", "`", "| a ", "|---", "| A | b |\n", '"', '"a\n', "A,b\n", ";", "\t", "@a{", "{",
            "$", "@misc{a{i}, title={A}}\n", "\\textbf{", "\\'{", "TY  - JOUR\n", "TI  - A\n",
            "ER  - \n", "<!--", "<a href=", "<br>", "&amp;", "https://a.b/(", "Jan 5 - ",
            "2026-W02 ", "---\n", "## Week of Jan 5, 2026\n", "arXiv:2601.0000{i} ", "\U0001f525",
            "\u2022 A\n", "[A]: https://a.b\n", "- 1 ", "- " * 9, "- " * 9 + "a\n", "> ", "> - ",
            "1. * + ", "\u2014 ", "A\n", "\\frac", "<!-- -->", "[a][", "```\n",
            "<ul>", "</ul>", "<li>", "</li>", "<ol><li>a", "<table>", "<tr><td>", "<td rowspan=9>a",
            "</table>", "<b>", "</strong>", "<a href=b><img alt=c></a>", "**A {i}**\n", "__A__ ",
            "[paper](https://arxiv.org/abs/2601.{i})\n", "A b https://arxiv.org/abs/2601.{i}\n",
            "https://a.b/c.pdf\n", ',=A("b","c")', '="', "<div>\n", "<img a>", "<a b></a>",
            _WIDE, "|-" * 250 + "\n", "|-" * 250, ",a" * 250, "f{i}={a}, ", "  - A\n    - b\n",
        ),
    ),
    "hf-daily": Shape(_DAILY, (_LISTED, "[", '{"a":', '"a{i}":1,', "\\u0000", "\\ud800", "1")),
}  # fmt: skip

# Kinds that are named and not read.
FOREIGN = Shape(
    _FOREIGN,
    (
        "<link type=application/rss+xml ",
        "href=a",
        "<script>",
        "<style",
        "</script>",
        "a ",
        "<input ",
        "type=password",
        "cookies ",
        "sign in ",
        "<!--",
        "-->",
        "<?xml ",
        "<svg>",
        "%A a\n",
        "AB - a\n",
        '"nbformat"',
        "\\",
        "<title>",
        "<!doctype ",
        ">",
        "<",
    ),
)

_PREPRINT = (
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>http://arxiv.org/abs/2601.00001v1</id>'
)
ARXIV = (f"{_PREPRINT}<title>", "</title></entry></feed>")
# What is left of letters that were read in another charset.
DAMAGED = (
    "\xc2", "\xc3", "\xe2", "\xe2\u20ac", "\x80", "\x99", "\xe2\x80", "\xf0", "\xa0", "n\xe2t ",
    "s\xe2 a", "\xe2a",
)  # fmt: skip
