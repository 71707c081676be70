"""A request of one operation, before it is sent."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, TypeAlias
from urllib.parse import quote

Upload: TypeAlias = bytes | IO[bytes]
"""The bytes of a file, or a file that is open for reading bytes."""


@dataclass(frozen=True)
class Request:
    """The request of one operation."""

    method: str
    path: str
    query: Mapping[str, object] = field(default_factory=dict)
    body: Mapping[str, object] | Upload | None = None
    content_type: str | None = None
    file_name: str | None = None
    answers_file: bool = False
    accept: str | None = None
    keyed: bool = False
    idempotency_key: str | None = None
    if_match: int | None = None
    timeout_seconds: float | None = None

    @property
    def file(self) -> Upload | None:
        """The body, if it is a file."""
        return None if isinstance(self.body, Mapping) else self.body

    @property
    def transfers_file(self) -> bool:
        """Whether the request or its answer is a file, which takes longer."""
        return self.answers_file or self.file is not None

    def parameters(self) -> list[tuple[str, str | int | float | bool | None]]:
        """The query: one pair for each value."""
        pairs: list[tuple[str, str | int | float | bool | None]] = []
        for name, value in self.query.items():
            values = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
            pairs += [(name, _text(one)) for one in values if one is not None]
        return pairs

    def headers(self, token: str | None) -> dict[str, str]:
        """The headers, with a new ``Idempotency-Key`` if the operation takes one and the caller gave none."""
        headers = {"Accept": self.accept or ("*/*" if self.answers_file else "application/json")}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if self.keyed:
            headers["Idempotency-Key"] = self.idempotency_key or str(uuid.uuid4())
        if self.if_match is not None:
            headers["If-Match"] = f'"{self.if_match}"'
        if self.file is not None and self.content_type is not None:
            headers["Content-Type"] = self.content_type
        if self.file_name is not None:
            headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(self.file_name, safe='')}"
        return headers


def segment(identifier: str) -> str:
    """A segment of a path. An empty one, ``.`` or ``..`` would lead to another operation."""
    if identifier in {"", ".", ".."}:
        raise ValueError(f'"{identifier}" is not an id.')
    return quote(identifier, safe="")


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
