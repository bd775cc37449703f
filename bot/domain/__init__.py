"""Values and rules of the domain. All pure."""
