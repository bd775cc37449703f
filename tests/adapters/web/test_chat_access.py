"""Who may ask in the chat: a browser on this machine, from a page of the chat itself."""

import pytest

from adapters.web.chat_access import is_asked_here, is_open, is_own_form


@pytest.mark.parametrize(
    ("bind_address", "public_url", "opens"),
    [
        ("127.0.0.1", None, True), ("127.8.0.1", "", True), ("::1", None, True),
        ("LocalHost", None, True),
        ("0.0.0.0", None, False), ("::", None, False), ("192.168.1.5", None, False),  # noqa: S104 - no binding
        ("papers.example", None, False), ("127.0.0.1", "https://papers.example", False),
    ],
)  # fmt: skip
def test_only_a_server_that_nobody_else_reaches_has_the_chat(
    bind_address: str, public_url: str | None, *, opens: bool
) -> None:
    """On every other address, or under a public URL, there is none."""
    assert is_open(bind_address, public_url) is opens


@pytest.mark.parametrize(
    ("host", "is_here"),
    [
        ("localhost", True), ("LOCALHOST:8080", True), ("127.0.0.1:8080", True),
        ("127.1.2.3", True),
        ("[::1]:8080", True), ("[::1]", True),
        ("rebound.example:8080", False), ("localhost.example", False), ("127.0.0.1.example", False),
        ("evil@localhost", False), ("localhost:8080:1", False), ("[::2]", False), ("::1", False),
        ("192.168.1.5", False), ("0.0.0.0", False), ("", False),  # noqa: S104 - no binding
    ],
)  # fmt: skip
def test_a_name_of_elsewhere_is_no_name_of_this_machine(host: str, *, is_here: bool) -> None:
    """A name that a stranger has point here is told by the Host header."""
    assert is_asked_here({"Host": host} if host else {}) is is_here


@pytest.mark.parametrize(
    ("headers", "is_own"),
    [
        ({}, True),
        ({"Origin": "http://localhost:8080"}, True),
        ({"Origin": "http://localhost:8080", "Sec-Fetch-Site": "same-origin"}, True),
        ({"Origin": "http://localhost:8081"}, False),
        ({"Origin": "http://127.0.0.1:8080"}, False),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": ""}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Origin": "http://localhost:8080", "Sec-Fetch-Site": "cross-site"}, False),
    ],
)
def test_a_form_of_another_site_is_told(headers: dict[str, str], *, is_own: bool) -> None:
    """By either header; a program that sends neither is no browser."""
    assert is_own_form({"Host": "localhost:8080", **headers}) is is_own
