"""The subcommands of `broadsheet`, one module per group."""
