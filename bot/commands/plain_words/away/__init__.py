"""Plain words about times away: when somebody was or will be, and what they missed."""
