import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { ApiError, Retour, verifyWebhook, WebhookVerificationError, type WebhookEvent } from "@retour/sdk";
import { all, failing, retour, url } from "./world.js";

const PHOTO = Buffer.from("%PDF-1.7 a receipt");

/** A consumer of the demo shop, by the order. */
async function prove(orderNumber: string, email: string): Promise<{ id: string; shopper: Retour }> {
  const { consumer, accessToken } = await retour.createConsumer({ orderNumber, email });
  return { id: consumer.id, shopper: new Retour({ baseUrl: url, token: accessToken }) };
}

describe("against a server", { concurrency: true }, () => {
  test("imports a file, and walks through all of a list", async () => {
    const rows = Array.from({ length: 250 }, (_, row) => `SDK-${row},2026-11-02,buyer${row}@example.com,10115,GBP,0,SKU,Mug,1,2026-11-03,10.00`);
    const csv = ["order_number,ordered_at,email,postal_code,currency,shipping_paid,sku,product,quantity,fulfilled_at,total", ...rows].join("\n");
    const file = new Blob([csv], { type: "text/csv" });
    const tried = await retour.importPurchases(file, { format: "retour", dryRun: true });
    assert.equal(tried.orders, 250);
    await retour.importPurchases(file);

    const { client, seen } = failing("");
    const found = await all(client.iteratePurchases());
    const orders = new Set(found.map((purchase) => purchase.id));
    assert.equal(orders.size, found.length);
    assert.ok(found.filter(({ orderNumber }) => orderNumber.startsWith("SDK-")).length === 250);
    assert.equal((await seen()).length, Math.ceil(found.length / 100));

    const few: string[] = [];
    const small = failing("");
    for await (const { id } of small.client.iteratePurchases({ limit: 5 })) {
      few.push(id);
      if (few.length === 7) break;
    }
    assert.equal((await small.seen()).length, 2);
  });

  test("iterates what a consumer has", async () => {
    const { id, shopper } = await prove("1004", "dora@example.com");
    assert.equal((await all(shopper.iterateOwnPurchases(id))).length, 300);
  });

  test("a return from the look-up to the receipt", async () => {
    const { id, shopper } = await prove("#1002", "ben@example.com");
    const purchase = (await shopper.listOwnPurchases(id)).data.find(({ eligibility }) => eligibility.returnable);
    const reason = purchase?.returnReasons.find(({ questions }) => questions.length === 0);
    const option = purchase?.shippingOptions.find(({ needsPrinter }) => needsPrinter);
    assert.ok(purchase && reason && option);
    const photo = await shopper.createOwnPendingEvidence(id, purchase.id, new File([PHOTO], "reçu 'é'.pdf", { type: "application/pdf" }));
    assert.deepEqual([photo.name, photo.mediaType, photo.bytes], ["reçu 'é'.pdf", "application/pdf", PHOTO.length]);
    assert.deepEqual(Buffer.from(await (await shopper.getOwnPendingEvidence(id, purchase.id, photo.id)).arrayBuffer()), PHOTO);
    assert.equal(await shopper.deleteOwnPendingEvidence(id, purchase.id, photo.id), undefined);

    const draft = await shopper.createOwnDraftReturnOrder(id, {
      selectedPurchases: [{ purchaseId: purchase.id, quantity: 1, returnReasonId: reason.id, requestedResolution: "Refund" }],
      shippingOptionId: option.id,
    });
    const order = await shopper.createOwnReturnOrder(id, { draftReturnOrderId: draft.id });
    const label = await shopper.getOwnLabel(id, order.id, { accept: "application/pdf" });
    assert.equal(await label.slice(0, 5).text(), "%PDF-");
    assert.equal(label.type, "application/pdf");

    const whole = await retour.getReturnOrder(order.id, { expand: ["returnRequests", "shipments"] });
    const [request] = whole.returnRequests ?? [];
    const [shipment] = whole.shipments ?? [];
    assert.ok(request && shipment);
    const picture = await retour.getLabel(shipment.id, { accept: "image/png" });
    assert.equal(picture.type, "image/png");
    assert.equal(Buffer.from(await picture.arrayBuffer()).toString("latin1", 1, 4), "PNG");
    const received = await retour.createReceipt(request.id, { quantity: 1, externalReference: "GR-1" });
    assert.equal(received.receivedQuantity, 1);
    const found = await retour.listReturnRequests({ filter: ["purchaseOrderNumber:#1002", `returnOrderId:${order.id}`], expand: ["consumer"] });
    assert.deepEqual(found.data.map((row) => row.id), [request.id]);
    assert.equal(typeof found.data[0]?.consumerId === "object" && found.data[0].consumerId.email, "ben@example.com");
  });

  test("an id with a slash", async () => {
    const [purchase] = (await retour.listPurchases({ filter: ["orderNumber:1001"], limit: 1 })).data;
    assert.ok(purchase && purchase.externalId.includes("/"));
    assert.equal((await retour.getPurchase(purchase.externalId)).id, purchase.id);
  });

  test("fields with wrong values", async () => {
    await assert.rejects(retour.createWebhookSubscription({ url: "ftp://example.com" }), (error) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.status, error.code, error.details.length], [422, "ValidationFailed", 1]);
      assert.equal(error.field("url")?.code, "NotAllowed");
      assert.ok(error.requestId && error.message && error.error);
      return true;
    });
    await assert.rejects(new Retour({ baseUrl: `${url}/`, token: "rtk_wrong" }).getAccount(), (error) => error instanceof ApiError && error.code === "Unauthorized");
  });

  test("the version that was read", async () => {
    const reason = await retour.createReturnReason({ description: { en: "Too late" } });
    const changed = await retour.updateReturnReason(reason.id, { archived: true }, { ifMatch: reason.version });
    assert.equal(changed.version, reason.version + 1);
    await assert.rejects(
      retour.updateReturnReason(reason.id, { archived: false }, { ifMatch: reason.version }),
      (error) => error instanceof ApiError && error.code === "PreconditionFailed" && error.status === 412,
    );
  });

  test("the version of the API", async () => {
    const document = (await (await fetch(`${url}/api/v0/openapi.json`)).json()) as { info: { version: string } };
    const manifest = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8")) as { version: string };
    assert.equal(manifest.version, document.info.version);
  });

  test("a webhook that was delivered", async () => {
    const deliveries: { body: Buffer; headers: IncomingMessage["headers"] }[] = [];
    const receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      deliveries.push({ body: Buffer.concat(chunks), headers: request.headers });
      response.writeHead(204).end();
    });
    await new Promise<void>((ready) => receiver.listen(0, "127.0.0.1", ready));
    const { id } = await retour.createWebhookSubscription({ url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, eventTypes: ["test.ping"] });
    const { secret } = await retour.getWebhookSecret(id);
    const tested = await retour.testWebhookSubscription(id);
    receiver.close();
    const [delivery] = deliveries;
    assert.ok(delivery);
    const { body, headers } = delivery;

    const event: WebhookEvent = verifyWebhook(secret, body, headers);
    assert.ok(event.type === "test.ping");
    assert.equal(event.data.webhookSubscription.id, id);
    assert.equal(event.id, tested.eventId);
    const ofFetch = new Headers(Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value] as [string, string]] : [])));
    assert.equal(verifyWebhook(secret, body.toString(), ofFetch).id, event.id);
    const other = { ...headers, "webhook-timestamp": "1600000000" };
    const none = {};
    for (const [wrongBody, wrongHeaders] of [[`${body} `, headers], [body, other], [body, none]] as const) {
      assert.throws(() => verifyWebhook(secret, wrongBody, wrongHeaders), WebhookVerificationError);
    }
    assert.throws(() => verifyWebhook("whsec_AAAA", body, headers), WebhookVerificationError);
  });
});
