// One whole return through openapi-typescript and openapi-fetch: from the look-up to the label, the receipt and the refund.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "generated/openapi-typescript/schema";
import { setting } from "../setting";

const baseUrl = setting("RETOUR_URL");
const orderNumber = "OPENAPI-FETCH-1";
const email = "grace@example.com";

/** The answer of a call, or an error with the status and the code that Retour sent. */
function answer<Data>(result: { data?: Data; error?: components["schemas"]["Error"]; response: Response }): Data {
  const code = result.error?.error.code;
  assert.ok(result.data !== undefined, `${result.response.url}: ${result.response.status} ${code} ${result.error?.error.message}`);
  return result.data;
}

// The merchant's program has an API key.
const merchant = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${setting("RETOUR_KEY")}` } });
const account = answer(await merchant.GET("/api/v0/account"));

// It tells Retour what was sold.
const day = 24 * 60 * 60 * 1000;
const purchase = answer(
  await merchant.PUT("/api/v0/purchases/{external_id}", {
    params: { path: { external_id: `${orderNumber}/1` } },
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
  }),
);
assert.deepEqual(purchase.totalPrice, { value: "48.00", currency: "GBP" });

// A shopper who types another e-mail address gets an error. The compiler knows every code.
const shopper = createClient<paths>({ baseUrl });
const wrong = await shopper.POST("/auth/consumer", { body: { account: account.slug, orderNumber, email: "other@example.com" } });
assert.equal(wrong.response.status, 401);
assert.ok(wrong.error);
const invalid: components["schemas"]["ErrorBody"]["code"] = "InvalidOrderCredentials";
assert.equal(wrong.error.error.code, invalid);

// The right one gets a token for the shopper's own returns.
const proof = answer(await shopper.POST("/auth/consumer", { body: { account: account.slug, orderNumber, email } }));
const consumer = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${proof.accessToken}` } });
const consumer_id = proof.consumer.id;

const purchases = answer(await consumer.GET("/consumer/{consumer_id}/purchases", { params: { path: { consumer_id } } }));
const [scarf] = purchases.data;
assert.ok(scarf);
assert.equal(scarf.returnableQuantity, 2);
assert.equal(scarf.eligibility.code, null);
const reason = scarf.returnReasons.find((reason) => reason.resolutions.includes("Refund"));
const option = scarf.shippingOptions.find((option) => option.method === "Label");
assert.ok(reason && option);

// A document, sent as a form.
const form = new FormData();
form.append("file", new Blob(["%PDF-1.7 a receipt"], { type: "application/pdf" }), "receipt.pdf");
const evidence = answer(
  await consumer.POST("/consumer/{consumer_id}/purchase/{id}/evidence", {
    params: { path: { consumer_id, id: scarf.id } },
    body: { file: "" }, // the type is a string, but the form is sent
    bodySerializer: () => form,
  }),
);
assert.equal(evidence.mediaType, "application/pdf");
assert.equal(evidence.name, "receipt.pdf");

// The draft says what the return costs.
const draft = answer(
  await consumer.POST("/consumer/{consumer_id}/draft-return-order", {
    params: { path: { consumer_id } },
    body: {
      selectedPurchases: [{ purchaseId: scarf.id, quantity: 1, returnReasonId: reason.id, requestedResolution: "Refund" }],
    },
  }),
);
const priced = answer(
  await consumer.PATCH("/consumer/{consumer_id}/draft-return-order/{id}/shipping-option", {
    params: { path: { consumer_id, id: draft.id } },
    body: { shippingOptionId: option.id },
  }),
);
assert.ok(priced.costBreakdown);
assert.deepEqual(
  priced.costBreakdown.lines.map((line) => [line.kind, line.amount.value]),
  [["ItemRefund", "24.00"], ["ReturnShipping", `-${option.price?.value}`]],
);

// Submitted twice with one key, it is one return.
const submit = () =>
  consumer.POST("/consumer/{consumer_id}/return-order", {
    params: { path: { consumer_id }, header: { "Idempotency-Key": `submit-${draft.id}` } },
    body: { draftReturnOrderId: draft.id },
  });
const returnOrder = answer(await submit());
const again = await submit();
assert.equal(answer(again).id, returnOrder.id);
assert.equal(again.response.headers.get("Idempotent-Replayed"), "true");

const label = answer(
  await consumer.GET("/consumer/{consumer_id}/return-order/{id}/label", {
    params: { path: { consumer_id, id: returnOrder.id } },
    parseAs: "arrayBuffer",
  }),
);
assert.equal(Buffer.from(label).toString("latin1", 0, 5), "%PDF-");

// The merchant finds the return by the order's number, and reports what the warehouse received.
const found = answer(
  await merchant.GET("/api/v0/return-requests", {
    params: { query: { filter: [`purchaseOrderNumber:${orderNumber}`, "stage:Submitted: Ready"], expand: ["consumer"], limit: 5 } },
  }),
);
assert.equal(found.data.length, 1);
assert.equal(found.nextPage, null);
const [request] = found.data;
assert.ok(request && typeof request.consumerId === "object");
assert.equal(request.consumerId.email, email);

const path = { id: request.id };
const received = answer(
  await merchant.POST("/api/v0/return-requests/{id}/receipts", {
    params: { path },
    body: { quantity: 1, externalReference: "GR-4711" },
  }),
);
assert.equal(received.stage, "Resolution: Approved");

// Two workers take the same request: the second one gets an error that says so.
const late = await merchant.PATCH("/api/v0/return-requests/{id}", {
  params: { path },
  body: { stage: "Shipment: In Transit", fromStage: "Submitted: Ready" },
});
assert.equal(late.response.status, 409);
assert.equal(late.error?.error.code, "StageConflict");

const refunded = answer(
  await merchant.PATCH("/api/v0/return-requests/{id}", {
    params: { path },
    body: { stage: "Resolution: Completed", externalReference: "re_77" },
  }),
);
assert.deepEqual(refunded.resolution.value, priced.costBreakdown.estimatedRefund);
const timeline = answer(await merchant.GET("/api/v0/return-requests/{id}/timeline", { params: { path } }));
assert.equal(timeline.data.at(-1)?.toStage, "Resolution: Completed");
