"""What a worker may hand in: the one table of the four candidate arrays, its JSON schema, and its parsing.

Knows no evidence: whether a cited id exists, and what it may support, is the toolbox's business.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic.fields import FieldInfo

from memory_core.redact import brief, redact
from memory_core.text import UNWRITABLE, writable

MAX_CANDIDATES = 20  # of one array: more than that of one slice is a transcript, not a selection
MAX_LINES = 12  # options or points of one candidate
MAX_EVIDENCE = 12
MAX_TEXT = 1_200  # characters of one field


def _writable(value: Any) -> Any:
    """A model's JSON may hold as escapes what no file may."""
    return writable(value) if isinstance(value, str) else value


def _clean(text: str) -> str:
    return redact(text).strip()


def _something(text: str) -> str:
    if not text:
        raise ValueError("must not be empty")
    return text


OptionalText = Annotated[str, BeforeValidator(_writable), Field(max_length=MAX_TEXT), AfterValidator(_clean)]
Text = Annotated[
    str,
    BeforeValidator(_writable),
    Field(min_length=1, max_length=MAX_TEXT),
    AfterValidator(_clean),
    AfterValidator(_something),
]
EvidenceIds = Annotated[
    list[Annotated[str, Field(min_length=1, max_length=24)]],
    Field(
        min_length=1,
        max_length=MAX_EVIDENCE,
        description="Ids of the evidence this rests on, as listed: M0001, E0001. At least one.",
    ),
]


ModelT = TypeVar("ModelT", bound=BaseModel)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class DecisionIn(_Strict):
    """A choice that was made, with its reason."""

    options: list[Text] = Field(max_length=MAX_LINES, description="What was weighed, the chosen one included.")
    chosen: Text = Field(description="What was chosen.")
    rationale: OptionalText = Field("", description="Why, as it was said; empty where no reason was given.")
    evidence: EvidenceIds


class DiscussionIn(_Strict):
    """A topic that was talked over and left open, worth knowing later."""

    topic: Text = Field(description="What it was about.")
    points: list[Text] = Field(min_length=1, max_length=MAX_LINES, description="What was said of it.")
    evidence: EvidenceIds


class AttemptIn(_Strict):
    """Something tried whose outcome teaches something."""

    action: Text = Field(description="What was tried.")
    result: Text = Field(description="How it ended: symptom, cause, fix.")
    succeeded: bool = Field(description="true only when it fully worked; partly is false.")
    evidence: EvidenceIds


class RequestIn(_Strict):
    """What the human asked for beyond the moment: a standing wish, a preference, a correction."""

    intent: Text = Field(description="What the human wants.")
    target: Text | None = Field(None, description="What it is about: a part, a file, a situation.")
    summary: Text = Field(description="The wish and its circumstances.")
    evidence: EvidenceIds


CandidateIn = DecisionIn | DiscussionIn | AttemptIn | RequestIn


class Payload(_Strict):
    """The arguments of `write_extracted`. Every array may be empty; all empty means nothing was worth keeping."""

    decisions: list[DecisionIn] = Field(default_factory=list, max_length=MAX_CANDIDATES)
    discussions: list[DiscussionIn] = Field(default_factory=list, max_length=MAX_CANDIDATES)
    attempts: list[AttemptIn] = Field(default_factory=list, max_length=MAX_CANDIDATES)
    requests: list[RequestIn] = Field(default_factory=list, max_length=MAX_CANDIDATES)

    def texts(self) -> Iterable[str]:
        """Everything that was written, for checks of the whole."""
        for array in (self.decisions, self.discussions, self.attempts, self.requests):
            for candidate in array:
                for name, value in candidate.model_dump(exclude={"evidence"}, exclude_none=True).items():
                    if name != "target" and isinstance(value, str | list):
                        yield from [value] if isinstance(value, str) else value


# How sure a model says that it is. Such a figure raises nobody's authority (T35): it is left out, and the rest counts.
_CLAIMS = frozenset({"confidence", "certainty", "score", "importance", "priority", "weight", "probability"})


def without_claims(arguments: Any) -> Any:
    """The arguments of `write_extracted` without what candidates say of their own weight."""
    if not isinstance(arguments, Mapping):
        return arguments
    return {name: _plain(array) if name in Payload.model_fields else array for name, array in arguments.items()}


def _plain(array: Any) -> Any:
    if not isinstance(array, list):
        return array
    return [
        {key: value for key, value in each.items() if key not in _CLAIMS} if isinstance(each, Mapping) else each
        for each in array
    ]


def parse_arguments(model: type[ModelT], arguments: Any) -> tuple[ModelT | None, list[str]]:
    """A tool's arguments as a value, or every reason why not, each naming the field and quoting the bad part."""
    if not isinstance(arguments, Mapping):
        return None, [f"the arguments must be one JSON object, not {_quote(arguments)}"]
    try:
        return model.model_validate(dict(arguments)), []
    except ValidationError as error:
        return None, [_reason(item, model.model_fields) for item in error.errors(include_url=False)]


def tool_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a tool's arguments, references put in place: some servers do not follow `$ref`."""
    schema = model.model_json_schema()
    definitions = schema.pop("$defs", {})
    inlined = _inline(schema, definitions)
    assert isinstance(inlined, dict)  # noqa: S101 - the schema of a model is an object
    inlined.pop("description", None)
    return inlined


def _inline(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, dict):
        if "$ref" in node:
            return _inline(definitions[node["$ref"].rsplit("/", 1)[-1]], definitions)
        return {
            key: _inline(value, definitions)
            for key, value in node.items()
            if key != "title" or not isinstance(value, str)
        }
    return [_inline(item, definitions) for item in node] if isinstance(node, list) else node


def _reason(item: Any, known: Mapping[str, FieldInfo]) -> str:
    place = ".".join(str(part) for part in item["loc"]) or "arguments"
    match item["type"]:
        case "missing":
            return f"{place} is missing"
        case "extra_forbidden":
            top = f" (known: {', '.join(known)})" if len(item["loc"]) == 1 else ""
            return f"{place} is not a known field{top}: remove it"
        case "value_error":
            return f"{place} {item['ctx']['error']}"
        case _:
            message = item["msg"]
            return f"{place}: {message[:1].lower()}{message[1:]}, not {_quote(item['input'])}"


def _quote(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return f"`{brief(UNWRITABLE.sub('?', text), 80)}`"
