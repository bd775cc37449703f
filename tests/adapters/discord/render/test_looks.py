"""How each kind of block looks in Discord, on small replies."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from adapters.common.layout.elements import ButtonElement, Effect
from adapters.discord.render import (
    RenderedMessage,
    preview,
    render_message,
)
from adapters.discord.render.buttons import ComponentAction, custom_id, digest
from adapters.discord.render.limits import PAPERS_ON_PAGE
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
    Quote,
    Reply,
    Table,
    Text,
    Title,
    Verbatim,
    Visibility,
)
from bot.replies.paper_actions import ANSWER_MENUS
from tests.adapters.common.layout.samples import CARD, MOE, POD, RAG, placed
from tests.adapters.discord.render.visible_text import (
    components_of,
    ids_of,
    payload_of,
    presses_of,
)
from tests.fakes.discord.rules.messages import judge_message

_SEPARATOR = 14


def _looks(rendered: RenderedMessage) -> list[Any]:
    """Return what stands in the container: texts, `(text, label)` for sections, labels of rows."""
    (container,) = components_of(rendered)
    return [_look(each) for each in container["components"]]


def _look(component: dict[str, Any]) -> Any:
    match component:
        case {"content": text}:
            return text
        case {"accessory": button, "components": [text]}:
            return (text["content"], button["label"])
        case {"components": [{"options": options, "placeholder": words}]}:
            return {words: [option["label"] for option in options]}
        case {"components": row}:
            return [button["label"] for button in row]
        case {"type": kind}:
            return kind


def _blocks(*blocks: Block, **how: Any) -> list[Any]:
    return _looks(render_message(Reply(blocks, command="latest"), **how))


_MOE_LINK = f"[{MOE.title}](<{MOE.url}>)"


def _colour(reply: Reply) -> int:
    colour: int = components_of(render_message(reply))[0]["accent_color"]
    return colour


def test_text() -> None:
    """A title is large over its paragraphs, whose signs mean nothing; a long title is bold."""
    assert _blocks(Title("Papers *of* C#"), Text("One <@1>\nline.\n\n\n\n# Two")) == [
        "## Papers \\*of\\* C#\u200b\nOne \\<@\u200b1> line.\n\n\\# Two"
    ]
    assert _blocks(Title("Long " * 40)) == [f"**{'Long ' * 39}Long**"]


def test_kept_text() -> None:
    """What is to be copied stands line by line in a box, and in one where it is a short file."""
    assert _blocks(Text("One."), Verbatim("a,b\r\n*1*,<@1>\n```\n")) == [
        "One.",
        "```\na,b\n*1*,<@1>\n``\u200b`\n```",
    ]
    lines = '"a": {"b_c": 1},\n' * 147
    short = Reply((Text("5 papers as JSON."), Verbatim(lines)), command="saved")
    rendered = render_message(short, share=True)
    assert rendered.parts == 1
    assert _looks(rendered) == ["5 papers as JSON.", f"```\n{lines}```", ["Share"]]


def test_a_quote() -> None:
    """A sentence is set as a quote, its paper in grey below it."""
    quote = Quote("It is > *2*.", "dair:1#1", "Retrieval", "Number 2")
    assert _blocks(quote) == ["> It is > \\*2\\*.\n-# Retrieval · Number 2"]


def test_an_edition() -> None:
    """Details is beside the title alone, as what stands beside a button is narrow on a phone."""
    assert _blocks(PaperList((MOE, RAG, POD))) == [
        (f"-# Scale\n1\\. **{_MOE_LINK}**", "Details"),
        "Experts take turns.",
        ("2\\. **Retrieval**", "Details"),
        ("-# Agents\nE171 · **Agents that talk**", "Details"),
        "They do.",
    ]


def test_papers_from_anywhere() -> None:
    """Papers of several editions stand without numbers, each with its place."""
    assert _blocks(Text("2 papers"), PaperList(placed(MOE, RAG), numbered=False)) == [
        "2 papers",
        (f"**{_MOE_LINK}**", "Details"),
        "Experts take turns.\n-# Scale",
        ("**Retrieval**", "Details"),
        "-# Scale",
    ]


def test_papers_have_menus() -> None:
    """Below the last list stands each menu once, with the papers of all lists that have it."""
    save, vote = Menu("Save a paper", "save", "Save"), Menu("Vote for a paper", "vote", "Vote", 12)
    first = PaperList((MOE, RAG), menus=(save, vote))
    second = PaperList(placed(RAG, POD), numbered=False, menus=(save,))
    rendered = render_message(Reply((first, Text("And:"), second), command="latest"))
    menus = [each for each in _looks(rendered) if isinstance(each, dict)]
    assert menus == [
        {"Vote for a paper": ["1. Mixture…", "2. Retrieval"]},
        {"Save a paper": ["1. Mixture of Experts", "2. Retrieval", "Agents that talk"]},
    ]
    assert _looks(rendered)[-1] == menus[-1]
    assert presses_of(rendered)[-1] == (
        "Agents that talk", ComponentAction(Effect.RUN, "save paperdive:E171"),
    )  # fmt: skip


def test_a_close_list() -> None:
    """Its papers are lines of one text; Details and menus stand below."""
    save = (Menu("Save a paper", "save", "Save"),)
    papers = PaperList((MOE, replace(RAG, votes=1), POD), menus=save, close=True)
    assert _blocks(papers) == [
        (
            f"1\\. **{_MOE_LINK}**: Experts take turns.\n"
            "2\\. **Retrieval**: 1 vote\n"
            "E171 · **Agents that talk**: They do."
        ),
        ["Details 1", "Details 2", "Details E171"],
        {"Save a paper": ["1. Mixture of Experts", "2. Retrieval", "E171 · Agents that talk"]},
    ]


def test_votes_in_a_list() -> None:
    """They stand behind the place of a paper, else behind its line, else by themselves."""
    voted = (replace(MOE, votes=1_234), replace(RAG, votes=1))
    assert _blocks(PaperList(voted)) == [
        (f"-# Scale\n1\\. **{_MOE_LINK}**", "Details"),
        "Experts take turns. · 1,234 votes",
        ("2\\. **Retrieval**", "Details"),
        "-# 1 vote",
    ]
    assert _blocks(PaperList(placed(*voted[1:]), numbered=False)) == [
        ("**Retrieval**", "Details"),
        "-# Scale · 1 vote",
    ]


def test_a_menu_by_itself() -> None:
    """Its label stands in it; a long command is kept, a form is a button beside it."""
    long = "note dair:2026-01-05#1 " + "word " * 40
    options = (Button("Mine", "saved"), Button("Long", long))
    rendered = render_message(Reply((Choices("Which?", options),)))
    assert _looks(rendered) == [{"Which?": ["Mine", "Long"]}]
    assert rendered.kept == (long,)
    form = Button("Form", "subscribe", form=True)
    assert _blocks(Text("One."), Choices("Which?", (*options, form)), Text("Two.")) == [
        "One.\nWhich?",
        ["Form"],
        {"Which?": ["Mine", "Long"]},
        "Two.",
    ]


def test_a_menu_of_many_options() -> None:
    """More than 25 stand in several menus, each of which says which of them it is."""
    options = tuple(Button(f"Week {each}", f"week {each}") for each in range(26))
    assert [list(each) for each in _blocks(Choices("Which?", options))] == [
        ["Which? (1 of 2)"],
        ["Which? (2 of 2)"],
    ]


def test_a_button_carries_its_command() -> None:
    """The id of a button is what pressing it does, and no line of it has to be kept."""
    rendered = render_message(
        Reply((PaperList((MOE,)), Pager("", None, "week 2")), command="latest")
    )
    assert presses_of(rendered) == [
        ("Details", ComponentAction(Effect.RUN, "show dair:2026-01-05#1")),
        ("Next", ComponentAction(Effect.TURN, "week 2")),
    ]
    assert rendered.kept == ()


def test_a_page_of_papers_is_one_part() -> None:
    """As many as a page has fit one message, under headings, with menus and all ways on."""
    papers = tuple(
        PaperLine(
            str(at), "A Title of Some Words " * 3, "Word " * 32, f"dair:{at}", heading=f"Theme {at}"
        )
        for at in range(1, PAPERS_ON_PAGE + 1)
    )
    listed = PaperList(papers, menus=ANSWER_MENUS)
    blocks = (Title("The week"), Text("7 papers"), listed, Pager("W2", "a", "b"))
    rendered = render_message(Reply(blocks, command="latest"), share=True, shared_by=123)
    assert rendered.parts == 1
    assert _looks(rendered)[-2:] == [
        ["Previous", "Next", "Share"],
        "-# Shared by <@123> · /papers latest",
    ]
    judge_message(payload_of(rendered))


def test_a_paper() -> None:
    """A paper's title leads to arXiv, and its place and topics are small."""
    assert _blocks(CARD) == [
        (
            "### [Mixture of Experts](<https://arxiv.org/abs/2501.00001>)\n"
            "-# Number 1 in dair\n"
            "Experts.\n\n"
            "More.\n"
            "- **Routing:** Tokens choose.\n"
            "- It is cheap.\n\n"
            "[Paper](<https://arxiv.org/abs/2501.00001>) · Odd: ftp\\://a/b\n"
            "-# Topics: moe, scaling"
        )
    ]


