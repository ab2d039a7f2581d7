"""Says No to everything: pays its antes and lets others play. Whoever loses more plays badly."""


def p_yes(view):
    return 0.0
