"""Values and rules of the domain, all pure."""