def test_what_is_about_something_else_is_set_off() -> None:
    """A line divides a paper from the words that lead to others."""
    looks = _blocks(CARD, Text("Related:"), PaperList(placed(RAG), numbered=False))
    assert looks[1:] == [
        _SEPARATOR,
        "Related:",
        ("**Retrieval**", "Details"),
        "-# Scale",
    ]


def test_fields() -> None:
    """Names are bold, each pair is a line of one text."""
    assert _blocks(Fields((("latest", "The newest"), ("topic [TOPIC]", "One"), ("bare", "")))) == [
        "**latest:** The newest\n**topic \\[TOPIC\\]:** One\n**bare**"
    ]


def test_a_table() -> None:
    """A row is its name and what it is, with its other facts in small print below."""
    rows = (("dair", "Top Papers", "today", ""), ("dive", "", "", "off"))
    assert _blocks(Table(("Source", "Title", "Newest", "State"), rows)) == [
        "**dair:** Top Papers\n-# Newest: today\n**dive**\n-# State: off"
    ]


def test_moments() -> None:
    """An instant is told in the zone of whoever reads it, and how far off it is."""
    at = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
    assert _blocks(Moments((("Next post", at),), "Europe/Paris")) == [
        "**Next post:** <t:1767603600:F> (<t:1767603600:R>)"
    ]


