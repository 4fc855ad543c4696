"""The snippets of docs/editors.md in the real editors: what the page says is what was run."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.editors.conftest import CHECKOUT, HOW_TO_GET, missing, program

HERE = Path(__file__).parent
PAGE = CHECKOUT / "docs/editors.md"
ELPA = Path("/usr/share/emacs/site-lisp/elpa")
ALE = [Path("/usr/share/vim-ale"), Path("/usr/share/vim/vimfiles/pack/dist-bundle/opt/ale")]

HOW_TO_GET |= {
    "emacs": "apt-get install emacs-nox elpa-eglot elpa-markdown-mode",
    "vim": "apt-get install vim vim-ale",
}

pytestmark = pytest.mark.editor


def snippet(editor: str) -> str:
    """The code of the page that is marked to be run in an editor."""
    found = re.search(rf"<!-- run: {editor} -->\n```\w+\n(.*?)```\n", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found, f"docs/editors.md has no snippet to run in {editor}"
    return found[1]


def outcome(command, project, result, **more):
    """What a drive wrote of its run."""
    environment = project.environment(
        NOTES=str(project.notes),
        RECORD=str(project.layout.absolute("knowledge/deploy-window.md")),
        RESULT=str(result),
        LC_ALL="C.UTF-8",
        **more,
    )
    done = subprocess.run(
        list(map(str, command)),
        cwd=project.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert result.exists(), done.stdout + done.stderr
    seen = json.loads(result.read_text(encoding="utf-8"))
    assert "trouble" not in seen, f"{seen['trouble']}\n{done.stdout}{done.stderr}"
    return seen


@pytest.fixture
def emacs(project, omoide, tmp_path):
    """What Emacs saw, with the page's configuration."""
    binary = program("emacs")
    folders = [next(iter(sorted(ELPA.glob(f"{name}-[0-9]*"))), None) for name in ("eglot", "markdown-mode")]
    if None in folders:
        missing("emacs")
    # `-Q` leaves the distribution's packages out, which a person's Emacs has on its path.
    also = [next(iter(sorted(ELPA.glob(f"{name}-[0-9]*"))), None) for name in ("project", "xref", "seq", "jsonrpc")]
    paths = [part for folder in (*folders, *also) if folder for part in ("-L", folder)]
    configuration = tmp_path / "init.el"
    configuration.write_text(snippet("emacs"), encoding="utf-8")
    drive = HERE / "emacs/drive.el"
    return outcome([binary, "-Q", "--batch", *paths, "-l", configuration, "-l", drive], project, tmp_path / "seen.json")


def test_a_person_hovers_completes_follows_and_extracts_in_emacs(project, emacs):
    """F3, F1. Emacs counts in UTF-16 like most: the emoji before the cursor shows a wrong unit."""
    assert emacs["server"] == "omoide"
    assert "How the service is deployed" in emacs["hover"]
    assert emacs["typed"] == "#deploy-w"
    assert [it.strip() for it in emacs["offered"]] == ["#deploy-window"]
    assert Path(emacs["definition"]) == project.layout.absolute("knowledge/deploy-steps.md")
    unknown = [it for it in emacs["diagnostics"] if "no-such-slug" in it["text"]]
    assert [it["marked"] for it in unknown] == ["#no-such-slug"]
    assert json.loads(emacs["extract"])["runs"][0]["status"] == "staged"
    assert len(project.staged()) == 1
    assert ("EditorHover", "deploy-steps") in project.uses()


@pytest.fixture
def vim(project, omoide, tmp_path):
    """What Vim saw, with the page's configuration."""
    binary = program("vim")
    ale = next((folder for folder in ALE if folder.is_dir()), None)
    if ale is None:
        missing("vim")
    configuration = tmp_path / "vimrc"
    before = f"set nocompatible nomore noswapfile\nset runtimepath^={ale}\nfiletype plugin on\nruntime plugin/ale.vim\n"
    configuration.write_text(before + snippet("vim"), encoding="utf-8")
    drive = HERE / "vim/drive.vim"
    return outcome([binary, "-e", "-s", "-N", "-u", configuration, "-S", drive], project, tmp_path / "seen.json")


def test_a_person_sees_problems_and_follows_in_vim(project, vim):
    unknown = [it for it in vim["diagnostics"] if "no-such-slug" in it["text"]]
    assert [it["code"] for it in unknown] == ["unknown-reference"]
    assert Path(vim["definition"]) == project.layout.absolute("knowledge/deploy-steps.md")


def test_the_neovim_configuration_of_the_page_attaches_and_completes(project, omoide, neovim, tmp_path):
    configuration, result = tmp_path / "init.lua", tmp_path / "seen.json"
    ask = """
vim.cmd('filetype on')
vim.cmd.edit(vim.env.NOTES)
local seen = {}
local ok, trouble = pcall(function()
  assert(vim.wait(20000, function()
    local client = vim.lsp.get_clients({ bufnr = 0, name = 'omoide' })[1]
    return client and client.initialized
  end, 20), 'not attached')
  local client = vim.lsp.get_clients({ bufnr = 0, name = 'omoide' })[1]
  seen.root = client.root_dir
  vim.api.nvim_buf_set_lines(0, -1, -1, false, { '🙂 手順 #deploy-w' })
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(0), #'🙂 手順 #deploy-w' })
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local answer
  assert(vim.wait(20000, function()
    answer = client:request_sync('textDocument/completion', params, 10000, 0)
    return answer and answer.result
  end, 100), vim.inspect(answer))
  seen.offered = vim.tbl_map(function(it) return it.label end, answer.result.items)
end)
if not ok then seen.trouble = trouble end
vim.fn.writefile({ vim.json.encode(seen) }, vim.env.RESULT)
vim.cmd('qall!')
"""
    configuration.write_text(snippet("neovim") + ask, encoding="utf-8")
    seen = outcome([neovim, "--headless", "--clean", "-l", configuration], project, result)
    assert Path(seen["root"]) == project.folder
    assert "#deploy-window" in seen["offered"]


@pytest.mark.parametrize("language", ["json", "toml"])
def test_the_snippets_of_editors_that_are_not_run_can_be_parsed_and_start_the_server(language):
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(rf"```{language}\n(.*?)```\n", text, re.DOTALL)
    assert len(found) == {"json": 3, "toml": 1}[language]
    for code in found:
        plain = json.dumps(json.loads(code) if language == "json" else tomllib.loads(code))
        assert '"omoide"' in plain
        assert '["lsp"]' in plain or '["omoide", "lsp"]' in plain
