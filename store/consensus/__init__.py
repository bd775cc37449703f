"""The consensus edition, merged by rank fusion from the other sources of a week."""
