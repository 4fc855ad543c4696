"""Secrets whose name stands in another member than their value, in what tools print. Every secret is made up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory_core.redact import beginning, find, locate, redact
from memory_core.secrets.members import members

SECRETS = ("TfOut2" + "Qz9LmX", "TtqV7yq#" + "f2!kLm{PZ8sQw", "4f1d9c2ab7e84c6d" + "9a0b1c2d3e4f5a6b")


def terraform(secret: str) -> Any:
    """terraform output -json"""
    return {"db_password": {"sensitive": True, "type": "string", "value": secret}, "port": {"value": 5432}}


def parameter(secret: str) -> Any:
    """aws ssm get-parameter --with-decryption"""
    told = {"Name": "/prod/db/password", "Type": "SecureString", "Value": secret, "Version": 1}
    return {"Parameter": {**told, "ARN": "arn:aws:ssm:eu-west-1:123456789012:parameter/prod/db/password"}}


def variables(secret: str) -> Any:
    """glab variable list"""
    told = {"variable_type": "env_var", "key": "DB_PASSWORD", "hidden": False, "value": secret, "protected": True}
    return [{"key": "HOST", "value": "db1.example.internal"}, told]


def vault(secret: str) -> Any:
    """az keyvault secret show"""
    return {"attributes": {"enabled": True}, "id": "https://v1.vault.azure.net/secrets/db/5ee874ae", "value": secret}


def described(secret: str) -> Any:
    return {"API_KEY": {"description": "the key of prod", "value": secret}}


def cookie(secret: str) -> Any:
    """a HAR file"""
    return {"cookies": [{"name": "sessionid", "path": "/", "httpOnly": True, "value": secret}]}


def valued_first(secret: str) -> Any:
    return {"value": secret, "scope": "all", "name": "API_KEY"}


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("indent", [None, 2, 4])
@pytest.mark.parametrize("told", [terraform, parameter, variables, vault, described, cookie, valued_first])
def test_a_value_is_known_by_another_member_of_its_object(told: Any, indent: int | None, secret: str) -> None:
    """T36: `aws`, `terraform` and lists of variables put more between them than a sign."""
    text = json.dumps(told(secret), indent=indent)
    cut = text[: text.index(secret) + len(secret) + 1] if told is not valued_first else text
    for shown in (text, json.dumps({"output": text}), " ".join(text.split()), cut):
        assert json.dumps(secret)[1:-1] not in redact(shown), redact(shown)
        assert find(shown)
        assert locate(shown)
    assert "db1.example.internal" in redact(json.dumps(variables(secret)))


@pytest.mark.parametrize(
    "text",
    [
        "env:\n  - name: API_KEY\n    description: key of prod\n    value: {}\n",
        'env:\n  - name: API_KEY\n    description: key of prod\n    value: "{}"\n',
        "- value: {}\n  scope: all\n  name: DB_PASSWORD\n",
        "db_password:\n  description: of prod\n  value: {}\n",
        "parameters:\n  db_password:\n    type: string\n    default: {}\n",
    ],
)
def test_a_value_is_known_by_another_line_of_its_mapping(text: str) -> None:
    for secret in SECRETS:
        assert secret not in redact(text.format(secret))


@pytest.mark.parametrize(
    "text",
    [
        '[{"name": "API_KEY", "required": true}, {"name": "HOST2", "scope": "all", "value": "db1.example2"}]',
        '{"name": "password", "type": "string", "default": "password"}',
        '{"name": "token_type", "scope": "all", "value": "bearer2token"}',
        '{"name": "API_KEY", "scope": "all", "value": "${API_KEY_2}"}',
        '{"secret": {"type": "string"}, "region": {"value": "eu-west-1a2"}}',
        "- name: API_KEY\n  from: vault\n- name: HOST\n  value: db1.example2\n",
        "tokens:\n  - name: HOST\n    value: db1.example2\n",
        "const token = {\n    type: 'x',\n    value: getName2(1),\n}",
        '{"design": {"key": "color.token", "kind": "blue", "value": "color.blue.500"}}',
        '"value": "TfOut2Qz9LmX"',
        '{"name": "apiKey", "in": "header", "value": "X-API-Key-2"}',
        '{"key": "password.min", "scope": "all", "value": "8characters"}',
    ],
)
def test_a_value_of_something_else_stays(text: str) -> None:
    """T34"""
    assert list(members(text, text.lower())) == []
    assert redact(text) == text


@pytest.mark.parametrize("secret", SECRETS)
def test_a_name_behind_the_cut_tells_the_value_before_it(secret: str) -> None:
    """Who cuts a text before it is cleaned would show the value and not the name."""
    text = json.dumps(valued_first(secret)) + " and more" * 400
    for most in range(len(secret) + 14, 200):
        assert secret not in beginning(text, most)
