"""Papers that are not for a person: the personal digest shows them no more, and less like them.

`store.library.kept_papers` has the rules by which rows follow papers.
"""

from datetime import datetime

from sqlalchemy import delete
from sqlmodel import Session, col

from store.database.statements import insert_new
from store.library import mentions
from store.records import Person
from store.tables.readers import DismissedPaperRow
from store.workspaces import people


def dismiss(session: Session, person: Person, ref: str, at: datetime) -> bool:
    """Record that the paper of an entry is not for a person; return whether it is stored.

    Run it in a transaction of `Database.write_locking_rows`.
    """
    found = mentions.find_paper(session, ref)
    if found is None:  # an import dropped it meanwhile
        return False
    own = people.lock_or_add_person(session, person)
    values = {"person_id": own, "paper_id": found[0], "entry_id": found[1], "dismissed_at": at}
    session.connection().execute(insert_new(session, DismissedPaperRow), values)
    return True


def restore(session: Session, person: Person, ref: str) -> None:
    """Record that the paper of an entry may be for a person after all."""
    found = mentions.find_paper(session, ref)
    of_person = col(DismissedPaperRow.person_id) == people.find_person(session, person)
    of_paper = col(DismissedPaperRow.paper_id) == (found and found[0])
    session.connection().execute(delete(DismissedPaperRow).where(of_person, of_paper))
