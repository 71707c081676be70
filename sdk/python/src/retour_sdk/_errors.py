"""Errors that calls raise."""

from __future__ import annotations

from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import httpx

    from .types import ErrorBody, ErrorCode, FieldError


class RetourError(Exception):
    """Every error of this package."""


class WebhookVerificationError(RetourError):
    """The webhook is not from Retour, was changed on the way, or is more than five minutes old."""


class NetworkError(RetourError):
    """There is no complete answer: the connection failed or broke, or the answer took too long. ``__cause__`` has the reason."""


class ApiError(RetourError):
    """Retour, or a proxy in front of it, answered with an error."""

    status: int
    """The status of the answer."""
    code: ErrorCode | None
    """The error code. ``None`` if the answer is not from Retour. Later versions may add codes: handle a code that you do not know by its status."""
    details: list[FieldError]
    """The fields with wrong values; may be empty."""
    error: ErrorBody | None
    """The whole error; with the code ``DraftOutdated``, it has today's figures. ``None`` if the answer is not from Retour."""
    retry_after_seconds: float | None
    """The seconds of ``Retry-After``, if the answer has it."""
    request_id: str | None
    """The id of the request in the operator's log."""

    def __init__(self, response: httpx.Response) -> None:
        error = _parse(response)
        message = f"The answer has the status {response.status_code} and is not from Retour."
        super().__init__(error["message"] if error else message)
        self.status = response.status_code
        self.error = error
        self.code = error["code"] if error else None
        self.details = error.get("details", []) if error else []
        self.retry_after_seconds = retry_after_seconds(response)
        self.request_id = response.headers.get("x-request-id")

    def field(self, name: str) -> FieldError | None:
        """The error of one field of the body, such as ``selectedPurchases[0].quantity``."""
        return next((detail for detail in self.details if detail["field"] == name), None)


def retry_after_seconds(response: httpx.Response) -> float | None:
    """The seconds of ``Retry-After``, which is a number or a date."""
    text = response.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (date.replace(tzinfo=date.tzinfo or timezone.utc) - datetime.now(timezone.utc)).total_seconds())


def _parse(response: httpx.Response) -> ErrorBody | None:
    try:
        body = response.json()
    except ValueError:
        return None
    error = body.get("error") if isinstance(body, dict) else None
    is_ours = isinstance(error, dict) and isinstance(error.get("code"), str) and isinstance(error.get("message"), str)
    return cast("ErrorBody", error) if is_ours else None
