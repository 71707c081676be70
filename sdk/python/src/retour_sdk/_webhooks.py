"""Webhooks: events that Retour sends to a subscriber."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from standardwebhooks import Webhook
from standardwebhooks import WebhookVerificationError as StandardError

from ._errors import WebhookVerificationError

if TYPE_CHECKING:
    from .types import WebhookEvent


def verify_webhook(secret: str, body: bytes | str, headers: Mapping[str, str]) -> WebhookEvent:
    """Verifies a webhook and reads its event.

    `secret`: the secret of the subscription, `whsec_…`.

    `body`: the bytes as received. JSON that was parsed and serialized again has another signature.

    `headers`: the headers of the request.

    Raises `WebhookVerificationError`.
    """
    webhook = Webhook(secret)
    try:
        event = webhook.verify(body, {name.lower(): value for name, value in headers.items()})
    except (StandardError, ValueError) as error:
        raise WebhookVerificationError(str(error)) from error
    return cast("WebhookEvent", event)
