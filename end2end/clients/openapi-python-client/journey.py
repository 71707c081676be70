"""One whole return through openapi-python-client: from the look-up to the label, the receipt and the refund."""

import os
from datetime import datetime, timedelta, timezone
from io import BytesIO
from typing import TypeVar

from retour_client import AuthenticatedClient, Client
from retour_client.api.account import get_own_account
from retour_client.api.consumer import (
    create_own_draft_return_order,
    create_own_pending_evidence,
    create_own_return_order,
    get_own_label,
    list_own_purchases,
    set_own_shipping_option,
)
from retour_client.api.credentials import create_consumer
from retour_client.api.purchases import put_purchase_of_own_account
from retour_client.api.return_requests import (
    create_receipt_of_own_account,
    list_return_requests_of_own_account,
    list_timeline_entries_of_own_account,
    update_return_request_of_own_account,
)
from retour_client.models import (
    Account,
    AddressInput,
    Consumer,
    ConsumerPurchaseList,
    CostBreakdown,
    CreateOwnPendingEvidenceFilesBody,
    Currency,
    DraftReturnOrder,
    Error,
    ErrorBodyCode,
    IdentifiedConsumer,
    LineKind,
    ListReturnRequestsOfOwnAccountExpandItem,
    Money,
    NewDraftReturnOrder,
    NewReceipt,
    NewReturnOrder,
    OrderCredentialsByEmail,
    OrderInput,
    PendingEvidence,
    ProductInput,
    Purchase,
    PurchaseInput,
    ResolutionType,
    ReturnOrder,
    ReturnRequest,
    ReturnRequestChange,
    ReturnRequestList,
    SelectedPurchaseInput,
    ShippingMethod,
    ShippingOptionChoice,
    Stage,
    TimelineEntryList,
)
from retour_client.types import File

T = TypeVar("T")
URL = os.environ["RETOUR_URL"]
ORDER_NUMBER = "OPENAPI-PYTHON-CLIENT-1"
EMAIL = "grace@example.com"


def is_a(kind: type[T], value: object) -> T:
    """The answer, if it has this type: a call returns the expected type or an Error."""
    assert isinstance(value, kind), value
    return value


# The merchant's program has an API key.
merchant = AuthenticatedClient(base_url=URL, token=os.environ["RETOUR_KEY"])
account = is_a(Account, get_own_account.sync(client=merchant))

# It tells Retour what was sold.
now = datetime.now(timezone.utc)
purchase = is_a(
    Purchase,
    put_purchase_of_own_account.sync(
        f"{ORDER_NUMBER}/1",
        client=merchant,
        body=PurchaseInput(
            order=OrderInput(
                external_id=ORDER_NUMBER,
                number=ORDER_NUMBER,
                email=EMAIL,
                currency=Currency.GBP,
                ordered_at=now - timedelta(days=3),
                address=AddressInput(
                    name="Grace Hopper", street="1 Pier Road", postal_code="EH6 6SA", city="Edinburgh", country="GB"
                ),
            ),
            product=ProductInput(name="Wool scarf", sku="WS-1"),
            quantity=2,
            total_price=Money(value="48.00", currency=Currency.GBP),
            fulfilled_at=now - timedelta(days=2),
        ),
    ),
)
assert purchase.total_price == Money(value="48.00", currency=Currency.GBP)

# A shopper who types another e-mail address gets an error.
shopper = Client(base_url=URL)
wrong = create_consumer.sync_detailed(
    client=shopper,
    body=OrderCredentialsByEmail(account=account.slug, order_number=ORDER_NUMBER, email="other@example.com"),
)
assert wrong.status_code == 401
assert is_a(Error, wrong.parsed).error.code == ErrorBodyCode.INVALIDORDERCREDENTIALS

# The right one gets a token for the shopper's own returns.
proof = is_a(
    IdentifiedConsumer,
    create_consumer.sync(
        client=shopper,
        body=OrderCredentialsByEmail(account=account.slug, order_number=ORDER_NUMBER, email=EMAIL),
    ),
)
consumer = AuthenticatedClient(base_url=URL, token=proof.access_token)
consumer_id = proof.consumer.id

