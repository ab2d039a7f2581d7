"""Noddy: rules, combinations, the compiled game and its plain reference."""
