"""Settings: every wrong thing is one problem at its place, and never an exception."""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.config import Config, ProviderSettings, from_environment, merge, parse
from memory_core.diagnostic import Severity
from memory_core.lint.registry import CODES
from memory_core.text import LineIndex


def problems(text: str, *, trusted: bool = True) -> list[tuple[str, int, str]]:
    config, found = parse(text, trusted=trusted, known_rules=CODES)
    assert isinstance(config, Config)
    lines = LineIndex(text)
    for d in found:
        assert lines.position(lines.offset(d.range.start)) == d.range.start
    return [(d.code, d.range.start.line, d.message) for d in found]


def test_an_empty_file_is_all_defaults():
    config, found = parse("", trusted=False)
    assert found == []
    assert (config.memory.consolidation_threshold_files, config.provider.name) == (5, "builtin")


def test_settings_that_are_not_given_have_the_promised_values():
    """B8"""
    memory, provider = parse("", trusted=True)[0].memory, parse("", trusted=True)[0].provider
    assert (memory.extract_model, memory.consolidation_model) == (None, None)
    assert memory.extract_threshold == 0  # off
    assert (memory.extract_worker_max_input_tokens, memory.extract_worker_max_turns) == (32_000, 8)
    assert (memory.consolidation_threshold_files, memory.consolidation_threshold_bytes) == (5, 50_000)
    assert (memory.inject_summary, memory.resident_for_code_sessions, memory.record_hover) == (True, False, True)
    assert (memory.resident_token_budget, memory.language) == (5_000, "auto")
    assert (memory.query_result_limit, memory.query_excerpt_lines) == (20, 3)
    assert (provider.name, provider.base_url) == ("builtin", None)


def test_what_is_set_counts():
    text = '[memory]\nextract_threshold = 100\n[lint]\nsimilar-slugs = "off"\nunknown-reference = "hint"\n'
    config, found = parse(text, trusted=False, known_rules=CODES)
    assert found == []
    assert config.memory.extract_threshold == 100
    assert config.severities() == {"similar-slugs": None, "unknown-reference": Severity.HINT}


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("[memory]\nextract_treshold = 1\n", 1, "extract_threshold"),
        ("[memory]\n\nquery_result_limit = 0\n", 2, "query_result_limit"),
        ('[memory]\nquery_result_limit = "many"\n', 1, "query_result_limit"),
        ("[memory]\nrecord_hover = 1\n", 1, "record_hover"),
        ("[memry]\n", 0, "memory"),
        ("memory = 3\n", 0, "memory"),
        ('[lint]\nno-such-rule = "off"\n', 1, "no-such-rule"),
        ('[lint]\nsimilar-slugs = "loud"\n', 1, "similar-slugs"),
        ('lint.similar-slugs = "loud"\n', 0, "similar-slugs"),
        ("[provider]\ntimeout_s = -1\n", 1, "timeout_s"),
        ("[sessions]\nsources = [1]\n", 1, "sources"),
        ('[sessions]\nsources = ["claude-cod"]\n', 1, "claude-code"),
        ("a = " + "[" * 5_000, 0, "Nested too deeply"),
        ("[memory]\nx = \n", 1, "TOML"),
        ("[[memory]]\n", 0, "memory"),
        ("[memory\n", 0, "TOML"),
    ],
)
def test_each_wrong_thing_is_one_problem_on_its_line(text, line, part):
    found = problems(text)
    assert [(code, at) for code, at, _ in found] == [("invalid-config", line)]
    assert part in found[0][2]


def test_thousands_of_wrong_keys_cost_no_more_than_their_number():
    """Each was looked for by reading the whole file once more: 3,000 keys took over 20 seconds."""
    text = "".join(f"k{number} = 1\n" for number in range(3_000))
    start = time.process_time()
    assert [at for _, at, _ in problems(text)] == list(range(3_000))
    assert time.process_time() - start < 5


def test_a_hint_is_a_sentence_with_one_end():
    assert problems("[memory]\nextract_treshold = 1\n")[0][2].endswith("`extract_threshold`?")
    assert problems("zzz = 1\n")[0][2] == "Unknown setting `zzz`."


