"""Workflows that runs offered: kept so that none is offered twice, and written only on a person's word.

Shows nothing; the command line and the editor ask.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from datetime import datetime
from typing import Literal

from memory_core.changes import ChangeSet
from memory_core.consolidate.draft import errors_in
from memory_core.consolidate.similar import score
from memory_core.consolidate.task import WorkflowOffer
from memory_core.errors import Refused
from memory_core.ids import rfc3339, uuid7
from memory_core.layout import record_path
from memory_core.lint.check import Severities
from memory_core.ports import Store
from memory_core.records.record import parse
from memory_core.records.schema import Kind, RecordRef
from memory_core.staging import StoredOffer

ALIKE = 85  # of 100: the same procedure under another name

Answer = Literal["later", "never"]


def waiting(store: Store) -> list[StoredOffer]:
    """The offers nobody has taken or refused for good."""
    return [offer for offer in store.offers() if offer.answer in ("open", "later")]


def keep(store: Store, run_id: str, now: datetime, offers: Iterable[WorkflowOffer]) -> None:
    """Remember what a run offered; what is known under the same slug stays as it is."""
    known = {offer.slug for offer in store.offers()}
    for offer in offers:
        if offer.slug not in known:
            fields = {"slug": offer.slug, "text": offer.text, "reason": offer.reason, "candidates": offer.candidates}
            store.keep_offer(StoredOffer(**fields, run_id=run_id, offered_at=rfc3339(now)))


def offered_before(slug: str, text: str, offers: Iterable[StoredOffer]) -> str | None:
    """Why a workflow is not offered again: its slug or nearly its text was. None for a new one."""
    body = _body(slug, text)
    for offer in offers:
        if offer.slug != slug and score(body, _body(offer.slug, offer.text)) < ALIKE:
            continue
        match offer.answer:
            case "never":
                return f"workflow/{offer.slug} was offered already, and a person refused it for good."
            case "created":
                return f"workflow/{offer.slug} was offered already, and a person took it."
            case _:
                return f"workflow/{offer.slug} was offered already and waits for a person's answer."
    return None


def answer(store: Store, slug: str, said: Answer, *, now: Callable[[], datetime]) -> StoredOffer:
    """Note that a person wants an offer later, or never. StoreError where nothing of that name was offered."""
    offer = _named(store, slug).model_copy(update={"answer": said, "answered_at": rfc3339(now())})
    store.keep_offer(offer)
    store.append_audit("offer", {"slug": offer.slug, "answer": said, "run_id": offer.run_id})
    return offer


def create(
    store: Store,
    slug: str,
    *,
    now: Callable[[], datetime],
    severities: Severities | None = None,
    busy: Container[str] = frozenset(),
) -> str:
    """Write an offered workflow exactly as it was offered; the id of the run that did, which can be undone. StoreError
    where it is unknown, exists by now, or would not lint today; then nothing is written."""
    offer = _named(store, slug)
    path = record_path(RecordRef(Kind.WORKFLOW, offer.slug))
    with store.consolidation_lock(()):
        changes = ChangeSet().with_file(path, None, offer.text)
        if broken := errors_in(store.load().with_changes(changes), changes.files, severities):
            raise Refused(f"The offer does not lint any more: {'; '.join(broken[path])}. Nothing was written.")
        run_id = uuid7(now())
        result = store.commit(changes, run_id=run_id, reason=f"an offered workflow was taken: {offer.slug}", busy=busy)
        if result.conflicts:
            raise Refused(f"{path} {result.reasons.get(path, 'could not be written')}: nothing was written.")
        store.keep_offer(offer.model_copy(update={"answer": "created", "answered_at": rfc3339(now())}))
    store.append_audit("offer", {"slug": offer.slug, "answer": "created", "run_id": run_id})
    return run_id


def _named(store: Store, slug: str) -> StoredOffer:
    offers = {offer.slug: offer for offer in store.offers()}
    slug = slug.removeprefix("/")
    if slug not in offers:
        raise Refused(f"No workflow `{slug}` was offered ({', '.join(offers) or 'none was'}).")
    return offers[slug]


def _body(slug: str, text: str) -> str:
    return parse(RecordRef(Kind.WORKFLOW, slug), text).body
