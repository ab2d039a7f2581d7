"""The version of the program, and of the layout of its results folders."""

VERSION = "0.1.0"

SCHEMA = 2
"""Raised when a results folder of the version before can no longer be read or continued."""
