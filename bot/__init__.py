"""The core: commands, posting, ingest, replies. It uses the store and no platform."""
