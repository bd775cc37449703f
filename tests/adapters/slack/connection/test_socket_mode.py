"""The acknowledgements of Socket Mode envelopes."""

import json

from slack_bolt.response import BoltResponse
from slack_sdk.socket_mode.response import SocketModeResponse

from adapters.slack.connection import acknowledgement


def test_an_acknowledgement_is_what_the_sdk_would_send() -> None:
    """Any response in any envelope gives the same message as the SDK."""
    answers: list[tuple[str | dict[str, object], dict[str, object] | None]] = [
        ("", None),
        ({"text": 'a "quoted" ten\n', "blocks": []}, {"text": 'a "quoted" ten\n', "blocks": []}),
        ("from_mrkdwn words", {"text": "from_mrkdwn words"}),
    ]
    for name in ("e-1", 'odd "name"\\'):
        for body, payload in answers:
            said = json.loads(acknowledgement(name, BoltResponse(status=200, body=body)))
            expected = SocketModeResponse(envelope_id=name, payload=payload)
            assert said == expected.to_dict()
