"""Guards a running program against a schema that changed under it.

Each schema names the oldest program that may use it, by the newest revision that it knows: a
migration that older programs can't follow raises `schema_support.oldest`.
"""

from collections.abc import Callable, Sequence

from store.errors import SchemaOutdated, SchemaTooNew

# The first query for a schema; the second is for one that is not the program's own.
REVISION = "SELECT version_num FROM alembic_version"
OLDEST = "SELECT oldest FROM schema_support"


class SchemaGuard:
    """Checks schemas, each once.

    Args:
        known: the revisions that this program knows, oldest first; it works with the last.
    """

    def __init__(self, known: Sequence[str]) -> None:
        self._known = tuple(known)
        self._may_use = {self._known[-1]}

    def check(self, revision: str | None, oldest: Callable[[], str | None]) -> None:
        """Accept a schema that this program may use; `oldest` reads the oldest program that may.

        Raises:
            SchemaTooNew: where a later program changed it in a way that this one can't follow.
            SchemaOutdated: where an older one was put in its place.
        """
        if revision in self._may_use:
            return
        if revision is None or revision in self._known:
            raise SchemaOutdated(revision)
        # Revisions sort in their order.
        if (needed := oldest()) is None or needed > self._known[-1]:
            raise SchemaTooNew(revision, meanwhile=True)
        self._may_use.add(revision)
