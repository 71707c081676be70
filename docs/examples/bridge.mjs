// A bridge to a shop of two orders: SECRET=whsec_… node bridge.mjs
import { createServer } from "node:http";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { Webhook } from "standardwebhooks"; // npm install standardwebhooks

const webhook = new Webhook(process.env.SECRET);
const DECIMALS = { EUR: 2, JPY: 0 }; // of your currencies: amounts are whole minor units, never fractions
const ORDERS = [
  { number: "1001", email: "ada@example.com", postalCode: "EC1A 1BB", currency: "EUR", shipping: 495,
    orderedAt: "2026-01-31T12:00:00Z", sentAt: "2026-02-01T09:00:00Z",
    lines: [{ id: "1001-1", name: "Mug, blue", sku: "MUG-BLUE", units: 4, paid: 7995, tax: 1388 },
            { id: "1001-2", name: "Wool scarf", sku: "SCARF", units: 1, paid: 4800, tax: 833 }] },
  { number: "1002", email: "grace@example.com", postalCode: "100-0001", currency: "JPY", shipping: 800,
    orderedAt: "2026-02-10T03:00:00Z", sentAt: null,
    lines: [{ id: "1002-1", name: "Green tea", sku: "TEA", units: 5, paid: 6400, tax: 474 }] },
];
const LEDGER = "bridge.json";
const empty = { refunds: [], labels: [] }; // tables in your database
const kept = existsSync(LEDGER) ? JSON.parse(readFileSync(LEDGER, "utf8")) : empty;
const { refunds, labels } = kept;

function keep(table, row) {
  writeFileSync(`${LEDGER}.new`, JSON.stringify({ ...kept, [table]: [...kept[table], row] }), { flush: true });
  renameSync(`${LEDGER}.new`, LEDGER); // a crash leaves either the old file or the new one
  kept[table].push(row);
}

function decimal(minor, currency) {
  const [digits, decimals] = [String(minor), DECIMALS[currency]];
  const padded = digits.padStart(decimals + 1, "0");
  return decimals ? `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}` : digits;
}

const minor = ({ value }) => Number(value.replace(".", "")); // Retour writes all decimals of the currency
const refunded = (line) => refunds.reduce((sum, { id, units }) => sum + (id === line.id ? units : 0), 0);

function isTheirs(order, asked) {
  const plain = (text) => text.replace(/\s/g, "").toLowerCase().replace(/^#+/, ""); // "# 1001", "Ada@Example.com"
  const proof = "email" in asked ? "email" : "postalCode";
  return plain(order.number) === plain(asked.orderNumber) && plain(order[proof]) === plain(asked[proof]);
}

function getPurchases({ credentials }) {
  const order = ORDERS.find((order) => isTheirs(order, credentials));
  if (!order) return [404]; // the same answer, whatever was wrong
  const { number, currency, orderedAt, sentAt, email, postalCode } = order;
  const money = (minor) => ({ value: decimal(minor, currency), currency });
  const about = { id: number, number, orderedAt, currency, shippingPaid: money(order.shipping) };
  const purchases = order.lines.map((line) => ({
    purchaseId: line.id, order: about, product: { name: line.name, sku: line.sku }, quantity: line.units,
    paid: money(line.paid), tax: money(line.tax), taxIncluded: true, fulfilledAt: sentAt, refundedQuantity: refunded(line),
  }));
  return [200, { consumer: { email, addresses: [{ postalCode }] }, purchases }];
}

function whyNot(type, { purchaseId, quantity, amount }) {
  const order = ORDERS.find(({ lines }) => lines.some(({ id }) => id === purchaseId));
  const line = order?.lines.find(({ id }) => id === purchaseId);
  if (!line) return "There is no such line.";
  if (type !== "Refund") return "This shop refunds only money.";
  if (amount.currency !== order.currency) return `The order was paid in ${order.currency}.`;
  if (quantity > line.units - refunded(line)) return "There are not that many units left.";
}

// There is no `await` in here: a concurrent request with the same id runs later, and finds the refund.
function resolveReturn({ transactionId, type, items: [item], shippingRefund, fees }) {
  let done = refunds.find((refund) => refund.transactionId === transactionId);
  if (!done) {
    const reason = whyNot(type, item);
    if (reason) return [200, { status: "Failed", reason }];
    const total = minor(item.amount) + minor(shippingRefund) - minor(fees); // to refund, in whole minor units
    done = { reference: `refund-${refunds.length + 1}`, transactionId, id: item.purchaseId, units: item.quantity, total };
    keep("refunds", done);
  }
  return [200, { status: "Completed", externalReference: done.reference }];
}

function getLabel({ transactionId, returnOrderNumber }) {
  let made = labels.find((label) => label.transactionId === transactionId);
  if (!made) {
    made = { transactionId, number: `TEST-${labels.length + 1}` }; // your carrier creates it here, and you store the result
    keep("labels", made);
  }
  const data = Buffer.from(`^XA^FO50,50^A0N,40^FD${returnOrderNumber} ${made.number}^FS^XZ`).toString("base64");
  const label = { mediaType: "application/zpl", data }; // a PDF is better, because people can print it
  return [200, { status: "Created", carrier: "Test", trackingNumber: made.number, qrCode: made.number, label }];
}

const operations = { "/get-purchases": getPurchases, "/resolve-return": resolveReturn, "/get-label": getLabel };

createServer(async (request, response) => {
  const answer = (status, body) => response.writeHead(status).end(body && JSON.stringify(body));
  if (request.method === "GET") return answer(request.url === "/health" ? 200 : 404); // tells nothing, so it needs no signature
  const chunks = [];
  let [asked, bytes] = [null, 0];
  try {
    for await (const chunk of request) {
      if ((bytes += chunk.length) > 1 << 20) throw new Error("too long");
      chunks.push(chunk);
    }
    asked = webhook.verify(Buffer.concat(chunks), request.headers); // the raw bytes, not JSON that was written again
  } catch {
    return answer(401); // not from Retour, changed in transit, or older than five minutes
  }
  try {
    answer(...(operations[request.url]?.(asked) ?? [404]));
  } catch (error) {
    console.error(error.message);
    answer(500); // Retour asks again, with the same transactionId
  }
}).listen(process.env.PORT ?? 8000, "127.0.0.1");
