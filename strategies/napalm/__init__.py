"""The built-in strategies for Napalm, one file each."""
