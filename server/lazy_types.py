"""The types of the protocol, each completed when it is first used: of 554 classes a session uses some hundred.

attrs writes and compiles the methods of a class when it is defined, which for all of `lsprotocol.types` is half of the
start. Here a class stays as it was written until somebody makes an instance of it or asks for its fields; then attrs
completes it in place, with the same arguments. Knows nothing of what the types mean.
"""

from __future__ import annotations

import sys
import threading
from typing import Any

_FIELDS = "__attrs_attrs__"
_lock = threading.RLock()
_resolve: dict[str, Any] = {}


class _Fields:
    """Stands for the fields of a class that is not completed; asking for them completes it."""

    def __get__(self, instance: object, owner: type) -> Any:
        _complete(next(cls for cls in owner.__mro__ if vars(cls).get(_FIELDS) is self))
        return getattr(owner, _FIELDS)


def _begin(self: Any, *args: Any, **named: Any) -> None:
    """Stands for the `__init__` of a class that is not completed."""
    for cls in type(self).__mro__:
        _complete(cls)
    type(self).__init__(self, *args, **named)


def _later(cls: type) -> type:
    """What `attrs.define` is while the types are loaded."""
    setattr(cls, _FIELDS, _Fields())
    cls.__init__ = _begin  # type: ignore[misc]
    return cls


def _complete(cls: type) -> None:
    """Let attrs write the methods of a class, once; where another thread is at it, wait for the end."""
    import attrs

    with _lock:
        if is_waiting(cls):
            # In place: with slots it would be another class. `init` is said, or ours would count as the class' own.
            attrs.define(cls, slots=False, init=True)
            attrs.resolve_types(cls, _resolve, {})  # as lsprotocol does with all of them at once


def fields(cls: type) -> Any:
    """The fields of a class with the types they hold. Where another thread is completing it they are there, unresolved,
    before it is done: whatever is made of them by then stays wrong."""
    import attrs

    with _lock:
        return attrs.fields(cls)


def is_waiting(cls: type) -> bool:
    """Whether a class is one that attrs has not completed."""
    return isinstance(vars(cls).get(_FIELDS), _Fields)


def load() -> None:
    """Load the types that way; to be called before anybody imports them, else nothing is gained. It rests on how the
    pinned lsprotocol defines its classes (`@attrs.define`, without arguments)."""
    if "lsprotocol.types" in sys.modules:
        return
    import attrs

    define = attrs.define
    attrs.define = _later  # type: ignore[assignment]
    try:
        import lsprotocol.types
    finally:
        attrs.define = define
    from lsprotocol import _hooks

    _resolve.update(lsprotocol.types.ALL_TYPES_MAP)
    _hooks._resolved_forward_references = True  # noqa: SLF001 - each is resolved when it is completed
