"""What Alembic runs for every command: on the connection that `store.migrate` hands over.

The transaction is the caller's, so that the whole upgrade stands under one lock.
"""

from alembic import context
from sqlmodel import SQLModel

import store.schema  # noqa: F401 - fills SQLModel.metadata
from store.migrate import is_ours

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    include_name=is_ours,
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
