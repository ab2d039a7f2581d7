"""The one door to Numba: where compiled code is kept, and for which processor it is made.

Numba reads both from the environment when it is first imported. Its on-disk cache does not notice
that an *imported* compiled function has changed, so the cache folder carries a hash of every
compiled module's source; and by default LLVM uses half the vector width of an AVX-512 machine.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any, Literal

import platformdirs

__all__ = ["CACHE_VARIABLE", "FOLDER", "cache_folder", "compile_module", "numba", "sources_hash"]

CACHE_VARIABLE = "SIMULATE_CACHE_DIR"
NAMED_TUPLES = ("rules.py", "view.py")  # modules whose tuples and constants compiled code takes
SETTINGS = ("NUMBA_BOUNDSCHECK", "NUMBA_DEBUGINFO", "NUMBA_OPT")  # Numba keeps no record of them


def sources_hash() -> str:
    """Hash all that is compiled, and how: the name of the folder that compiled code is kept in."""
    package = Path(__file__).parent
    digest = hashlib.sha256(Path(__file__).read_bytes())
    digest.update(repr([os.environ.get(setting) for setting in SETTINGS]).encode())
    for path in sorted(package.rglob("*.py")):
        source = path.read_bytes()
        if b"simulate.jit import" in source or path.name in NAMED_TUPLES:
            digest.update(str(path.relative_to(package)).encode())
            digest.update(source)
    return digest.hexdigest()[:16]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def cache_folder() -> Path | None:
    """Return the folder for compiled code, or None where nothing can be written.

    ``SIMULATE_CACHE_DIR`` overrides the user's cache folder.
    """
    root = os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("napalm-noddy")
    folder = Path(root) / sources_hash()
    return folder if _writable(folder) else None


def _wide_features() -> str:
    """Name the features of this processor, without the wish for narrow vectors."""
    import llvmlite.binding as llvm

    features = llvm.get_host_cpu_features()
    if features.get("avx512bw"):
        features["prefer-256-bit"] = False
    return str(features.flatten())


FOLDER = cache_folder()
if FOLDER is not None:
    os.environ["NUMBA_CACHE_DIR"] = str(FOLDER)
if "NUMBA_CPU_FEATURES" not in os.environ:
    os.environ["NUMBA_CPU_FEATURES"] = _wide_features()

import numba  # noqa: E402  (the environment above must be set before numba is first imported)
from numba.core.caching import FunctionCache  # noqa: E402
from numba.core.sigutils import normalize_signature  # noqa: E402

numba.config.reload_config()


def _leave_linear_algebra() -> None:
    """Import Numba's numpy functions without scipy's linear algebra, a sixth of a start.

    Numba only looks whether it is there, and looks again where a function needs it.
    """
    import numba.np.linalg as linear

    look = linear.ensure_blas
    linear.ensure_blas = lambda: None
    try:
        import numba.np.arraymath as numpy_functions
    finally:
        linear.ensure_blas = look
    numpy_functions.ensure_blas = look  # type: ignore[attr-defined]


_leave_linear_algebra()


class _Cache(FunctionCache):
    """Compiled code on disk, where what cannot be read, or written, is compiled in its place."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)
        except Exception:  # noqa: BLE001  (a torn file raises anything)
            found = None
            with suppress(OSError):
                self.flush()
        # Of two processes that write at once, one may have put its code under the other's name.
        if found is not None and tuple(found.signature.args) != tuple(normalize_signature(sig)[0]):
            return None
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        with suppress(OSError):  # the disk is full
            super().save_overload(sig, data)


Names = Sequence[str] | Literal["all"]


def compile_module(
    name: str,
    fills_only: bool = False,
    inlined: Names = (),
    inner: Names = (),
    literals: bool = True,
) -> None:
    """Compile every plain function of a module, to run without the GIL and to be kept on disk.

    Parameters
    ----------
    name : str
        ``__name__`` of the module, which calls this in its last line.
    fills_only : bool
        Whether its functions only fill arrays that they were given, make none and raise nothing.
        Numba then counts no references, which would cost more than the work where a record of
        arrays is handed on, and a division does not look for a zero.
    inlined : sequence of str, or "all"
        Functions to be put in place of their calls however long they are: then what a caller does
        not use of their results is not computed, and a loop around them can be vectorised.
    inner : sequence of str, or "all"
        Functions that only compiled code calls. They get no way in from Python, which takes longer
        to compile than the function itself where its arguments are records of arrays.
    literals : bool
        Whether a function is compiled anew for each number that stands in a call of it; where not,
        once for all of them.
    """
    options: dict[str, Any] = {"nopython": True, "nogil": True, "cache": FOLDER is not None}
    if fills_only:
        options |= {"_nrt": False, "error_model": "numpy"}
    module = sys.modules[name]
    for attribute, value in list(vars(module).items()):
        if isinstance(value, FunctionType) and value.__module__ == name:
            alone = inner == "all" or attribute in inner
            options["forceinline"] = inlined == "all" or attribute in inlined
            options["no_cpython_wrapper"] = options["no_cfunc_wrapper"] = alone
            compiled = numba.jit(**options)(value)
            if options["cache"] and hasattr(compiled, "_cache"):
                compiled._cache = _Cache(value)  # noqa: SLF001  (Numba offers no other way)
            if not literals and not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
                _forget_literals(compiled)
            setattr(module, attribute, compiled)


def _forget_literals(compiled: Any) -> None:
    """Let calls from compiled code pass the types of numbers, not the numbers."""
    inner = compiled.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = {name: numba.types.unliteral(kind) for name, kind in kws.items()}
        return inner(tuple(map(numba.types.unliteral, args)), plain)

    compiled.get_call_template = get_call_template
