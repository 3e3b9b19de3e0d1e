"""Work on many games, spread over processes or machines: `map`, `tournament`, `selfplay`.

An executor is None (here and now), "processes", "threads", "ray", "dask", or any `concurrent.futures.Executor`. A task is
a bundle of pieces of work. It carries the rules of its games, not paths. Every result is a line of JSON with the work, the
hash of the game and the seed as its key; with `out` the lines are kept in a file as they come, and a run that finds the
file goes on where it was: nothing is done or counted twice, and lines of other work stay as they are.

>>> import ludex
>>> games = [ludex.load(name) for name in ("tictactoe", "nim")]
>>> [row["result"] for row in ludex.map(number_of_facts, games)] == [len(game.facts) for game in games]
True
"""

from __future__ import annotations

import concurrent.futures as futures
import itertools
import json
import os
import queue
import re
import sys
import time
from typing import Any, Callable, Iterable, Iterator, Sequence


def number_of_facts(game, seed: int) -> int:
    """An example of work: a function of a game and a seed that returns plain data."""
    return len(game.facts)


class answer:
    """Work that asks a game one question: `answer("boards", time=5)`."""

    def __init__(self, question: str, **options):
        self.question, self.options = question, options

    def __call__(self, game, seed: int):
        return getattr(game, self.question)(**self.options).to_dict()

    def __repr__(self) -> str:
        return _call_text(self.question, self.options)


def _call_text(name: str, options: dict) -> str:
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in options.items())})"


def _told(work) -> str:
    """What results are kept under: a name, with what else is asked for where the work says so."""
    if hasattr(work, "__qualname__") or type(work).__repr__ is object.__repr__:
        return getattr(work, "__qualname__", type(work).__qualname__)
    # Where something lies in memory is another place the next time.
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(work))


def _bundle(work, told, pieces) -> list[str]:
    """Does some pieces of work, each a game's text and name, its key, and a seed."""
    import ludex

    lines: list[str] = []
    known: dict[str, Any] = {}
    for text, name, key, seed in pieces:
        game = known.get(text) or known.setdefault(text, ludex._game(text, name))
        start = time.process_time()
        row = {"work": told, "key": key, "game": name, "seed": seed}
        try:
            row["result"] = work(game, seed)
        except ludex.LudexError as error:
            row["error"] = f"{type(error).__name__}: {error}"
        row["cpu_seconds"] = round(time.process_time() - start, 6)
        lines.append(json.dumps(row))
    return lines


class Checkpoint:
    """The lines of a run, kept in a file; those of an earlier run of the same work are there again."""

    def __init__(self, path: str | os.PathLike | None, work: str = ""):
        self.rows: dict[tuple[str, int], dict] = {}
        self.work = work
        self.file = None
        if path is None:
            return
        whole = 0
        if os.path.exists(path):
            with open(path, "rb") as file:
                for line in file:
                    # A driver that was killed may have left half a line.
                    if not line.endswith(b"\n"):
                        break
                    whole += len(line)
                    self._note(json.loads(line))
            os.truncate(path, whole)
        self.file = open(path, "a", encoding="utf-8")

    def _note(self, row: dict) -> bool:
        key = row["key"], row["seed"]
        new = key not in self.rows and row.get("work", "") == self.work
        if new:
            self.rows[key] = row
        return new

    def add(self, lines: Sequence[str]) -> None:
        fresh = [line for line in lines if self._note(json.loads(line))]
        if self.file and fresh:
            self.file.write("".join(line + "\n" for line in fresh))
            self.file.flush()

    def close(self) -> None:
        if self.file:
            self.file.close()


