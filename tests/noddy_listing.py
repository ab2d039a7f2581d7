"""The combinations of a hand of Noddy, as compiled code lists them and as plain Python does."""

from __future__ import annotations

from itertools import islice

import numpy as np

from simulate.noddy import reference
from simulate.noddy.combinations import kinds_in, label_of, levels_of, list_lays
from simulate.noddy.rules import kernel_rules
from simulate.noddy.small_hands import answers_for, look_up
from simulate.noddy.table import MAX_PARAMS, set_table
from simulate.noddy.view import MAX_OPTIONS


class Compiled:
    """The compiled enumerations under some rules."""

    def __init__(self, rules):
        self.rules = kernel_rules(rules)
        self.table = set_table(2, self.rules, np.uint64(0), np.zeros((0, MAX_PARAMS + 1)))
        self.levels = levels_of(self.rules.points)
        self.scoring = int(self.levels[:, 0].sum())
        self.answers = answers_for(self.table)

    def kinds(self, hand, trump):
        return kinds_in(reference.as_set(hand), trump, self.rules.court_value) & self.scoring

    def listed(self, hand, trump, limit=MAX_OPTIONS):
        """Enumerate step by step, as for large hands."""
        self.table.turn_up = trump
        cards, kinds = reference.as_set(hand), self.kinds(hand, trump)
        count = list_lays(self.table, cards, kinds, self.levels, limit)
        return self.table.lays[:count].tolist()

    def looked_up(self, hand, trump):
        """Look the answer up, as for small hands."""
        self.table.turn_up = trump
        count = look_up(self.table, reference.as_set(hand), len(hand), self.answers)
        return self.table.lays[:count].tolist()


def plainly(hand, trump, rules, limit=MAX_OPTIONS):
    lays = islice(reference.lays(hand, trump, rules), limit)
    return [[label_of(k, len(c), p), reference.as_set(c)] for k, c, p in lays]