purchases = is_a(ConsumerPurchaseList, list_own_purchases.sync(consumer_id, client=consumer))
(scarf,) = purchases.data
assert scarf.returnable_quantity == 2
assert scarf.eligibility.code is None
reason = next(reason for reason in scarf.return_reasons if ResolutionType.REFUND in reason.resolutions)
option = next(option for option in scarf.shipping_options if option.method == ShippingMethod.LABEL)
price = is_a(Money, option.price)

# A document, sent as a form. The part has no media type.
evidence = is_a(
    PendingEvidence,
    create_own_pending_evidence.sync(
        consumer_id,
        scarf.id,
        client=consumer,
        body=CreateOwnPendingEvidenceFilesBody(file=File(BytesIO(b"%PDF-1.7 a receipt"), file_name="receipt.pdf")),
    ),
)
assert evidence.media_type == "application/pdf"
assert evidence.name == "receipt.pdf"

# The draft says what the return costs.
draft = is_a(
    DraftReturnOrder,
    create_own_draft_return_order.sync(
        consumer_id,
        client=consumer,
        body=NewDraftReturnOrder(
            selected_purchases=[
                SelectedPurchaseInput(
                    purchase_id=scarf.id,
                    quantity=1,
                    return_reason_id=reason.id,
                    requested_resolution=ResolutionType.REFUND,
                )
            ]
        ),
    ),
)
priced = is_a(
    DraftReturnOrder,
    set_own_shipping_option.sync(
        consumer_id, draft.id, client=consumer, body=ShippingOptionChoice(shipping_option_id=option.id)
    ),
)
costs = is_a(CostBreakdown, priced.cost_breakdown)
assert [(line.kind, line.amount.value) for line in costs.lines] == [
    (LineKind.ITEMREFUND, "24.00"),
    (LineKind.RETURNSHIPPING, f"-{price.value}"),
]

# Submitted twice with one key, it is one return.
submitted, again = (
    create_own_return_order.sync_detailed(
        consumer_id,
        client=consumer,
        body=NewReturnOrder(draft_return_order_id=draft.id),
        idempotency_key=f"submit-{draft.id}",
    )
    for _ in range(2)
)
return_order = is_a(ReturnOrder, submitted.parsed)
assert is_a(ReturnOrder, again.parsed).id == return_order.id
assert again.headers["Idempotent-Replayed"] == "true"

label = is_a(File, get_own_label.sync(consumer_id, return_order.id, client=consumer))
assert label.payload.read(5) == b"%PDF-"

# The merchant finds the return by the order's number, and reports what the warehouse received.
found = is_a(
    ReturnRequestList,
    list_return_requests_of_own_account.sync(
        client=merchant,
        filter_=[f"purchaseOrderNumber:{ORDER_NUMBER}", f"stage:{Stage.SUBMITTED_READY}"],
        expand=[ListReturnRequestsOfOwnAccountExpandItem.CONSUMER],
        limit=5,
    ),
)
(request,) = found.data
assert found.next_page is None
assert is_a(Consumer, request.consumer_id).email == EMAIL

received = is_a(
    ReturnRequest,
    create_receipt_of_own_account.sync(
        request.id, client=merchant, body=NewReceipt(quantity=1, external_reference="GR-4711")
    ),
)
assert received.stage == Stage.RESOLUTION_APPROVED

# Two workers take the same request: the second one gets an error that says so.
late = update_return_request_of_own_account.sync_detailed(
    request.id,
    client=merchant,
    body=ReturnRequestChange(stage=Stage.SHIPMENT_IN_TRANSIT, from_stage=Stage.SUBMITTED_READY),
)
assert late.status_code == 409
assert is_a(Error, late.parsed).error.code == ErrorBodyCode.STAGECONFLICT

refunded = is_a(
    ReturnRequest,
    update_return_request_of_own_account.sync(
        request.id,
        client=merchant,
        body=ReturnRequestChange(stage=Stage.RESOLUTION_COMPLETED, external_reference="re_77"),
    ),
)
assert refunded.resolution.value == costs.estimated_refund
timeline = is_a(TimelineEntryList, list_timeline_entries_of_own_account.sync(request.id, client=merchant))
assert timeline.data[-1].to_stage == Stage.RESOLUTION_COMPLETED
