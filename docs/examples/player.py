"""Chooses the placement with the fewest holes and the lowest pile."""
import json
import sys


def badness(request, placement):
    """10 points for each covered empty cell, 1 for each row of the highest column."""
    rows = [list(row) for row in request["playfield"]]
    for x, y in placement["cells"]:
        if y >= 0:
            rows[y][x] = "#"
    rows = [row for row in rows if "." in row]
    columns = ["".join(column).lstrip(".") for column in zip(*rows)]
    return 10 * sum(column.count(".") for column in columns) + max(map(len, columns))


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"protocol": 1, "name": "few-holes"}
    elif message["type"] == "move":
        best = min(message["placements"], key=lambda placement: badness(message, placement))
        answer = {"id": message["id"], "placement": best["id"]}
    else:
        break
    print(json.dumps(answer), flush=True)
