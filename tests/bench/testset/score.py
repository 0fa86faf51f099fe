"""Scores any program on a test set. It is one file, needs Python 3.9 alone, and shares no code with any program.

    python score.py SET.json ANSWERS.json

docs/test-set.md says what the two files hold. It prints one JSON document, `crokinole-score/1`.
"""

import json
import math
import sys
from pathlib import Path

NEAR = 12.0  # mm: a disc read farther off is a ghost, and the true one was missed
NEAR_LOOSELY = 25.0  # mm: the same for discs that lean or lie in the ditch, whose place is uncertain
UNPAIRED, WRONG = 1.0, 1.2  # costs of a missed or extra shot, and of a shot with a wrong verdict


def pair_discs(true, read):
    """Each true disc with the nearest one that was read and is left, or None; and what is left over."""
    left, pairs = list(read), []
    for disc in true:
        away = [math.hypot(one["x"] - disc["x"], one["y"] - disc["y"]) for one in left]
        near = min(range(len(left)), key=away.__getitem__) if left else None
        limit = NEAR if disc["status"] in ("flat", "in_hole") else NEAR_LOOSELY
        if near is not None and away[near] < limit:
            pairs.append((disc, left.pop(near)))
        else:
            pairs.append((disc, None))
    return pairs, left


def totals_of(pairs, ghosts):
    """The true totals, and those that were read: a colour stands for the side that most of its discs are of."""
    votes = {}
    for disc, one in pairs:
        if one is not None:
            sides = votes.setdefault(one["colour"], {})
            sides[disc["side"]] = sides.get(disc["side"], 0) + 1
    side_of = {colour: max(sides, key=sides.get) for colour, sides in votes.items()}
    true, read = {}, {}
    for disc, one in pairs:
        true[disc["side"]] = true.get(disc["side"], 0) + disc["zone"]
        if one is not None:
            side = side_of[one["colour"]]
            read[side] = read.get(side, 0) + one["zone"]
    for one in ghosts:
        side = side_of.get(one["colour"], "A")
        read[side] = read.get(side, 0) + one["zone"]
    return true, read


def score_boards(items, answers):
    """What became of the discs, and of the totals of each board."""
    found, off = dict.fromkeys(("discs", "read", "ring_wrong", "silently_wrong", "close", "ghosts"), 0), []
    boards = dict.fromkeys(("boards", "exact", "asked", "wrong", "not_answered"), 0)
    for item in items:
        said = {one["picture"]: one for one in answers.get(item["id"], {}).get("boards", [])}
        for board in item["boards"]:
            answer = said.get(board["picture"])
            boards["boards"] += 1
            boards["not_answered" if answer is None else score_board(board, answer, found, off)] += 1
    off.sort()
    found["position_rms"] = math.sqrt(sum(d * d for d in off) / len(off)) if off else None
    found["position_99"] = quantile(off, 0.99) if off else None
    return found, boards


def score_board(board, answer, found, off):
    """Add a board's discs to the counts, and their errors in mm to `off`; how its totals came out."""
    pairs, ghosts = pair_discs(board["discs"], answer["discs"])
    read = [(disc, one) for disc, one in pairs if one is not None]
    wrong = [one for disc, one in read if one["zone"] != disc["zone"]]
    found["discs"] += len(pairs)
    found["read"] += len(read)
    found["ring_wrong"] += len(wrong)
    found["silently_wrong"] += sum(one["call"] == "sure" for one in wrong)
    found["close"] += sum(one["call"] == "close" for _, one in read)
    found["ghosts"] += len(ghosts)
    plain = [(disc, one) for disc, one in read if disc["status"] == "flat" and disc["occluded"] < 0.02]
    off += [math.hypot(one["x"] - disc["x"], one["y"] - disc["y"]) for disc, one in plain]
    true, totals = totals_of(pairs, ghosts)
    if answer["asks"] or any(one["call"] == "close" for one in [one for _, one in read] + ghosts):
        return "asked"
    return "exact" if all(true.get(side, 0) == totals.get(side, 0) for side in ("A", "B")) else "wrong"


