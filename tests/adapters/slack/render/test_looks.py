"""How each kind of block looks in Slack, on small replies."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from adapters.common.layout.elements import ButtonAction, Effect
from adapters.slack.render import acknowledgement, apology, preview, render_message, render_view
from adapters.slack.render.buttons import button
from bot.replies.blocks import (
    Actions,
    Block,
    Button,
    Choices,
    Fields,
    Level,
    Menu,
    Moments,
    Notice,
    Pager,
    PaperLine,
    PaperList,
    PaperTable,
    Quote,
    Reply,
    Table,
    Text,
    Title,
    Verbatim,
    Visibility,
)
from tests.adapters.common.layout.samples import CARD, MOE, POD, RAG, placed
from tests.adapters.slack.payload_rules import judge_message
from tests.adapters.slack.render.visible_text import shown_words


def _blocks(*blocks: Block) -> list[dict[str, Any]]:
    return render_message(Reply(blocks)).blocks


def _rich(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich_text", "elements": [_section(*elements)]}


def _section(*elements: dict[str, Any]) -> dict[str, Any]:
    return {"type": "rich_text_section", "elements": list(elements)}


def _text(words: str, **style: bool) -> dict[str, Any]:
    return {"type": "text", "text": words, **({"style": style} if style else {})}


def _plain(words: str) -> dict[str, Any]:
    return {"type": "plain_text", "text": words, "emoji": False}


def _faint(words: str) -> dict[str, Any]:
    return {"type": "context", "elements": [_plain(words)]}


def _row(*buttons: tuple[str, ...], first: int = 1, effect: Effect = Effect.RUN) -> dict[str, Any]:
    """Return a row of buttons: each its label, its command, and what is read aloud if it is."""
    made = [
        button(label, ButtonAction(effect, command), number, *aloud)
        for number, (label, command, *aloud) in enumerate(buttons, first)
    ]
    return {"type": "actions", "elements": made}


_MOE_LINK = f"<{MOE.url}|{MOE.title}>"


def _labels(rendered_blocks: list[dict[str, Any]]) -> list[list[str]]:
    rows = [block["elements"] for block in rendered_blocks if block["type"] == "actions"]
    return [[each["text"]["text"] for each in row] for row in rows]


def test_title() -> None:
    """A title is a header, one too long for that is bold."""
    long = "Long " * 40
    assert _blocks(Title("Papers <of> *the* week")) == [
        {"type": "header", "text": _plain("Papers <of> *the* week")}
    ]
    assert _blocks(Title(long)) == [_rich(_text(long.strip(), bold=True))]


def test_text() -> None:
    """Each paragraph is a block of its own, and its signs mean nothing."""
    assert _blocks(Text("One <!channel>\nline.\n\n\n\n*Two* :wave:")) == [
        _rich(_text("One <!channel> line.")),
        _rich(_text("*Two* :wave:")),
    ]


def test_kept_text() -> None:
    """What is to be copied stands line by line in a box, and in one where it is a short file."""
    lines = 'a,b\r\n"1 <2>",*c*\n'
    assert _blocks(Verbatim(lines)) == [
        {
            "type": "rich_text",
            "elements": [
                {"type": "rich_text_preformatted", "elements": [_text('a,b\n"1 <2>",*c*')]}
            ],
        }
    ]
    assert _blocks(Verbatim(" \n\n")) == _blocks()
    short = Reply(
        (Text("5 papers as JSON."), Verbatim('"a": {"b_c": 1},\n' * 147)), command="saved"
    )
    rendered = render_message(short, share=True)
    assert (rendered.parts, len(rendered.blocks)) == (1, 3)


def test_a_quote() -> None:
    """A sentence is set as a quote, its paper in grey below it; the text has a mark before it."""
    rendered = render_message(Reply((Quote("It is 3 > 2.", "dair:1#1", "Retrieval", "Number 2"),)))
    quote = {"type": "rich_text_quote", "elements": [_text("It is 3 > 2.")]}
    paper = _faint("Retrieval · Number 2")
    assert rendered.blocks == [{"type": "rich_text", "elements": [quote]}, paper]
    assert rendered.text == "> It is 3 &gt; 2.\nRetrieval · Number 2"


def _paper(words: str, ref: str, *more: tuple[str, str], number: int) -> dict[str, Any]:
    """Return a listed paper with the menu beside it."""
    options = [("Details", f"show {ref}"), *more, ("Related", f"related {ref}")]
    made = [{"text": _plain(label), "value": f"1 {line}"} for label, line in options]
    return {
        "type": "section",
        "text": {"type": "mrkdwn", "text": words, "verbatim": True},
        "accessory": {"type": "overflow", "action_id": f"run-{number}", "options": made},
    }


def test_an_edition() -> None:
    """Papers stand under their headings by number, titles lead to them, a menu is beside each."""
    rendered = render_message(Reply((PaperList((MOE, RAG, POD)),)))
    assert rendered.blocks == [
        _faint("Scale"),
        _paper(f"1. *{_MOE_LINK}*\nExperts take turns.", MOE.ref, number=1),
        _paper("2. *Retrieval*", RAG.ref, number=2),
        _faint("Agents"),
        _paper("E171 · *Agents that talk*\nThey do.", POD.ref, number=3),
    ]
    assert rendered.text.splitlines()[1] == f"1. {_MOE_LINK}"


def test_papers_from_anywhere() -> None:
    """Papers of several editions stand without numbers, each with its place."""
    assert _blocks(PaperList(placed(MOE, RAG), numbered=False)) == [
        _paper(f"*{_MOE_LINK}*\nExperts take turns.\n_Scale_", MOE.ref, number=1),
        _paper("*Retrieval*\n_Scale_", RAG.ref, number=2),
    ]


def test_signs_in_a_listed_paper() -> None:
    """No sign of a title or a line means anything; one that would is replaced by one alike."""
    paper = PaperLine(
        "1", "A* search_space <!here> `x`", "> It *is* ~so~ :wave: & b_c.", "dair:1#1"
    )
    (block,) = _blocks(PaperList((paper,)))
    words = block["text"]["text"]
    assert words == (
        "1. *A\N{ASTERISK OPERATOR} search_space &lt;!here&gt; "
        "\N{MODIFIER LETTER GRAVE ACCENT}x\N{MODIFIER LETTER GRAVE ACCENT}*\n"
        "\u200b&gt; It \N{ASTERISK OPERATOR}is\N{ASTERISK OPERATOR} "
        "\N{TILDE OPERATOR}so\N{TILDE OPERATOR} \N{MODIFIER LETTER COLON}wave: &amp; b_c."
    )
    assert shown_words(words) == f"1. {paper.title}\n{paper.line}"


def _menu(name: str, *options: tuple[str, str], number: int) -> dict[str, Any]:
    made = [{"text": _plain(label), "value": f"1 {line}"} for label, line in options]
    select = {"type": "static_select", "action_id": f"run-{number}", "placeholder": _plain(name)}
    return {**select, "options": made}


def test_what_the_menus_of_a_list_do_is_offered_beside_each_paper() -> None:
    """Details, what its list's menus do, and Related; a ref too long for options has a button."""
    save, vote = Menu("Save a paper", "save", "Save"), Menu("Vote for a paper", "vote", "Vote", 12)
    _, paper = _blocks(PaperList((RAG,), menus=(save, vote)))
    more = ("Save", f"save {RAG.ref}"), ("Vote", f"vote {RAG.ref}")
    assert paper == _paper("2. *Retrieval*", RAG.ref, *more, number=1)
    long = replace(RAG, ref="source:" + "long" * 36)
    _, words, row = _blocks(PaperList((long,), menus=(save,)))
    assert words == _rich(_text("2. "), _text("Retrieval", bold=True))
    assert row == _row(("Details 2", f"show {long.ref}", "Details 2: Retrieval"))


