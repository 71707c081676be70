// One whole return through @hey-api/openapi-ts: from the look-up to the label, the receipt and the refund.
import assert from "node:assert/strict";
import { createClient } from "generated/hey-api/client";
import * as retour from "generated/hey-api";
import { setting } from "../setting";

const baseUrl = setting("RETOUR_URL");
const orderNumber = "HEY-API-1";
const email = "grace@example.com";

// The merchant's program has an API key. With `throwOnError`, a call answers data or throws the error that Retour sent.
const merchant = createClient({ baseUrl, auth: setting("RETOUR_KEY"), throwOnError: true });
const asMerchant = { client: merchant, throwOnError: true } as const;
const { data: account } = await retour.getOwnAccount(asMerchant);

// It tells Retour what was sold.
const day = 24 * 60 * 60 * 1000;
const { data: purchase } = await retour.putPurchaseOfOwnAccount({
  ...asMerchant,
  path: { external_id: `${orderNumber}/1` },
  body: {
    order: {
      externalId: orderNumber,
      number: orderNumber,
      email,
      currency: "GBP",
      orderedAt: new Date(Date.now() - 3 * day).toISOString(),
      address: { name: "Grace Hopper", street: "1 Pier Road", postalCode: "EH6 6SA", city: "Edinburgh", country: "GB" },
    },
    product: { name: "Wool scarf", sku: "WS-1" },
    quantity: 2,
    totalPrice: { value: "48.00", currency: "GBP" },
    fulfilledAt: new Date(Date.now() - 2 * day).toISOString(),
  },
});
assert.deepEqual(purchase.totalPrice, { value: "48.00", currency: "GBP" });

// A shopper who types another e-mail address gets an error. The compiler knows every code.
const shopper = createClient({ baseUrl });
const wrong = await retour.createConsumer({ client: shopper, body: { account: account.slug, orderNumber, email: "other@example.com" } });
assert.equal(wrong.response?.status, 401);
assert.ok(wrong.error);
const invalid: retour.ErrorBody["code"] = "InvalidOrderCredentials";
assert.equal(wrong.error.error.code, invalid);

// The right one gets a token for the shopper's own returns.
const { data: proof } = await retour.createConsumer({
  client: shopper,
  throwOnError: true,
  body: { account: account.slug, orderNumber, email },
});
const asConsumer = { client: createClient({ baseUrl, auth: proof.accessToken }), throwOnError: true } as const;
const consumer_id = proof.consumer.id;

const { data: purchases } = await retour.listOwnPurchases({ ...asConsumer, path: { consumer_id } });
const [scarf] = purchases.data;
assert.ok(scarf);
assert.equal(scarf.returnableQuantity, 2);
assert.equal(scarf.eligibility.code, null);
const reason = scarf.returnReasons.find((reason) => reason.resolutions.includes("Refund"));
const option = scarf.shippingOptions.find((option) => option.method === "Label");
assert.ok(reason && option);

// A document, sent as its bytes.
const { data: evidence } = await retour.createOwnPendingEvidence({
  ...asConsumer,
  path: { consumer_id, id: scarf.id },
  headers: { "Content-Disposition": 'attachment; filename="receipt.pdf"' },
  body: new Blob(["%PDF-1.7 a receipt"]),
});
assert.equal(evidence.mediaType, "application/pdf");
assert.equal(evidence.name, "receipt.pdf");

// The draft says what the return costs.
const { data: draft } = await retour.createOwnDraftReturnOrder({
  ...asConsumer,
  path: { consumer_id },
  body: { selectedPurchases: [{ purchaseId: scarf.id, quantity: 1, returnReasonId: reason.id, requestedResolution: "Refund" }] },
});
const { data: priced } = await retour.setOwnShippingOption({
  ...asConsumer,
  path: { consumer_id, id: draft.id },
  body: { shippingOptionId: option.id },
});
assert.ok(priced.costBreakdown);
assert.deepEqual(
  priced.costBreakdown.lines.map((line) => [line.kind, line.amount.value]),
  [["ItemRefund", "24.00"], ["ReturnShipping", `-${option.price?.value}`]],
);

// Submitted twice with one key, it is one return.
const submit = () =>
  retour.createOwnReturnOrder({
    ...asConsumer,
    path: { consumer_id },
    headers: { "Idempotency-Key": `submit-${draft.id}` },
    body: { draftReturnOrderId: draft.id },
  });
const { data: returnOrder } = await submit();
const again = await submit();
assert.equal(again.data.id, returnOrder.id);
assert.equal(again.response.headers.get("Idempotent-Replayed"), "true");

const { data: label } = await retour.getOwnLabel({ ...asConsumer, path: { consumer_id, id: returnOrder.id }, parseAs: "blob" });
assert.equal(await label.slice(0, 5).text(), "%PDF-");

// The merchant finds the return by the order's number, and reports what the warehouse received.
const { data: found } = await retour.listReturnRequestsOfOwnAccount({
  ...asMerchant,
  query: { filter: [`purchaseOrderNumber:${orderNumber}`, "stage:Submitted: Ready"], expand: ["consumer"], limit: 5 },
});
assert.equal(found.data.length, 1);
assert.equal(found.nextPage, null);
const [request] = found.data;
assert.ok(request && typeof request.consumerId === "object");
assert.equal(request.consumerId.email, email);

const path = { id: request.id };
const { data: received } = await retour.createReceiptOfOwnAccount({
  ...asMerchant,
  path,
  body: { quantity: 1, externalReference: "GR-4711" },
});
assert.equal(received.stage, "Resolution: Approved");

// Two workers take the same request: the second one gets an error that says so.
const late = await retour.updateReturnRequestOfOwnAccount({
  client: merchant,
  throwOnError: false,
  path,
  body: { stage: "Shipment: In Transit", fromStage: "Submitted: Ready" },
});
assert.equal(late.response?.status, 409);
assert.equal(late.error?.error.code, "StageConflict");

const { data: refunded } = await retour.updateReturnRequestOfOwnAccount({
  ...asMerchant,
  path,
  body: { stage: "Resolution: Completed", externalReference: "re_77" },
});
assert.deepEqual(refunded.resolution.value, priced.costBreakdown.estimatedRefund);
const { data: timeline } = await retour.listTimelineEntriesOfOwnAccount({ ...asMerchant, path });
assert.equal(timeline.data.at(-1)?.toStage, "Resolution: Completed");
