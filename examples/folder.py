"""A folder of games as a table: what each is like, one row a game, as CSV (or a pandas data frame in a notebook).

    python examples/folder.py games > games.csv
    python examples/folder.py games --executor processes --out rows.jsonl
"""

import argparse
import csv
import pathlib
import sys

import ludex


def describe(game, seed):
    """One row: sizes, boards, symmetries, parts."""
    boards = game.boards(time=5).to_dict()
    symmetries = game.symmetries(time=5).to_dict()["net"]
    views = boards.get("views") or []
    return {
        "roles": len(game.roles),
        "facts": len(game.facts),
        "actions": sum(len(actions) for actions in game.actions.values()),
        "board": views[0]["relation"] if views else "",
        "places": views[0]["size"] if views else 0,
        "symmetries": symmetries.get("order", ""),
        "parts": game.factors(time=5).to_dict().get("kind", ""),
    }


def rows(folder, **options):
    files = sorted(path for path in pathlib.Path(folder).iterdir() if path.suffix in (".kif", ".gdl"))
    found = ludex.map(describe, files, **options)
    return [{"game": row["game"], **row.get("result", {"error": row.get("error")})} for row in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--executor")
    parser.add_argument("--out")
    args = parser.parse_args()
    table = rows(args.folder, executor=args.executor, out=args.out)
    names = list(dict.fromkeys(key for row in table for key in row))
    writer = csv.DictWriter(sys.stdout, names)
    writer.writeheader()
    writer.writerows(table)


if __name__ == "__main__":
    main()
