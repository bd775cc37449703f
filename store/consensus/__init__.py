"""The consensus edition of a week, merged by rank fusion from those of its sources."""
