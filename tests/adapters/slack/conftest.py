"""Both transports of Slack."""

import pytest


@pytest.fixture(params=["socket", "http"])
def transport(request: pytest.FixtureRequest) -> str:
    """Return each way in which requests come from Slack."""
    return str(request.param)
