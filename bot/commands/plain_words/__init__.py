"""Plain words read as commands, by `phrases.toml`, `keywords.toml` and `languages.toml`. Pure."""
