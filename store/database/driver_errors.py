"""Errors of the database drivers, translated to errors in words."""

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


def store_error(error: Exception, where: str) -> StoreError:
    """Return the error for a refusal of the database; `where` names the database."""
    reason = str(error.orig if isinstance(error, DBAPIError) else error).strip()
    state = sqlstate(error)
    if state in _BUSY or "database is locked" in reason:
        return StoreBusy()
    first_line = reason.splitlines()[0] if reason else type(error).__name__
    if state == _FULL or "disk is full" in reason:
        return StoreFull(where, first_line)
    if state in _CUT_OFF or _is_cut_off(error) or "not a database" in reason:
        return StoreUnavailable(where, first_line)
    return StoreError(f"The store refused a statement: {reason}.")


def _is_cut_off(error: BaseException | None) -> bool:
    """Tell whether the database refuses any statement, not only this one."""
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or _is_cut_off(error.orig)
    if isinstance(error, sqlite3.Error):
        # All errors of a statement itself have one code, the first.
        # https://www.sqlite.org/rescode.html#primary_result_code_list
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return isinstance(error, sqlite3.OperationalError) and code != sqlite3.SQLITE_ERROR
    return any(kind.__name__ == "OperationalError" for kind in type(error).__mro__)
