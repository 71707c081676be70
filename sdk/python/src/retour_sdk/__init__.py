"""A typed client of the Retour API."""

from . import types
from ._async_operations import AsyncRetour
from ._errors import ApiError, NetworkError, RetourError, WebhookVerificationError
from ._operations import Retour
from ._webhooks import verify_webhook

__all__ = [
    "ApiError",
    "AsyncRetour",
    "NetworkError",
    "Retour",
    "RetourError",
    "WebhookVerificationError",
    "types",
    "verify_webhook",
]
