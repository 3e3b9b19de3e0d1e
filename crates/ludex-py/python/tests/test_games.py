"""Games, positions, answers, players."""

import pickle
import signal
import threading
import time

import pytest

import ludex

LAMP = """(role you) (init off) (legal you press) (<= (next on) (does you press))
(<= terminal (true on)) (<= (goal you 100) (true on)) (<= (goal you 0) (true off))"""


def test_games_come_from_names_files_and_text(tmp_path):
    assert "tictactoe" in ludex.bundled()
    lamp = ludex.load(LAMP, name="lamp")
    assert (lamp.name, lamp.roles, lamp.facts) == ("lamp", ["you"], ["off", "on"])
    assert lamp.actions == {"you": ["press"]}
    path = tmp_path / "lamp.kif"
    path.write_text(LAMP)
    again = ludex.load(path)
    assert again.hash == lamp.hash and again == lamp and hash(again) == hash(lamp)
    assert ludex.load(lamp) is lamp
    with pytest.raises(FileNotFoundError, match="no bundled game .* connectfour"):
        ludex.load("conectfour")
    other = ludex.load("tictactoe")
    assert other != lamp and "role(white)" in other.rules(infix=True)


def test_wrong_rules_are_told_with_their_places():
    with pytest.raises(ludex.RulesError) as caught:
        ludex.load("(role you)\n(<= (next ?x) (does you press))")
    places = {(c["code"], c["line"]) for c in caught.value.complaints}
    assert ("unsafe-variable", 2) in places, caught.value.complaints
    assert "unsafe-variable" in str(caught.value)
    assert isinstance(caught.value, ludex.LudexError)


def test_a_match_from_start_to_end():
    position = ludex.load("tictactoe").initial()
    assert not position.terminal and position.to_move == ["white"]
    first = position
    for move in ["mark 1 1", "2 1", "(mark 1 2)", "mark(2, 2)", "mark 1 3"]:
        position = position.play(move)
    assert position.terminal and position.goals == {"white": 100, "black": 0}
    assert len(position.moves) == 5 and position.moves[0] == ["(mark 1 1)", "noop"]
    assert len(first.legal("white")) == 9 and first.legal()["black"] == ["noop"]
    assert first.play(white="mark 1 1", black="noop") == first.play("mark 1 1")
    with pytest.raises(ludex.MoveError, match="over"):
        position.play("mark 3 3")
    with pytest.raises(ludex.MoveError, match="not a legal move"):
        first.play("mark 4 4")
    with pytest.raises(KeyError, match="no role red"):
        first.legal("red")


def test_positions_are_drawn_and_travel():
    position = ludex.load("connectfour").initial()
    position = position.play(position.legal(position.to_move[0])[0])
    assert position._repr_svg_().startswith("<svg") and len(str(position).splitlines()) > 5
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.moves == position.moves and hash(again) == hash(position)
    game = pickle.loads(pickle.dumps(position.game))
    assert game.hash == position.game.hash and game.name == position.game.name


def test_answers_are_plain_data_that_prints_itself():
    game = ludex.load("tictactoe")
    boards = game.boards()
    assert boards.complete and boards["views"][0].relation == "cell"
    assert "cell" in str(boards) and boards.to_dict()["game"] == boards.game
    assert pickle.loads(pickle.dumps(boards)).to_dict() == boards.to_dict()
    with pytest.raises(AttributeError, match="this answer has no nothing"):
        boards.nothing
    assert int(game.symmetries().net.order) >= 8
    assert game.factors().kind == "single"
    assert any("cell" in fact for fact in game.latches().positive)
    assert ludex.load("doubletictactoe").factors().kind != "single"
    assert game.check().ok is True and game.check(simulate=3).simulation is not None
    proved = game.prove("(not (and (true (cell ?x ?y x)) (true (cell ?x ?y o))))")
    assert [fact.status for fact in proved.facts] == ["proved"]
    with pytest.raises(ludex.RulesError):
        game.prove("(no such ?thing")
    solved = game.solve()
    assert solved.values == {"white": 50, "black": 50} and solved.complete
    won = game.solve(game.initial().play("mark 2 2").play("mark 1 2"))
    assert won["values"]["white"] == 100


def test_limits_are_answers():
    start = time.monotonic()
    solved = ludex.load("reversi").solve(time=0.5)
    assert not solved.complete and solved.stopped_by == "time limit"
    assert time.monotonic() - start < 30
    with pytest.raises(ValueError):
        ludex.load("tictactoe").solve(time=-1)


def test_memory_that_python_keeps_does_not_count():
    kept = bytearray(b"x") * 300_000_000
    assert ludex.load("breakthrough-small").solve(time=0.3, memory=250).stopped_by == "time limit"
    assert len(kept) == 300_000_000
    # Whether there is anything to tell by then depends on what the process has used before.
    try:
        stopped = ludex.load("chess").solve(time=60, memory=1).stopped_by
    except ludex.StoppedError as error:
        stopped = str(error)
    assert "memory" in stopped


def test_players_find_the_winning_move():
    game = ludex.load("tictactoe")
    position = game.initial()
    for move in ["mark 1 1", "mark 2 1", "mark 1 2", "mark 2 2"]:
        position = position.play(move)
    thought = game.player("mcts", threads=2).think(position, iterations=2000)
    assert thought.best == "(mark 1 3)" and thought.value > 90
    assert game.player("uct,seed=3").think(position, 0.2).best == "(mark 1 3)"
    drawn = game.player("random", seed=5)
    assert drawn.think(position).best == drawn.think(position).best
    assert drawn.think(position).value is None
    with pytest.raises(ValueError, match="no player"):
        game.player("deepblue")
    with pytest.raises(ValueError, match="no option"):
        game.player("mcts", depth=3)


LONG_WORK = {
    "solve": lambda: ludex.load("reversi").solve(time=60),
    "boards": lambda: ludex.load("chess").boards(time=60),
    "think": lambda: ludex.load("reversi").player("mcts").think(ludex.load("reversi").initial(), 60),
    "rollout": lambda: ludex.load("connectfour").vector(4096).rollout(10**9),
    "endless": lambda: ludex.load("tictactoe").vector(2).rollout(2**63),
    "policy": lambda: ludex.load("tictactoe").vector(512).rollout(10**9, [0.0] * 10),
    "compile": lambda: ludex.load("chess").vector(1, board_time=60),
    "tournament": lambda: ludex.tournament(["mcts", "uct"], ["reversi"], matches=100, iterations=500),
}


@pytest.mark.parametrize("name", LONG_WORK)
def test_control_c_stops_long_work(name):
    # A shell that starts the tests in the background has it ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.5, lambda: signal.raise_signal(signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        LONG_WORK[name]()
    assert time.monotonic() - start < 30


def test_other_threads_run_while_ludex_works():
    ticks = []

    def tick():
        while len(ticks) < 5:
            ticks.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    ludex.load("reversi").solve(time=0.5)
    thread.join(timeout=5)
    assert len(ticks) == 5
