"""A player over the protocol in all games of a folder: faults, how busy the start clock was, memory.

    python examples/protocol.py FOLDER RESULTS.jsonl --start-clock 5 --play-clock 1 --moves 15

Each game is a line of RESULTS.jsonl, written when it is over; games that have one are not played again. The player has
the first role, the others move at random. `--seconds` ends the run after the game in which so many are over.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time


class Player:
    """`ludex player` in a process of its own."""

    def __init__(self, program):
        command = [program, "player", "--port", "0", "--json"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.port = json.loads(self.process.stdout.readline())["port"]
        os.set_blocking(self.process.stderr.fileno(), False)

    def log(self):
        """The lines since the last time."""
        return (self.process.stderr.read() or "").splitlines()

    def peak(self):
        """Megabytes at the most."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) // 1000

    def end(self):
        self.process.terminate()
        self.process.wait()


def play(program, game, args):
    """One match: what `ludex match` and the log of the player say of it."""
    info = subprocess.run([program, "info", str(game), "--json"], capture_output=True, text=True)
    if info.returncode != 0:
        return {"left_out": "it cannot be read"}
    roles = [role for role in json.loads(info.stdout)["roles"] if role.lower() != "random"]
    if args.alone and len(roles) > 1:
        return {"left_out": "others play as well"}
    player = Player(program)
    try:
        players = [f"http://127.0.0.1:{player.port}"] + ["random"] * (len(roles) - 1)
        command = [program, "match", str(game), "--json", "--no-swap", "--bound", str(args.moves)]
        command += ["--start-clock", f"{args.start_clock}s", "--play-clock", f"{args.play_clock}s"]
        command += [word for name in players for word in ("--player", name)]
        done = subprocess.run(command, capture_output=True, text=True)
        record = json.loads(done.stdout)["records"][0]
        own = record["roles"].index(roles[0])
        errors = [record["startErrors"]] + record["errors"]
        ready = next((line for line in player.log() if "ready after" in line), "")
        clock = re.search(r"ready after ([\d.]+) s, ([\d.]+) CPU s", ready)
        return {
            "moves": len(record["moves"]),
            "faults": [joint[own] for joint in errors if joint[own]],
            "ended": record["isCompleted"],
            "goal": record["goalValues"][own] if record["goalValues"] else None,
            "ready_seconds": float(clock[1]) if clock else None,
            "ready_cpu_seconds": float(clock[2]) if clock else None,
            "megabytes": player.peak(),
        }
    finally:
        player.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--program", default="ludex")
    parser.add_argument("--start-clock", type=float, default=5)
    parser.add_argument("--play-clock", type=float, default=1)
    parser.add_argument("--moves", type=int, default=15)
    parser.add_argument("--alone", action="store_true", help="only games in which one role plays alone")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    args = parser.parse_args()
    known = {}
    if args.results.exists():
        known = {row["game"]: row for row in map(json.loads, args.results.read_text().splitlines())}
    games, begun = sorted(args.folder.rglob("*.kif")), time.monotonic()
    for game in games:
        name = str(game.relative_to(args.folder))
        if name in known or time.monotonic() - begun > args.seconds:
            continue
        row = {"game": name, **play(args.program, game, args)}
        known[name] = row
        with args.results.open("a") as results:
            results.write(json.dumps(row) + "\n")
        print(json.dumps(row), flush=True)
    played = [row for row in known.values() if "faults" in row]
    faulty = [row["game"] for row in played if row["faults"]]
    goals = [row["goal"] for row in played if row["goal"] is not None]
    print(f"{len(played)} of {len(games)} games, faults in {len(faulty)}: {', '.join(faulty) or 'none'}")
    print(f"{len(goals)} came to their end, with {sum(goals)} points in all")
    sys.exit(1 if faulty else 0)


if __name__ == "__main__":
    main()
