"""PettingZoo: `aec(game)`, where agents move one after the other, and `parallel(game)`, where all move in every step.

Observations are dicts with `observation` and `action_mask`. In `aec` an agent is asked where it has a choice; moves that
are forced are made by themselves, and agents that choose at the same time are asked in turn before the joint move is made.

>>> import ludex, ludex.pettingzoo
>>> env = ludex.pettingzoo.aec(ludex.load("tictactoe"))
>>> env.reset(seed=1)
>>> env.agent_selection, int(env.observe("white")["action_mask"].sum())
('white', 9)
"""

from __future__ import annotations

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv, ParallelEnv


def aec(game, **options) -> "LudexAEC":
    """The game as an `AECEnv`; options as of `game.vector`."""
    return LudexAEC(game, **options)


def parallel(game, **options) -> "LudexParallel":
    """The game as a `ParallelEnv`; options as of `game.vector`."""
    return LudexParallel(game, **options)


class _Match:
    """One match and what its agents see."""

    def __init__(self, game, **options):
        self.game = game
        self.env = game.vector(1, autoreset="off", turn="all", **options)
        self.players = self.env.players
        shape = self.env.observation.shape[1:]
        box = Box(0, 255 if len(shape) == 1 else 1, shape, np.uint8)
        actions = self.env.num_actions
        spaces = lambda: Dict({"observation": box, "action_mask": Box(0, 1, (actions,), np.int8)})
        self.observation_spaces = {player: spaces() for player in self.players}
        self.action_spaces = {player: Discrete(actions) for player in self.players}

    def reset(self, seed):
        self.env.reset(seed=seed)

    def mask(self, player) -> np.ndarray:
        return self.env.legal_action_mask[0, self.players.index(player)]

    def observe(self, player) -> dict:
        over = self.env.terminated[0] or self.env.truncated[0]
        mask = self.mask(player).astype(np.int8)
        return {"observation": self.env.observation[0].copy(), "action_mask": np.zeros_like(mask) if over else mask}

    def choosing(self) -> list:
        return [player for player in self.players if self.mask(player).sum() > 1]

    def step(self, actions: dict):
        """A joint move; whoever is not named makes its first legal move."""
        forced = self.env.legal_action_mask[0].argmax(axis=1)
        joint = [actions.get(player, forced[k]) for k, player in enumerate(self.players)]
        self.env.step(np.array([joint], dtype=np.int32))

    @property
    def over(self) -> tuple[bool, bool]:
        return bool(self.env.terminated[0]), bool(self.env.truncated[0])

    def rewards(self) -> dict:
        return {player: float(self.env.reward[0, k]) for k, player in enumerate(self.players)}

    def text(self) -> str:
        row = np.unpackbits(self.env.states[:, :-1].view(np.uint8), bitorder="little")
        return "\n".join(fact for fact, bit in zip(self.game.facts, row) if bit)


class LudexAEC(AECEnv):
    """A `pettingzoo.AECEnv` over one match."""

    def __init__(self, game, render_mode: str | None = None, max_forced: int = 1000, **options):
        super().__init__()
        self.metadata = {"name": f"{game.name}_v0", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode, self._max_forced = render_mode, max_forced
        self._match = _Match(game, **options)
        self.possible_agents = list(self._match.players)
        self.observation_spaces = self._match.observation_spaces
        self.action_spaces = self._match.action_spaces
        self.agents = []

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict | None = None):
        self._match.reset(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._chosen = {}
        self._go_on()

    def observe(self, agent):
        return self._match.observe(agent)

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(self.rewards, 0.0)
        self._chosen[agent] = int(action)
        if self._asked:
            self.agent_selection = self._asked.pop(0)
        else:
            self._match.step(self._chosen)
            self._chosen = {}
            self._go_on()
        self._accumulate_rewards()

    def _go_on(self):
        """Makes forced moves, and finds whoever is to be asked."""
        for _ in range(self._max_forced):
            terminated, truncated = self._match.over
            if terminated or truncated:
                break
            self._asked = self._match.choosing()
            if self._asked:
                self.agent_selection = self._asked.pop(0)
                return
            self._match.step({})
        terminated, _ = self._match.over
        self.rewards = {**self.rewards, **self._match.rewards()}
        self.terminations = dict.fromkeys(self.agents, terminated)
        self.truncations = dict.fromkeys(self.agents, not terminated)
        self.agent_selection = self.agents[0]

    def render(self):
        return self._match.text()

    def close(self):
        pass


class LudexParallel(ParallelEnv):
    """A `pettingzoo.ParallelEnv` over one match: whoever has no choice has one legal move."""

    def __init__(self, game, render_mode: str | None = None, **options):
        self.metadata = {"name": f"{game.name}_v0", "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self._match = _Match(game, **options)
        self.possible_agents = list(self._match.players)
        self.observation_spaces = self._match.observation_spaces
        self.action_spaces = self._match.action_spaces
        self.agents = []

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def _all(self):
        observations = {agent: self._match.observe(agent) for agent in self.agents}
        infos = {agent: {"action_mask": observations[agent]["action_mask"]} for agent in self.agents}
        return observations, infos

    def reset(self, seed: int | None = None, options: dict | None = None):
        self._match.reset(seed)
        self.agents = list(self.possible_agents)
        return self._all()

    def step(self, actions: dict):
        self._match.step(actions)
        observations, infos = self._all()
        terminated, truncated = self._match.over
        ends = dict.fromkeys(self.agents, terminated), dict.fromkeys(self.agents, truncated)
        rewards = self._match.rewards()
        if terminated or truncated:
            self.agents = []
        return observations, rewards, *ends, infos

    def render(self):
        return self._match.text()

    def close(self):
        pass
