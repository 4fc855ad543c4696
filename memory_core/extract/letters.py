"""The dead letters of one session: what failed, how often, and when it is left alone. A store writes them."""

from __future__ import annotations

from collections.abc import Iterable

from memory_core.extract.takeover import is_from
from memory_core.ports import Store
from memory_core.sessions.model import Session
from memory_core.sessions.pointer import Pointer
from memory_core.staging import DeadLetter, StagingSource

# A slice that failed this often is left alone until somebody asks for another try: it would cost the same each time.
MOST_TRIES = 3


By = tuple[str, str | None]  # a provider's name, and its model's


class Letters:
    """The letters of a session in the order in which they were written. Not shared between runs."""

    def __init__(self, every: Iterable[DeadLetter], session: Session) -> None:
        self._letters = [letter for letter in every if is_from(letter.source, session)]

    def at(self, start: int) -> DeadLetter | None:
        """The letter of the slice that begins at an entry; the latest, where there are several."""
        return next((letter for letter in reversed(self._letters) if letter.source.range[0] == start), None)

    def another(
        self, source: StagingSource, reason: str, reply: str | None, *, new_id: str, run_id: str, at: str, by: By
    ) -> DeadLetter:
        """The letter for one more failure of a slice, which takes the place of the one before."""
        before = self.at(source.range[0])
        name, model = by
        letter = DeadLetter(
            id=before.id if before else new_id,
            run_id=run_id,
            created_at=at,
            source=source,
            reason=reason,
            tries=before.tries + 1 if before else 1,
            reply=reply,
            provider=name,
            model=model,
        )
        self._letters = [*(kept for kept in self._letters if kept.id != letter.id), letter]
        return letter

    def passed(self, processed_through: int) -> list[str]:
        """The ids of letters whose slices lie behind the pointer by now; they are forgotten here."""
        gone = [letter for letter in self._letters if letter.source.range[0] <= processed_through]
        self._letters = [letter for letter in self._letters if letter not in gone]
        return [letter.id for letter in gone]


def pass_over(store: Store, session: Session, letter: DeadLetter) -> None:
    """Go on behind the slice of a letter that somebody would have forgotten: without it there is no count of tries, and
    the slice would be sent once more. LockHeld while the session is extracted."""
    with store.extract_lock(session.session_id):
        first, last = letter.source.range
        if is_from(letter.source, session) and store.pointer(session).processed_through_entry == first - 1:
            store.advance(session, Pointer(min(last, len(session.entries) - 1), None))
        store.unbury([letter.id])


def given_up(letter: DeadLetter) -> str:
    """Why a slice is not tried again by itself."""
    tries = "1 try" if letter.tries == 1 else f"{letter.tries} tries"
    return f"{tries} failed, the last one because {letter.reason}; `omoide extract --retry` tries again"
