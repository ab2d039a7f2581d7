"""The commands of the command line, a module each.

A module has `HELP`, one line; `EXAMPLES`, shown below its options; ``add_options(parser)``; and
``main(args)``, which returns the exit code. It imports what is heavy inside ``main``.
"""
