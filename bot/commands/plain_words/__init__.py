"""Plain words read as commands, by the rules of its TOML files. Pure."""
