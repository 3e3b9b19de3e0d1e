"""Gymnasium, PettingZoo and OpenSpiel: their own checks."""

import os
import warnings

import numpy as np
import pytest

import ludex

GAMES = [
    "blocksworld", "breakthrough-small", "buttonsandlights", "connectfour", "dilemma", "doubletictactoe", "eightpuzzle",
    "hex3", "joinedtictactoe", "kingmove", "knightstour", "lightsout", "matchingpennies", "nim", "pegsolitaire",
    "qbf-false", "qbf-true", "rockpaperscissors", "threeinthree", "tictactoe", "tictactoe-decoys", "tictactoe-frame",
    "tictactoe-rows", "tictactoe-symmetry", "twobuttons",
]
# Gymnasium has one player: it is asked for a move in turn.
AT_ONCE = {"dilemma", "matchingpennies", "rockpaperscissors"}
assert len(GAMES) - len(AT_ONCE) >= 20


def at_once(game):
    env = game.vector(8, turn="all", observation=None)
    for _ in range(20):
        if ((env.legal_action_mask.sum(axis=2) > 1).sum(axis=1)[~env.terminated] > 1).any():
            return True
        env.step()
    return False


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo(name):
    from pettingzoo.test import api_test, parallel_api_test

    import ludex.pettingzoo

    game = ludex.load(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(ludex.pettingzoo.aec(game, observation="facts"), num_cycles=30)
        parallel_api_test(_Legal(ludex.pettingzoo.parallel(game, observation="facts")), num_cycles=30)


class _Legal:
    """PettingZoo's test draws from the whole action space; this draws what is legal."""

    def __init__(self, env):
        self.env = env

    def __getattr__(self, name):
        return getattr(self.env, name)

    def step(self, actions):
        legal = {agent: int(self.env._match.mask(agent).argmax()) for agent in actions}
        return self.env.step(legal)


@pytest.mark.parametrize("name", GAMES)
def test_gymnasium(name):
    from gymnasium.utils.env_checker import check_env
    from gymnasium.vector import AutoresetMode

    import ludex.gymnasium

    game = ludex.load(name)
    assert at_once(game) == (name in AT_ONCE)
    if name in AT_ONCE:
        with pytest.raises(ludex.LudexError, match="same time"):
            ludex.gymnasium.env(game, observation="facts").step(0)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(ludex.gymnasium.env(game, observation="facts"), skip_render_check=True)
    envs = ludex.gymnasium.vector(game, 5, observation="facts")
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    observation, info = envs.reset(seed=3)
    assert envs.observation_space.contains(observation)
    for _ in range(15):
        actions = np.array([row.argmax() for row in info["action_mask"]])
        assert envs.action_space.contains(actions)
        observation, reward, terminated, truncated, info = envs.step(actions)
        assert envs.observation_space.contains(observation) and reward.shape == (5,)
    envs.close()


@pytest.mark.parametrize("name", GAMES)
def test_openspiel(name):
    pyspiel = pytest.importorskip("pyspiel")
    import ludex.openspiel

    game = pyspiel.load_game(ludex.openspiel.register(ludex.load(name)))
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def test_openspiel_playthrough(tmp_path):
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import generate_playthrough

    import ludex.openspiel

    name = ludex.openspiel.register(ludex.load("tictactoe"))
    text = generate_playthrough.playthrough(name, action_sequence=None, seed=3)
    assert "GameType.information = Information.PERFECT_INFORMATION" in text and "(mark " in text
    assert generate_playthrough.playthrough(name, action_sequence=None, seed=3) == text


def test_states_of_pgx_are_values():
    import ludex.pgx

    for name in ["tictactoe", "connectfour", "breakthrough-small", "nim"]:
        env = ludex.pgx.make(ludex.load(name))
        state = first = env.init(7, seed=2)
        draw = np.random.default_rng(3)
        for _ in range(60):
            legal = [draw.choice(np.flatnonzero(row)) for row in state.legal_action_mask]
            after = env.step(state, legal)
            over = state.terminated | state.truncated
            assert (after.rows == state.rows)[over].all() and (after.rewards[over] == 0).all()
            assert (env.step(state, legal).observation == after.observation).all()
            state = after
        assert state.terminated.any() and (env.init(7).rows == first.rows).all()
        assert state[2:4].observation.shape == (2, *env.observation_shape)


@pytest.mark.parametrize("library", ["numpy", "jax", "torch"])
def test_arrays_are_handed_over_without_a_copy(library):
    module = pytest.importorskip(library)
    env = ludex.load("tictactoe").vector(8, observation="facts")
    take = module.from_dlpack if library != "jax" else module.dlpack.from_dlpack
    taken = take(env.observation)
    assert np.asarray(taken).ctypes.data == env.observation.ctypes.data or library == "jax"
    assert (np.asarray(taken) == env.observation).all()
