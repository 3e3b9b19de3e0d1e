"""Answers: plain data that can be read by key or attribute and print themselves for people."""

from __future__ import annotations

import json
from typing import Any, Iterator


class Answer:
    """What was found out about a game.

    Plain data as `docs/json.md` describes it, by key (`answer["values"]`) or attribute (`answer.values`), at every depth.
    `str()` is the text for people; `complete` says whether nothing is missing, `stopped_by` what cut it short.
    """

    __slots__ = ("_data", "_text")

    def __init__(self, data: dict, text: str = ""):
        object.__setattr__(self, "_data", data)
        object.__setattr__(self, "_text", text)

    def __getitem__(self, key: str) -> Any:
        return _wrap(self._data[key])

    def __getattr__(self, key: str) -> Any:
        try:
            return self[key]
        except KeyError:
            raise AttributeError(f"this answer has no {key}; it has {', '.join(self._data)}") from None

    def __setattr__(self, key: str, value: Any) -> None:
        raise AttributeError("answers do not change")

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def __contains__(self, key: object) -> bool:
        return key in self._data

    def __eq__(self, other: object) -> bool:
        return self._data == (other._data if isinstance(other, Answer) else other)

    __hash__ = None

    def __dir__(self):
        return [*super().__dir__(), *self._data]

    def __str__(self) -> str:
        return self._text or json.dumps(self._data)

    def __repr__(self) -> str:
        return f"<ludex.Answer {', '.join(self._data)}>"

    def __reduce__(self):
        return Answer, (self._data, self._text)

    def to_dict(self) -> dict:
        """The same as plain dicts and lists."""
        return json.loads(json.dumps(self._data))


def _wrap(value: Any) -> Any:
    if isinstance(value, dict):
        return Answer(value)
    if isinstance(value, list):
        return [_wrap(item) for item in value]
    return value


def read(text: str, shown: str) -> Answer:
    return Answer(json.loads(text), shown)
