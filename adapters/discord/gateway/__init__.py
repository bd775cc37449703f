"""The gateway: the connection and its client, the REST client, the shards of this process."""
