"""Keys of many issuers, made up when a test runs: no scanner of this repository has anything to find."""

from __future__ import annotations

import random
import string

_ALL = string.ascii_letters + string.digits


def _drawn(seed: str, length: int, letters: str = _ALL) -> str:
    """A string as an issuer would draw it, the same in every run."""
    source = random.Random(seed)
    return "".join(source.choice(letters) for _ in range(length))


def keys() -> dict[str, str]:
    """Issuer → key, in the shapes that the issuers document."""
    hexadecimal, upper = "0123456789abcdef", string.ascii_uppercase + string.digits
    return {
        "openai": "sk-" + _drawn("a", 48),
        "openai project": "sk-" + "proj-" + _drawn("b", 74),
        "anthropic": "sk-" + "ant-api03-" + _drawn("c", 93) + "AA",
        "openrouter": "sk-" + "or-v1-" + _drawn("d", 64, hexadecimal),
        "github classic": "gh" + "p_" + _drawn("e", 36),
        "github app": "gh" + "s_" + _drawn("f", 36),
        "github fine": "github" + "_pat_" + _drawn("g", 22) + "_" + _drawn("h", 59),
        "gitlab": "gl" + "pat-" + _drawn("i", 20),
        "slack bot": "xox" + "b-" + _drawn("j", 12, string.digits) + "-" + _drawn("k", 24),
        "slack app": "xa" + "pp-1-" + _drawn("l", 40),
        "aws id": "AK" + "IA" + _drawn("m", 16, string.ascii_uppercase + "234567"),
        "google": "AI" + "za" + _drawn("n", 35),
        "google oauth": "GOC" + "SPX-" + _drawn("o", 28),
        "stripe": "sk_" + "live_" + _drawn("p", 24),
        "stripe restricted": "rk_" + "live_" + _drawn("q", 24),
        "npm": "npm" + "_" + _drawn("r", 36),
        "pypi": "py" + "pi-AgEIcHlwaS5vcmc" + _drawn("s", 70),
        "docker": "dckr" + "_pat_" + _drawn("t", 27),
        "hugging face": "h" + "f_" + _drawn("u", 34),
        "groq": "gs" + "k_" + _drawn("v", 52),
        "xai": "x" + "ai-" + _drawn("w", 80),
        "sendgrid": "S" + "G." + _drawn("x", 22) + "." + _drawn("y", 43),
        "twilio": "S" + "K" + _drawn("z", 32, hexadecimal),
        "mailchimp": _drawn("aa", 32, hexadecimal) + "-us" + "12",
        "square": "sq0" + "csp-" + _drawn("bb", 43),
        "telegram": _drawn("cc", 10, "123456789") + ":" + _drawn("dd", 35),
        "jwt": "ey" + "J" + _drawn("ee", 30) + ".ey" + "J" + _drawn("ff", 60) + "." + _drawn("gg", 43),
        "assigned": "DB_PASS" + "WORD=" + _drawn("hh", 14),
        "drawn": _drawn("ii", 64),
        "digitalocean": "do" + "p_v1_" + _drawn("jj", 64, hexadecimal),
        "shopify": "shp" + "at_" + _drawn("kk", 32, hexadecimal),
        "linear": "lin" + "_api_" + _drawn("ll", 40),
        "databricks": "da" + "pi" + _drawn("mm", 32, hexadecimal),
        "vault": "hv" + "s." + _drawn("nn", 90),
        "atlassian": "ATA" + "TT3xFf" + _drawn("oo", 180),
        "notion": "nt" + "n_" + _drawn("pp", 46),
        "age": "AGE-SECRET-" + "KEY-1" + _drawn("qq", 58, upper),
        "perplexity": "pp" + "lx-" + _drawn("rr", 48),
        "replicate": "r" + "8_" + _drawn("ss", 37),
        "grafana": "gl" + "sa_" + _drawn("tt", 32) + "_" + _drawn("uu", 8, hexadecimal),
        "new relic": "NR" + "AK-" + _drawn("vv", 27, upper),
        "terraform": _drawn("ww", 14) + ".atlas" + "v1." + _drawn("xx", 64),
        "postman": "PM" + "AK-" + _drawn("yy", 24, hexadecimal) + "-" + _drawn("zz", 34, hexadecimal),
        "doppler": "dp.pt." + _drawn("ab", 43),
        "planetscale": "pscale" + "_tkn_" + _drawn("ac", 43),
        "supabase": "sb" + "p_" + _drawn("ad", 40, hexadecimal),
        "facebook": "EA" + "ACEdEose0cBA" + _drawn("ae", 100),
        "url": "https://deploy:" + _drawn("af", 16) + "@git.example.com/x.git",
    }


def value(name: str, key: str) -> str:
    """The part of a key that must never be seen."""
    match name:
        case "assigned":
            return key.partition("=")[2]
        case "url":
            return key.partition("deploy:")[2].partition("@")[0]
    return key


def harmless() -> dict[str, str]:
    """Long words of ordinary work that are no secrets and must stay as they are."""
    hexadecimal = "0123456789abcdef"
    return {
        "uuid": "01a22b78-412e-750e-b049-816cb287484a",
        "commit": _drawn("1", 40, hexadecimal),
        "sha256": "sha256:" + _drawn("2", 64, hexadecimal),
        "integrity": "sha512-" + _drawn("3", 86) + "==",
        "image": "data:image/png;base64," + _drawn("4", 200),
        "lock": 'resolved "https://registry.example.org/left-pad/-/left-pad-1.3.0.tgz#'
        + _drawn("5", 40, hexadecimal)
        + '"',
        "pip": "--hash=sha256:" + _drawn("6", 64, hexadecimal),
        "path": "src/components/editor/KeyboardShortcuts/useKeyboardShortcuts.test.tsx",
        "name": "ThisIsAVeryLongJavaClassNameFactoryBeanConfigurerAdapterTest",
        "call": "token=get_token(user, scope)",
        "count": "max_tokens=32000",
        "slug": "#keep-the-billing-exports-for-ninety-days-and-not-longer",
        "instant": "2026-03-12T10:03:00.000000+00:00",
        "ulid": "01HV8N1Q2W3E4R5T6Y7U8I9O0P",
    }
