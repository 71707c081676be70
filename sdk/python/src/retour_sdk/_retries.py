"""The rules of retries."""

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
    """The limits of retries."""

    max_retries: int
    """The maximum number of retries of a call."""
    max_retry_after_seconds: float
    """The longest ``Retry-After`` that the client waits for. With a longer one, the call fails at once."""


def is_repeatable(method: str, key: str | None) -> bool:
    """Whether a request is idempotent, by its method or its ``Idempotency-Key``."""
    return method in {"GET", "PUT", "DELETE"} or key is not None


def pause_seconds(
    response: httpx.Response | None, retries: int, limits: RetryLimits, uniform: Callable[[], float] = random.random
) -> float | None:
    """The seconds to wait before the next attempt; ``None`` if there is none.

    ``response`` is ``None`` if the connection broke. ``retries`` is the number of retries so far.
    """
    if retries >= limits.max_retries:
        return None
    if response is not None and response.status_code not in _STATUSES:
        return None
    asked = retry_after_seconds(response) if response is not None else None
    if asked is not None:
        return asked if asked <= limits.max_retry_after_seconds else None
    # Jitter: between half and all of the pause, so that clients that failed together do not retry together.
    return float(min(_FIRST_PAUSE_SECONDS * 2**retries, _LONGEST_PAUSE_SECONDS)) * (1 - uniform() / 2)
