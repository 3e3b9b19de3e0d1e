"""What spreading work costs, measured here, and where it stops scaling, simulated from that.

    python examples/scale.py measure [--executor processes|ray|dask]     # prints one JSON object
    python examples/scale.py simulate measured.json                      # tables of workers, bundles and checkpoints
"""

import argparse
import contextlib
import heapq
import json
import os
import tempfile
import time

import ludex
from ludex import spread


def nothing(game, seed):
    """Work that costs nothing: what is measured is the way to the worker and back."""
    return {"seats": {"white": "mcts", "black": "uct"}, "goals": {"white": 100, "black": 0}, "steps": seed % 50}


@contextlib.contextmanager
def two_workers(executor):
    """An executor with two workers on this machine, which have begun to work; None for work here and now."""
    with contextlib.ExitStack() as stack:
        if executor == "dask":
            import distributed

            cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
            stack.enter_context(distributed.Client(stack.enter_context(cluster)))
        elif executor == "ray":
            import ray

            ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
            stack.callback(ray.shutdown)
        pool, own = (None, False) if executor is None else spread._executor(executor, 2)
        if own:
            stack.callback(pool.shutdown)
        if pool:
            list(pool.map(len, [[]] * 4))
        yield pool


def measure(executor, tasks=2000):
    with two_workers(executor) as pool:
        return measured_with(pool, executor, tasks)


def measured_with(pool, executor, tasks):
    game = ludex.load("connectfour")
    found = {"executor": executor or "none"}
    for bundle in (1, 10, 100):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "rows.jsonl")
            start, cpu = time.monotonic(), time.process_time()
            spread.map(nothing, [game], seeds=range(tasks), executor=pool, out=out, bundle=bundle, progress=False)
            seconds, own_cpu = time.monotonic() - start, time.process_time() - cpu
            found[f"bundle_{bundle}"] = {
                "pieces_a_second": tasks / seconds,
                "driver_cpu_a_bundle": own_cpu / (tasks / bundle),
                "bytes_a_result": os.path.getsize(out) / tasks,
            }
    start = time.process_time()
    matches = spread.tournament(["mcts", "uct"], ["connectfour"], matches=4, iterations=200)["matches"]
    found["cpu_a_match"] = (time.process_time() - start) / len(matches)
    # The driver's cost of a bundle is a fixed part and one for each piece.
    one, many = (found[f"bundle_{b}"]["driver_cpu_a_bundle"] for b in (1, 100))
    found["driver_a_piece"] = max((many - one) / 99, 0.0)
    found["driver_a_bundle"] = max(one - found["driver_a_piece"], 0.0)
    found["checkpoints"] = {bundle: checkpoints(bundle) for bundle in (1, 10, 100)}
    return found


def checkpoints(bundle, times=200):
    """Seconds of the driver for a bundle of results: noted only, written to a file, and forced onto the disk."""
    rows = [[{"key": "0" * 16, "game": "connectfour", "seed": k * bundle + j, "result": nothing(None, j)} for j in range(bundle)]
            for k in range(times)]
    told = [[json.dumps(row) for row in some] for some in rows]
    found = {}
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for name in ("noted", "written", "forced"):
            kept = spread.Checkpoint(None if name == "noted" else os.path.join(folder, name))
            start = time.monotonic()
            for lines in told:
                kept.add(lines)
                if name == "forced":
                    os.fsync(kept.file.fileno())
            found[name] = (time.monotonic() - start) / times
            kept.close()
    return found


def simulate(workers, pieces, bundle, piece_seconds, driver_bundle, driver_piece, latency=0.0):
    """Seconds until all is done: every worker has one bundle, the driver hands out and takes in one after the other, and
    a bundle and its results are so long on their way."""
    bundles = -(-pieces // bundle)
    cost, work = driver_bundle + driver_piece * bundle, piece_seconds * bundle + latency
    driver, given, working = 0.0, 0, []
    while working or given < bundles:
        if given < bundles and len(working) < workers:
            driver += cost / 2
            heapq.heappush(working, driver + work)
            given += 1
        else:
            driver = max(driver, heapq.heappop(working)) + cost / 2
    return driver


def kinds(measured):
    return [("matches", 1_000_000, measured["cpu_a_match"]), ("games analysed", 100_000, 5.0)]


def table(measured, latency=0.001):
    costs = measured["driver_a_bundle"], measured["driver_a_piece"]
    print("| work | bundle | workers | hours | of the best possible | driver is full at |")
    print("|---|---|---|---|---|---|")
    for name, pieces, seconds in kinds(measured):
        for bundle in (1, 10, 100):
            # Of so many bundles a part is enough: what happens at the end is small beside it.
            share = max(1, pieces // bundle // 100_000)
            full = (seconds * bundle + latency) / (costs[0] + costs[1] * bundle)
            for workers in (10, 100, 1000):
                took = simulate(workers, pieces // share, bundle, seconds, *costs, latency) * share
                best = pieces * seconds / workers
                print(f"| {pieces:,} {name} | {bundle} | {workers} | {took / 3600:.3g} | {min(best / took, 1):.0%} | {full:,.0f} workers |")


def checkpoint_table(measured, latency=0.001):
    """How the way in which results are kept moves the point at which the driver is full."""
    if "checkpoints" not in measured:
        return
    print("| work | bundle | noted only | written | forced onto the disk |")
    print("|---|---|---|---|---|")
    for name, pieces, seconds in kinds(measured):
        for bundle, found in measured["checkpoints"].items():
            size = int(bundle)
            rest = measured["driver_a_bundle"] + measured["driver_a_piece"] * size - found["written"]
            full = [(seconds * size + latency) / (max(rest, 0) + cost) for cost in found.values()]
            print(f"| {pieces:,} {name} | {bundle} | " + " | ".join(f"{count:,.0f} workers" for count in full) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["measure", "simulate"])
    parser.add_argument("file", nargs="?")
    parser.add_argument("--executor")
    args = parser.parse_args()
    if args.what == "measure":
        print(json.dumps(measure(args.executor)))
    else:
        with open(args.file) as file:
            measured = json.load(file)
        table(measured)
        print()
        checkpoint_table(measured)


if __name__ == "__main__":
    main()
