"""A table to play at: one seat waits for a person, strategies sit in the others."""
