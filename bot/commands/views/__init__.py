"""The replies of commands, one module a family of handlers. Pure."""
