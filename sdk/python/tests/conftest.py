"""The server and the proxy that world.mjs started."""

from __future__ import annotations

import itertools
import json
import os
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypedDict, cast

import pytest
from retour_sdk import Retour

_names = itertools.count()


class Seen(TypedDict):
    """A request that the proxy of faults.mjs has seen."""

    method: str
    path: str
    key: str | None
    tooEarly: bool


@dataclass
class Failing:
    """The address of a server whose first requests fail by a script."""

    url: str
    name: str

    def seen(self) -> list[Seen]:
        """The requests that came."""
        with urllib.request.urlopen(f"{os.environ['RETOUR_FAULTS']}/seen/{self.name}") as answer:
            return cast("list[Seen]", json.load(answer))

    def client(self, **settings: Any) -> Retour:
        """A client of that server."""
        return Retour(self.url, os.environ["RETOUR_KEY"], **settings)


@pytest.fixture
def url() -> str:
    """The address of the demo shop."""
    return os.environ["RETOUR_URL"]


@pytest.fixture
def key() -> str:
    """A key of the demo shop with all scopes."""
    return os.environ["RETOUR_KEY"]


@pytest.fixture
def retour(url: str, key: str) -> Iterator[Retour]:
    """A client of the demo shop."""
    with Retour(url, key) as client:
        yield client


@pytest.fixture
def failing() -> Callable[[str], Failing]:
    """Makes a server that fails by a script: `429,break`."""

    def make(script: str) -> Failing:
        name = f"py-{next(_names)}"
        return Failing(f"{os.environ['RETOUR_FAULTS']}/faults/{script}/{name}", name)

    return make
