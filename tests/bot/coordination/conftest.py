"""Jobs, leases and budgets are shared by several processes on one store, so on both databases."""

from tests.conftest import database_url

__all__ = ["database_url"]
