"""Games as environments beside the reasoner: some small ones a few steps, in the long form a whole folder 1,000 steps.

    LUDEX_LONG=1 LUDEX_GAMES=../shared/games pytest -s -k collection

In the long form a game has `LUDEX_SECONDS` (60) beside the reasoner, and a line tells how far that came.
"""

import os
import pathlib
import time

import numpy as np
import pytest

import ludex

LONG = bool(os.environ.get("LUDEX_LONG"))
# More than a block of lanes; some of them are followed by the reasoner.
ENVS, FOLLOWED = 600, [0, 311, 599]
SMALL = ["blocksworld", "buttonsandlights", "dilemma", "doubletictactoe", "knightstour", "lightsout", "pegsolitaire", "threeinthree"]


def games():
    folder = os.environ.get("LUDEX_GAMES")
    if LONG and folder:
        return sorted(pathlib.Path(folder).rglob("*.kif"), key=lambda path: path.stat().st_size)
    return SMALL


class Follower:
    """One lane, as the reasoner sees it."""

    def __init__(self, game, start, env, lane):
        self.start = self.position = start
        self.env, self.lane, self.facts = env, lane, game.facts
        self.numbers = {role: {text: k for k, text in enumerate(texts)} for role, texts in game.actions.items()}
        self.stuck = False

    def check(self, stepped):
        """What the environment shows is what the reasoner finds."""
        env, lane, position = self.env, self.lane, self.position
        true = sorted(self.facts[k] for k in np.flatnonzero(env.observation[lane]))
        assert true == sorted(position.facts)
        assert bool(env.terminated[lane]) == position.terminal
        if position.terminal:
            goals = [position.goals[role] for role in env.players]
            worth = [0 if goal is None else goal / 50 - 1 for goal in goals]
            assert not stepped or np.allclose(env.reward[lane], worth)
            return
        legal = position.legal()
        self.stuck = not all(legal.values())
        assert bool(env.truncated[lane]) == self.stuck
        for place, role in enumerate(env.players):
            assert set(np.flatnonzero(env.legal_action_mask[lane, place])) == {self.numbers[role][m] for m in legal[role]}

    def follow(self, made):
        """The step that the environment made; chance drew whatever leads to its state."""
        if self.position.terminal or self.stuck:
            self.position, self.stuck = self.start, False
            return
        texts = {role: list(self.numbers[role])[made[place]] for place, role in enumerate(self.env.players)}
        legal = self.position.legal()
        drawn = [role for role in self.env.roles if role not in texts]
        seen = sorted(self.facts[k] for k in np.flatnonzero(self.env.observation[self.lane]))
        for choice in legal[drawn[0]] if drawn else [None]:
            joint = [texts.get(role, choice) for role in self.env.roles]
            after = self.position.play(*joint)
            if not drawn or sorted(after.facts) == seen:
                break
        self.position = after


def compare(game, steps, seconds):
    """How many steps were made, how many of them beside the reasoner, and on what."""
    env = game.vector(ENVS, seed=1, turn="all", observation="facts", record=True)
    if not env.engine.startswith("sliced"):
        env.rollout(3)
        return 0, 0, env.engine
    begin = game.initial(engine="interp")
    followers = [Follower(game, begin, env, lane) for lane in FOLLOWED]
    [follower.check(False) for follower in followers]
    start, compared = time.monotonic(), 0
    for _ in range(steps):
        info = env.step()[4]
        if time.monotonic() - start < seconds:
            compared += 1
            for follower in followers:
                follower.follow(info["actions"][follower.lane])
                follower.check(True)
    return steps, compared, env.engine


@pytest.mark.parametrize("game", games(), ids=str)
def test_collection(game):
    loaded = ludex.load(game)
    begin = time.process_time()
    steps, compared, engine = compare(loaded, 1000 if LONG else 25, float(os.environ.get("LUDEX_SECONDS", 60)))
    if LONG:
        cpu = time.process_time() - begin
        print(f"\n{loaded.name}: {steps} steps of {ENVS}, {compared} beside the reasoner, {engine}, {cpu:.1f} CPU s", flush=True)
