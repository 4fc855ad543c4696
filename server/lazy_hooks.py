"""The converter between JSON and the types of the protocol, with functions that are written when they are first called.

cattrs writes and compiles a function for a class and, at once, for every class that it may hold: for `initialize` those
are all capabilities of both sides, most of which no message ever holds. Names no type; what a type looks like in JSON
is said by lsprotocol.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override
from lsprotocol import types
from pygls.protocol import default_converter

from server.lazy_types import fields, is_waiting

Hook = Callable[..., Any]


def converter() -> Converter:
    """pygls' converter, but for when its functions are written."""
    made: Converter = default_converter()  # type: ignore[no-untyped-call]

    def structure(cls: type) -> Hook:
        written: list[Hook] = []

        def hook(data: Any, _: Any) -> Any:
            if not written:
                written.append(make_dict_structure_fn(cls, made, **_overrides(cls)))
            return written[0](data, cls)

        return hook

    def unstructure(cls: type) -> Hook:
        written: list[Hook] = []

        def hook(value: Any) -> Any:
            if not written:
                written.append(make_dict_unstructure_fn(cls, made, **_overrides(cls)))
            return written[0](value)

        return hook

    made.register_structure_hook_factory(_is_type, structure)
    made.register_unstructure_hook_factory(_is_type, unstructure)
    return made


def _is_type(cls: Any) -> bool:
    """Whether a class is one of the protocol's. Asked before any other question, and without completing the class."""
    return isinstance(cls, type) and cls.__module__ == types.__name__ and (is_waiting(cls) or attrs.has(cls))


def _overrides(cls: Any) -> dict[str, Any]:
    """How each field is called in JSON, and that it is left out where it says nothing, unless null means something."""
    found: dict[str, Any] = {}
    for field in fields(cls):
        first, *more = field.name.removesuffix("_").split("_")
        name = first + "".join(part.title() for part in more)
        found[field.name] = override(rename=name, omit_if_default=not types.is_special_property(cls, field.name))
    return found
