"""When a request is sent again."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._errors import retry_after_seconds

if TYPE_CHECKING:
    from collections.abc import Callable

    import httpx

_STATUSES = frozenset({429, 502, 503, 504})
_FIRST_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 8.0


@dataclass(frozen=True)
class RetryLimits:
    """How often and how long a call waits before it is sent again."""

    max_retries: int
    """How many times a call is sent again."""
    max_retry_after_seconds: float
    """A longer ``Retry-After`` is not waited for: the call fails at once."""


def is_repeatable(method: str, key: str | None) -> bool:
    """Whether a request may be sent twice: its method says so, or its ``Idempotency-Key``."""
    return method in {"GET", "PUT", "DELETE"} or key is not None


def pause_seconds(
    response: httpx.Response | None, retries: int, limits: RetryLimits, uniform: Callable[[], float] = random.random
) -> float | None:
    """The seconds to wait before the next attempt; ``None`` where there is none.

    ``response`` is ``None`` where the connection broke. ``retries`` is how many times the request was sent again.
    """
    if retries >= limits.max_retries:
        return None
    if response is not None and response.status_code not in _STATUSES:
        return None
    asked = retry_after_seconds(response) if response is not None else None
    if asked is not None:
        return asked if asked <= limits.max_retry_after_seconds else None
    # Between half and all of it, so that clients that failed together do not come back together.
    return float(min(_FIRST_PAUSE_SECONDS * 2**retries, _LONGEST_PAUSE_SECONDS)) * (1 - uniform() / 2)
