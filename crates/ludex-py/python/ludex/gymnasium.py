"""Gymnasium: one agent that moves for whoever is to move.

`vector(game, n)` is a `gymnasium.vector.VectorEnv` of n matches, `env(game)` a `gymnasium.Env` of one. The agent moves
for every player in turn, so that it plays against itself; a step's reward is that of the player who moved, and
`info["rewards"]` has those of all. Legal moves are in `info["action_mask"]`.

>>> import ludex, ludex.gymnasium
>>> envs = ludex.gymnasium.vector(ludex.load("tictactoe"), 3)
>>> observation, info = envs.reset(seed=1)
>>> info["action_mask"].sum(axis=1).tolist()
[9, 9, 9]
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

MODES = {"next": AutoresetMode.NEXT_STEP, "same": AutoresetMode.SAME_STEP, "off": AutoresetMode.DISABLED}


def vector(game, num_envs: int, **options) -> "LudexVectorEnv":
    """Matches of a game side by side; options as of `game.vector`."""
    return LudexVectorEnv(game, num_envs, **options)


def env(game, **options) -> "LudexEnv":
    """One match of a game; options as of `game.vector`."""
    return LudexEnv(game, **options)


def _observation_space(shape) -> Box:
    return Box(0, 255 if len(shape) == 1 else 1, shape, np.uint8)


class LudexVectorEnv(VectorEnv):
    """A `gymnasium.vector.VectorEnv` over `ludex.Vector`."""

    def __init__(self, game, num_envs: int, *, autoreset: str = "next", **options):
        self.game = game
        if autoreset == "same":
            options["final_observation"] = True
        self.envs = game.vector(num_envs, autoreset=autoreset, turn="mover", **options)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": MODES[autoreset], "render_modes": []}
        self.single_observation_space = _observation_space(self.envs.observation.shape[1:])
        self.single_action_space = Discrete(self.envs.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        players = [self.envs.roles.index(role) for role in self.envs.players]
        self._place = np.full(len(self.envs.roles), 0)
        self._place[players] = np.arange(len(players))

    def _info(self, info) -> dict[str, Any]:
        return {key: value.copy() for key, value in info.items()}

    def reset(self, *, seed: int | list[int] | None = None, options: dict | None = None):
        if isinstance(seed, (list, tuple)):
            seed = hash(tuple(seed)) & (2**63 - 1)
        mask = (options or {}).get("reset_mask")
        observation, info = self.envs.reset(seed=seed, mask=mask)
        return observation.copy(), self._info(info)

    def step(self, actions):
        moved = self._place[self.envs.current_player]
        observation, reward, terminated, truncated, info = self.envs.step(actions)
        told = self._info(info)
        told["rewards"] = reward.copy()
        if "final_obs" in told:
            told["_final_obs"] = terminated | truncated
        own = reward[np.arange(self.num_envs), moved].astype(np.float64)
        return observation.copy(), own, terminated.copy(), truncated.copy(), told

    def close_extras(self, **_):
        self.envs.close()


class LudexEnv(gymnasium.Env):
    """A `gymnasium.Env`: one lane of `ludex.Vector`."""

    def __init__(self, game, render_mode: str | None = None, **options):
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.game, self.render_mode = game, render_mode
        self._env = game.vector(1, autoreset="off", turn="mover", **{"illegal": "loss", **options})
        self.observation_space = _observation_space(self._env.observation.shape[1:])
        self.action_space = Discrete(self._env.num_actions)
        self._place = {self._env.roles.index(role): k for k, role in enumerate(self._env.players)}

    def _info(self, info) -> dict[str, Any]:
        return {"action_mask": info["action_mask"][0].astype(np.int8), "current_player": int(info["current_player"][0])}

    def reset(self, *, seed: int | None = None, options: dict | None = None):
        super().reset(seed=seed)
        observation, info = self._env.reset(seed=seed)
        return observation[0].copy(), self._info(info)

    def step(self, action):
        moved = self._place.get(int(self._env.current_player[0]), 0)
        observation, reward, terminated, truncated, info = self._env.step(np.array([action]))
        told = self._info(info)
        told["rewards"] = reward[0].copy()
        return observation[0].copy(), float(reward[0, moved]), bool(terminated[0]), bool(truncated[0]), told

    def render(self):
        bits = self._env.states[0, :-1]
        facts = self.game.facts
        true = [fact for k, fact in enumerate(facts) if bits[k // 64] >> np.uint64(k % 64) & np.uint64(1)]
        return "\n".join(true)

    def close(self):
        self._env.close()
