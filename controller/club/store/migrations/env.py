"""How Alembic runs the steps: on the connection that `controller.club.store.engine` gives, in its transaction."""

from alembic import context

from controller.club.store.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
