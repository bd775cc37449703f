"""The table of the consensus."""

from sqlmodel import Field, SQLModel


class FusedRow(SQLModel, table=True):
    """A paper's rank in an edition of the consensus, and the entry of a source that shows it there.

    With the entry or the edition the row goes: programs that know nothing of it may drop either.
    """

    __tablename__ = "fused"

    edition_id: int = Field(foreign_key="edition.id", ondelete="CASCADE", primary_key=True)
    rank: int = Field(primary_key=True)
    entry_id: int = Field(foreign_key="entry.id", ondelete="CASCADE", index=True)
