"""A folder of games as a table: what each is like, one row a game, as CSV, and as plots.

    python examples/folder.py games > games.csv
    python examples/folder.py games --executor processes --out rows.jsonl --plot games.png

`frame(rows(folder))` is a data frame of pandas; the plots need Matplotlib as well.
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


def frame(table):
    """The table as a data frame, one row a game."""
    import pandas

    return pandas.DataFrame(table).set_index("game")


def plot(table, path):
    """Facts against actions, and how many symmetries games have, as a picture."""
    import math

    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    known = frame(table).dropna(subset=["facts"])
    figure, (sizes, orders) = pyplot.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    for roles, some in known.groupby("roles"):
        sizes.scatter(some["facts"], some["actions"], label=f"{roles:.0f} roles" if roles > 1 else "1 role", s=18, alpha=0.7)
    sizes.set(xscale="log", yscale="log", xlabel="facts", ylabel="actions of all roles", title="Sizes")
    sizes.legend()
    powers = [int(math.log2(int(order))) for order in known["symmetries"] if str(order).isdigit()]
    orders.hist(powers, bins=range(max(powers, default=0) + 2), align="left", rwidth=0.8)
    orders.set(xlabel="symmetries, power of two", ylabel="games", title="Symmetries")
    orders.yaxis.get_major_locator().set_params(integer=True)
    figure.savefig(path, dpi=100)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--executor")
    parser.add_argument("--out")
    parser.add_argument("--plot")
    args = parser.parse_args()
    table = rows(args.folder, executor=args.executor, out=args.out)
    names = list(dict.fromkeys(key for row in table for key in row))
    writer = csv.DictWriter(sys.stdout, names)
    writer.writeheader()
    writer.writerows(table)
    if args.plot:
        plot(table, args.plot)


if __name__ == "__main__":
    main()
