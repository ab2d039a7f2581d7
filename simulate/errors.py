"""What a person did wrong, said in one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InputError(ValueError):
    """A bad argument, file or field: the value, what is wrong with it, what is allowed.

    The command line prints it as one line and ends with exit code 2.
    """


def unknown(what: str, got: object, allowed: Iterable[str]) -> InputError:
    """Build the error for a name that does not exist, with the nearest one that does.

    Parameters
    ----------
    what : str
        The kind of thing named, for example ``"strategy"``.
    got : object
        The name as it was given.
    allowed : iterable of str
        Every name that exists.

    Returns
    -------
    InputError
        To be raised by the caller.
    """
    names = list(dict.fromkeys(allowed))
    near = difflib.get_close_matches(str(got), names, n=1, cutoff=0.6)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return InputError(f"unknown {what} {str(got)!r}: {hint}allowed: {', '.join(names)}")


def was_stopped(error: BaseException) -> bool:
    """Tell whether an error came of Ctrl-C: a compiler that is broken off raises what it likes."""
    chain: list[BaseException] = []
    while error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__ or error
    return any(isinstance(one, KeyboardInterrupt) for one in chain)
