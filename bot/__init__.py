"""What is decided: commands, replies, ingest. Knows the store, and no platform."""
