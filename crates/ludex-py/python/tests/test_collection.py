"""Games as environments beside the reasoner: some small ones a few steps, in the long form a whole folder 1,000 steps.

    LUDEX_LONG=1 LUDEX_GAMES=../shared/games pytest -s -k collection

In the long form a game has `LUDEX_SECONDS` (60) beside the reasoner, and a line tells how far that came. With `LUDEX_OUT` the
lines are kept in a file of JSON, and games that went all the way are left out the next time.
"""

import json
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


STEPS, SECONDS, OUT = 1000 if LONG else 25, float(os.environ.get("LUDEX_SECONDS", 60)), os.environ.get("LUDEX_OUT")


def games():
    folder = os.environ.get("LUDEX_GAMES")
    if not (LONG and folder):
        return SMALL
    done = settled()
    files = sorted(pathlib.Path(folder).rglob("*.kif"), key=lambda path: path.stat().st_size)
    return [path for path in files if str(path) not in done]


def settled():
    """Games that need not be looked at again: all steps were made beside the reasoner, or there was as much time as now."""
    if not (OUT and os.path.exists(OUT)):
        return set()
    rows = [json.loads(line) for line in open(OUT)]
    return {row["file"] for row in rows if row["compared"] == STEPS or row["seconds"] >= SECONDS}


class Names:
    """Facts and actions by number. An environment on the reasoner has its own, since it numbers them as they are met."""

    def __init__(self, game):
        self.facts, self.actions = game.facts, game.actions


class Follower:
    """One lane, as the reasoner sees it."""

    def __init__(self, game, start, env, lane):
        self.start = self.position = start
        self.env, self.lane, self.names = env, lane, env if hasattr(env, "facts") else Names(game)
        self.stuck = False

    def seen(self):
        """The facts that the environment shows."""
        facts = self.names.facts
        return sorted(facts[k] for k in np.flatnonzero(self.env.observation[self.lane]))

    def shown(self, place, role):
        """The moves that the environment shows."""
        actions = self.names.actions[role]
        return {actions[k] for k in np.flatnonzero(self.env.legal_action_mask[self.lane, place])}

    def check(self, stepped):
        """What the environment shows is what the reasoner finds."""
        env, lane, position = self.env, self.lane, self.position
        assert self.seen() == sorted(position.facts)
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
            assert self.shown(place, role) == set(legal[role])

    def follow(self, made):
        """The step that the environment made; chance drew whatever leads to its state."""
        if self.position.terminal or self.stuck:
            self.position, self.stuck = self.start, False
            return
        actions = self.names.actions
        texts = {role: actions[role][made[place]] for place, role in enumerate(self.env.players)}
        legal = self.position.legal()
        drawn = [role for role in self.env.roles if role not in texts]
        seen = self.seen()
        for choice in legal[drawn[0]] if drawn else [None]:
            joint = [texts.get(role, choice) for role in self.env.roles]
            after = self.position.play(*joint)
            if not drawn or sorted(after.facts) == seen:
                break
        self.position = after


def compare(game):
    """How many steps were made beside the reasoner, on how many environments, and on what."""
    options = dict(seed=1, turn="all", observation="facts", record=True)
    env, lanes = game.vector(1, **options), [0]
    if env.engine.startswith("sliced"):
        env, lanes = game.vector(ENVS, **options), FOLLOWED
    begin = game.initial(engine="interp")
    followers = [Follower(game, begin, env, lane) for lane in lanes]
    [follower.check(False) for follower in followers]
    start = time.monotonic()
    for step in range(STEPS):
        if time.monotonic() - start > SECONDS:
            return step, env
        info = env.step()[4]
        for follower in followers:
            follower.follow(info["actions"][follower.lane])
            follower.check(True)
    return STEPS, env


@pytest.mark.parametrize("game", games(), ids=str)
def test_collection(game):
    loaded, begin = ludex.load(game), time.process_time()
    compared, env = compare(loaded)
    if LONG:
        row = {"game": loaded.name, "file": str(game), "compared": compared, "of": STEPS, "environments": env.num_envs,
               "engine": env.engine, "seconds": SECONDS, "cpu": round(time.process_time() - begin, 1)}
        print("\n" + json.dumps(row), flush=True)
        if OUT:
            with open(OUT, "a") as file:
                file.write(json.dumps(row) + "\n")
