"""The gateway: the client, its connection, the REST client, the shards of this process."""
