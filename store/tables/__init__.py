"""The SQLModel classes of every table. Rows never leave `store/`: its functions return records.

Table classes of SQLModel skip validation, so outside data enters them only through a draft or a
record that was validated first. To import this package fills `SQLModel.metadata`.
"""

from store.tables import coordination, library, posting, readers, workspaces

__all__ = ["coordination", "library", "posting", "readers", "workspaces"]
