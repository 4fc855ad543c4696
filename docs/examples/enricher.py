"""A small enricher: remembers records in memory and finds them by shared words. One JSON object a line each way."""

import json
import re
import sys

records = {}


def words(text):
    return set(re.findall(r"\w{3,}", text.lower()))


def answer(request):
    if request["op"] == "upsert":
        records.update((row["id"], row) for row in request["rows"])
        return {}
    if request["op"] == "remove":
        for record_id in request["ids"]:
            records.pop(record_id, None)
        return {}
    wanted = words(request["query"]["text"])
    shared = [(len(wanted & words(row["text"])), row) for row in records.values()]
    best = sorted((pair for pair in shared if pair[0]), key=lambda pair: -pair[0])
    return {"hits": [{"id": row["id"], "rev": row["rev"], "score": n} for n, row in best[: request["query"]["limit"]]]}


for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({"v": 1, "id": request["id"], "ok": True, **answer(request)}), flush=True)
