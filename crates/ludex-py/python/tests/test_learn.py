"""Search with evaluations from outside, symmetric copies, labels."""

import numpy as np
import pytest

import ludex
from ludex import learn


@pytest.mark.parametrize("root", ["puct", "gumbel"])
def test_a_search_without_knowledge_finds_the_winning_move(root):
    game = ludex.load("tictactoe")
    env = game.vector(3, autoreset="off")
    names = game.actions["white"]
    for text in ["(mark 1 1)", "(mark 2 1)", "(mark 1 2)", "(mark 2 2)"]:
        env.step(np.full(3, names.index(text)))
    search = learn.Search(game, 3, learn.uniform, simulations=200, root=root, temperature=0.0)
    found = search.run(env.states)
    assert [names[a] for a in found.action] == ["(mark 1 3)"] * 3
    assert (found.value > 0.5).all() and (found.visits.sum(axis=1) == 200).all()
    assert (found.policy[~env.legal_action_mask] == 0).all()


def test_searches_with_a_seed_come_again():
    game = ludex.load("connectfour")
    states = game.vector(4).states
    one, two = (learn.Search(game, 4, learn.uniform, simulations=30, seed=5).run(states) for _ in range(2))
    assert (one.visits == two.visits).all() and (one.action == two.action).all()
    with pytest.raises(ValueError):
        learn.Search(game, 4, learn.uniform, root="other")


def test_symmetric_positions_are_positions_of_the_game():
    game = ludex.load("tictactoe")
    generators = learn.augmentations(game)
    assert generators
    env = game.vector(50, observation="facts", autoreset="off", seed=1)
    env.step()
    env.step()
    for generator in generators:
        assert sorted(generator["facts"]) == list(range(len(game.facts)))
        turned = env.observation[:, generator["facts"]]
        other = game.vector(50, observation="facts", autoreset="off")
        words = np.zeros_like(other.states)
        packed = np.packbits(turned, axis=1, bitorder="little")
        words.view(np.uint8)[:, : packed.shape[1]] = packed
        other.states = words
        mask = env.legal_action_mask[:, generator["actions"]["white"]]
        assert (other.legal_action_mask == mask).all()


def test_small_positions_have_exact_values():
    game = ludex.load("tictactoe")
    position = game.initial().play("mark 2 2").play("mark 1 2")
    assert learn.labels(game, [position], time=10) == [{"white": 100, "black": 0}]
