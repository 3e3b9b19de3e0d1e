"""What the compiled module has; its docstrings say what each does."""

from typing import Any, Literal, Optional, Union, final

import numpy as np
import numpy.typing as npt

from .answers import Answer

__all__ = [
    "Game", "LudexError", "MoveError", "Player", "Position", "RulesError", "StoppedError", "Thought", "Vector", "bundled",
    "load",
]

class LudexError(Exception): ...

class RulesError(LudexError):
    complaints: list[dict[str, Any]]

class MoveError(LudexError): ...
class StoppedError(LudexError): ...

_Role = Union[str, int]

def bundled() -> list[str]: ...
def load(game: str, name: Optional[str] = None) -> Game: ...

@final
class Thought:
    best: str
    value: Optional[float]
    proven: bool
    visits: int

@final
class Player:
    name: str
    def think(
        self,
        position: Position,
        time: float = 1.0,
        *,
        role: Optional[_Role] = None,
        iterations: Optional[int] = None,
    ) -> Thought: ...

@final
class Position:
    game: Game
    roles: list[str]
    facts: list[str]
    terminal: bool
    goals: dict[str, Optional[int]]
    to_move: list[str]
    moves: list[list[str]]
    def legal(self, role: Optional[_Role] = None) -> Any: ...
    def play(self, *moves: str, **by_role: str) -> Position: ...
    def svg(self) -> str: ...
    def _repr_svg_(self) -> str: ...
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, _memo: Any) -> Position: ...
    def __hash__(self) -> int: ...

@final
class Game:
    name: str
    hash: str
    text: str
    warnings: list[dict[str, Any]]
    roles: list[str]
    actions: dict[str, list[str]]
    facts: list[str]
    def rules(self, infix: bool = False) -> str: ...
    def initial(self, engine: Optional[Literal["interp", "scalar", "sliced"]] = None) -> Position: ...
    def check(
        self, *, simulate: int = 0, seed: int = 1, time: Optional[float] = None, memory: Optional[float] = None
    ) -> Answer: ...
    def boards(self, *, time: Optional[float] = 30.0, memory: Optional[float] = None) -> Answer: ...
    def latches(self, *, time: Optional[float] = 30.0, memory: Optional[float] = None) -> Answer: ...
    def symmetries(
        self, *, fix_roles: bool = False, time: Optional[float] = 30.0, memory: Optional[float] = None
    ) -> Answer: ...
    def factors(self, *, time: Optional[float] = 30.0, memory: Optional[float] = None) -> Answer: ...
    def prove(
        self, property: Optional[str] = None, *, time: Optional[float] = 30.0, memory: Optional[float] = None
    ) -> Answer: ...
    def solve(
        self,
        position: Optional[Position] = None,
        *,
        depth: Optional[int] = None,
        time: Optional[float] = 120.0,
        memory: Optional[float] = None,
    ) -> Answer: ...
    def player(self, spec: str = "mcts", **options: Any) -> Player: ...
    def planes(self, *, time: float = 10.0) -> dict[str, Any]: ...
    def vector(
        self,
        num_envs: int,
        *,
        seed: int = 0,
        threads: int = 1,
        observation: Optional[Literal["planes", "facts", "packed"]] = "planes",
        mask: Optional[Literal["bytes", "packed"]] = "bytes",
        turn: Literal["mover", "all"] = "mover",
        autoreset: Literal["next", "same", "off"] = "next",
        illegal: Literal["error", "loss"] = "error",
        reward: tuple[float, float] = (-1.0, 1.0),
        max_steps: Optional[int] = None,
        final_observation: bool = False,
        record: bool = False,
        board_time: float = 10.0,
        engine: Optional[Literal["sliced", "interp"]] = None,
        compile_time: float = 120.0,
        capacity: int = 4096,
    ) -> Vector: ...
    def augmentations(self, *, time: float = 30.0) -> list[dict[str, Any]]: ...
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: Any) -> Game: ...
    def __hash__(self) -> int: ...

@final
class Vector:
    num_envs: int
    num_actions: int
    players: list[str]
    roles: list[str]
    autoreset: str
    at_once: bool
    engine: str
    observation: npt.NDArray[np.uint8]
    legal_action_mask: npt.NDArray[Any]
    current_player: npt.NDArray[np.uint8]
    reward: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    states: npt.NDArray[np.uint64]
    def reset(
        self, *, seed: Optional[int] = None, mask: Optional[npt.NDArray[np.bool_]] = None
    ) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]: ...
    def step(
        self, actions: Optional[npt.ArrayLike] = None
    ) -> tuple[
        npt.NDArray[np.uint8],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]: ...
    def sample(
        self, policy: Union[None, str, npt.ArrayLike] = None, *, epsilon: Optional[float] = None
    ) -> npt.NDArray[np.int32]: ...
    def rollout(
        self, steps: int, policy: Union[None, str, npt.ArrayLike] = None, *, epsilon: Optional[float] = None
    ) -> dict[str, Any]: ...
    def close(self) -> None: ...