def test_one_wrong_value_leaves_the_others():
    config, found = parse("[memory]\nquery_result_limit = 0\nextract_threshold = 7\nfoo = 1\n", trusted=True)
    assert len(found) == 2
    assert (config.memory.query_result_limit, config.memory.extract_threshold) == (20, 7)


def test_problems_come_in_the_order_of_the_file():
    text = '[lint]\nno-such = "off"\n[memory]\nextract_threshold = "x"\n[provider]\nbase_url = "http://x"\n[oops]\n'
    problems = parse(text, trusted=False, known_rules=frozenset({"similar-slugs"}))[1]
    assert [problem.range.start.line for problem in problems] == [1, 3, 5, 6]


def test_what_a_repository_could_abuse_is_ignored_until_trusted():
    text = (
        '[provider]\nname = "openai"\nbase_url = "http://evil"\napi_key_env = "HOME"\n[enricher.x]\ncommand = ["sh"]\n'
    )
    config, found = parse(text, trusted=False)
    assert [(d.code, d.range.start.line) for d in found] == [("untrusted", 2), ("untrusted", 3), ("untrusted", 5)]
    assert (config.provider.base_url, config.provider.api_key_env) == (None, "OPENAI_API_KEY")
    assert config.enricher == {"x": {}}
    assert parse(text, trusted=True)[0].provider.base_url == "http://evil"


def test_a_repository_may_lower_what_a_person_pays_and_not_raise_it():
    text = "[provider]\nrequests_per_run = 9\ntokens_per_day = 900\n"
    allowed = replace(ProviderSettings(), requests_per_run=10, tokens_per_day=100)
    config, found = parse(text, trusted=False, allowed=allowed)
    assert [(d.code, d.range.start.line) for d in found] == [("untrusted", 2)]
    assert "may not raise your 100" in found[0].message
    assert merge(Config(provider=allowed), config).provider == replace(allowed, requests_per_run=9)
    assert parse(text, trusted=True, allowed=allowed)[0].provider.tokens_per_day == 900
    assert parse("[provider]\ntokens_per_day = 2000001\n", trusted=False)[1][0].code == "untrusted"
    without = "[provider]\ntokens_per_day = 0\n"  # no limit
    assert parse(without, trusted=False, allowed=allowed)[1][0].code == "untrusted"
    unlimited = replace(allowed, tokens_per_day=0)
    assert parse(text, trusted=False, allowed=unlimited)[0].provider.tokens_per_day == 900


def test_the_workspace_is_laid_over_the_user_key_by_key():
    user = parse('[memory]\nlanguage = "ja"\nextract_threshold = 5\n[trust]\nworkspaces = ["/w"]\n', trusted=True)[0]
    own = parse('[memory]\nextract_threshold = 0\n[lint]\nsimilar-slugs = "off"\n', trusted=False)[0]
    merged = merge(user, own)
    assert (merged.memory.language, merged.memory.extract_threshold) == ("ja", 0)
    assert merged.trust.workspaces == ("/w",)
    assert merged.lint == {"similar-slugs": "off"}


def test_the_environment_overrides_both():
    environment = {
        "OMOIDE_PROVIDER": "openai",
        "OMOIDE_BASE_URL": "http://u",
        "OMOIDE_MODEL": "m",
        "OMOIDE_API_KEY": "k",
    }
    config = from_environment(Config(), environment)
    assert (config.provider.name, config.provider.base_url) == ("openai", "http://u")
    assert config.provider.api_key_env == "OMOIDE_API_KEY"
    assert (config.memory.extract_model, config.memory.consolidation_model) == ("m", "m")


LINES = st.sampled_from(
    ["[memory]", "[lint]", "[provider]", "[[provider]]", "[enricher.x]", "[sessions]", "[trust]", "memory = 1",
     "lint = []", "enricher = 1", "x = 1", 'similar-slugs = "off"', "language = 3", "sources = 1",
     "sources = [[1]]", "a.b.c = 1",
     'base_url = "x"', "command = 1", "workspaces = {a = 1}", '"q.r" = 1', "= 1", "é = 1", "[", "# c",
     "timeout_s = nan"]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.lists(LINES, max_size=8).map("\n".join), st.text(max_size=40)), st.booleans())
def test_no_text_raises(text, trusted):
    problems(text, trusted=trusted)
