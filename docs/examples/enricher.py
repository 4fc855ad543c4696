"""A small enricher: finds records by shared words, and keeps them in a JSON file. One JSON object a line each way."""

import json
import re
import sys
from pathlib import Path

KEPT = Path(sys.argv[1] if len(sys.argv) > 1 else __file__).with_suffix(".json")


def words(text):
    return set(re.findall(r"\w{3,}", text.lower()))


def answer(request):
    rows = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    if request["op"] == "recall":
        shared = [(len(words(request["query"]["text"]) & words(row["text"])), row) for row in rows.values()]
        best = sorted((pair for pair in shared if pair[0]), key=lambda pair: -pair[0])[: request["query"]["limit"]]
        return {"hits": [{"id": row["id"], "rev": row["rev"], "score": n} for n, row in best]}
    gone = set(request.get("ids", []))
    new = {row["id"]: row for row in request.get("rows", [])}
    KEPT.with_suffix(".new").write_text(json.dumps({i: r for i, r in rows.items() if i not in gone} | new))
    KEPT.with_suffix(".new").replace(KEPT)  # whole or not at all: a search may read it meanwhile
    return {}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"v": 1, "id": request["id"], "ok": True, **answer(request)}), flush=True)
