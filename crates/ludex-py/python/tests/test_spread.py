"""Work over executors: checkpoints, killed workers, a killed driver, Ray."""

import functools
import json
import os
import pathlib
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


def test_a_file_keeps_results_of_different_work_apart(tmp_path):
    out = tmp_path / "rows.jsonl"
    asked = [ludex.answer("factors", time=5), ludex.answer("latches", time=5), spread.number_of_facts]
    first = [ludex.map(work, ["nim"], out=out)[0] for work in asked]
    again = [ludex.map(work, ["nim"], out=out)[0] for work in asked]
    assert first == again and len(out.read_text().splitlines()) == 3
    assert [row["work"] for row in first] == ["factors(time=5)", "latches(time=5)", "number_of_facts"]
    few, more = (ludex.tournament(["uct", "random"], ["nim"], iterations=n, matches=2, out=out)["matches"] for n in (5, 6))
    assert spread._told(functools.partial(expected, seeds=[1])) == "functools.partial(<function expected>, seeds=[1])"
    assert spread._told(Fragile("here")) == "Fragile"
    assert "iterations=5" in few[0]["work"] and "iterations=6" in more[0]["work"]
    assert len(out.read_text().splitlines()) == 7


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


LONG = bool(os.environ.get("LUDEX_LONG"))


def lines(path):
    return path.read_bytes().splitlines() if path.exists() else []


def descendants(pid):
    """Processes that this one started, and those that they did, with their command lines."""
    parents, found = {}, []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat, command = (entry / "stat").read_text(), (entry / "cmdline").read_bytes()
            except OSError:
                continue
            parents.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append((int(entry.name), command))
    waiting = [pid]
    while waiting:
        for child, command in parents.get(waiting.pop(), []):
            found.append((child, command))
            waiting.append(child)
    return found


def kill_a_worker(driver):
    """Kills a process that is at work for this driver."""
    marks = b"ray::_call", b"spawn_main"
    for _ in range(500):
        for pid, command in descendants(driver.pid):
            if any(mark in command for mark in marks) and b"resource_tracker" not in command:
                os.kill(pid, signal.SIGKILL)
                return
        time.sleep(0.02)
    raise AssertionError("no worker was found")


def start(engine, folder, count, matches):
    script = pathlib.Path(__file__).with_name("spread_driver.py")
    command = [sys.executable, script, engine, folder, str(count), str(matches)]
    return subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def end(driver):
    """Ends what a killed driver left behind."""
    for pid, _ in descendants(driver.pid):
        os.kill(pid, signal.SIGKILL)
    driver.kill()
    driver.wait()


def wait(driver, path, count):
    while len(lines(path)) < count:
        assert driver.poll() is None, f"the driver ended with {driver.poll()} before {count} lines were there"
        time.sleep(0.01)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for workers in /proc")
@pytest.mark.skipif(not LONG, reason="the long form kills drivers of Ray and Dask")
@pytest.mark.parametrize("engine", ["ray", "dask"])
def test_a_worker_and_then_the_driver_are_killed(tmp_path, engine):
    pytest.importorskip({"ray": "ray", "dask": "distributed"}[engine])
    import spread_driver

    count, matches = 60, 200
    here = tmp_path / "here"
    here.mkdir()
    rows, table = spread_driver.run(None, here, count, matches)
    assert len(rows) == count and len(table["matches"]) == matches
    analysed, played = tmp_path / "games.jsonl", tmp_path / "matches.jsonl"
    driver = start(engine, tmp_path, count, matches)
    try:
        wait(driver, analysed, count // 3)
        kill_a_worker(driver)
        wait(driver, played, matches // 4)
        kill_a_worker(driver)
        wait(driver, played, matches // 2)
    finally:
        end(driver)
    assert len(lines(played)) < matches
    again = start(engine, tmp_path, count, matches)
    assert again.wait(timeout=600) == 0
    for path, expected in [(analysed, rows), (played, table["matches"])]:
        found = [json.loads(line) for line in lines(path)]
        order = lambda row: (row["key"], row["seed"])
        assert sorted(plain(found), key=order) == sorted(plain(expected), key=order)
    assert spread_driver.run(None, tmp_path, count, matches)[1]["standings"] == table["standings"]
