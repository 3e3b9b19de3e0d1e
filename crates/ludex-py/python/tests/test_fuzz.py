"""Whatever is called in whatever order: an exception or an answer that is right, never a crash."""

import os

import numpy as np
import pytest

import ludex

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import strategies as some  # noqa: E402
from hypothesis.extra import numpy as arrays  # noqa: E402

LONG = bool(os.environ.get("LUDEX_LONG"))
EXPECTED = (ludex.LudexError, ValueError, TypeError, OverflowError, RuntimeError, MemoryError)
GAMES = {name: ludex.load(name) for name in ["tictactoe", "nim", "rockpaperscissors", "eightpuzzle", "hex3"]}

settings = hypothesis.settings(
    max_examples=3000 if LONG else 25,
    deadline=None,
    derandomize=not LONG,
    database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)

anything = some.one_of(
    some.none(), some.integers(), some.floats(), some.text(max_size=8), some.booleans(), some.binary(max_size=8),
    some.lists(some.integers(-3, 12), max_size=6),
    arrays.arrays(arrays.scalar_dtypes(), arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5)),
)
options = some.fixed_dictionaries({}, optional={
    "seed": some.integers(0, 2**64 - 1),
    "threads": some.integers(1, 3),
    "observation": some.sampled_from(["planes", "facts", "packed", None]),
    "mask": some.sampled_from(["bytes", "packed", None]),
    "turn": some.sampled_from(["mover", "all"]),
    "autoreset": some.sampled_from(["next", "same", "off"]),
    "illegal": some.sampled_from(["error", "loss"]),
    "reward": some.tuples(some.floats(width=32), some.floats(width=32)),
    "max_steps": some.one_of(some.none(), some.integers(0, 5)),
    "final_observation": some.booleans(),
    "record": some.booleans(),
    "engine": some.sampled_from([None, "sliced", "interp"]),
})


def use(env, draw):
    """One call with arguments that may fit."""
    kind = draw(some.sampled_from(["step", "legal", "wild", "sample", "rollout", "states", "reset", "mask", "set"]))
    shape = (env.num_envs, len(env.players)) if env.at_once else (env.num_envs,)
    if kind == "step":
        env.step(draw(anything))
    elif kind == "legal":
        env.step(env.sample())
    elif kind == "wild":
        env.step(draw(arrays.arrays(np.int64, shape, elements=some.integers(-2, env.num_actions + 1))))
    elif kind == "sample":
        env.sample(draw(anything), epsilon=draw(some.one_of(some.none(), some.floats())))
    elif kind == "rollout":
        env.rollout(draw(some.integers(-1, 5)), draw(anything), epsilon=draw(some.one_of(some.none(), some.floats(0, 1))))
    elif kind == "states":
        kept = env.states
        env.step()
        env.states = kept
        assert (env.states[:, :-1] == kept[:, :-1]).all()
    elif kind == "reset":
        env.reset(seed=draw(some.one_of(some.none(), some.integers(-1, 2**64))))
    elif kind == "mask":
        env.reset(mask=draw(anything))
    else:
        env.states = draw(anything)


@settings
@hypothesis.given(some.data())
def test_environments_survive_any_use(data):
    game = GAMES[data.draw(some.sampled_from(sorted(GAMES)))]
    try:
        env = game.vector(data.draw(some.integers(0, 300 if LONG else 70)), **data.draw(options))
    except EXPECTED:
        return
    for _ in range(data.draw(some.integers(1, 8))):
        try:
            use(env, data.draw)
        except EXPECTED:
            pass
        for array in (env.observation, env.legal_action_mask, env.terminated, env.truncated):
            assert array.size == 0 or array.max() <= 255
    env.close()
    with pytest.raises(RuntimeError):
        env.step()


@settings
@hypothesis.given(anything, anything)
def test_questions_survive_any_argument(first, second):
    game = GAMES["nim"]
    for call in [
        lambda: ludex.load(first, second),
        lambda: game.initial().play(first, second),
        lambda: game.initial().legal(first),
        lambda: game.player(first),
        lambda: game.vector(first, seed=second),
        lambda: game.prove(first, time=0.2),
        lambda: game.planes(time=first),
        lambda: game.player("uct").think(first, second),
    ]:
        try:
            call()
        except (*EXPECTED, KeyError, OSError):
            pass


@settings
@hypothesis.given(some.text(alphabet="()<=?xynot roleinitlegadsgpru0123456789\n ;", max_size=200))
def test_any_text_is_a_game_or_has_complaints(text):
    try:
        ludex.load(text + "\n").initial()
    except ludex.RulesError as error:
        assert error.complaints
    except ludex.LudexError:
        pass
