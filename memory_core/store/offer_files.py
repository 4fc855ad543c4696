"""Workflows that were offered, on disk: one file each under `_staging/_offers`, with what a person said to it.

Stays out of `workflow/`: only a person's word puts a procedure there.
"""

from __future__ import annotations

import logging

from pydantic import ValidationError

from memory_core.errors import StoreError
from memory_core.layout import Layout
from memory_core.records.slug import slug_problem
from memory_core.staging import StoredOffer
from memory_core.store.files import read_or_none, require_inside, write_whole

log = logging.getLogger(__name__)
FOLDER = "_offers"


def read_offers(layout: Layout) -> list[StoredOffer]:
    """All offers in the order of their slugs; a file that cannot be read is said in the log and stays where it is."""
    found: list[StoredOffer] = []
    for path in sorted((layout.staging / FOLDER).glob("*.json")):
        try:
            offer = StoredOffer.model_validate_json(read_or_none(path) or b"")
        except (ValidationError, OSError, StoreError) as error:
            log.warning("%s is no offer that can be read (%s): repair or remove it.", path, type(error).__name__)
            continue
        if slug_problem(offer.slug) is None:
            found.append(offer)
    return found


def write_offer(layout: Layout, offer: StoredOffer) -> None:
    if problem := slug_problem(offer.slug):
        raise StoreError(f"The slug `{offer.slug}` {problem}.")
    path = layout.staging / FOLDER / f"{offer.slug}.json"
    require_inside(layout.root, path)
    write_whole(path, offer.to_json().encode("utf-8", "replace"))
