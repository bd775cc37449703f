"""The OAuth installation of the app, with a browser.

https://docs.slack.dev/authentication/installing-with-oauth
"""

import html
import re
from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit

from aiohttp import ClientResponse

from tests.fakes.slack.users import Users


@dataclass(frozen=True, slots=True)
class Page:
    """The last page of an installation, with the code and state that the browser brought."""

    status: int
    text: str
    code: str
    state: str


class OAuthPages(Users):
    """Slack's pages of an OAuth installation."""

    async def install(  # noqa: PLR0913 - each way in which an installation goes wrong
        self,
        bot_url: str,
        team: str = "T1",
        user: str = "U1",
        *,
        cookie: bool = True,
        state: str | None = None,
        code: str | None = None,
        error: str | None = None,
        is_agent: bool = False,
    ) -> Page:
        """Follow an installation from the bot's page over Slack's consent back to the bot.

        It fails without the `cookie`, with another `state`, a used `code`, or an `error` such as
        `access_denied`. An agent has an address of its own.
        """
        begun = f"{bot_url}/slack/install{'?agent=1' if is_agent else ''}"
        async with self.client.get(begun, allow_redirects=False) as first:
            asked = {key: values[0] for key, values in parse_qs(await _query(first)).items()}
            cookies = {name: morsel.value for name, morsel in first.cookies.items()}
        assert asked["client_id"] == self.client_id
        redirect_uri = asked.get("redirect_uri")
        answer = {"state": state or asked["state"]}
        if error:
            answer["error"] = error
        else:
            answer["code"] = code or self.grant(team, user, asked["scope"], redirect_uri)
        path = urlsplit(redirect_uri).path if redirect_uri else "/slack/oauth_redirect"
        sent = {"Cookie": "; ".join(f"{k}={v}" for k, v in cookies.items())} if cookie else {}
        url = f"{bot_url}{path}?{urlencode(answer)}"
        async with self.client.get(url, headers=sent, allow_redirects=False) as last:
            return Page(last.status, await last.text(), answer.get("code", ""), answer["state"])

    def grant(self, team: str, user: str, scopes: str, redirect_uri: str | None) -> str:
        """Return a code that can be exchanged for a token once."""
        code = self.next_id("code-")
        wanted = {"scopes": scopes.split(","), "redirect_uri": redirect_uri, "used": False}
        self.codes[code] = {"team": team, "user": user, **wanted}
        return code


async def _query(page: ClientResponse) -> str:
    """Return the query of the link to Slack, from a redirect or a page."""
    location = page.headers.get("Location")
    if location is None:
        links = re.findall(r'href="([^"]+/oauth/v2/authorize\?[^"]+)"', await page.text())
        assert len(links) == 1, "one link to Slack"
        location = html.unescape(links[0])
    return urlsplit(location).query
