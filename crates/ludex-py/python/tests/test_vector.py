"""Vector environments: what they show, resets, seeds, misuse."""

import gc
import os
import random
import threading

import numpy as np
import pytest

import ludex

GAMES = ["tictactoe", "connectfour", "rockpaperscissors", "eightpuzzle", "nim", "hex3", "joinedtictactoe"]


def facts_of(game, row):
    return sorted(fact for fact, bit in zip(game.facts, row) if bit)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("autoreset", ["next", "same", "off"])
def test_lanes_follow_the_game(name, autoreset):
    game = ludex.load(name)
    env = game.vector(70, seed=4, turn="all", observation="facts", autoreset=autoreset, record=True)
    obs, info = env.reset(seed=4)
    lanes = [0, 33, 69]
    positions = [game.initial() for _ in lanes]
    roles = env.players
    for _ in range(25):
        for lane, position in zip(lanes, positions):
            assert facts_of(game, obs[lane]) == position.facts
            if not position.terminal:
                for place, role in enumerate(roles):
                    legal = {game.actions[role].index(m) for m in position.legal(role)}
                    assert set(np.flatnonzero(info["action_mask"][lane, place])) == legal
        actions = env.sample()
        obs, reward, terminated, truncated, info = env.step(actions)
        for k, lane in enumerate(lanes):
            if positions[k].terminal:
                if autoreset == "next":
                    positions[k] = game.initial()
                continue
            moves = [game.actions[role][actions[lane, place]] for place, role in enumerate(roles)]
            positions[k] = positions[k].play(*moves)
            assert terminated[lane] == positions[k].terminal
            if positions[k].terminal:
                goals = [positions[k].goals[role] or 0 for role in roles]
                assert np.allclose(reward[lane], np.array(goals) / 50 - 1)
                if autoreset == "same":
                    positions[k] = game.initial()


def test_observations_are_planes_facts_or_bits():
    game = ludex.load("tictactoe")
    planes = game.planes()
    shape = planes["shape"]
    assert shape[1:] == (3, 3) and ("board", ["(cell * * x)"]) in planes["planes"]
    envs = {kind: game.vector(40, seed=1, observation=kind) for kind in ["planes", "facts", "packed"]}
    for _ in range(6):
        actions = envs["facts"].sample()
        for env in envs.values():
            env.step(actions)
    facts = envs["facts"].observation
    bits = np.unpackbits(envs["packed"].observation, axis=1, bitorder="little")[:, : facts.shape[1]]
    assert (bits == facts).all()
    assert envs["planes"].observation.shape == (40, *shape)
    places = np.array([-1 if f is None else f for f in planes["facts"]]).reshape(shape)
    shown = np.where(places >= 0, facts[:, places.clip(0)], 0)
    assert (envs["planes"].observation == shown).all()
    packed = game.vector(40, mask="packed")
    mask = np.unpackbits(packed.legal_action_mask, axis=1, bitorder="little")[:, : packed.num_actions]
    assert (mask == game.vector(40).legal_action_mask).all()
    assert game.vector(3, observation=None, mask=None).step()[0].size == 0


def test_the_same_seed_gives_the_same_run_on_any_number_of_threads():
    game = ludex.load("connectfour")

    def run(threads, seed=7):
        env = game.vector(1000, seed=seed, threads=threads, record=True)
        made = [env.step()[4]["actions"].copy() for _ in range(30)]
        totals = env.rollout(200)
        return np.array(made), env.states, totals

    one, two = run(1), run(3)
    assert (one[0] == two[0]).all() and (one[1] == two[1]).all() and one[2] == two[2]
    assert (one[0] != run(1, seed=8)[0]).any()
    assert one[2]["transitions"] > 150_000 and 0 < one[2]["goals"]["red"] < 100


def test_moves_are_drawn_evenly():
    env = ludex.load("tictactoe").vector(9000, seed=1, record=True)
    actions = env.step()[4]["actions"][:, 0]
    counts = np.bincount(actions, minlength=9)[:9]
    assert (abs(counts - 1000) < 150).all(), counts
    env.reset()
    counts = np.bincount(env.sample(), minlength=9)[:9]
    assert (abs(counts - 1000) < 150).all(), counts


