"""For learners: tree search in many matches at once with evaluations from outside, symmetric copies of positions, labels.

>>> import ludex, ludex.learn
>>> game = ludex.load("tictactoe")
>>> search = ludex.learn.Search(game, 8, ludex.learn.uniform, simulations=16, seed=1)
>>> result = search.run(game.vector(8).states)
>>> result.policy.shape, bool(abs(result.policy.sum(axis=1) - 1).max() < 1e-5)
((8, 10), True)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import numpy as np


def uniform(observation, mask, player):
    """An evaluation that knows nothing: scores and values are 0."""
    return np.zeros(mask.shape, np.float32), np.zeros(len(mask), np.float32)


@dataclass
class Searched:
    """What a search found for each root: chosen action, policy to learn from, value for the player to move, visits."""

    action: np.ndarray
    policy: np.ndarray
    value: np.ndarray
    visits: np.ndarray


class Search:
    """Monte Carlo tree search in many positions at once, a tree each, in step.

    `evaluate(observation, mask, player)` gets arrays of a batch of positions and returns scores of actions (the logarithms
    of a prior) and values: one for the player to move, from -1 to 1, which others lose in equal parts, or one for each
    player. `root` is "puct" (visits, with noise if asked for) or "gumbel" (actions drawn without replacement, then
    sequential halving; Danihelka and others, Policy improvement by planning with Gumbel, 2022). Chance and moves at the
    same time are not searched: `Search` raises where the game has them.
    """

    def __init__(
        self,
        game,
        batch: int,
        evaluate: Callable,
        *,
        simulations: int = 32,
        root: str = "gumbel",
        exploration: float = 1.25,
        noise: float = 0.0,
        considered: int = 16,
        temperature: float = 1.0,
        observation: str = "planes",
        seed: int = 0,
        threads: int = 1,
    ):
        if root not in ("gumbel", "puct"):
            raise ValueError(f"root is gumbel or puct, not {root}")
        if any(role.lower() == "random" for role in game.roles):
            raise ValueError("games of chance are not searched")
        self.game, self.batch, self.evaluate = game, batch, evaluate
        self.simulations, self.root, self.exploration = simulations, root, exploration
        self.noise, self.considered, self.temperature = noise, considered, temperature
        self.env = game.vector(batch, autoreset="off", observation=observation, threads=threads)
        self.players = np.array([self.env.roles.index(role) for role in self.env.players])
        self.random = np.random.default_rng(seed)

    def _values(self, value: np.ndarray, place: np.ndarray) -> np.ndarray:
        """By player, from a value of the player to move, or as they are."""
        count = len(self.players)
        value = np.asarray(value, np.float32)
        if value.shape == (self.batch, count):
            return value
        if value.shape != (self.batch,):
            raise ValueError(f"evaluate gave values of the shape {value.shape}; ({self.batch},) or ({self.batch}, {count}) is needed")
        others = -value / max(count - 1, 1)
        all_ = np.repeat(others[:, None], count, axis=1)
        all_[np.arange(len(value)), place] = value
        return all_

    def _place(self) -> np.ndarray:
        return np.searchsorted(self.players, self.env.current_player)

    def _expand(self, node: np.ndarray) -> np.ndarray:
        """Notes what the present states of the environments are like as these nodes; their values by player."""
        env, rows = self.env, np.arange(self.batch)
        mask = env.legal_action_mask
        scores, value = self.evaluate(env.observation, mask, env.current_player)
        scores = np.asarray(scores, np.float32)
        if scores.shape != mask.shape:
            raise ValueError(f"evaluate gave scores of the shape {scores.shape}, but {mask.shape} is needed")
        if np.isnan(scores[mask]).any() or np.isnan(value).any():
            raise ValueError("evaluate gave a score or a value that is not a number")
        # A prior of 0 has no finite logarithm, but its move is legal.
        scores = np.where(mask, scores.clip(-1e30, 1e30), -np.inf)
        top = scores.max(axis=1, keepdims=True)
        prior = np.exp(scores - np.where(np.isfinite(top), top, 0))
        self.prior[rows, node] = prior / np.maximum(prior.sum(axis=1, keepdims=True), 1e-30)
        self.scores[rows, node] = scores
        self.place[rows, node] = self._place()
        return self._values(value, self._place())

    def run(self, states: np.ndarray) -> Searched:
        """Searches from states of environments of this game, as `Vector.states` gives them; none may be over."""
        env, sims, actions = self.env, self.simulations, self.env.num_actions
        size, rows, players = sims + 1, np.arange(self.batch), len(self.players)
        env.states = states
        self.prior = np.zeros((self.batch, size, actions), np.float32)
        self.scores = np.full((self.batch, size, actions), -np.inf, np.float32)
        self.place = np.zeros((self.batch, size), np.int64)
        self.child = np.full((self.batch, size, actions), -1, np.int32)
        self.visits = np.zeros((self.batch, size, actions), np.float32)
        self.sums = np.zeros((self.batch, size, actions), np.float32)
        self.over = np.zeros((self.batch, size), bool)
        self.kept = np.zeros((self.batch, size, states.shape[1]), np.uint64)
        self.kept[:, 0] = states
        self.ended = np.zeros((self.batch, size, players), np.float32)
        self.root_value = self._expand(np.zeros(self.batch, int))
        self._begin_root()
        for number in range(1, size):
            self._simulate(number)
        return self._result(rows)

    def _begin_root(self) -> None:
        scores = self.scores[:, 0]
        legal = np.isfinite(scores)
        if self.noise and self.root == "puct":
            drawn = self.random.gamma(0.3, size=scores.shape) * legal
            drawn /= np.maximum(drawn.sum(axis=1, keepdims=True), 1e-30)
            self.prior[:, 0] = (1 - self.noise) * self.prior[:, 0] + self.noise * drawn
        drawn = self.random.gumbel(size=scores.shape) * self.temperature
        self.gumbel = np.where(legal, drawn, -np.inf)
        count = np.minimum(legal.sum(axis=1), self.considered)
        self.schedule = [_halving(int(k), self.simulations) for k in count]

    def _mean(self, rows, node) -> np.ndarray:
        """Mean values of the children for the player of the node; those never tried have the mean of the others."""
        visits, sums = self.visits[rows, node], self.sums[rows, node]
        tried = visits > 0
        total = visits.sum(axis=1, keepdims=True)
        rest = np.where(total > 0, sums.sum(axis=1, keepdims=True) / np.maximum(total, 1), 0)
        return np.where(tried, sums / np.maximum(visits, 1), rest)

    def _choose(self, rows, node) -> np.ndarray:
        visits = self.visits[rows, node]
        total = visits.sum(axis=1, keepdims=True)
        bonus = self.exploration * self.prior[rows, node] * np.sqrt(total + 1) / (1 + visits)
        score = self._mean(rows, node) + bonus
        return np.where(np.isfinite(self.scores[rows, node]), score, -np.inf).argmax(axis=1)

    def _choose_root(self, number: int) -> np.ndarray:
        rows = np.arange(self.batch)
        if self.root == "puct":
            return self._choose(rows, 0)
        visits = self.visits[:, 0]
        wanted = np.array([schedule[number - 1] for schedule in self.schedule])
        score = self.gumbel + self.scores[:, 0] + self._bonus(rows)
        return np.where(visits == wanted[:, None], score, -np.inf).argmax(axis=1)

    def _bonus(self, rows) -> np.ndarray:
        visits = self.visits[:, 0]
        return (50 + visits.max(axis=1, keepdims=True)) * 0.1 * self._mean(rows, 0)

    def _simulate(self, number: int) -> None:
        rows = np.arange(self.batch)
        node = np.zeros(self.batch, int)
        path: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        action = self._choose_root(number)
        going = np.ones(self.batch, bool)
        while going.any():
            path.append((going.copy(), node.copy(), action.copy()))
            next_ = self.child[rows, node, action]
            deeper = going & (next_ >= 0)
            node = np.where(deeper, next_, node)
            going = deeper & ~self.over[rows, node]
            if going.any():
                action = np.where(going, self._choose(rows, node), action)
        values = self._leaf(number, rows, node, action)
        for went, at, made in path:
            mover = self.place[rows, at]
            gain = values[rows, mover]
            self.visits[rows[went], at[went], made[went]] += 1
            self.sums[rows[went], at[went], made[went]] += gain[went]

    def _leaf(self, number: int, rows, node, action) -> np.ndarray:
        """Makes the new node of every tree, but where the end of a match was come to again; values by player."""
        again = self.over[rows, node]
        self.env.states = self.kept[rows, node]
        made = np.where(again, 0, action).astype(np.int32)
        _, reward, terminated, truncated, _ = self.env.step(made)
        reward = reward.copy()
        over = (terminated | truncated) & ~again
        fresh = np.full(self.batch, number)
        values = self._expand(fresh)
        values = np.where(over[:, None], reward, values)
        new = rows[~again]
        self.kept[new, number] = self.env.states[new]
        self.child[new, node[new], action[new]] = number
        self.over[rows, number] = over
        self.ended[rows[over], number] = reward[over]
        return np.where(again[:, None], self.ended[rows, node], values)

    def _result(self, rows) -> Searched:
        visits = self.visits[:, 0]
        mean = self._mean(rows, 0)
        if self.root == "gumbel":
            own = self.root_value[rows, self.place[:, 0]][:, None]
            completed = np.where(visits > 0, mean, own)
            better = self.scores[:, 0] + (50 + visits.max(axis=1, keepdims=True)) * 0.1 * completed
            better -= better.max(axis=1, keepdims=True)
            policy = np.exp(better)
            most = visits == visits.max(axis=1, keepdims=True)
            final = self.gumbel + self.scores[:, 0] + self._bonus(rows)
            action = np.where(most & np.isfinite(self.scores[:, 0]), final, -np.inf).argmax(axis=1)
        else:
            policy, completed = visits, mean
            if self.temperature:
                chances = visits ** (1 / self.temperature)
                chances = chances / chances.sum(axis=1, keepdims=True)
                action = (chances.cumsum(axis=1) > self.random.random((self.batch, 1))).argmax(axis=1)
            else:
                action = visits.argmax(axis=1)
        policy = policy / policy.sum(axis=1, keepdims=True)
        return Searched(action.astype(np.int32), policy, (policy * completed).sum(axis=1), visits)


def _halving(actions: int, simulations: int) -> list[int]:
    """Visits that an action has before each simulation, where actions are halved until one is left."""
    if actions <= 1:
        return list(range(simulations))
    rounds = int(np.ceil(np.log2(actions)))
    visits, left, order = [0] * actions, actions, []
    while len(order) < simulations:
        each = max(1, simulations // (rounds * left))
        for _ in range(each):
            order += visits[:left]
            visits[:left] = [count + 1 for count in visits[:left]]
        left = max(2, left // 2)
    return order[:simulations]


def augmentations(game, time: float = 30.0) -> list[dict]:
    """The symmetries that leave roles alone and make other positions of the same worth, as generators.

    Each has `facts`, so that `row[facts]` is the symmetric position of a row of facts, and `actions`, by role, so that
    `policy[actions[role]]` is its policy: `facts[k]` is the number of the fact that becomes fact k.

    >>> import ludex, ludex.learn
    >>> len(ludex.learn.augmentations(ludex.load("tictactoe"))) >= 2
    True
    """
    found = game.symmetries(fix_roles=True, time=time).to_dict()["net"]
    number = {fact: k for k, fact in enumerate(game.facts)}
    actions = game.actions
    generators = []
    for generator in found.get("generators", []):
        whole = generator["map"]
        facts = np.arange(len(number))
        for source, target in whole["facts"].items():
            facts[number[target]] = number[source]
        moves = {}
        for role, names in actions.items():
            place = {name: k for k, name in enumerate(names)}
            moves[role] = np.arange(len(names))
            for source, target in _moves_of(whole["moves"], role):
                moves[role][place[target]] = place[source]
        generators.append({"facts": facts, "actions": moves})
    return generators


def _moves_of(moves, role):
    return moves.get(role, {}).items()


def labels(game, positions, *, time: float = 1.0) -> list[dict | None]:
    """Exact values of positions by role, where the solver has them in so many seconds each, else None."""
    solved = (game.solve(position, time=time) for position in positions)
    return [found.to_dict()["values"] if found.complete else None for found in solved]
