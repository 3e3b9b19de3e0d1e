"""Environments on the reasoner, for games that are too large for a circuit: the interface of `ludex.Vector`, one match
after the other.

`game.vector(n)` makes them where there is no circuit, and `env.engine` says why; `game.vector(n, engine="interp")` asks for
them. Facts and actions have the numbers of the game where its rules can be grounded. Where they cannot, they are numbered
as they are met (`env.facts`, `env.actions`), up to `capacity` each.

>>> import ludex
>>> env = ludex.load("tictactoe").vector(2, engine="interp", seed=1)
>>> observation, info = env.reset()
>>> observation.shape, info["action_mask"].sum(axis=1).tolist()
((2, 5, 3, 3), [9, 9])
>>> env.engine
'interp: asked for'
"""

from __future__ import annotations

import functools
import threading
from collections import OrderedDict

import numpy as np

from ._ludex import LudexError, MoveError

STATES_KEPT = 1 << 16


class Numbers:
    """Texts by number: a list that is known, or one that grows up to a bound."""

    def __init__(self, known, capacity: int, what: str):
        self.texts, self.open, self.what = list(known or []), known is None, what
        self.place = {text: number for number, text in enumerate(self.texts)}
        self.size = capacity if self.open else len(self.texts)

    def of(self, text: str) -> int:
        number = self.place.get(text)
        if number is None:
            if not self.open or len(self.texts) >= self.size:
                raise LudexError(f"more than {self.size} {self.what} were met: raise capacity")
            number = self.place[text] = len(self.texts)
            self.texts.append(text)
        return number


def alone(method):
    """A method of an open environment, which serves one thread at a time."""

    @functools.wraps(method)
    def held(self, *args, **options):
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("the environment is at work in another thread")
        try:
            if self._closed:
                raise RuntimeError("the environment is closed")
            return method(self, *args, **options)
        finally:
            self._lock.release()

    return held