def map(
    work: Callable[[Any, int], Any],
    games: Iterable,
    *,
    seeds: Sequence[int] = (0,),
    executor=None,
    out: str | os.PathLike | None = None,
    bundle: int = 1,
    workers: int = 2,
    retries: int = 3,
    progress: bool | None = None,
) -> list[dict]:
    """Does `work(game, seed)` for every game and seed; returns a dict for each, in that order.

    A dict has `work` (its `repr`, or its name), `key` (hash of the game), `game`, `seed`, `cpu_seconds`, and `result`, or
    `error` where Ludex has none. Work of a worker that died is done again, at most `retries` times.
    """
    import ludex

    loaded = [ludex.load(game) for game in games]
    told = [(game.text, game.name, game.hash) for game in loaded]
    pieces = [(*game, seed) for game in told for seed in seeds]
    kept = Checkpoint(out, _told(work))
    try:
        left = [piece for piece in dict.fromkeys(pieces) if (piece[2], piece[3]) not in kept.rows]
        bundles = [left[k : k + bundle] for k in range(0, len(left), bundle)]
        bar = _Bar(len(pieces), len(pieces) - len(left), progress)
        for lines in _run(work, bundles, executor, workers, retries):
            kept.add(lines)
            bar.advance(len(lines))
        bar.close()
        return [kept.rows[piece[2], piece[3]] for piece in pieces]
    finally:
        kept.close()


def _run(work, bundles, executor, workers, retries) -> Iterator[list[str]]:
    if executor is None:
        yield from (_bundle(work, _told(work), bundle) for bundle in bundles)
        return
    for _ in range(retries + 1):
        pool, own = _executor(executor, workers)
        failed: list = []
        try:
            yield from _hand_out(pool, work, bundles, failed)
        finally:
            if own:
                pool.shutdown(wait=True, cancel_futures=True)
        if not failed:
            return
        bundles = failed
    raise RuntimeError(f"workers died {retries + 1} times at the same work, for instance {bundles[0][0][1]}")


# Bundles that are with the executor at a time: enough for some thousand workers, and few enough for a driver's memory.
WINDOW = 4096


def _hand_out(pool, work, bundles, failed: list) -> Iterator[list[str]]:
    """Results as they come; bundles whose worker died are noted as failed."""
    done: queue.SimpleQueue = queue.SimpleQueue()
    left, out = iter(bundles), 0
    while True:
        for bundle in itertools.islice(left, WINDOW - out):
            try:
                future = pool.submit(_bundle, work, _told(work), bundle)
            except futures.BrokenExecutor:
                failed += [bundle, *left]
                break
            future.add_done_callback(lambda future, bundle=bundle: done.put((future, bundle)))
            out += 1
        if not out:
            return
        future, bundle = done.get()
        out -= 1
        try:
            yield future.result()
        except _worker_died():
            failed.append(bundle)


def _worker_died() -> tuple[type[BaseException], ...]:
    died: list[type[BaseException]] = [futures.BrokenExecutor]
    if "ray" in sys.modules:
        import ray

        died.append(ray.exceptions.WorkerCrashedError)
    if "distributed" in sys.modules:
        import distributed

        died.append(distributed.scheduler.KilledWorker)
    return tuple(died)


class RayExecutor(futures.Executor):
    """Tasks of Ray as futures. Ray runs those of a dead worker again."""

    def __init__(self, **options):
        import ray

        if not ray.is_initialized():
            ray.init(log_to_driver=False, **options)
        self._ray = ray
        self._call = ray.remote(max_retries=3)(_call)

    def submit(self, function, /, *arguments, **named):
        return self._call.remote(function, arguments, named).future()


def _call(function, arguments, named):
    return function(*arguments, **named)


def _executor(wish, workers: int) -> tuple[futures.Executor, bool]:
    """An executor, and whether it is ours to end."""
    if isinstance(wish, futures.Executor):
        return wish, False
    if wish == "processes":
        import multiprocessing

        return futures.ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")), True
    if wish == "threads":
        return futures.ThreadPoolExecutor(workers), True
    if wish == "ray":
        return RayExecutor(), False
    if wish == "dask":
        import distributed

        return distributed.get_client().get_executor(retries=3), False
    raise ValueError(f"executor is None, processes, threads, ray, dask or an Executor, not {wish!r}")


