"""Shards and the starts of sessions are shared by several processes, so on both databases."""

from tests.conftest import database_url

__all__ = ["database_url"]
