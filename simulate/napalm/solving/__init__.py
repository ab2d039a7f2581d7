"""Napalm solved, one deal for money and whole games, by learning from regrets."""
