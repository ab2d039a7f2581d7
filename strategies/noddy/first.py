"""Takes the first option it is offered, without a look at it.

Options come best first, more points before fewer, so it plays like `highest`. It is there to
measure the speed of the game itself, and as the shortest strategy that can be written.
"""


def value(view, option):
    return 0.0