def test_a_close_list() -> None:
    """Its papers are lines of one block; Details and menus stand below."""
    save = (Menu("Save a paper", "save", "Save"),)
    voted = replace(RAG, votes=1)
    assert _blocks(PaperList((MOE, voted, POD), menus=save, close=True)) == [
        _rich(
            _text("1. "),
            {"type": "link", "url": MOE.url, "text": MOE.title, "style": {"bold": True}},
            _text(": Experts take turns."),
            _text("\n2. "),
            _text("Retrieval", bold=True),
            _text(": 1 vote"),
            _text("\nE171 · "),
            _text("Agents that talk", bold=True),
            _text(": They do."),
        ),
        _row(
            ("Details 1", "show dair:2026-01-05#1", "Details 1: Mixture of Experts"),
            ("Details 2", "show dair:2026-01-05#2", "Details 2: Retrieval"),
            ("Details E171", "show paperdive:E171", "Details E171: Agents that talk"),
        ),
        {
            "type": "actions",
            "elements": [
                _menu(
                    "Save a paper",
                    ("1. Mixture of Experts", "save dair:2026-01-05#1"),
                    ("2. Retrieval", "save dair:2026-01-05#2"),
                    ("E171 · Agents that talk", "save paperdive:E171"),
                    number=4,
                )
            ],
        },
    ]
    bare = _blocks(PaperList((MOE,), close=True, details=False))
    assert [block["type"] for block in bare] == ["rich_text"]


