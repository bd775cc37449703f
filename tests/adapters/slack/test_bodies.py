"""What posts are sent as: the same words everywhere, laid out once."""

import json

from adapters.slack.posts.payloads import Bodies
from adapters.slack.render import message, render_message
from bot.replies.blocks import PaperLine, PaperList, Reply, Text, Title, Visibility
from tests.adapters.slack.judge import judge_message

PAPER = PaperLine(
    "1", 'Ein "Titel" — für ☃ & \\ <all>', "A line\nand another.", "dair:2026-01-05#1"
)
REPLY = Reply((Title("The wéek"), Text("Words."), PaperList((PAPER,))), Visibility.CHANNEL)


def test_a_post_says_what_is_rendered() -> None:
    """Its body is the rendered message with its channel, its key and the thread it stands in."""
    bodies, rendered = Bodies(), message(render_message(REPLY))
    for thread in (None, "17.000001"):
        body = json.loads(bodies.post("C1", "s1-e1-1", REPLY, thread))
        judge_message({name: body[name] for name in rendered})
        assert body.pop("channel") == "C1"
        assert body.pop("thread_ts", None) == thread
        payload = {"event_type": "broadsheet_post", "event_payload": {"key": "s1-e1-1"}}
        assert body.pop("metadata") == payload
        assert body == rendered


def test_an_edit_says_what_is_rendered() -> None:
    """Its body names the message and keeps the key; how links are shown was told when it came."""
    rendered = render_message(REPLY)
    body = json.loads(Bodies().edit("C1", "17.000001", "two", REPLY))
    assert (body["channel"], body["ts"]) == ("C1", "17.000001")
    assert body["metadata"]["event_payload"] == {"key": "two"}
    assert (body["text"], body["blocks"]) == (rendered.text, rendered.blocks)


def test_whatever_a_name_holds_stays_in_its_place() -> None:
    """Ids are written as JSON like all else, so that none ends what it stands in."""
    odd = 'C"},{"\\'
    body = json.loads(Bodies().post(odd, odd, REPLY, odd))
    found = body["channel"], body["thread_ts"], body["metadata"]["event_payload"]["key"]
    assert found == (odd, odd, odd)


def test_a_reply_is_laid_out_once() -> None:
    """The same for all channels, also where another object says the same; another is another."""
    bodies = Bodies()
    same = Reply(tuple(REPLY.blocks), Visibility.CHANNEL)
    assert bodies.shape(REPLY) is bodies.shape(REPLY)
    assert bodies.shape(same) is bodies.shape(REPLY)
    for number in range(500):
        other = Reply((Title(f"{number}"),), Visibility.CHANNEL)
        assert f'"{number}"'.encode() in bodies.post("C1", "k", other)
    assert json.loads(bodies.post("C1", "k", REPLY))["text"] == render_message(REPLY).text


def test_a_long_reply_has_several_parts() -> None:
    """How many messages it takes is known without sending any."""
    assert Bodies().shape(REPLY).parts == 1
    long = Reply(tuple(Text("word " * 500) for _ in range(60)))
    assert Bodies().shape(long).parts > 1
