"""What a database refused, in words."""

import sqlite3

from sqlalchemy.exc import DBAPIError

from store.errors import StoreBusy, StoreError, StoreFull, StoreUnavailable

# Serialization failure, deadlock, a lock that was not to be had in time.
_BUSY = frozenset({"40001", "40P01", "55P03"})
# https://www.postgresql.org/docs/current/errcodes-appendix.html
_FULL = "53100"
_CUT_OFF = frozenset({"25P03", "57P01", "57P02", "57P03"})


def sqlstate(error: BaseException | None) -> str | None:
    """Return Postgres's code of an error, `None` where it has none."""
    state = getattr(error.orig if isinstance(error, DBAPIError) else error, "sqlstate", None)
    return state if isinstance(state, str) else None


def in_words(error: Exception, where: str) -> StoreError:
    """Say what a database refused; `where` names it."""
    said = str(error.orig if isinstance(error, DBAPIError) else error).strip()
    state = sqlstate(error)
    if state in _BUSY or "database is locked" in said:
        return StoreBusy()
    reason = said.splitlines()[0] if said else type(error).__name__
    if state == _FULL or "disk is full" in said:
        return StoreFull(where, reason)
    if state in _CUT_OFF or _is_cut_off(error) or "not a database" in said:
        return StoreUnavailable(where, reason)
    return StoreError(f"The store refused a statement: {said}.")


def _is_cut_off(error: BaseException | None) -> bool:
    """Tell whether it is not the statement that was refused, but any."""
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or _is_cut_off(error.orig)
    if isinstance(error, sqlite3.Error):
        # Whatever it finds wrong with a statement has one code, the first.
        # https://www.sqlite.org/rescode.html#primary_result_code_list
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR
    return any(kind.__name__ == "OperationalError" for kind in type(error).__mro__)
