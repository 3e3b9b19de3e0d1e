"""The examples run, in small."""

import importlib.util
import json
import os
import pathlib

import pytest

import ludex

FOLDER = pathlib.Path(os.environ.get("LUDEX_EXAMPLES") or pathlib.Path(__file__).parents[4] / "examples")


def load(name):
    spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tour_runs():
    book = json.loads((FOLDER / "tour.ipynb").read_text())
    names = {}
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)
    assert names["found"].policy.shape == (16, names["env"].num_actions)


def test_learning_learns(tmp_path):
    example = load("alphazero")
    game = ludex.load("tictactoe")
    told = []
    model, curve = example.train(game, 0.05, batch=32, simulations=12, matches=6, iterations=20, tell=told.append)
    assert len(curve) >= 2 and all(0 <= share <= 1 for _, share in curve)
    assert any(abs(weights).max() > 0 for weights in model.policy)
    example.plot(curve, tmp_path / "plot.svg", "a test")
    assert (tmp_path / "plot.svg").read_text().startswith("<svg")


def test_a_network_learns():
    pytest.importorskip("jax")
    example = load("alphazero")
    game = ludex.load("tictactoe")
    model, curve = example.train(game, 0.1, kind="network", batch=16, simulations=8, matches=4, iterations=20, tell=str)
    assert len(curve) >= 2 and model.time > 0


def test_a_folder_becomes_a_table(tmp_path):
    for name in ["tictactoe", "nim"]:
        (tmp_path / f"{name}.kif").write_text(ludex.load(name).text)
    table = load("folder").rows(tmp_path)
    assert [row["game"] for row in table] == ["nim", "tictactoe"]
    assert {row["roles"] for row in table} == {2}
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    load("folder").plot(table, tmp_path / "games.png")
    assert (tmp_path / "games.png").stat().st_size > 5_000


def test_speed_is_measured_and_scale_simulated(capsys):
    bench = load("bench_environments")
    row = bench.ours(ludex.load("tictactoe"), 256, 0.05, 1)
    assert all(value > 0 for value in row.values())
    scale = load("scale")
    measured = {"cpu_a_match": 1.0, "driver_a_bundle": 0.001, "driver_a_piece": 0.0001}
    measured["checkpoints"] = {1: scale.checkpoints(1, times=5)}
    scale.table(measured)
    scale.checkpoint_table(measured)
    assert "1000" in capsys.readouterr().out
    one = scale.simulate(10, 1000, 1, 1.0, 0.001, 0.0)
    assert 100 <= one < 110
    slow = scale.simulate(1000, 10_000, 1, 1.0, 0.01, 0.0)
    assert slow > 99
