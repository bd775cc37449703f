"""The formats of round-ups, one package each, which exposes it as `FORMAT`."""
