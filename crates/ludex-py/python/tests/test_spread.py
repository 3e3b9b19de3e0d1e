"""Work over executors: checkpoints, killed workers, a killed driver, Ray."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

import ludex
from ludex import spread

GAMES = ["tictactoe", "nim", "hex3", "dilemma"]


def plain(rows):
    return [{key: value for key, value in row.items() if key != "cpu_seconds"} for row in rows]


class Fragile:
    """Work whose worker is killed the first time that it comes to a piece."""

    def __init__(self, folder):
        self.folder = str(folder)

    def __call__(self, game, seed):
        mark = os.path.join(self.folder, f"{game.hash}-{seed}")
        if seed == 1 and not os.path.exists(mark):
            open(mark, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return [len(game.facts), seed]


def expected(seeds=range(4)):
    games = [ludex.load(name) for name in GAMES]
    return [[len(game.facts), seed] for game in games for seed in seeds]


def test_work_is_done_once_and_in_order(tmp_path):
    out = tmp_path / "rows.jsonl"
    rows = ludex.map(spread.number_of_facts, GAMES, seeds=range(3), out=out, bundle=2)
    assert [row["seed"] for row in rows] == [0, 1, 2] * 4
    lines = out.read_text().splitlines()
    out.write_text("\n".join(lines[:5]) + "\n" + lines[5][:20])
    again = ludex.map(spread.number_of_facts, GAMES, seeds=range(3), out=out)
    assert plain(again) == plain(rows) and len(out.read_text().splitlines()) == 12
    assert again[:5] == rows[:5]


def test_what_ludex_cannot_answer_is_a_row():
    rows = ludex.map(ludex.answer("prove", property="(no ?"), ["tictactoe"])
    assert rows[0]["error"].startswith("RulesError")
    with pytest.raises(ValueError, match="executor is"):
        ludex.map(spread.number_of_facts, GAMES, executor="magic")


def test_work_of_killed_workers_is_done_again(tmp_path):
    rows = ludex.map(Fragile(tmp_path), GAMES, seeds=range(4), executor="processes", retries=6)
    assert [row["result"] for row in rows] == expected()


DRIVER = """
import sys, time, ludex
class Slow:
    def __call__(self, game, seed):
        time.sleep(0.05)
        return [len(game.facts), seed]
if __name__ == "__main__":
    ludex.map(Slow(), %r, seeds=range(4), out=sys.argv[1])
"""


def test_a_killed_driver_goes_on_where_it_was(tmp_path):
    script, out = tmp_path / "driver.py", tmp_path / "rows.jsonl"
    script.write_text(DRIVER % GAMES)
    driver = subprocess.Popen([sys.executable, script, out])
    while not (out.exists() and len(out.read_bytes().splitlines()) >= 3):
        time.sleep(0.01)
        assert driver.poll() is None
    driver.kill()
    driver.wait()
    before = out.read_text().splitlines()
    subprocess.run([sys.executable, script, out], check=True)
    lines = out.read_text().splitlines()
    rows = [json.loads(line) for line in lines]
    assert sorted(map(str, (row["result"] for row in rows))) == sorted(map(str, expected()))
    assert lines[: len(before) - 1] == before[:-1]


def test_tournaments_are_the_same_everywhere(tmp_path):
    options = dict(matches=4, iterations=20)
    here = ludex.tournament(["mcts", "random"], ["tictactoe", "hex3"], **options)
    there = ludex.tournament(["mcts", "random"], ["tictactoe", "hex3"], executor="processes", bundle=2, **options)
    assert plain(here["matches"]) == plain(there["matches"]) and here["standings"] == there["standings"]
    assert here["standings"]["mcts"]["matches"] == 8
    assert len(ludex.selfplay("random", ["nim"], matches=3)) == 3


def test_ray(tmp_path):
    pytest.importorskip("ray")
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": os.pathsep.join(sys.path)}})
    try:
        rows = ludex.map(Fragile(tmp_path), GAMES, seeds=range(4), executor="ray")
        assert [row["result"] for row in rows] == expected()
    finally:
        ray.shutdown()


@pytest.mark.skipif(not os.environ.get("LUDEX_LONG"), reason="the long form has Dask")
def test_dask(tmp_path):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1) as cluster, distributed.Client(cluster):
        rows = ludex.map(Fragile(tmp_path), GAMES, seeds=range(4), executor="dask")
        assert [row["result"] for row in rows] == expected()
