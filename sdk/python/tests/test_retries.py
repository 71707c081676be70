"""Retries, without a server."""

from __future__ import annotations

import httpx
import pytest
from retour_sdk import ApiError, Retour
from retour_sdk._request import segment
from retour_sdk._retries import RetryLimits, is_repeatable, pause_seconds

LIMITS = RetryLimits(3, 60.0)


def pause(status: int | None, retries: int = 0, **headers: str) -> float | None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    response = None if status is None else httpx.Response(status, headers=named)
    return pause_seconds(response, retries, LIMITS, lambda: 0.0)


def test_pauses_grow_and_vary_by_half() -> None:
    assert [pause(503, retries) for retries in range(4)] == [0.5, 1.0, 2.0, None]
    assert pause_seconds(None, 0, LIMITS, lambda: 1.0) == 0.25
    assert pause_seconds(None, 9, RetryLimits(10, 60.0), lambda: 0.0) == 8.0


def test_retry_after_decides_in_seconds_or_as_a_date() -> None:
    assert pause(429, retry_after="7") == 7.0
    assert pause(503, retry_after="Thu, 01 Jan 1970 00:00:00 GMT") == 0.0
    assert pause(429, retry_after="61") is None
    assert pause(503, retry_after="soon") == 0.5


def test_only_temporary_errors_are_retried() -> None:
    assert [pause(status) for status in (400, 401, 404, 409, 422, 500, 501)] == [None] * 7
    assert [pause(status) for status in (429, 502, 503, 504)] == [0.5] * 4


def test_post_and_patch_need_a_key() -> None:
    methods = ["GET", "PUT", "DELETE", "POST", "PATCH"]
    assert [is_repeatable(method, None) for method in methods] == [True, True, True, False, False]
    assert all(is_repeatable(method, "key") for method in methods)


def test_an_id_stays_one_part_of_a_path() -> None:
    assert segment("demo-1001/1?x") == "demo-1001%2F1%3Fx"
    for identifier in ("", ".", ".."):
        with pytest.raises(ValueError):
            segment(identifier)


@pytest.mark.parametrize("text", ["", "<h1>Bad gateway</h1>", "null", "[]", '{"error": "no"}', '{"error": {"code": 1}}'])
def test_errors_that_are_not_from_retour_have_no_code(text: str) -> None:
    error = ApiError(httpx.Response(502, text=text))
    assert (error.status, error.code, error.details, error.field("x")) == (502, None, [], None)


def test_an_address_has_a_scheme() -> None:
    with pytest.raises(ValueError):
        Retour("returns.example.com")
