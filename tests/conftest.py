"""What holds for all tests."""

from hypothesis import settings

# The first example may have to compile: no test depends on how long anything takes.
settings.register_profile("house", deadline=None)
settings.load_profile("house")
