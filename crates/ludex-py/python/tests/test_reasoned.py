"""Environments on the reasoner are those on the circuit, and serve games that have none."""

import numpy as np
import pytest

import ludex

COUNTER = """(role you) (init (at zero)) (legal you (add one)) (legal you (add two))
(<= (next (at (s ?x))) (true (at ?x)) (does you (add one)))
(<= (next (at (s (s ?x)))) (true (at ?x)) (does you (add two)))
(<= terminal (true (at (s (s (s (s ?x)))))))
(<= (goal you 100) (true (at (s (s (s (s zero))))))) (<= (goal you 0) (not (true (at (s (s (s (s zero))))))))"""


@pytest.mark.parametrize("name", ["tictactoe", "rockpaperscissors", "eightpuzzle", "nim", "joinedtictactoe"])
@pytest.mark.parametrize("options", [
    dict(autoreset="next"), dict(autoreset="same", final_observation=True, observation="packed"),
    dict(autoreset="off", mask="packed"), dict(illegal="loss", max_steps=7, observation="facts"),
], ids=lambda options: "-".join(map(str, options.values())))
def test_both_show_the_same(name, options):
    game = ludex.load(name)
    fast = game.vector(5, seed=1, turn="all", record=True, **options)
    slow = game.vector(5, seed=1, turn="all", record=True, engine="interp", **options)
    assert slow.engine == "interp: asked for" and (slow.roles, slow.players) == (fast.roles, fast.players)
    draw = np.random.default_rng(2)
    for step in range(30):
        going = ~(fast.terminated | fast.truncated)
        assert (fast.terminated == slow.terminated).all() and (fast.truncated == slow.truncated).all()
        assert (fast.observation == slow.observation).all() and (fast.reward == slow.reward).all()
        assert (fast.legal_action_mask == slow.legal_action_mask)[going].all()
        assert (fast.states == slow.states).all()
        actions = fast.sample()
        if options.get("illegal") == "loss" and step % 5 == 4:
            actions[draw.integers(5)] = fast.num_actions - 1
        told, slowly = fast.step(actions)[4], slow.step(actions)[4]
        if options.get("final_observation"):
            over = fast.terminated | fast.truncated
            assert (told["final_obs"] == slowly["final_obs"])[over].all()
    kept = slow.states
    slow.step()
    slow.states = kept
    assert (slow.states == kept).all()


def test_the_mover_is_the_same_where_there_is_a_choice():
    game = ludex.load("tictactoe")
    fast, slow = game.vector(3, seed=1), game.vector(3, seed=1, engine="interp")
    for _ in range(8):
        actions = fast.sample()
        fast.step(actions), slow.step(actions)
        assert (fast.current_player == slow.current_player)[~fast.terminated].all()
        assert (fast.legal_action_mask == slow.legal_action_mask)[~fast.terminated].all()
    assert slow.rollout(10)["transitions"] == 28 or slow.rollout(10)["episodes"] > 0
    scores = np.arange(slow.num_actions)
    slow.reset()
    assert (slow.sample(scores, epsilon=0.0) == np.flatnonzero(slow.legal_action_mask[0]).max()).all()


def test_a_game_without_bounds_runs_on_the_reasoner_and_says_so():
    game = ludex.load(COUNTER)
    env = game.vector(4, seed=3, turn="all", record=True, capacity=32)
    assert env.engine.startswith("interp: ") and "asked" not in env.engine
    assert env.observation.shape == (4, 1, 1, 32)
    result = env.rollout(40)
    assert result["episodes"] > 20 and 0 < result["transitions"] <= 160
    assert env.actions == {"you": ["(add one)", "(add two)"]} and "(at zero)" in env.facts
    with pytest.raises(ludex.LudexError, match="raise capacity"):
        game.vector(4, capacity=2).rollout(10)
    with pytest.raises(ludex.LudexError):
        game.vector(4, engine="sliced")
    with pytest.raises(ValueError, match="engine is"):
        game.vector(4, engine="magic")
