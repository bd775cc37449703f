"""Facts of workspaces and people: settings, subscriptions, saved papers, votes."""
