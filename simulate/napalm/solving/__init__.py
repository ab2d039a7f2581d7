"""Napalm solved: one deal for money, by learning from regrets."""
