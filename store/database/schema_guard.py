"""Whether a running program may go on with a schema that changed under it.

Each schema says which programs may use it, by the newest revision that they know: a migration
that leaves them able to leaves `schema_support.oldest` as it is, one that does not raises it.
"""

from collections.abc import Callable, Sequence

from store.errors import SchemaOutdated, SchemaTooNew

# What a schema is asked first and, where it is not the program's own, second.
REVISION = "SELECT version_num FROM alembic_version"
OLDEST = "SELECT oldest FROM schema_support"


class Guard:
    """Judges schemas, each once.

    Args:
        known: the revisions that this program knows, oldest first; it works with the last.
    """

    def __init__(self, known: Sequence[str]) -> None:
        self._known = tuple(known)
        self._may_use = {self._known[-1]}

    def judge(self, revision: str | None, oldest: Callable[[], str | None]) -> None:
        """Let a schema pass that this program may use; `oldest` reads what that says of it.

        Raises:
            SchemaTooNew: where a later program changed it in a way that this one can't follow.
            SchemaOutdated: where an older one was put in its place.
        """
        if revision in self._may_use:
            return
        if revision is None or revision in self._known:
            raise SchemaOutdated(revision)
        # Revisions are written so that they sort as they follow each other.
        if (named := oldest()) is None or named > self._known[-1]:
            raise SchemaTooNew(revision, meanwhile=True)
        self._may_use.add(revision)
