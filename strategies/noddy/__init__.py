"""The built-in strategies for Noddy, one file each."""