def test_votes_in_a_list() -> None:
    """They stand behind the place of a paper, else behind its line, else by themselves."""
    voted = (replace(MOE, votes=1_234), replace(RAG, votes=1))
    words = [block["text"]["text"] for block in _blocks(PaperList(voted))[1:]]
    assert words == [
        f"1. *{_MOE_LINK}*\nExperts take turns. · 1,234 votes",
        "2. *Retrieval*\n_1 vote_",
    ]
    [placed_one] = _blocks(PaperList(placed(*voted[1:]), numbered=False))
    assert placed_one["text"]["text"] == "*Retrieval*\n_Scale · 1 vote_"


def test_a_menu_by_itself() -> None:
    """Its label stands in it, and in the text before its options; what is too long is a button."""
    long = "note dair:2026-01-05#1 " + "word " * 40
    options = (
        Button("Mine", "saved"),
        Button("Long", long),
        Button("Form", "subscribe", form=True),
    )
    rendered = render_message(Reply((Choices("Which?", options[:1]),)))
    select = _menu("Which?", ("Mine", "saved"), number=1)
    assert rendered.blocks == [{"type": "actions", "elements": [select]}]
    assert rendered.text == "Which?: [Mine]"
    mixed = _blocks(Choices("Which?", options))
    assert mixed[0] == _rich(_text("Which?"))
    assert _labels(mixed[1:2]) == [["Long", "Form"]]
    assert mixed[2]["elements"] == [_menu("Which?", ("Mine", "saved"), number=3)]


def test_a_button_read_aloud() -> None:
    """What a screen reader says of a button stands in it, cut where Slack takes no more."""
    buttons = (Button("Save", "save 1", aloud="Save A"), Button("Vote", "vote 1", aloud="V" * 99))
    (row,) = _blocks(Actions(buttons))
    names = [element["accessibility_label"] for element in row["elements"]]
    assert names == ["Save A", "V" * 74 + "…"]


def test_details_are_told_apart() -> None:
    """Papers that share a number are named by their titles too, else by their places."""
    same = PaperLine("2", "Retrieval", None, "hf-daily:1", "hf-daily")
    other = PaperLine("2", "Other words", None, "dair:3", "dair")
    listed = PaperList((*placed(MOE, RAG), other), numbered=False, close=True)
    assert _labels(_blocks(listed)) == [
        ["Details 1", "Details 2 · Retrieval", "Details 2 · Other words"]
    ]
    assert _labels(_blocks(replace(listed, papers=(*placed(RAG), same)))) == [
        ["Details 2 · Scale", "Details 2 · hf-daily"]
    ]


def test_a_paper() -> None:
    """A paper's title leads to arXiv, and its place and topics are faint."""
    url = "https://arxiv.org/abs/2501.00001"
    title = {"type": "link", "url": url, "text": "Mixture of Experts", "style": {"bold": True}}
    bullets = [
        _section(_text("Routing: ", bold=True), _text("Tokens choose.")),
        _section(_text("It is cheap.")),
    ]
    rendered = render_message(Reply((CARD,)))
    assert rendered.blocks == [
        _rich(title),
        _faint("Number 1 in dair"),
        _rich(_text("Experts.")),
        _rich(_text("More.")),
        {
            "type": "rich_text",
            "elements": [{"type": "rich_text_list", "style": "bullet", "elements": bullets}],
        },
        _rich({"type": "link", "url": url, "text": "Paper"}, _text(" · "), _text("Odd: ftp://a/b")),
        _faint("Topics: moe, scaling"),
    ]
    assert rendered.text.splitlines() == [
        f"<{url}|Mixture of Experts>",
        "Number 1 in dair",
        "Experts.",
        "More.",
        "• Routing: Tokens choose.",
        "• It is cheap.",
        f"<{url}|Paper> · Odd: ftp://a/b",
        "Topics: moe, scaling",
    ]


def test_fields() -> None:
    """Names are bold, each pair is a line of one block."""
    assert _blocks(Fields((("latest", "The newest"), ("help", "What to ask"), ("bare", "")))) == [
        _rich(
            _text("latest: ", bold=True),
            _text("The newest"),
            _text("\nhelp: ", bold=True),
            _text("What to ask"),
            _text("\nbare", bold=True),
        )
    ]


