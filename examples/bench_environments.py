"""Steps a CPU second of vector environments in random play: Ludex, and Pgx and OpenSpiel where they are installed.

    python examples/bench_environments.py --others --threads 2        # the games that come with Ludex, as a table
    python examples/bench_environments.py --seconds 3 tictactoe mygame.kif

Millions a CPU second, one core, 1,024 environments. `packed`, `bytes` and `planes` are steps of drawn moves with mask and
observation out, `sampled` those whose moves came to Python and back, packed. `rollout` returns neither, and stands beside
`ludex bench --engine sliced` of the program, if that is found (--program). `threads of N` is how much faster packed steps of
N environments are, by the clock, on so many threads. OpenSpiel steps in a Python loop, without
observations; Pgx is compiled by JAX for the CPU.
"""

import argparse
import json
import statistics
import subprocess
import time

import ludex

GAMES = ["tictactoe", "connectfour", "reversi", "breakthrough", "hex", "checkers", "chess"]
PGX = {"tictactoe": "tic_tac_toe", "connectfour": "connect_four", "reversi": "othello", "hex": "hex", "chess": "chess"}
SPIEL = {
    "tictactoe": "tic_tac_toe",
    "connectfour": "connect_four",
    "reversi": "othello",
    "breakthrough": "breakthrough",
    "hex": "hex(board_size=9)",
    "checkers": "checkers",
    "chess": "chess",
}


def rate(step, transitions, seconds):
    """Transitions of `step` a CPU second; the best of three, so that other programs matter less."""
    step()
    best = 0.0
    for _ in range(3):
        count, start = 0, time.process_time()
        while time.process_time() - start < seconds / 3:
            step()
            count += 1
        best = max(best, count * transitions / (time.process_time() - start))
    return best


def ours(game, envs, seconds, threads):
    found = {}
    for name, options in {
        "packed": dict(observation="packed", mask="packed"),
        "bytes": dict(observation="facts", mask="bytes"),
        "planes": dict(observation="planes", mask="bytes"),
    }.items():
        env = game.vector(envs, seed=1, autoreset="same", **options)
        found[name] = rate(env.step, envs, seconds)
    env = game.vector(envs, seed=1, autoreset="same", observation="packed", mask="packed")
    found["sampled"] = rate(lambda: env.step(env.sample()), envs, seconds)
    env = game.vector(envs, seed=1, observation=None, mask=None)
    each = [env.rollout(100)["transitions"] for _ in range(3)][-1]
    found["rollout"] = rate(lambda: env.rollout(100), each, seconds)
    for count in (envs, 4 * envs, 64 * envs) if threads > 1 else ():
        found[f"threads of {count:,}"] = gain(game, count, seconds, threads)
    return found


def gain(game, envs, seconds, threads):
    """How much faster packed steps are by the clock. One thread and more take turns, so that other programs matter less."""
    options = dict(autoreset="same", observation="packed", mask="packed")
    turns = [(game.vector(envs, threads=some, **options), []) for some in (1, threads)]
    for _ in range(25):
        for env, rates in turns:
            env.step()
            start, count = time.monotonic(), 0
            while time.monotonic() - start < seconds / 50:
                env.step()
                count += 1
            rates.append(count / (time.monotonic() - start))
    alone, together = (statistics.median(rates) for _, rates in turns)
    return together / alone


def pgx(name, envs, seconds):
    try:
        import jax
        import pgx as library
    except ImportError:
        return None
    env = library.make(PGX[name])
    step, init = jax.vmap(env.step), jax.jit(jax.vmap(env.init))

    def one(state, key):
        key, own = jax.random.split(key)
        scores = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        state = step(state, jax.random.categorical(own, scores, axis=1))
        fresh = jax.vmap(env.init)(jax.random.split(key, envs))
        over = state.terminated | state.truncated
        pick = lambda a, b: jax.numpy.where(over.reshape(over.shape + (1,) * (a.ndim - 1)), a, b)
        return jax.tree_util.tree_map(pick, fresh, state), key

    run = jax.jit(one)
    holder = [init(jax.random.split(jax.random.PRNGKey(0), envs)), jax.random.PRNGKey(1)]

    def advance():
        holder[:] = run(*holder)
        holder[0].observation.block_until_ready()

    return rate(advance, envs, seconds)


def openspiel(name, seconds):
    try:
        import pyspiel
    except ImportError:
        return None
    import random

    game = pyspiel.load_game(SPIEL[name])
    holder = [game.new_initial_state()]

    def advance():
        state = holder[0]
        for _ in range(100):
            if state.is_terminal():
                state = game.new_initial_state()
            state.apply_action(random.choice(state.legal_actions()))
        holder[0] = state

    return rate(advance, 100, seconds)


def sliced(program, game, seconds):
    command = [program, "bench", game, "--engine", "sliced", "--json", "--seconds", str(seconds)]
    try:
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None
    return json.loads(told.splitlines()[0])["transitions_per_cpu_second"]


def table(rows):
    """The rows as a table of millions; ratios as they are."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    yield "| " + " | ".join(names) + " |"
    yield "|" + "---|" * len(names)
    for row in rows:
        yield "| " + " | ".join(told(name, row.get(name)) for name in names) + " |"


def told(name, value):
    if value is None:
        return "–"
    if name == "game":
        return value
    if name.startswith("threads"):
        return f"{value:.2f}x"
    return f"{value / 1e6:,.3g}" if value < 1e9 else f"{value / 1e6:,.0f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--envs", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--program", default="ludex")
    parser.add_argument("--others", action="store_true", help="Pgx and OpenSpiel, too")
    parser.add_argument("--json", action="store_true", help="one object a line instead of a table")
    args = parser.parse_args()
    rows = []
    for name in args.games:
        game = ludex.load(name)
        row = {"game": game.name}
        if args.others:
            row["openspiel"] = openspiel(name, args.seconds) if name in SPIEL else None
            row["pgx"] = pgx(name, args.envs, args.seconds) if name in PGX else None
        row |= ours(game, args.envs, args.seconds, args.threads)
        row["bench"] = sliced(args.program, name, args.seconds)
        rows.append(row)
        if args.json:
            print(json.dumps(row), flush=True)
    if not args.json:
        print("\n".join(table(rows)))


if __name__ == "__main__":
    main()