def test_policies_choose_legal_moves_by_scores():
    game = ludex.load("tictactoe")
    env = game.vector(500, seed=2)
    scores = np.zeros(env.num_actions)
    scores[4] = 9.0
    assert (env.sample(scores, epsilon=0.0) == 4).all()
    assert 0.8 < (env.sample(scores, epsilon=0.1) == 4).mean() < 0.97
    assert (env.sample(scores) == 4).mean() > 0.97
    by_lane = np.zeros((500, env.num_actions))
    by_lane[np.arange(500), np.arange(500) % 9] = 1.0
    assert (env.sample(by_lane, epsilon=0.0) == np.arange(500) % 9).all()
    result = env.rollout(50, scores, epsilon=0.2)
    assert result["transitions"] > 20_000 and set(result["rewards"]) == {"white", "black"}


def test_states_can_be_kept_and_set_again():
    game = ludex.load("breakthrough-small")
    env = game.vector(100, seed=3, autoreset="off")
    for _ in range(10):
        env.step()
    kept, seen = env.states, env.observation.copy()
    for _ in range(10):
        env.step()
    assert (env.states != kept).any()
    env.states = kept
    assert (env.observation == seen).all() and (env.states == kept).all()
    mask = np.zeros(100, bool)
    mask[5] = True
    env.reset(mask=mask)
    start = game.vector(1).observation[0]
    assert (env.observation[5] == start).all() and (env.observation[6] == seen[6]).all()


def test_illegal_moves_are_an_error_or_a_loss():
    game = ludex.load("tictactoe")
    env = game.vector(4)
    env.step(np.array([0, 1, 2, 3]))
    before = env.states
    with pytest.raises(ludex.MoveError, match=r"environment 2: \(mark 1 3\) .* not legal for black"):
        env.step(np.array([1, 2, 2, 0]))
    with pytest.raises(ludex.MoveError, match="has no action 99"):
        env.step(np.array([99, 2, 1, 0]))
    with pytest.raises(ludex.MoveError):
        env.step(np.array([-1, 2, 1, 0]))
    assert (env.states == before).all()
    env = game.vector(4, illegal="loss")
    env.step(np.array([0, 1, 2, 3]))
    _, reward, terminated, _, _ = env.step(np.array([1, 2, 2, 0]))
    assert terminated.tolist() == [False, False, True, False]
    assert reward.tolist() == [[0, 0], [0, 0], [1, -1], [0, 0]]


def test_long_matches_are_cut_off():
    env = ludex.load("eightpuzzle").vector(10, max_steps=5)
    cut = [env.step()[3].copy() for _ in range(12)]
    assert not np.any(cut[:4]) and np.all(cut[4]) and not np.any(cut[5:10]) and np.all(cut[10])


def test_moves_at_once_need_all_players():
    game = ludex.load("rockpaperscissors")
    with pytest.raises(ludex.LudexError, match="same time"):
        game.vector(4).step()
    env = game.vector(4, turn="all")
    obs, reward, terminated, _, info = env.step(np.array([[0, 1], [1, 0], [2, 2], [0, 0]]))
    assert info["action_mask"].shape == (4, 2, env.num_actions)