def _link(url: str, **style: bool) -> dict[str, Any]:
    return {"type": "link", "url": url, "text": url, **({"style": style} if style else {})}


def test_addresses_among_words_lead_to_themselves() -> None:
    """Rich text links nothing by itself; what is shown is where it leads, and nothing else is."""
    first, other = "https://a.slack.com/archives/C1/p17", "https://b.org/x"
    assert _blocks(Fields((("Last post", f"posted · {first}"), ("", f"{other}, {first}.")))) == [
        _rich(
            _text("Last post: ", bold=True),
            _text("posted · "),
            _link(first),
            _text("\n"),
            _link(other),
            _text(", "),
            _link(first),
            _text("."),
        )
    ]
    assert _blocks(Notice(Level.INFO, f"At {other}", first)) == [
        _rich(
            {"type": "emoji", "name": "information_source"},
            _text(" At ", bold=True),
            _link(other, bold=True),
            _text("\n"),
            _link(first),
        )
    ]
    foreign = "https://arxiv.org@evil.org/ <https://evil.org|https://arxiv.org>"
    assert _blocks(Text(foreign)) == [_rich(_text(foreign))]


def test_many_addresses_fit_in_parts() -> None:
    """Links take more room than words, which counts; none is lost between two messages."""
    words = " ".join(f"https://{number}.org" for number in range(400))
    parts = render_message(Reply((Text(words),), command="latest")).parts
    shown = [render_message(Reply((Text(words),), command="latest"), n + 1) for n in range(parts)]
    for each in shown:
        judge_message({"text": each.text, "blocks": each.blocks})
    elements = [e for each in shown for e in _elements(each.blocks)]
    assert [e["url"] for e in elements if e["type"] == "link"] == words.split()


