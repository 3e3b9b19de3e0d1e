"""Learning a game from its rules alone, as AlphaZero does: search, play against oneself, learn, again.

    python examples/alphazero.py connectfour --minutes 5
    python examples/alphazero.py breakthrough --minutes 5 --model network --plot strength.svg

The model is linear in the facts of a position (and of the player to move), in NumPy, which needs nothing else, or a small
network in JAX (`pip install jax`). Every now and then its search plays against `uct`, and the strength is printed, with the
CPU time of learning that it took.
"""

import argparse
import time

import numpy as np

import ludex
from ludex.learn import Search


class Linear:
    """Scores of actions and a value from the facts, by player."""

    def __init__(self, facts, actions, players, rate=0.05):
        self.policy = np.zeros((players, facts + 1, actions), np.float32)
        self.value = np.zeros((players, facts + 1), np.float32)
        self.rate, self.squares = rate, {}

    def features(self, rows):
        return np.concatenate([rows, np.ones((len(rows), 1), rows.dtype)], axis=1).astype(np.float32)

    def evaluate(self, observation, mask, player):
        rows, scores = self.features(observation), np.zeros(mask.shape, np.float32)
        values = np.zeros(len(rows), np.float32)
        for p in np.unique(player):
            own = player == p
            scores[own] = rows[own] @ self.policy[p]
            values[own] = np.tanh(rows[own] @ self.value[p])
        return scores, values

    def learn(self, observation, mask, player, policy, outcome):
        """One step of AdaGrad; returns the loss."""
        rows, loss = self.features(observation), 0.0
        for p in np.unique(player):
            own = player == p
            x, legal = rows[own], mask[own]
            scores = np.where(legal, x @ self.policy[p], -np.inf)
            chance = np.exp(scores - scores.max(axis=1, keepdims=True))
            chance /= chance.sum(axis=1, keepdims=True)
            value = np.tanh(x @ self.value[p])
            self._descend(("policy", p), self.policy[p], x.T @ (chance - policy[own]) / len(x))
            error = value - outcome[own]
            self._descend(("value", p), self.value[p], x.T @ (error * (1 - value**2)) / len(x))
            told = np.where(legal, policy[own] * np.log(chance + 1e-9), 0)
            loss += float(-told.sum() + (error**2).sum())
        return loss / len(rows)

    def _descend(self, name, weights, slope):
        squares = self.squares.setdefault(name, np.full_like(weights, 1e-6))
        squares += slope**2
        weights -= self.rate * slope / np.sqrt(squares)


class Network:
    """The same from a network of two hidden layers, learned by Adam, in JAX."""

    def __init__(self, facts, actions, players, rate=0.002, hidden=128, seed=0):
        import jax

        self.jax, self.players, self.rate, self.time = jax, players, rate, 0
        sizes = {"in": (facts + players, hidden), "mid": (hidden, hidden), "policy": (hidden, actions), "value": (hidden, 1)}
        keys = jax.random.split(jax.random.PRNGKey(seed), len(sizes))
        scale = {"in": 2.0, "mid": 2.0, "policy": 0.01, "value": 0.01}
        self.weights = {}
        for key, (name, (rows, columns)) in zip(keys, sizes.items()):
            drawn = jax.random.normal(key, (rows, columns)) * (scale[name] / rows) ** 0.5
            self.weights[name] = drawn, jax.numpy.zeros(columns)
        self.moments = [jax.tree_util.tree_map(jax.numpy.zeros_like, self.weights) for _ in range(2)]
        self._run, self._step = jax.jit(self._answers), jax.jit(self._adam)

    def _answers(self, weights, observation, player):
        jnp = self.jax.numpy
        who = jnp.arange(self.players)[None, :] == player[:, None]
        layer = lambda name, x: x @ weights[name][0] + weights[name][1]
        x = jnp.concatenate([observation.astype(jnp.float32), who.astype(jnp.float32)], axis=1)
        x = self.jax.nn.relu(layer("in", x))
        x = x + self.jax.nn.relu(layer("mid", x))
        return layer("policy", x), jnp.tanh(layer("value", x)[:, 0])

    def _loss(self, weights, observation, mask, player, policy, outcome):
        jnp = self.jax.numpy
        scores, value = self._answers(weights, observation, player)
        told = self.jax.nn.log_softmax(jnp.where(mask, scores, -1e9))
        return jnp.mean(-(policy * jnp.where(mask, told, 0)).sum(axis=1) + (value - outcome) ** 2)

    def _adam(self, weights, first, second, time, *batch):
        jnp, tree = self.jax.numpy, self.jax.tree_util.tree_map
        loss, slope = self.jax.value_and_grad(self._loss)(weights, *batch)
        first = tree(lambda m, g: 0.9 * m + 0.1 * g, first, slope)
        second = tree(lambda m, g: 0.999 * m + 0.001 * g * g, second, slope)
        move = lambda w, m, v: w - self.rate * (m / (1 - 0.9**time)) / (jnp.sqrt(v / (1 - 0.999**time)) + 1e-8)
        return loss, tree(move, weights, first, second), first, second

    def evaluate(self, observation, mask, player):
        return tuple(map(np.asarray, self._run(self.weights, observation, player)))

    def learn(self, observation, mask, player, policy, outcome):
        self.time += 1
        batch = observation, mask, player, policy, outcome
        loss, self.weights, *self.moments = self._step(self.weights, *self.moments, float(self.time), *batch)
        return float(loss)