@pytest.mark.parametrize(
    ("level", "sign", "colour"),
    [
        (Level.INFO, "\N{INFORMATION SOURCE}\N{VARIATION SELECTOR-16}", 0xE2A336),
        (Level.WARNING, "\N{WARNING SIGN}\N{VARIATION SELECTOR-16}", 0xE2A336),
        (Level.ERROR, "\N{CROSS MARK}", 0xE5484D),
    ],
)
def test_notice(level: Level, sign: str, colour: int) -> None:
    """A notice is bold after a sign of its level; one that answers an error has its colour."""
    notice = Notice(level, "It broke.", "Mend it.")
    assert _blocks(notice) == [f"{sign} **It broke.**\nMend it."]
    assert _colour(Reply((notice,), failed=True)) == colour
    assert _colour(Reply((notice,))) == 0x3E63DD


def test_pager() -> None:
    """The place in a list is small, over the buttons to its neighbours."""
    assert _blocks(Pager("Page 2", "topic moe", "topic moe page:3")) == [
        "-# Page 2",
        ["Previous", "Next"],
    ]
    assert _blocks(Pager("Page 2", None, None)) == ["-# Page 2"]


def test_few_actions() -> None:
    """Buttons that fit a row stand in one, with Share."""
    buttons = tuple(Button(f"Week {each}", f"week {each}") for each in range(4))
    assert _blocks(Actions(buttons), share=True) == [
        ["Week 0", "Week 1", "Week 2", "Week 3", "Share"]
    ]


