"""How the guide is built: ``make docs``. Nothing is fetched, neither now nor when it is read."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from simulate.cli import COMMANDS, command_parser  # noqa: E402
from simulate.version import VERSION  # noqa: E402

project = "Napalm and Noddy"
author = "the authors of napalm-noddy"
copyright = "the authors of napalm-noddy"  # noqa: A001  (Sphinx wants it so)
release = version = VERSION

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "numpydoc"]
myst_enable_extensions = ["dollarmath", "deflist", "attrs_inline"]
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing"]  # links to files of the repository
nb_execution_mode = "off"  # they are saved with their outputs, which `make notebooks` checks
nb_mime_priority_overrides = [("html", "text/html", 0), ("html", "image/png", 10)]
autodoc_typehints = "none"  # they stand in the text of the docstrings
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "Napalm and Noddy"
html_static_path = ["_static"]
html_css_files = ["guide.css"]
html_math_renderer = "mathml"
html_show_sphinx = False

COMMAND_LINE = HERE / "reference" / "command-line.md"
NOTEBOOKS = HERE / "notebooks"


def write_command_line() -> None:
    """Write the page of all commands from what they say of themselves."""
    top = command_parser()
    choices = next(action.choices for action in top._actions if action.dest == "command")  # noqa: SLF001
    lines = [
        "# The command line",
        "",
        "What `simulate COMMAND --help` prints. Exit codes: 0; 1 when an audit found something;",
        "2 for bad input, with one line that says what; 130 after Ctrl-C.",
    ]
    for name in COMMANDS:
        said = choices[name].format_help().strip()
        lines += ["", f"## simulate {name}", "", "```text", said, "```"]
    COMMAND_LINE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def copy_notebooks() -> None:
    """Take the notebooks into the guide as they are."""
    NOTEBOOKS.mkdir(exist_ok=True)
    for path in sorted((HERE.parent / "notebooks").glob("*.ipynb")):
        shutil.copyfile(path, NOTEBOOKS / path.name)


def visit_math(self: HTML5Translator, node: nodes.math) -> None:
    """Write a formula as MathML, which browsers draw by themselves."""
    self.body.append(convert(node.astext()))
    raise nodes.SkipNode


def visit_displaymath(self: HTML5Translator, node: nodes.math_block) -> None:
    """Write a formula that stands by itself."""
    self.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Tell Sphinx about all this."""
    write_command_line()
    copy_notebooks()
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_displaymath, None))
