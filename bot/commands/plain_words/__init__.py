"""Plain words read as commands, by the rules of `rules.toml` and `languages.toml`. Pure."""
