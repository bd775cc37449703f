"""Lists as tables: the names of their columns, their rows, and sheets in CSV. All pure."""
