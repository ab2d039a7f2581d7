"""Every notebook, run from nothing: what it claims is asserted in its own last cell.

With ``SAVE_NOTEBOOKS=1`` the outputs are saved into the notebooks, small and clean: pictures in few
colours, no timings, no state of widgets.
"""

from __future__ import annotations

import base64
import io
import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from PIL import Image

FOLDER = Path(__file__).parent.parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SAVE = os.environ.get("SAVE_NOTEBOOKS") == "1"
SECONDS = 600  # for a cell, on a machine that is busy with other things
COLOURS = 96
LIVE_ONLY = "[controls: shown where the notebook runs]"
WIDGET = "application/vnd.jupyter.widget-view+json"


def without_weight(notebook):
    """Leave of the outputs what a reader looks at."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if data.pop(WIDGET, None) is not None:
                data["text/plain"] = LIVE_ONLY
            if "image/png" in data:
                data["image/png"] = in_few_colours(data["image/png"])
    return notebook


def in_few_colours(picture):
    image = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGBA")
    paper = Image.new("RGBA", image.size, "white")
    flat = Image.alpha_composite(paper, image).convert("RGB")
    sink = io.BytesIO()
    flat.quantize(COLOURS, dither=Image.Dither.NONE).save(sink, "PNG", optimize=True)
    return base64.b64encode(sink.getvalue()).decode()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_nothing_and_its_claims_hold(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    here = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=SECONDS, record_timing=False, resources=here).execute()
    if SAVE:
        nbformat.write(without_weight(notebook), path)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_saved_clean_with_its_pictures(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells[0].source.startswith("# "), "it has a title"
    assert any("assert " in cell.source for cell in notebook.cells), "its claims are checked"
    assert "widgets" not in notebook.metadata
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error"]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    assert any("image/png" in output.get("data", {}) for output in outputs), "it shows pictures"
    assert path.stat().st_size < 400_000


def test_there_are_eight_notebooks_in_order():
    assert [path.name[:2] for path in NOTEBOOKS] == [f"0{number}" for number in range(1, 9)]
