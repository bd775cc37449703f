"""The database connection: `await database.read(fn)` and `await database.write(fn)`."""

from store.database.database import Database, Session

__all__ = ["Database", "Session"]
