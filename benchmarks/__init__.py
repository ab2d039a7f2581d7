"""What the simulator costs, measured beside what else there is: ``make bench``.

A benchmark is a file ``bench_<what>.py`` with a `TITLE` and a function ``run(effort)`` that returns
its rows. Everything that is compared is measured in one process in turns, A B A B, and every turn
times a piece of work that has nothing to do with this project as well (`benchmarks.reference`): two
runs, on two days or two machines, are compared by the ratios to that.
"""
