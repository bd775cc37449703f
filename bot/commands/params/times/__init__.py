"""Parameters that say when: weeks, weekdays, times of day, zones, durations."""
