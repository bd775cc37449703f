"""Interactions: commands, their options, components, modals, and the actor of each."""
