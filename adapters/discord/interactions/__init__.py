"""Interactions as plain values: the command tree, forms, components, who asks and where."""
