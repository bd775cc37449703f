"""The gateway: the client, its login, the shards that this process holds."""