def _elements(blocks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    sections = [s for b in blocks if b["type"] == "rich_text" for s in b["elements"]]
    return [element for section in sections for element in section["elements"]]


def test_moments() -> None:
    """Instants stand as fields do, in words that name their zone."""
    at = datetime(2026, 1, 12, 8, 0, tzinfo=UTC)
    assert _blocks(Moments((("next", at), ("last", at)), "Europe/Berlin")) == _blocks(
        Fields(
            (
                ("next", "Monday, Jan 12, 2026, 09:00 (Europe/Berlin)"),
                ("last", "Monday, Jan 12, 2026, 09:00 (Europe/Berlin)"),
            )
        )
    )


def _raw(*words: str) -> list[dict[str, Any]]:
    return [{"type": "raw_text", "text": each} for each in words]


def test_a_table() -> None:
    """Its headings come first, an empty cell has a dash, and only what is long is wrapped."""
    rows = (("dair", "Top AI Papers of the Week", ""), ("dive", "", "off"))
    [table] = _blocks(Table(("Source", "Title", "State"), rows))
    assert table["rows"] == [
        _raw("Source", "Title", "State"),
        _raw("dair", "Top AI Papers of the Week", "–"),
        _raw("dive", "–", "off"),
    ]
    assert [each["is_wrapped"] for each in table["column_settings"]] == [False, True, False]
    read = render_message(Reply((Table(("Source", "Title", "State"), rows),))).text
    assert read == "dair: Top AI Papers of the Week\ndive\nState: off"


def test_papers_in_a_table() -> None:
    """Titles lead to their papers, and menus below it do what is beside a paper in a list."""
    moe = replace(MOE, where=None, heading=None, topics=(), votes=2)
    papers = PaperTable((moe,), columns=("dair",), cells=(("#1",),))
    table, row = _blocks(papers)
    title = {"type": "link", "url": MOE.url, "text": f"1. {MOE.title}"}
    assert table["rows"] == [_raw("Paper", "dair", "Votes"), [_rich(title), *_raw("#1", "2")]]
    [menu] = row["elements"]
    assert (menu["placeholder"]["text"], menu["options"][0]["value"]) == (
        "Details of a paper",
        f"1 show {MOE.ref}",
    )


def test_only_the_first_table_is_one() -> None:
    """A message holds no second one, and a view none: the others are lines."""
    table = Table(("Name", "Title", "Newest"), (("dair", "Papers", "today"),))
    lines = _rich(
        _text("dair: ", bold=True), _text("Papers"), _text("\nNewest: today", italic=True)
    )
    assert [each["type"] for each in _blocks(table, table)] == ["table", "rich_text"]
    assert _blocks(table, table)[1] == lines
    assert render_view(Reply((table,)), most_blocks=9).blocks == [lines]


@pytest.mark.parametrize(
    ("level", "emoji"),
    [(Level.INFO, "information_source"), (Level.WARNING, "warning"), (Level.ERROR, "x")],
)
def test_notice(level: Level, emoji: str) -> None:
    """A notice is bold after a sign of its level, with the remedy on the next line."""
    assert _blocks(Notice(level, "It broke.", "Mend it.")) == [
        _rich({"type": "emoji", "name": emoji}, _text(" It broke.", bold=True), _text("\nMend it."))
    ]


def test_pager() -> None:
    """The place in a list is faint, over the buttons to its neighbours."""
    assert _blocks(Pager("Page 2", "topic moe", "topic moe page:3")) == [
        _faint("Page 2"),
        _row(("Previous", "topic moe"), ("Next", "topic moe page:3"), effect=Effect.TURN),
    ]
    assert _blocks(Pager("Page 2", None, None)) == [_faint("Page 2")]


def test_actions() -> None:
    """Buttons stand in rows of 25, numbered through the message."""
    buttons = tuple(Button(f"Week {each}", f"week {each}") for each in range(30))
    pairs = [(each.label, each.command) for each in buttons]
    assert _blocks(Text("Weeks"), Actions(buttons)) == [
        _rich(_text("Weeks")),
        _row(*pairs[:25]),
        _row(*pairs[25:], first=26),
    ]


def test_share_joins_the_last_row() -> None:
    """Share stands beside the ways on; the menus beside papers leave it a row of its own."""
    reply = Reply((PaperList((MOE,)), Pager("Page 1", None, "latest page:2")), command="latest")
    assert _labels(render_message(reply, share=True).blocks) == [["Next", "Share"]]
    reply = Reply((PaperList((MOE,)),), command="latest")
    assert _labels(render_message(reply, share=True).blocks) == [["Share"]]
    share = render_message(reply, share=True).blocks[-1]
    assert share == {
        "type": "actions",
        "elements": [button("Share", ButtonAction(Effect.SHARE, "latest"), 2)],
    }


def test_what_was_shared() -> None:
    """A shared answer says who shared it and by which command, and mentions nobody in its text."""
    rendered = render_message(Reply((Text("Words."),), command="search <moe>"), shared_by="U1")
    assert rendered.blocks == [
        _rich(_text("Words.")),
        _rich(
            _text("Shared by "),
            {"type": "user", "user_id": "U1"},
            _text(" · /papers search <moe>"),
        ),
    ]
    assert rendered.text == "Words.\nShared: /papers search &lt;moe&gt;"


def test_what_leads_goes_along() -> None:
    """Words about a list stand in the part where the list begins."""
    texts = (Text("Words. " * 280), Text("Words. " * 280), Text("Related:"))
    reply = Reply((*texts, PaperList(placed(MOE), numbered=False)), command="latest")
    assert ["Related:" in render_message(reply, part).text.splitlines() for part in (1, 2)] == [
        False,
        True,
    ]


def test_text_carries_the_content() -> None:
    """The text beside the blocks says what they show, escaped, its buttons in brackets."""
    reply = Reply(
        (
            Title("R&D <week>"),
            Notice(Level.ERROR, "No <@U1>.", "Ask."),
            PaperList((MOE,)),
            Actions((Button("A", "a"), Button("B", "b"))),
        )
    )
    assert render_message(reply).text.splitlines() == [
        "R&amp;D &lt;week&gt;",
        "No &lt;@U1&gt;.",
        "Ask.",
        "Scale",
        f"1. {_MOE_LINK}",
        "Experts take turns.",
        "[A] [B]",
    ]


def test_acknowledgement() -> None:
    """An answer is for the asker alone or for the channel, and no link of it makes a card."""
    rendered = render_message(Reply((Text("Words."),)))
    expected = {
        "response_type": "ephemeral",
        "text": "Words.",
        "blocks": [_rich(_text("Words."))],
        "unfurl_links": False,
        "unfurl_media": False,
    }
    assert acknowledgement(rendered, Visibility.PRIVATE) == expected
    in_channel = acknowledgement(rendered, Visibility.CHANNEL)
    assert in_channel == {**expected, "response_type": "in_channel"}


def test_preview() -> None:
    """A preview has a Share button where the answer is for the asker alone."""
    reply = Reply((Text("Words."),), command="latest")
    shown = Reply((Text("Words."),), Visibility.CHANNEL, command="latest")
    assert _labels(preview(reply)["blocks"]) == [["Share"]]
    assert _labels(preview(shown)["blocks"]) == []


def test_apology() -> None:
    """The apology for an answer that could not be laid out passes the judge."""
    judge_message({"text": apology().text, "blocks": apology().blocks})