def quantile(ordered, share):
    """With linear interpolation between the two nearest."""
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (at - low) * (ordered[high] - ordered[low])


def law(shot):
    """What two descriptions of a shot must agree in."""
    removed = sorted((one["side"], one["why"]) for one in shot["removed"])
    return shot["side"], shot["valid"], removed, shot["twenties"], shot.get("annulled", False)


def score_shots(true, reported):
    """How the cheapest pairing of reported and true shots comes out; both orders are kept."""
    names = ("right", "asked", "silently_wrong", "missed", "extra")

    def plus(way, cost, name):
        return way[0] + cost, {**way[1], name: way[1][name] + 1}

    best = {(0, 0): (0.0, dict.fromkeys(names, 0))}
    for i in range(len(reported) + 1):
        for k in range(len(true) + 1):
            ways = []
            if i:
                ways.append(plus(best[i - 1, k], UNPAIRED, "asked" if reported[i - 1].get("asked") else "extra"))
            if k:
                ways.append(plus(best[i, k - 1], UNPAIRED, "missed"))
            if i and k and reported[i - 1]["side"] == true[k - 1]["side"]:
                if law(reported[i - 1]) == law(true[k - 1]):
                    ways.append(plus(best[i - 1, k - 1], 0.0, "right"))
                else:
                    name = "asked" if reported[i - 1].get("asked") else "silently_wrong"
                    ways.append(plus(best[i - 1, k - 1], WRONG, name))
            if ways:
                best[i, k] = min(ways, key=lambda way: way[0])
    return best[len(reported), len(true)][1]


def score_visible(item, answer, tolerance=0.75):
    """For shots of which only the visible score is known: reported within the tolerance, in seconds, and equal."""
    reported = list(answer.get("visible", []))
    counts = {"right": 0, "wrong": 0, "missed": 0}
    for shot in item["visible"]:
        near = min(reported, key=lambda one: abs(one["end"] - shot["end"]), default=None)
        if near is None or abs(near["end"] - shot["end"]) > tolerance:
            counts["missed"] += 1
            continue
        reported.remove(near)
        same = near["totals"] == shot["totals"] and near["asked"] == shot["asked"]
        counts["right" if same else "wrong"] += 1
    counts["extra"] = len(reported)
    return counts


def score(test_set, answers):
    """The document `crokinole-score/1`."""
    by_id = {one["id"]: one for one in answers["items"]}
    items = test_set["items"]
    discs, boards = score_boards(items, by_id)
    shots, rounds = dict.fromkeys(("right", "asked", "silently_wrong", "missed", "extra"), 0), {"rounds": 0, "right": 0}
    visible = dict.fromkeys(("right", "wrong", "missed", "extra"), 0)
    for item in items:
        answer = by_id.get(item["id"], {})
        for name, count in score_shots(item["shots"], answer.get("shots", [])).items():
            shots[name] += count
        if item["totals"] is not None:
            rounds["rounds"] += 1
            rounds["right"] += answer.get("totals") == item["totals"]
        for name, count in score_visible(item, answer).items():
            visible[name] += count
    return {
        "schema": "crokinole-score/1",
        "discs": discs,
        "boards": boards,
        "shots": shots,
        "rounds": rounds,
        "visible": visible,
    }


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        test_set, answers = (json.loads(Path(name).read_text("utf-8")) for name in sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(f"A file can't be read: {error}")
    for document, schema in ((test_set, "crokinole-test-set/1"), (answers, "crokinole-answers/1")):
        if document.get("schema") != schema:
            sys.exit(f"A file has the schema {document.get('schema')!r}; {schema!r} is needed. The set comes first.")
    print(json.dumps(score(test_set, answers), indent=1))


if __name__ == "__main__":
    main()
