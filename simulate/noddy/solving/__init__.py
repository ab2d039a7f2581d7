"""Noddy solved: near-best play of the race under ``hold``, by backward induction."""