MODELS = {"linear": Linear, "network": Network}


class SelfPlay:
    """Matches of the model against itself, side by side; those that go on are gone on with in the next run."""

    def __init__(self, game, model, batch, simulations, seed):
        self.search = Search(game, batch, model.evaluate, simulations=simulations, observation="facts", seed=seed)
        self.env = game.vector(batch, seed=seed, autoreset="same", observation="facts")
        self.open = [[] for _ in range(batch)]
        self.places = {self.env.roles.index(role): k for k, role in enumerate(self.env.players)}

    def run(self, steps):
        """Positions of matches that ended, each with the policy of the search and how the match ended for its player."""
        env, done = self.env, []
        for _ in range(steps):
            found = self.search.run(env.states)
            seen, mask, player = env.observation.copy(), env.legal_action_mask.copy(), env.current_player.copy()
            _, reward, over, cut, _ = env.step(found.action)
            for lane, rows in enumerate(self.open):
                rows.append((seen[lane], mask[lane], player[lane], found.policy[lane]))
                if over[lane] or cut[lane]:
                    done += [(*row, reward[lane, self.places[int(row[2])]]) for row in rows]
                    rows.clear()
        return done


class Memory:
    """The last so many positions."""

    def __init__(self, facts, actions, size=100_000):
        shapes = {"seen": (facts, np.uint8), "mask": (actions, bool), "policy": (actions, np.float32)}
        self.rows = {name: np.zeros((size, width), kind) for name, (width, kind) in shapes.items()}
        self.rows |= {"player": np.zeros(size, np.uint8), "outcome": np.zeros(size, np.float32)}
        self.size, self.count = size, 0

    def add(self, positions):
        places = np.arange(self.count, self.count + len(positions)) % self.size
        for name, values in zip(("seen", "mask", "player", "policy", "outcome"), zip(*positions)):
            self.rows[name][places] = values
        self.count += len(positions)

    def draw(self, random, count):
        chosen = random.integers(min(self.count, self.size), size=count)
        return [self.rows[name][chosen] for name in ("seen", "mask", "player", "policy", "outcome")]


def mirrored(batch, symmetries, roles, random):
    """The same positions turned or mirrored: each symmetry is used or not, as chance has it."""
    seen, mask, player, policy, outcome = batch
    for symmetry in symmetries:
        if random.random() < 0.5:
            seen, mask, policy = seen[:, symmetry["facts"]], mask.copy(), policy.copy()
            for number, role in enumerate(roles):
                own, moves = player == number, symmetry["actions"][role]
                mask[own, : len(moves)] = mask[own][:, moves]
                policy[own, : len(moves)] = policy[own][:, moves]
    return seen, mask, player, policy, outcome


