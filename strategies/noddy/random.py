"""Takes any option at all: the yardstick for all that think.

Under `hold` it often draws where it could score; under `lay` it lays any of its combinations.
"""


def value(view, option):
    return view.random
