"""A Monte Carlo simulator and strategy lab for the card games Napalm and Noddy."""

__version__ = "0.1.0"
