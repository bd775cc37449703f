"""Modals, App Home and cards under links."""