def strength(game, model, simulations, matches, seed, iterations):
    """The share of points of the model's search against `uct` with so many iterations a move."""
    env = game.vector(matches, autoreset="off", observation="facts")
    search = Search(game, matches, model.evaluate, simulations=simulations, observation="facts", temperature=0.0, seed=seed)
    # Both sides are deterministic: matches differ by the seed of uct.
    uct = [game.player("uct", seed=seed + 1 + lane) for lane in range(matches)]
    players = [env.roles.index(role) for role in env.players]
    ours = np.array([players[lane % len(players)] for lane in range(matches)])
    positions = [game.initial() for _ in range(matches)]
    points = np.zeros(matches)
    while not all(position.terminal for position in positions):
        found = search.run(env.states)
        actions = env.sample()
        for lane, position in enumerate(positions):
            if position.terminal:
                continue
            mover = int(env.current_player[lane])
            role = env.roles[mover]
            if mover == ours[lane]:
                actions[lane] = found.action[lane]
            elif len(position.legal(role)) > 1:
                text = uct[lane].think(position, role=role, iterations=iterations).best
                actions[lane] = game.actions[role].index(text)
            moves = {r: position.legal(r)[0] for r in env.roles}
            moves[role] = game.actions[role][actions[lane]]
            positions[lane] = position.play(*(moves[r] for r in env.roles))
        env.step(actions)
    for lane, position in enumerate(positions):
        points[lane] = (position.goals[env.roles[ours[lane]]] or 0) / 100
    return float(points.mean())


def train(game, minutes, *, kind="linear", batch=128, simulations=32, matches=20, iterations=100, seed=1, tell=print):
    """Learns for so many minutes; returns pairs of seconds of learning and strength. Seconds are those of the CPU."""
    env = game.vector(1, observation="facts")
    model = MODELS[kind](env.observation.shape[1], env.num_actions, len(env.roles))
    random = np.random.default_rng(seed)
    selfplay = SelfPlay(game, model, batch, simulations, seed)
    memory, symmetries = Memory(env.observation.shape[1], env.num_actions), game.augmentations(time=5)
    curve, learned, last = [], 0.0, -1e9
    while True:
        if learned - last >= minutes * 60 / 6 or learned >= minutes * 60:
            share = strength(game, model, simulations, matches, seed, iterations)
            curve.append((learned, share))
            tell(f"{learned:6.0f} s: {share:.2f} of the points against uct with {iterations} iterations")
            last = learned
            if learned >= minutes * 60:
                return model, curve
        start = time.process_time()
        memory.add(selfplay.run(8))
        for _ in range(16 if memory.count else 0):
            model.learn(*mirrored(memory.draw(random, 1024), symmetries, env.roles, random))
        learned += time.process_time() - start


def plot(curve, path, title):
    """The curve as a small SVG."""
    most = max(seconds for seconds, _ in curve) or 1
    across, up = (lambda seconds: 50 + 400 * seconds / most), (lambda share: 210 - 180 * share)
    line = " ".join(f"{across(seconds):.0f},{up(share):.0f}" for seconds, share in curve)
    dots = "".join(f'<circle cx="{across(seconds):.0f}" cy="{up(share):.0f}" r="3"/>' for seconds, share in curve)
    shares = "".join(f'<text x="44" y="{up(share) + 4:.0f}" text-anchor="end">{share:.2f}</text>' for share in (0, 0.25, 0.5, 0.75, 1))
    times = "".join(f'<text x="{across(s):.0f}" y="224" text-anchor="middle">{s:.0f}</text>' for s in (0, most / 4, most / 2, most * 0.75, most))
    with open(path, "w") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="480" height="250" font-family="sans-serif" font-size="11">'
            f'<rect width="100%" height="100%" fill="white"/><text x="50" y="18">{title}</text>{shares}{times}'
            f'<path d="M50 30V210H450" fill="none" stroke="gray"/><path d="M50 120H450" stroke="lightgray"/>'
            f'<g stroke="navy" fill="navy"><polyline points="{line}" fill="none" stroke-width="2"/>{dots}</g>'
            f'<text x="250" y="242" text-anchor="middle">CPU seconds of learning</text></svg>\n'
        )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", nargs="?", default="connectfour")
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--model", choices=MODELS, default="linear")
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--plot")
    args = parser.parse_args()
    game = ludex.load(args.game)
    tell = lambda text: print(text, flush=True)
    _, curve = train(game, args.minutes, tell=tell, kind=args.model, simulations=args.simulations, matches=args.matches, iterations=args.iterations)
    if args.plot:
        plot(curve, args.plot, f"{game.name}, {args.model}: share of points against uct, {args.iterations} iterations a move")


if __name__ == "__main__":
    main()