class ReasonedVector:
    """Matches of one game, each a position of the reasoner; options and attributes as of `ludex.Vector`."""

    def __init__(self, game, num_envs, *, why, seed=0, observation="planes", mask="bytes", turn="mover", autoreset="next",
                 illegal="error", reward=(-1.0, 1.0), max_steps=None, final_observation=False, record=False, capacity=4096,
                 grounded=True, board_time=10.0, threads=1):
        self.game, self.num_envs, self.engine = game, num_envs, f"interp: {why}"
        self._start = game.initial(engine="interp")
        self.roles = self._start.roles
        self._chance = next((k for k, role in enumerate(self.roles) if role.lower() == "random"), None)
        self._players = [k for k in range(len(self.roles)) if k != self._chance]
        self.players = [self.roles[k] for k in self._players]
        if not self.players:
            raise LudexError("the game has no role but chance")
        self.autoreset, self.at_once = autoreset, turn == "all"
        self._loses, self._worth, self._most = illegal == "loss", reward, max_steps
        actions = game.actions if grounded else {}
        self._actions = [Numbers(actions.get(role), capacity, f"actions of {role}") for role in self.roles]
        self._facts = Numbers(game.facts if grounded else None, capacity, "facts")
        self.num_actions = max(self._actions[k].size for k in self._players)
        self._columns, shape = np.arange(self._facts.size), (self._facts.size,)
        if observation == "planes":
            shape = (1, 1, *shape)
            if grounded:
                planes = game.planes(time=board_time)
                shape = planes["shape"]
                self._columns = np.array([-1 if fact is None else fact for fact in planes["facts"]])
        self._packed = observation == "packed", mask == "packed"
        if observation == "packed":
            shape = (-(-shape[0] // 8),)
        none = np.zeros(0, np.uint8)
        self.observation = none if observation is None else np.zeros((num_envs, *shape), np.uint8)
        self._last = np.zeros_like(self.observation) if final_observation else none
        width = -(-self.num_actions // 8) if mask == "packed" else self.num_actions
        shape = (num_envs, len(self.players), width) if self.at_once else (num_envs, width)
        kind = np.uint8 if mask == "packed" else bool
        self.legal_action_mask = none if mask is None else np.zeros(shape, kind)
        self.current_player = np.zeros(num_envs, np.uint8)
        self.reward = np.zeros((num_envs, len(self.players)), np.float32)
        self.terminated, self.truncated = np.zeros(num_envs, bool), np.zeros(num_envs, bool)
        self._made = np.zeros((num_envs, len(self.players)), np.int32) if record else none
        self.info = {"action_mask": self.legal_action_mask, "current_player": self.current_player}
        if final_observation:
            self.info["final_obs"] = self._last
        if record:
            self.info["actions"] = self._made
        self._waits: dict[int, set[str]] = {}
        self._kept: OrderedDict[bytes, object] = OrderedDict()
        self._closed, self._lock = False, threading.RLock()
        self.reset(seed=seed)

    # What is told.

    @property
    def facts(self) -> list[str]:
        """The facts by number, as far as they were met."""
        return list(self._facts.texts)

    @property
    def actions(self) -> dict[str, list[str]]:
        """By role its actions by number, as far as they were met."""
        return {role: list(numbers.texts) for role, numbers in zip(self.roles, self._actions)}

    def __repr__(self) -> str:
        return f"<ludex.ReasonedVector of {self.num_envs}, {len(self.players)} players, {self.num_actions} actions>"

    def close(self) -> None:
        """Frees the memory; whatever is asked afterwards is an error."""
        if not self._closed:
            self._end()

    @alone
    def _end(self) -> None:
        self._closed = True
        self._positions, self._kept = [], OrderedDict()

    # Steps.

    @alone
    def reset(self, *, seed=None, mask=None):
        """Puts all environments, or those that `mask` marks, into the initial state. A seed begins chance anew."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        if mask is None:
            self._positions = [self._start] * self.num_envs
            self._steps, self._idle = np.zeros(self.num_envs, np.int64), np.zeros(self.num_envs, bool)
        else:
            if np.shape(mask) != (self.num_envs,):
                raise ValueError("mask has one value for each environment")
            for lane in np.flatnonzero(mask):
                self._positions[lane], self._steps[lane], self._idle[lane] = self._start, 0, False
        self._look(False, {})
        return self.observation, self.info

    @alone
    def step(self, actions=None):
        """One step of all environments, as of `ludex.Vector`."""
        if not self.at_once and self._crowded:
            raise LudexError("several players have a choice at the same time: ask all of them (turn=\"all\")")
        chosen = None if actions is None else self._read(actions)
        joints, lost = [], {}
        for lane in range(self.num_envs):
            joint, loser = self._joint(lane, None if chosen is None else chosen[lane])
            joints.append(joint)
            if loser is not None:
                lost[lane] = loser
        for lane, joint in enumerate(joints):
            if self._idle[lane]:
                if self.autoreset != "off":
                    self._positions[lane], self._steps[lane], self._idle[lane] = self._start, -1, False
            elif lane not in lost:
                self._tell(lane, joint)
                self._positions[lane] = self._positions[lane].play(*joint)
        self._look(True, lost)
        return self.observation, self.reward, self.terminated, self.truncated, self.info

    def _read(self, actions) -> np.ndarray:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError("actions are whole numbers")
        shape = (self.num_envs, len(self.players)) if self.at_once else (self.num_envs,)
        if given.shape != shape:
            raise ValueError(f"actions have the shape {given.shape}, but {shape} is needed")
        return given.reshape(self.num_envs, -1)

    def _joint(self, lane: int, chosen):
        """The moves of all roles, and the role whose move is not legal."""
        if self._idle[lane]:
            return [], None
        position, joint, loser = self._positions[lane], [], None
        asked = self._players if self.at_once else [int(self.current_player[lane])]
        for k, role in enumerate(self.roles):
            legal = position.legal(k)
            if chosen is None or k == self._chance or k not in asked:
                joint.append(legal[self._random.integers(len(legal))])
                continue
            number, numbers = int(chosen[asked.index(k)]), self._actions[k]
            text = numbers.texts[number] if 0 <= number < len(numbers.texts) else None
            if text not in legal:
                if not self._loses:
                    what = f"{text} (action {number}) is not legal for {role}" if text else f"{role} has no action {number}"
                    raise MoveError(f"environment {lane}: {what}")
                loser = k if loser is None else loser
            joint.append(text)
        return joint, loser

    def _tell(self, lane: int, joint) -> None:
        if self._made.size:
            self._made[lane] = [self._actions[k].of(joint[k]) for k in self._players]

    # What is seen afterwards.

    def _look(self, stepped: bool, lost: dict) -> None:
        self.reward.fill(0)
        self._crowded = False
        for lane in range(self.num_envs):
            position = self._positions[lane]
            over = position.terminal or lane in lost
            if stepped and over and not self._idle[lane]:
                self.reward[lane] = self._rewards(position, lost.get(lane))
            self._steps[lane] += stepped
            cut = self._most is not None and stepped and self._steps[lane] >= self._most
            stuck = not position.terminal and not all(position.legal(k) for k in range(len(self.roles)))
            self.terminated[lane], self.truncated[lane] = over, (stuck or cut) and not over
            self._idle[lane] = self.terminated[lane] or self.truncated[lane]
            if self._idle[lane] and stepped and self.autoreset == "same":
                if self._last.size:
                    self._last[lane] = self._seen(position)
                self._positions[lane], self._steps[lane], self._idle[lane] = self._start, 0, False
            self._show(lane)

    def _rewards(self, position, loser):
        low, high = self._worth
        if loser is not None:
            return [low if k == loser else high for k in self._players]
        goals = [position.goals[self.roles[k]] for k in self._players]
        return [0 if goal is None else low + (high - low) * goal / 100 for goal in goals]

    def _bits(self, position) -> np.ndarray:
        row = np.zeros(self._facts.size + 1, np.uint8)
        row[[self._facts.of(fact) for fact in position.facts]] = 1
        return row

    def _seen(self, position) -> np.ndarray:
        # The last bit is that of columns that show nothing.
        row = self._bits(position)[self._columns]
        return (np.packbits(row, bitorder="little") if self._packed[0] else row).reshape(self.observation.shape[1:])

    def _show(self, lane: int) -> None:
        position = self._positions[lane]
        legal = [position.legal(k) for k in range(len(self.roles))]
        choosing = [k for k in self._players if len(legal[k]) > 1]
        self._crowded |= len(choosing) > 1 and not self._idle[lane]
        for k in self._players:
            if choosing and k not in choosing and legal[k]:
                self._waits.setdefault(k, set()).add(legal[k][0])
        acting = [k for k in self._players if legal[k] and legal[k][0] not in self._waits.get(k, ())]
        mover = (choosing or acting or self._players)[0]
        self.current_player[lane] = mover
        if self.observation.size:
            self.observation[lane] = self._seen(position)
        if self.legal_action_mask.size:
            rows = [self._mask(k, legal[k]) for k in (self._players if self.at_once else [mover])]
            self.legal_action_mask[lane] = rows if self.at_once else rows[0]

    def _mask(self, role: int, legal) -> np.ndarray:
        row = np.zeros(self.num_actions, bool)
        row[[self._actions[role].of(text) for text in legal]] = True
        return np.packbits(row, bitorder="little") if self._packed[1] else row

    # States.

    @property
    @alone
    def states(self) -> np.ndarray:
        """Rows of bits, as of `ludex.Vector`; a row can be set again as long as this environment knows its position."""
        words = -(-self._facts.size // 64) + 1
        rows = np.zeros((self.num_envs, words), np.uint64)
        for lane, position in enumerate(self._positions):
            packed = np.packbits(self._bits(position)[:-1], bitorder="little")
            rows[lane].view(np.uint8)[: len(packed)] = packed
            key = rows[lane, :-1].tobytes()
            self._kept[key] = position
            self._kept.move_to_end(key)
            rows[lane, -1] = self._idle[lane]
        while len(self._kept) > STATES_KEPT:
            self._kept.popitem(last=False)
        return rows

    @states.setter
    @alone
    def states(self, rows) -> None:
        rows = np.ascontiguousarray(rows, np.uint64)
        if rows.shape != (self.num_envs, -(-self._facts.size // 64) + 1):
            raise ValueError(f"states have the shape {rows.shape}")
        found = [self._kept.get(row[:-1].tobytes()) for row in rows]
        if None in found:
            raise LudexError("the reasoner has only states that this environment gave before")
        self._positions = found
        self._idle[:] = False
        self._look(False, {})
        self._idle |= rows[:, -1].astype(bool)

    # Policies.

    @alone
    def sample(self, policy=None, *, epsilon=None) -> np.ndarray:
        """Legal actions that a policy chooses, as of `ludex.Vector`."""
        if epsilon is not None and not 0 <= epsilon <= 1:
            raise ValueError("epsilon is a chance from 0 to 1")
        scores = None
        if policy is not None and not (isinstance(policy, str) and policy == "random"):
            if isinstance(policy, str):
                raise ValueError(f"policy is one of random, not {policy}")
            given, needed = np.asarray(policy), ((self.num_actions,), (self.num_envs, self.num_actions))
            if given.dtype.kind not in "biuf":
                raise TypeError("a policy is scores or \"random\"")
            if given.shape not in needed:
                raise ValueError(f"scores have the shape {given.shape}, but {needed[0]} or {needed[1]} are needed")
            scores = given.astype(np.float32)
            if np.isnan(scores).any():
                raise ValueError("a score is not a number")
            scores = np.broadcast_to(scores, (self.num_envs, self.num_actions))
        made = np.zeros((self.num_envs, len(self.players)), np.int32)
        for lane, position in enumerate(self._positions):
            for place, k in enumerate(self._players if self.at_once else [int(self.current_player[lane])]):
                legal = [self._actions[k].of(text) for text in position.legal(k)]
                if legal:
                    made[lane, place] = self._choose(legal, None if scores is None else scores[lane], epsilon)
        return made if self.at_once else made[:, 0].copy()

    def _choose(self, legal, scores, epsilon) -> int:
        if scores is None or (epsilon is not None and self._random.random() < epsilon):
            return legal[self._random.integers(len(legal))]
        own = scores[legal]
        return legal[int(np.argmax(own if epsilon is not None else own + self._random.gumbel(size=len(own))))]

    @alone
    def rollout(self, steps: int, policy=None, *, epsilon=None) -> dict:
        """Plays so many steps inside; what they came to: transitions, episodes, rewards by player."""
        transitions, episodes, sums = 0, 0, np.zeros(len(self.players))
        drawn = policy is None or (isinstance(policy, str) and policy == "random")
        for _ in range(steps):
            fresh = int((~self._idle).sum()) if self.autoreset != "same" else self.num_envs
            self.step(None if drawn else self.sample(policy, epsilon=epsilon))
            transitions += fresh
            episodes += int(self.terminated.sum())
            sums += self.reward[self.terminated].sum(axis=0)
        mean = lambda total: float(total) / episodes if episodes else None
        rewards = {role: mean(total) for role, total in zip(self.players, sums)}
        return {"transitions": transitions, "episodes": episodes, "rewards": rewards}
