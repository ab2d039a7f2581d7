"""Napalm: its rules, the game in plain Python and compiled, and its records."""