def test_many_actions() -> None:
    """More become the options of selects, 25 in each, the same one only once."""
    buttons = tuple(Button(f"Week {each}", f"week {each}") for each in range(30))
    rendered = render_message(Reply((Actions((*buttons, buttons[0])),)))
    assert _looks(rendered) == [
        {"Ask one of these (1 of 2)": [each.label for each in buttons[:25]]},
        {"Ask one of these (2 of 2)": [each.label for each in buttons[25:]]},
    ]
    assert presses_of(rendered)[0] == ("Week 0", ComponentAction(Effect.RUN, "week 0"))


def test_a_form_button() -> None:
    """A button that opens a form says so in its id; among many it is no option of a select."""
    few = (Button("Now", "week"), Button("Choose…", "week", form=True))
    assert presses_of(render_message(Reply((Actions(few),)))) == [
        ("Now", ComponentAction(Effect.RUN, "week")),
        ("Choose…", ComponentAction(Effect.FORM, "week")),
    ]
    many = tuple(Button(f"Week {each}", f"week {each}") for each in range(6))
    assert _blocks(Actions((few[1], *many))) == [
        ["Choose…"],
        {"Ask one of these": [each.label for each in many]},
    ]


def test_one_command_under_two_labels() -> None:
    """No select has one command twice, as Discord refuses that."""
    buttons = [Button(f"Week {each}", f"week {each}") for each in range(6)]
    looks = _blocks(Actions((*buttons, Button("Newest", "week 5"))))
    assert looks[0] == ["Newest"]


def test_what_an_error_suggests() -> None:
    """Under an error all suggestions are seen at once, as buttons."""
    buttons = tuple(Button(f"Week {each}", f"week {each}") for each in range(7))
    rendered = render_message(Reply((Actions(buttons),), failed=True))
    labels = [each.label for each in buttons]
    assert _looks(rendered) == [labels[:5], labels[5:]]


def test_a_command_too_long_for_an_id() -> None:
    """An id holds a long command by its digest, and whoever sends it is told to keep the line."""
    line = "search " + "word " * 30
    rendered = render_message(
        Reply((Actions((Button("Search", line),)),), command=line), share=True
    )
    assert rendered.kept == (line,)
    assert ids_of(rendered) == [f"r1.1..#{digest(line)}", f"s2.1..#{digest(line)}"]


def test_buttons_of_the_caller() -> None:
    """More buttons stand after Share in the last row."""
    buttons = [ButtonElement("Back to the list", "papers 2501.00001", Effect.TURN)]
    assert _blocks(Text("Words."), share=True, buttons=buttons) == [
        "Words.",
        ["Share", "Back to the list"],
    ]


def test_a_part_of_a_post() -> None:
    """In a post the key stands in every id, and in a button of its own where there is none."""
    reply = Reply((Text("Words. " * 700),), command="latest")
    rendered = render_message(reply, 2, key="k3y")
    assert _looks(rendered)[-2:] == ["-# Part 2 of 2", ["Open for me"]]
    assert ids_of(rendered) == [custom_id(ComponentAction(Effect.RUN, "latest", key="k3y"), 1)]
    listed = render_message(Reply((PaperList((MOE,)),), command="latest"), key="k3y", share=True)
    assert ids_of(listed) == ["r1.1.k3y.show dair:2026-01-05#1"]


async def test_views_are_finished() -> None:
    """The client keeps nothing of a message that it sends: all it means stands in its ids."""
    assert render_message(Reply((Text("Words."),))).view.is_finished()


def test_preview() -> None:
    """A preview is for the asker alone, with Share, or for the channel; it mentions nobody."""
    reply = Reply((Text("Words."),), command="latest")
    private = preview(reply)
    assert private == {
        "type": 4,
        "data": {
            "flags": 1 << 15 | 1 << 6 | 1 << 2,
            "components": components_of(render_message(reply, share=True)),
            "allowed_mentions": {"parse": []},
        },
    }
    shown = preview(Reply((Text("Words."),), Visibility.CHANNEL, command="latest"))
    assert shown["data"]["flags"] == 1 << 15 | 1 << 2
    assert shown["data"]["components"] == components_of(render_message(reply))
