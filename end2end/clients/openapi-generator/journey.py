"""One whole return through openapi-generator's Python: from the look-up to the label, the receipt and the refund."""

import os
from datetime import datetime, timedelta, timezone

from retour_client import (
    AccountApi,
    AddressInput,
    ApiClient,
    ApiException,
    Configuration,
    Consumer,
    ConsumerApi,
    CredentialsApi,
    Currency,
    Error,
    LineKind,
    Money,
    NewDraftReturnOrder,
    NewReceipt,
    NewReturnOrder,
    OrderCredentials,
    OrderCredentialsByEmail,
    OrderInput,
    ProductInput,
    PurchaseInput,
    PurchasesApi,
    ResolutionType,
    ReturnRequestChange,
    ReturnRequestsApi,
    SelectedPurchaseInput,
    ShippingMethod,
    ShippingOptionChoice,
    Stage,
)

URL = os.environ["RETOUR_URL"]
ORDER_NUMBER = "OPENAPI-GENERATOR-1"
EMAIL = "grace@example.com"


def code_of(failure: ApiException) -> str:
    """The code of the error that Retour sent."""
    assert isinstance(failure.data, Error), failure
    return failure.data.error.code


# The merchant's program has an API key.
merchant = ApiClient(Configuration(host=URL, access_token=os.environ["RETOUR_KEY"]))
account = AccountApi(merchant).get_own_account()

# It tells Retour what was sold.
now = datetime.now(timezone.utc)
purchase = PurchasesApi(merchant).put_purchase_of_own_account(
    f"{ORDER_NUMBER}/1",
    PurchaseInput(
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
)
assert purchase.total_price == Money(value="48.00", currency=Currency.GBP)

# A shopper who types another e-mail address gets an error.
shopper = CredentialsApi(ApiClient(Configuration(host=URL)))
credentials = OrderCredentialsByEmail(account=account.slug, order_number=ORDER_NUMBER, email="other@example.com")
try:
    shopper.create_consumer(OrderCredentials(credentials))
    raise AssertionError("another e-mail address proves the order")
except ApiException as failure:
    assert failure.status == 401
    assert code_of(failure) == "InvalidOrderCredentials"

# The right one gets a token for the shopper's own returns.
credentials.email = EMAIL
proof = shopper.create_consumer(OrderCredentials(credentials))
consumer = ConsumerApi(ApiClient(Configuration(host=URL, access_token=proof.access_token)))
consumer_id = proof.consumer.id

(scarf,) = consumer.list_own_purchases(consumer_id).data
assert scarf.returnable_quantity == 2
assert scarf.eligibility.code is None
reason = next(reason for reason in scarf.return_reasons if ResolutionType.REFUND in reason.resolutions)
option = next(option for option in scarf.shipping_options if option.method == ShippingMethod.LABEL)
assert option.price

# A document, sent as its bytes.
evidence = consumer.create_own_pending_evidence(
    consumer_id,
    scarf.id,
    b"%PDF-1.7 a receipt",
    content_disposition='attachment; filename="receipt.pdf"',
)
assert evidence.media_type == "application/pdf"
assert evidence.name == "receipt.pdf"

# The draft says what the return costs.
draft = consumer.create_own_draft_return_order(
    consumer_id,
    NewDraftReturnOrder(
        selected_purchases=[
            SelectedPurchaseInput(
                purchase_id=scarf.id,
                quantity=1,
                return_reason_id=reason.id,
                requested_resolution=ResolutionType.REFUND,
            )
        ]
    ),
)
priced = consumer.set_own_shipping_option(consumer_id, draft.id, ShippingOptionChoice(shipping_option_id=option.id))
costs = priced.cost_breakdown
assert costs
assert [(line.kind, line.amount.value) for line in costs.lines] == [
    (LineKind.ITEMREFUND, "24.00"),
    (LineKind.RETURNSHIPPING, f"-{option.price.value}"),
]

# Submitted twice with one key, it is one return.
submitted, again = (
    consumer.create_own_return_order_with_http_info(
        consumer_id,
        NewReturnOrder(draft_return_order_id=draft.id),
        idempotency_key=f"submit-{draft.id}",
    )
    for _ in range(2)
)
return_order = submitted.data
assert again.data.id == return_order.id
assert again.headers and again.headers["idempotent-replayed"] == "true"

label = consumer.get_own_label(consumer_id, return_order.id)
assert label.startswith(b"%PDF-")

# The merchant finds the return by the order's number, and reports what the warehouse received.
requests = ReturnRequestsApi(merchant)
found = requests.list_return_requests_of_own_account(
    filter=[f"purchaseOrderNumber:{ORDER_NUMBER}", f"stage:{Stage.SUBMITTED_COLON__READY.value}"],
    expand=["consumer"],
    limit=5,
)
(request,) = found.data
assert found.next_page is None
whose = request.consumer_id.actual_instance
assert isinstance(whose, Consumer)
assert whose.email == EMAIL

received = requests.create_receipt_of_own_account(request.id, NewReceipt(quantity=1, external_reference="GR-4711"))
assert received.stage == Stage.RESOLUTION_COLON__APPROVED

# Two workers take the same request: the second one gets an error that says so.
try:
    requests.update_return_request_of_own_account(
        request.id,
        ReturnRequestChange(stage=Stage.SHIPMENT_COLON__IN_TRANSIT, from_stage=Stage.SUBMITTED_COLON__READY),
    )
    raise AssertionError("two workers take the same request")
except ApiException as failure:
    assert failure.status == 409
    assert code_of(failure) == "StageConflict"

refunded = requests.update_return_request_of_own_account(
    request.id, ReturnRequestChange(stage=Stage.RESOLUTION_COLON__COMPLETED, external_reference="re_77")
)
assert refunded.resolution.value == costs.estimated_refund
timeline = requests.list_timeline_entries_of_own_account(request.id)
assert timeline.data[-1].to_stage == Stage.RESOLUTION_COLON__COMPLETED
