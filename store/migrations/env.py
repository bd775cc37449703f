"""The environment of Alembic commands, on the connection of `store.migrations.upgrade`.

The caller owns the transaction, so one lock covers the whole upgrade.
"""

from alembic import context
from sqlmodel import SQLModel

import store.tables  # noqa: F401 - fills SQLModel.metadata
from store.migrations.upgrade import is_model_table

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    include_name=is_model_table,
    render_as_batch=True,
    transactional_ddl=True,
)
context.run_migrations()
