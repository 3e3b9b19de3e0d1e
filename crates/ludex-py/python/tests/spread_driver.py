"""A driver that is killed by test_spread: `spread_driver.py ENGINE FOLDER GAMES MATCHES` analyses and plays, with
results in FOLDER."""

import os
import pathlib
import sys

import ludex


class Analysis:
    """What is found out about a game, without the time that it took."""

    def __call__(self, game, seed):
        factors, symmetries = game.factors(time=60).to_dict(), game.symmetries(time=60).to_dict()
        return [len(game.facts), factors["kind"], symmetries["net"].get("order"), len(game.latches(time=60)["positive"])]


def games(count):
    """The smallest games there are: those of Ludex, and the collection if it is named."""
    folder = os.environ.get("LUDEX_GAMES")
    files = sorted(pathlib.Path(folder).rglob("*.kif"), key=lambda path: path.stat().st_size) if folder else []
    known = {}
    for game in sorted(map(ludex.load, [*ludex.bundled(), *files[:count]]), key=lambda game: len(game.text)):
        if len(known) < count:
            known.setdefault(game.hash, game)
    return list(known.values())


def run(engine, folder, count, matches):
    folder = pathlib.Path(folder)
    rows = ludex.map(Analysis(), games(count), executor=engine, out=folder / "games.jsonl")
    played = ["tictactoe", "hex3", "nim", "breakthrough-small"]
    # Few matches are longer ones, so that there is time to kill whoever plays them.
    iterations = 100 if matches > 100 else 300
    table = ludex.tournament(["mcts", "uct"], played, matches=matches // len(played), iterations=iterations, executor=engine,
                             bundle=2, out=folder / "matches.jsonl")
    return rows, table


def main():
    engine, folder, count, matches = sys.argv[1:]
    if engine == "ray":
        import ray

        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        run(engine, folder, int(count), int(matches))
    else:
        import distributed

        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            with distributed.Client(cluster):
                run(engine, folder, int(count), int(matches))


if __name__ == "__main__":
    main()
