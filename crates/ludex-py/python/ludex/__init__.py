"""Ludex: games in the Game Description Language, analysed, played, solved, and run by the thousand for learning.

>>> import ludex
>>> game = ludex.load("tictactoe")
>>> game.roles
['white', 'black']
>>> position = game.initial().play("mark 2 2")
>>> position.legal("black")[:2]
['(mark 1 1)', '(mark 1 2)']
>>> game.solve().values["white"]
50
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._ludex import (
    Game,
    LudexError,
    MoveError,
    Player,
    Position,
    RulesError,
    StoppedError,
    Thought,
    Vector,
    bundled,
)
from ._ludex import load as _load
from .answers import Answer

if TYPE_CHECKING:  # Else they are imported when they are asked for: most who load a game spread no work.
    from .spread import answer, map, selfplay, tournament

__all__ = [
    "Answer",
    "Game",
    "LudexError",
    "MoveError",
    "Player",
    "Position",
    "RulesError",
    "StoppedError",
    "Thought",
    "Vector",
    "answer",
    "bundled",
    "load",
    "map",
    "selfplay",
    "tournament",
]


def load(game, name: str | None = None) -> Game:
    """A game: the name of a bundled one, a path to a file, or the rules as text.

    Raises `RulesError` with `complaints` where the rules are wrong, `OSError` where there is no such file.

    >>> load("connectfour").name
    'connectfour'
    >>> load("(role you) (init off)")
    Traceback (most recent call last):
    ...
    ludex.RulesError: ...
    """
    import os

    if isinstance(game, Game):
        return game
    path = os.fsdecode(game)
    try:
        return _load(path, name)
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, _not_found(path), path) from None


def _not_found(name: str) -> str:
    import difflib

    near = difflib.get_close_matches(name.lower(), bundled())
    hint = f"bundled games with a name like it: {', '.join(near)}" if near else "ludex.bundled() lists the bundled games"
    return f"no file and no bundled game is called this; {hint}"


def _game(text: str, name: str) -> Game:
    return _load(text if "\n" in text or "(" in text else text + "\n", name)


def _position(game: Game, moves) -> Position:
    position = game.initial()
    for joint in moves:
        position = position.play(*joint)
    return position


def __getattr__(name: str):
    if name in ("map", "tournament", "selfplay", "answer"):
        from . import spread

        return getattr(spread, name)
    raise AttributeError(f"module ludex has no attribute {name}")
