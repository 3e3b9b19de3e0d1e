"""States as values, in the manner of Pgx: `init` gives a batch of states, `step` another one; no state ever changes.

The arrays have the names and shapes of a batched Pgx state, in NumPy. As there, what is over stays as it is and earns
nothing, and an illegal move ends the match with a loss.

>>> import ludex, ludex.pgx
>>> env = ludex.pgx.make(ludex.load("tictactoe"))
>>> state = env.init(3, seed=1)
>>> later = env.step(state, [0, 4, 8])
>>> state.legal_action_mask.sum(axis=1).tolist(), later.legal_action_mask.sum(axis=1).tolist()
([9, 9, 9], [8, 8, 8])
>>> later.current_player.tolist(), later.rewards.shape, bool(later.terminated.any())
([1, 1, 1], (3, 2), False)
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np


@dataclass(frozen=True)
class State:
    """A batch of states. `rows` are those of `ludex.Vector.states`: packed facts, and whether the match is over."""

    current_player: np.ndarray
    observation: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    legal_action_mask: np.ndarray
    rows: np.ndarray
    _step_count: np.ndarray

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, lanes) -> "State":
        """Some of the states: a slice, numbers, or marks."""
        return State(*(getattr(self, field.name)[lanes] for field in fields(self)))


class Env:
    """A game whose batches of states are values; options as of `game.vector`."""

    def __init__(self, game, **options):
        self.game, self.id = game, game.name
        self._options = {"illegal": "loss", **options, "autoreset": "off", "turn": "mover"}
        self._vectors: dict[int, object] = {}
        one = self._vector(1)
        self.num_players, self.num_actions = len(one.players), one.num_actions
        self.observation_shape = one.observation.shape[1:]
        self._place = np.zeros(len(one.roles), np.int32)
        self._place[[one.roles.index(role) for role in one.players]] = np.arange(self.num_players)

    def _vector(self, count: int):
        if count not in self._vectors:
            # One size is used again and again; a second may alternate with it.
            if len(self._vectors) > 2:
                self._vectors.popitem()[1].close()
            self._vectors[count] = self.game.vector(count, **self._options)
        return self._vectors[count]

    def init(self, count: int, *, seed: int | None = None) -> State:
        """So many initial states. A seed begins chance anew."""
        env = self._vector(count)
        env.reset(seed=seed)
        return self._state(env, np.zeros(count, np.int32))

    def step(self, state: State, actions, *, seed: int | None = None) -> State:
        """The states after one action each."""
        env = self._vector(len(state))
        over = state.terminated | state.truncated
        if seed is not None:
            env.reset(seed=seed)
        env.states = state.rows
        env.step(np.where(over, 0, actions).astype(np.int32))
        return self._state(env, state._step_count + ~over)

    def _state(self, env, steps) -> State:
        over = env.terminated | env.truncated
        rows = env.states
        mask = env.legal_action_mask | over.reshape(-1, 1) if env.legal_action_mask.dtype == bool else env.legal_action_mask.copy()
        return State(self._place[env.current_player], env.observation.copy(), env.reward.copy(), env.terminated.copy(),
                     env.truncated.copy(), mask, rows, steps)


def make(game, **options) -> Env:
    """A game as such an `Env`."""
    return Env(game, **options)
