"""Calls to a server that runs."""

from __future__ import annotations

import asyncio
import io
import json
import math
import tomllib
import urllib.request
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from retour_sdk import ApiError, AsyncRetour, Retour, WebhookVerificationError, verify_webhook

from conftest import Failing

COLUMNS = "order_number,ordered_at,email,postal_code,currency,shipping_paid,sku,product,quantity,fulfilled_at,total"
RECEIPT = b"%PDF-1.7 a receipt"


def prove(retour: Retour, url: str, order: str, email: str) -> tuple[str, Retour]:
    """A consumer of the demo shop, by the order."""
    proved = retour.create_consumer({"orderNumber": order, "email": email})
    return proved["consumer"]["id"], Retour(url, proved["accessToken"])


def test_imports_a_file_and_walks_through_all_of_a_list(retour: Retour, key: str, failing: Callable[[str], Failing]) -> None:
    rows = [f"SDK-{row},2026-11-02,buyer{row}@example.com,10115,GBP,0,SKU,Mug,1,2026-11-03,10.00" for row in range(250)]
    file = "\n".join([COLUMNS, *rows]).encode()
    assert retour.import_purchases(file, format="retour", dry_run=True)["orders"] == 250
    retour.import_purchases(file, content_type="text/csv")

    server = failing("")
    found = list(server.client().iterate_purchases())
    assert len({purchase["id"] for purchase in found}) == len(found)
    assert sum(purchase["orderNumber"].startswith("SDK-") for purchase in found) == 250
    assert len(server.seen()) == math.ceil(len(found) / 100)

    few = failing("")
    for count, _ in enumerate(few.client().iterate_purchases(limit=5), 1):
        if count == 7:
            break
    assert len(few.seen()) == 2

    async def import_and_count() -> int:
        async with AsyncRetour(few.url, key) as client:
            report = await client.import_purchases(io.BytesIO(file))
            assert report["orders"] == 250
            return len([row["id"] async for row in client.iterate_purchases()])

    assert asyncio.run(import_and_count()) == len(found)


def test_iterates_what_a_consumer_has(retour: Retour, url: str) -> None:
    consumer, shopper = prove(retour, url, "1004", "dora@example.com")
    assert len(list(shopper.iterate_own_purchases(consumer))) == 300


def test_a_return_from_the_look_up_to_the_receipt(retour: Retour, url: str) -> None:
    consumer, shopper = prove(retour, url, "#1002", "ben@example.com")
    purchases = shopper.list_own_purchases(consumer)["data"]
    purchase = next(one for one in purchases if one["eligibility"]["returnable"])
    reason = next(one for one in purchase["returnReasons"] if not one["questions"])
    option = next(one for one in purchase["shippingOptions"] if one["needsPrinter"])
    name = "reçu 'é'.pdf"
    photo = shopper.create_own_pending_evidence(consumer, purchase["id"], RECEIPT, file_name=name)
    assert (photo["name"], photo["mediaType"], photo["bytes"]) == (name, "application/pdf", len(RECEIPT))
    assert shopper.get_own_pending_evidence(consumer, purchase["id"], photo["id"]) == RECEIPT
    shopper.delete_own_pending_evidence(consumer, purchase["id"], photo["id"])

    draft = shopper.create_own_draft_return_order(
        consumer,
        {
            "selectedPurchases": [
                {"purchaseId": purchase["id"], "quantity": 1, "returnReasonId": reason["id"], "requestedResolution": "Refund"}
            ],
            "shippingOptionId": option["id"],
        },
    )
    order = shopper.create_own_return_order(consumer, {"draftReturnOrderId": draft["id"]})
    assert shopper.get_own_label(consumer, order["id"], accept="application/pdf").startswith(b"%PDF-")

    whole = retour.get_return_order(order["id"], expand=["returnRequests", "shipments"])
    [request], [shipment] = whole["returnRequests"] or [], whole["shipments"] or []
    assert retour.get_label(shipment["id"], accept="image/png").startswith(b"\x89PNG")
    received = retour.create_receipt(request["id"], {"quantity": 1, "externalReference": "GR-1"})
    assert received["receivedQuantity"] == 1
    filters = ["purchaseOrderNumber:#1002", f"returnOrderId:{order['id']}"]
    rows = retour.list_return_requests(filter=filters, expand=["consumer"])["data"]
    assert [row["id"] for row in rows] == [request["id"]]
    buyer = rows[0]["consumerId"]
    assert not isinstance(buyer, str)
    assert buyer["email"] == "ben@example.com"


def test_an_id_with_a_slash(retour: Retour) -> None:
    purchase = retour.list_purchases(filter=["orderNumber:1001"], limit=1)["data"][0]
    assert "/" in purchase["externalId"]
    assert retour.get_purchase(purchase["externalId"])["id"] == purchase["id"]


def test_fields_with_wrong_values(retour: Retour, url: str) -> None:
    with pytest.raises(ApiError) as raised:
        retour.create_webhook_subscription({"url": "ftp://example.com"})
    error = raised.value
    assert (error.status, error.code, len(error.details)) == (422, "ValidationFailed", 1)
    field = error.field("url")
    assert field is not None
    assert field["code"] == "NotAllowed"
    assert error.request_id
    assert str(error)
    with pytest.raises(ApiError) as raised:
        Retour(f"{url}/", "rtk_wrong").get_account()
    assert raised.value.code == "Unauthorized"


def test_the_version_that_was_read(retour: Retour) -> None:
    reason = retour.create_return_reason({"description": {"en": "Too late"}})
    changed = retour.update_return_reason(reason["id"], {"archived": True}, if_match=reason["version"])
    assert changed["version"] == reason["version"] + 1
    with pytest.raises(ApiError) as raised:
        retour.update_return_reason(reason["id"], {"archived": False}, if_match=reason["version"])
    assert (raised.value.status, raised.value.code) == (412, "PreconditionFailed")


def test_the_version_of_the_api(url: str) -> None:
    project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())
    with urllib.request.urlopen(f"{url}/api/v0/openapi.json") as answer:
        assert project["project"]["version"] == json.load(answer)["info"]["version"]


def test_a_webhook_that_was_delivered(retour: Retour) -> None:
    deliveries: list[tuple[bytes, dict[str, str]]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            deliveries.append((self.rfile.read(int(self.headers["Content-Length"])), dict(self.headers)))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as receiver:
        Thread(target=receiver.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{receiver.server_address[1]}/"
        subscription = retour.create_webhook_subscription({"url": address, "eventTypes": ["test.ping"]})
        secret = retour.get_webhook_secret(subscription["id"])["secret"]
        tested = retour.test_webhook_subscription(subscription["id"])
        receiver.shutdown()

    [(body, headers)] = deliveries
    event = verify_webhook(secret, body, headers)
    assert event["type"] == "test.ping"
    assert event["data"]["webhookSubscription"]["id"] == subscription["id"]
    assert event["id"] == tested["eventId"]
    assert verify_webhook(secret, body.decode(), headers)["id"] == event["id"]
    old = {name: "1600000000" if name.lower() == "webhook-timestamp" else value for name, value in headers.items()}
    wrong: list[tuple[bytes, dict[str, str]]] = [(body + b" ", headers), (body, old), (body, {}), (b"\xff", headers)]
    for other_body, other_headers in wrong:
        with pytest.raises(WebhookVerificationError):
            verify_webhook(secret, other_body, other_headers)
    with pytest.raises(WebhookVerificationError):
        verify_webhook("whsec_AAAA", body, headers)