class _Bar:
    """A line of progress on a terminal, and none elsewhere."""

    def __init__(self, total: int, done: int, wanted: bool | None):
        self.total, self.done, self.start, self.first = total, done, time.monotonic(), done
        self.shown = sys.stderr.isatty() if wanted is None else wanted
        self.last = 0.0

    def advance(self, count: int) -> None:
        self.done += count
        now = time.monotonic()
        if self.shown and (now - self.last > 0.2 or self.done == self.total):
            self.last = now
            rate = (self.done - self.first) / max(now - self.start, 1e-9)
            left = (self.total - self.done) / rate if rate else 0
            sys.stderr.write(f"\r{self.done}/{self.total} ({rate:.1f} a second, {left:.0f} s left) ")
            sys.stderr.flush()

    def close(self) -> None:
        if self.shown:
            sys.stderr.write("\n")


class _Matches:
    """Work that plays one match; the seed says who sits where."""

    def __init__(self, players, iterations, time, bound):
        self.players, self.iterations, self.time, self.bound = list(players), iterations, time, bound

    def __repr__(self) -> str:
        effort = {"iterations": self.iterations} if self.iterations else {"time": self.time}
        return _call_text("match", {"players": self.players, **effort, "bound": self.bound})

    def seats(self, roles: int, seed: int) -> list[int]:
        every = list(itertools.permutations(range(len(self.players)), roles))
        every = every or [tuple(k % len(self.players) for k in range(roles))]
        return list(every[seed % len(every)])

    def __call__(self, game, seed: int) -> dict:
        position = game.initial()
        roles = [role for role in game.roles if role.lower() != "random"]
        seats = dict(zip(roles, self.seats(len(roles), seed)))
        chance = game.player("random", seed=seed)
        players = {role: game.player(self.players[k], seed=seed + 1) for role, k in seats.items()}
        steps = 0
        while not position.terminal and steps < self.bound:
            moves = {}
            for role in game.roles:
                legal = position.legal(role)
                if len(legal) < 2:
                    moves[role] = legal[0]
                else:
                    player = players.get(role, chance)
                    effort = {"iterations": self.iterations} if self.iterations else {"time": self.time}
                    moves[role] = player.think(position, role=role, **effort).best
            position = position.play(*(moves[role] for role in game.roles))
            steps += 1
        goals = position.goals if position.terminal else dict.fromkeys(game.roles)
        return {
            "seats": {role: self.players[k] for role, k in seats.items()},
            "goals": {role: goals[role] for role in roles},
            "steps": steps,
        }


def tournament(
    players: Sequence[str],
    games: Iterable,
    *,
    matches: int = 10,
    iterations: int | None = 200,
    time: float = 0.1,
    bound: int = 500,
    first_seed: int = 0,
    **options,
) -> dict:
    """Players against each other in games; every order of seats comes in turn.

    Players are descriptions as of `game.player`. A move has so many iterations, or with `iterations=None` so many seconds.
    Other options are those of `map`. Returns `standings` (by player: matches, mean goal) and `matches`, a row for each.

    >>> import ludex
    >>> table = ludex.tournament(["mcts", "random"], ["tictactoe"], matches=4, iterations=50)
    >>> table["standings"]["mcts"]["goal"] > table["standings"]["random"]["goal"]
    True
    """
    work = _Matches(players, iterations, time, bound)
    seeds = range(first_seed, first_seed + matches)
    rows = map(work, games, seeds=seeds, **options)
    sums: dict[str, list[float]] = {player: [] for player in players}
    for row in rows:
        result = row.get("result")
        if result:
            for role, player in result["seats"].items():
                sums[player].append(result["goals"][role] or 0)
    mean = lambda values: sum(values) / len(values) if values else None
    standings = {player: {"matches": len(values), "goal": mean(values)} for player, values in sums.items()}
    return {"standings": standings, "matches": rows}


def selfplay(player: str, games: Iterable, **options) -> list[dict]:
    """Matches of a player against itself: a row for each; options as of `tournament`."""
    return tournament([player], games, **options)["matches"]
