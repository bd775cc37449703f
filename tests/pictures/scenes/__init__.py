"""What somebody sees at once on a platform, as payloads that the real program made."""
