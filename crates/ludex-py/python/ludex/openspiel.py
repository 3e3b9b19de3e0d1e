"""OpenSpiel: `register(game)` makes a game known to `pyspiel.load_game`, from its rules alone.

>>> import ludex, ludex.openspiel, pyspiel
>>> name = ludex.openspiel.register(ludex.load("tictactoe"))
>>> state = pyspiel.load_game(name).new_initial_state()
>>> len(state.legal_actions())
9
"""

from __future__ import annotations

import numpy as np
import pyspiel

_registered: dict[str, str] = {}


def register(game, name: str | None = None) -> str:
    """Registers a game and returns its name, `ludex_` and that of the game unless another is given."""
    name = name or "ludex_" + "".join(c if c.isalnum() else "_" for c in game.name.lower())
    if name not in _registered:
        kind = _type(game, name)
        made = type("LudexSpiel_" + name, (_Game,), {"rules": _Rules(game), "kind": kind})
        pyspiel.register_game(kind, made)
        _registered[name] = game.hash
    elif _registered[name] != game.hash:
        raise ValueError(f"another game is registered as {name}")
    return name


def _at_once(game) -> bool:
    """Whether several players were ever seen to choose at the same time."""
    env = game.vector(64, turn="all", observation=None, seed=1)
    for _ in range(300):
        if ((env.legal_action_mask.sum(axis=2) > 1).sum(axis=1)[~env.terminated] > 1).any():
            return True
        env.step()
    return False


def _type(game, name):
    chance = [role for role in game.roles if role.lower() == "random"]
    players = len(game.roles) - len(chance)
    kinds, modes, sums = pyspiel.GameType.Dynamics, pyspiel.GameType.ChanceMode, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=name,
        long_name=f"{game.name} (GDL)",
        dynamics=kinds.SIMULTANEOUS if _at_once(game) else kinds.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if chance else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=sums.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


class _Rules:
    """What states need to know of a game; one for all copies of a state."""

    def __init__(self, game):
        self.game, self.roles, self.actions, self.facts = game, game.roles, game.actions, game.facts
        self.chance = next((k for k, role in enumerate(self.roles) if role.lower() == "random"), None)
        self.players = [k for k in range(len(self.roles)) if k != self.chance]
        self.number = [{text: k for k, text in enumerate(self.actions[role])} for role in self.roles]

    def __deepcopy__(self, memo):
        return self


class _Game(pyspiel.Game):
    """A game of OpenSpiel; `register` makes a class of it for each game."""

    rules: _Rules
    kind: pyspiel.GameType

    def __init__(self, params=None, most_steps: int = 1000):
        rules = self.rules
        chance = len(rules.actions[rules.roles[rules.chance]]) if rules.chance is not None else 0
        info = pyspiel.GameInfo(
            num_distinct_actions=max(len(rules.actions[rules.roles[k]]) for k in rules.players),
            max_chance_outcomes=chance,
            num_players=len(rules.players),
            min_utility=0.0,
            max_utility=100.0,
            max_game_length=most_steps,
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self):
        return _State(self, self.rules)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return _Observer(self.rules)


class _State(pyspiel.State):
    """Forced moves are made by themselves; chance is asked after the players."""

    def __init__(self, game, rules):
        super().__init__(game)
        self.of = rules
        self.at_once = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
        self.position = rules.game.initial()
        self.chosen = {}
        self._go_on()

    def _moves(self, role):
        return self.position.legal(role)

    def _go_on(self):
        """Makes moves as long as nobody has a choice."""
        while not self.position.terminal:
            choosing = [k for k in range(len(self.of.roles)) if len(self._moves(k)) > 1 and k not in self.chosen]
            self.waiting = [k for k in choosing if k != self.of.chance]
            self.draws = bool(choosing) and not self.waiting
            if choosing or not all(self._moves(k) for k in range(len(self.of.roles))):
                return
            joint = [self.chosen.get(k, self._moves(k)[0]) for k in range(len(self.of.roles))]
            self.position, self.chosen = self.position.play(*joint), {}
        self.waiting, self.draws = [], False

    def current_player(self):
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        if self.draws:
            return pyspiel.PlayerId.CHANCE
        if self.at_once:
            return pyspiel.PlayerId.SIMULTANEOUS
        return self.of.players.index(self.waiting[0])

    def is_terminal(self):
        return self.position.terminal or not (self.waiting or self.draws)

    def _numbers(self, role):
        return sorted(self.of.number[role][text] for text in self._moves(role))

    def _legal_actions(self, player):
        return self._numbers(self.of.players[player])

    def legal_actions(self, player=None):
        if self.is_terminal():
            return []
        if player is None:
            player = self.current_player()
        return self._numbers(self.of.chance) if player == pyspiel.PlayerId.CHANCE else self._legal_actions(player)

    def chance_outcomes(self):
        moves = self._numbers(self.of.chance)
        return [(move, 1 / len(moves)) for move in moves]

    def _apply_action(self, action):
        role = self.of.chance if self.draws else self.waiting[0]
        self.chosen[role] = self.of.actions[self.of.roles[role]][action]
        self._go_on()

    def _apply_actions(self, actions):
        for player, action in enumerate(actions):
            role = self.of.players[player]
            self.chosen[role] = self.of.actions[self.of.roles[role]][action]
        self._go_on()

    def _action_to_string(self, player, action):
        role = self.of.chance if player == pyspiel.PlayerId.CHANCE else self.of.players[player]
        return self.of.actions[self.of.roles[role]][action]

    def returns(self):
        goals = list(self.position.goals.values()) if self.position.terminal else [0] * len(self.of.roles)
        return [float(goals[k] or 0) for k in self.of.players]

    def __str__(self):
        return "\n".join([*self.position.facts, *(f"{k}: {text}" for k, text in sorted(self.chosen.items()))])


class _Observer:
    def __init__(self, rules):
        self.facts = {fact: k for k, fact in enumerate(rules.facts)}
        self.tensor = np.zeros(len(self.facts), np.float32)
        self.dict = {"facts": self.tensor}

    def set_from(self, state, player):
        self.tensor.fill(0)
        self.tensor[[self.facts[fact] for fact in state.position.facts]] = 1

    def string_from(self, state, player):
        return str(state)
