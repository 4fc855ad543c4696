"""A synthetic workspace for benchmarks: as many records as asked for, the same ones every time.

    python bench/generate.py FOLDER --records 10000

Records are about 900 bytes, with a description, two references and a code fence; one record in a thousand is a hub that
a thousand refer to, and every tenth record also names the first of them.
"""

from __future__ import annotations

import argparse
import random
import shutil
from pathlib import Path

WORDS = """
account audit backup batch branch budget build cache change check client column commit config cursor data
deploy draft editor error event export field filter folder format graph group hook import index issue job key
label layer limit list lock log merge message model note order owner page path plan policy port prompt query
queue range record release report request retry review role root route rule schema scope search server session
shape slice source stage state step store stream style table task test text theme token trace trigger unit
update user
""".split()  # noqa: SIM905 - a list of strings would be ten times as long
KINDS = ("term", "policy", "rule", "fact", "know-how")
FOLDERS = ("knowledge", "knowledge", "knowledge", "memory/decisions", "memory/requests")


def generate(folder: Path, records: int, seed: int = 7) -> list[str]:
    """Write the records into a new memory root; the slugs of the knowledge among them, sorted."""
    root = folder / ".omoide"
    shutil.rmtree(root, ignore_errors=True)
    for name in (*set(FOLDERS), "workflow"):
        (root / name).mkdir(parents=True)
    chance = random.Random(seed)
    slugs = [f"{chance.choice(WORDS)}-{chance.choice(WORDS)}-{number:06d}" for number in range(records)]
    places = [FOLDERS[number % len(FOLDERS)] for number in range(records)]
    knowledge = [slug for slug, place in zip(slugs, places, strict=True) if place == "knowledge"]
    hubs = knowledge[:: max(1, len(knowledge) // max(1, records // 1000))] or knowledge
    for number, (slug, place) in enumerate(zip(slugs, places, strict=True)):
        references = [chance.choice(knowledge), chance.choice(hubs), *(hubs[:1] if number % 10 == 0 else ())]
        text = _record(place, slug, chance, references)
        (root / place / f"{slug}.md").write_text(text, encoding="utf-8", newline="\n")
    (root / "memory/summary.md").write_text(
        "---\nupdated_at: 2026-06-01T00:00:00Z\n---\nA generated workspace.\n", encoding="utf-8"
    )
    return sorted(knowledge)


def _record(place: str, slug: str, chance: random.Random, references: list[str]) -> str:
    title = slug.replace("-", " ")
    head = ["created_at: 2026-05-01T09:00:00Z", f"updated_at: 2026-06-{chance.randint(1, 28):02d}T09:00:00Z"]
    if place == "knowledge":
        head += [
            f"kind: {chance.choice(KINDS)}",
            f"description: What {title} means here; read before changing it.",
            "model_invokation: false",
            "user_invocable: true",
            "last_sources: []",
        ]
    else:
        head.append("sources: []")
        if place.endswith("decisions"):
            head.append("status: open")
    body = [f"# {title}", "", _sentences(chance, 40), "", "- see #" + " and #".join(references), ""]
    body += ["```sh", f"# {slug} in a comment is no reference", f"run --{chance.choice(WORDS)}", "```", ""]
    body.append(_sentences(chance, 30))
    return "\n".join(["---", *head, "---", *body]) + "\n"


def _sentences(chance: random.Random, words: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(words)).capitalize() + "."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--records", type=int, default=1000)
    options = parser.parse_args()
    print(
        f"{len(generate(options.folder, options.records))} knowledge records of {options.records} in {options.folder}"
    )


if __name__ == "__main__":
    main()