def test_misuse_is_an_exception():
    game = ludex.load("tictactoe")
    env = game.vector(4)
    for wrong in [np.zeros(3, int), np.zeros((4, 2), int), 3, [[0, 1], [2]]]:
        with pytest.raises((ValueError, TypeError)):
            env.step(wrong)
    for wrong in [np.array([0.0, 1, 2, 3]), np.full(4, np.nan), "abcd", np.array([True] * 4), object()]:
        with pytest.raises((ValueError, TypeError)):
            env.step(wrong)
    for wrong in [{"num_envs": 0}, {"num_envs": 4, "threads": 0}, {"num_envs": -1}, {"num_envs": 1 << 40},
                  {"num_envs": 4, "reward": (np.nan, 1)}, {"num_envs": 4, "reward": (0, np.inf)}, {"num_envs": 4, "max_steps": 0}]:
        with pytest.raises((ValueError, OverflowError)):
            game.vector(**wrong)
    for name in ["observation", "mask", "turn", "autoreset", "illegal"]:
        with pytest.raises(ValueError, match=f"{name} is one of"):
            game.vector(4, **{name: "nothing"})
    with pytest.raises(ValueError):
        env.sample(np.full(env.num_actions, np.nan))
    for scores in [np.zeros(3), np.zeros(()), np.zeros((env.num_actions, 4)), np.zeros(4 * env.num_actions)]:
        with pytest.raises(ValueError, match="are needed"):
            env.sample(scores, epsilon=0.1)
    for scores in [np.zeros(env.num_actions, complex), [None] * env.num_actions, object()]:
        with pytest.raises(TypeError):
            env.rollout(2, scores)
    for rows in [np.zeros((3, 2), np.uint64), env.states.T.copy(), env.states.reshape(-1)]:
        with pytest.raises(ValueError, match="states have the shape"):
            env.states = rows
    for spec in ["mcts,threads=0", "mcts,threads=1000000000", "mcts,nodes=-1", "mcts,nodes=1e9"]:
        with pytest.raises(ValueError, match="is a number"):
            game.player(spec)
    # Memory for so many nodes is not there; the search has fewer then.
    assert game.player("mcts,nodes=4000000000").think(game.initial(), iterations=50).best in game.initial().legal("white")
    with pytest.raises(ValueError):
        env.reset(mask=np.zeros(3, bool))
    env.step(np.arange(4)[::-1])
    env.step(np.arange(4, dtype=np.int64))
    env.close()
    for use in [env.step, env.reset, env.sample, lambda: env.states, lambda: env.rollout(3)]:
        with pytest.raises(RuntimeError, match="closed"):
            use()


@pytest.mark.parametrize("engine, lanes", [("sliced", 4096), ("interp", 30)])
def test_one_environment_serves_one_thread_at_a_time(engine, lanes):
    env = ludex.load("connectfour").vector(lanes, engine=engine, record=True)
    seen = []

    def use():
        for _ in range(200 if engine == "sliced" else 20):
            try:
                env.step()
            except Exception as error:
                seen.append(f"{type(error).__name__}: {error}")

    threads = [threading.Thread(target=use) for _ in range(3)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert all(text == "RuntimeError: the environment is at work in another thread" for text in seen), seen
    env.step()


def test_random_calls_never_crash():
    draw = random.Random(5)
    game = ludex.load("tictactoe")
    for _ in range(60):
        env = game.vector(draw.randint(1, 600), turn=draw.choice(["mover", "all"]), illegal="loss",
                          observation=draw.choice(["planes", "facts", "packed", None]),
                          autoreset=draw.choice(["next", "same", "off"]), threads=draw.randint(1, 3))
        for _ in range(draw.randint(1, 12)):
            shape = (env.num_envs, 2) if env.at_once else (env.num_envs,)
            kind = draw.randint(0, 3)
            try:
                if kind == 0:
                    env.step(np.random.default_rng(1).integers(-5, 15, shape))
                elif kind == 1:
                    # Mostly no states of the game: several players may have a choice in them.
                    bits = np.random.default_rng(2).integers(0, 1 << 63, env.states.shape)
                    env.states = bits.astype(np.uint64)
                elif kind == 2:
                    env.step(env.sample())
                else:
                    env.reset(seed=draw.randint(0, 9))
            except ludex.LudexError as error:
                assert "same time" in str(error)
        assert set(np.unique(env.observation)) <= set(range(256))


def test_many_resets_leak_nothing():
    import resource

    env = ludex.load("tictactoe").vector(64)
    for _ in range(200):
        env.reset()
        env.step()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(1_000_000 if os.environ.get("LUDEX_LONG") else 20_000):
        env.reset()
        env.step()
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000


def test_a_policy_without_scores_is_an_error():
    with pytest.raises(ValueError, match="are needed"):
        ludex.load("nim").vector(3).sample(np.zeros(0))
