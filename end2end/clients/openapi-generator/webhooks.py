"""Receives webhooks, and parses each of them with the type that openapi-generator generated for its event."""

import json
import os
import threading
import time
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from typing import Any

import retour_client
from retour_client import (
    ApiClient,
    Configuration,
    NewWebhookSubscription,
    Redelivered,
    Redelivery,
    ResolutionType,
    ReturnOrderCreatedEvent,
    WebhooksApi,
)

# Types that every journey causes, and the one of the test call.
EXPECTED = {"return_order.created", "return_request.stage_changed", "shipment.label_created", "test.ping"}
SECONDS = 60
received: Queue[bytes] = Queue()


class Receiver(BaseHTTPRequestHandler):
    """Accepts every webhook."""

    def do_POST(self) -> None:
        received.put(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(204)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


def type_of(event_type: str) -> Any:
    """The generated type of an event: `shipment.delivered` is `ShipmentDeliveredEvent`."""
    words = event_type.replace(".", "_").split("_")
    return getattr(retour_client, "".join(word[0].upper() + word[1:] for word in words) + "Event")


server = HTTPServer(("127.0.0.1", 0), Receiver)
threading.Thread(target=server.serve_forever, daemon=True).start()
webhooks = WebhooksApi(ApiClient(Configuration(host=os.environ["RETOUR_URL"], access_token=os.environ["RETOUR_KEY"])))
subscription = webhooks.create_webhook_subscription_of_own_account(
    NewWebhookSubscription(url=f"http://127.0.0.1:{server.server_port}/hooks", description="Generated types")
)
webhooks.test_webhook_subscription_of_own_account(subscription.id)
since = datetime(2000, 1, 1, tzinfo=timezone.utc)
webhooks.redeliver_since_of_own_account(subscription.id, Redelivery(since=since, which=Redelivered.ALL))

seen: set[str] = set()
until = time.monotonic() + SECONDS
while not EXPECTED <= seen:
    body = received.get(timeout=max(0.1, until - time.monotonic()))
    kind = json.loads(body)["type"]
    event = type_of(kind).from_json(body.decode())
    assert (event.type, event.event) == (kind, kind)
    if isinstance(event, ReturnOrderCreatedEvent):
        (request, *_) = event.data.return_requests
        assert request.requested_resolution in list(ResolutionType)
        assert event.data.number.startswith("R-")
    seen.add(kind)

webhooks.delete_webhook_subscription_of_own_account(subscription.id)
server.shutdown()
