"""The built-in table `threshold` as a program: Yes from a strength on, at every stage."""


def p_yes(view, least=0.80):
    return 1.0 if view.strength >= least else 0.0
