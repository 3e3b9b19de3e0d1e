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


def test_evaluations_that_are_no_numbers_or_too_many_are_errors():
    game = ludex.load("tictactoe")
    states = game.vector(2).states

    def searched(scores, value, **options):
        return learn.Search(game, 2, lambda *_: (scores, value), simulations=9, **options).run(states)

    fair = np.zeros((2, 10))
    for scores, value, told in [(fair[:, :3], fair[:, 0], r"scores of the shape \(2, 3\)"), (fair, fair[0], "values of the shape"),
                                (fair * np.nan, fair[:, 0], "not a number"), (fair, fair[:, 0] * np.nan, "not a number")]:
        with pytest.raises(ValueError, match=told):
            searched(scores, value)
    # Moves of a prior of 0 are legal, and made where there are no others.
    for root in ["puct", "gumbel"]:
        found = searched(fair - np.inf, fair[:, :2], root=root)
        assert (found.action < 9).all() and (found.visits.sum(axis=1) == 9).all()


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
