"""Language models of the editor, in a real VS Code with models that a test extension offers to it."""

from __future__ import annotations

import json
import os
import shutil
from functools import partial
from pathlib import Path

import pytest

HERE = Path(__file__).parent

pytestmark = pytest.mark.editor


@pytest.fixture
def run_with_models(vscode, run_in_vscode, tmp_path):
    """Runs a script of vscode/ with the extension that offers models installed."""
    shutil.copytree(HERE / "vscode/scripted-model", tmp_path / "state/extensions/omoide-tests.scripted-model-0.0.1")
    return partial(run_in_vscode, vscode)


def test_models_of_the_editor_do_the_model_steps(project, run_with_models):
    """The facts of vscode/model-suite/index.js, with `vscode.lm` as VS Code has it."""
    run_with_models("run.mjs", SUITE="model-suite", PROPOSED="true")
    assert list(project.layout.root.glob("memory/decisions/*.md"))


def test_a_person_chooses_a_model_and_is_asked_for_consent(project, run_with_models, unpacked_extension, tmp_path):
    """By mouse and keys. OMOIDE_SHOTS keeps the pictures."""
    shutil.copytree(unpacked_extension, tmp_path / "state/extensions/omoide.omoide-0.1.0")
    shots = Path(os.environ.get("OMOIDE_SHOTS", tmp_path / "shots")).absolute() / "models"
    seen = json.loads(run_with_models("model-shot.mjs", SHOTS=str(shots), SCRIPTED_MODELS="true"))
    assert [row for row in seen["models"] if "scripted/large" in row]
    assert "scripted/small" in seen["chosen"]
    assert "1 session to a model (editor, scripted/small)" in seen["question"]
    assert "Omoide" in seen["consent"]
    assert "language models" in seen["consent"]
    assert "may not be used by Omoide" in seen["refused"]
    assert "1 candidate staged" in seen["extracted"]
    (file,) = project.staged()
    assert file["decisions"][0]["chosen"] == "Keep the cart in Postgres"
