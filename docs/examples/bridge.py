"""A bridge to a shop of two orders: SECRET=whsec_… python bridge.py"""
import json
import os
import sqlite3
from base64 import b64encode
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook  # pip install standardwebhooks

webhook = Webhook(os.environ["SECRET"])
DECIMALS = {"EUR": 2, "JPY": 0}  # of your currencies: amounts are whole minor units, never floats
ORDERS = [
    {"number": "1001", "email": "ada@example.com", "postalCode": "EC1A 1BB", "currency": "EUR", "shipping": 495,
     "orderedAt": "2026-01-31T12:00:00Z", "sentAt": "2026-02-01T09:00:00Z",
     "lines": [{"id": "1001-1", "name": "Mug, blue", "sku": "MUG-BLUE", "units": 4, "paid": 7995, "tax": 1388},
               {"id": "1001-2", "name": "Wool scarf", "sku": "SCARF", "units": 1, "paid": 4800, "tax": 833}]},
    {"number": "1002", "email": "grace@example.com", "postalCode": "100-0001", "currency": "JPY", "shipping": 800,
     "orderedAt": "2026-02-10T03:00:00Z", "sentAt": None,
     "lines": [{"id": "1002-1", "name": "Green tea", "sku": "TEA", "units": 5, "paid": 6400, "tax": 474}]},
]
database = lambda: sqlite3.connect("bridge.db", isolation_level=None)  # one for each request


def refunded(db, line):
    return db.execute("SELECT COALESCE(SUM(units), 0) FROM refunds WHERE line = ?", [line["id"]]).fetchone()[0]


def is_theirs(order, asked):
    plain = lambda text: "".join(text.split()).lower().lstrip("#")  # people type "# 1001" and "Ada@Example.com"
    proof = "email" if "email" in asked else "postalCode"
    return plain(order["number"]) == plain(asked["orderNumber"]) and plain(order[proof]) == plain(asked[proof])


def get_purchases(asked):
    order = next((order for order in ORDERS if is_theirs(order, asked["credentials"])), None)
    if order is None:
        return 404, None  # the same answer, whatever was wrong
    currency = order["currency"]
    money = lambda minor: {"value": f"{Decimal(minor).scaleb(-DECIMALS[currency]):f}", "currency": currency}
    about = {"id": order["number"], "number": order["number"], "orderedAt": order["orderedAt"], "currency": currency,
             "shippingPaid": money(order["shipping"])}
    with database() as db:
        purchases = [{"purchaseId": line["id"], "order": about, "product": {"name": line["name"], "sku": line["sku"]},
                      "quantity": line["units"], "paid": money(line["paid"]), "tax": money(line["tax"]),
                      "taxIncluded": True, "fulfilledAt": order["sentAt"], "refundedQuantity": refunded(db, line)}
                     for line in order["lines"]]
    return 200, {"consumer": {"email": order["email"], "addresses": [{"postalCode": order["postalCode"]}]},
                 "purchases": purchases}


def resolve_return(asked):
    with database() as db:  # commits at its end
        db.execute("BEGIN IMMEDIATE")  # a concurrent request with the same id waits here, and finds the refund
        done = db.execute("SELECT id FROM refunds WHERE transaction_id = ?", [asked["transactionId"]]).fetchone()
        if done is None:
            [item] = asked["items"]
            if reason := why_not(db, asked["type"], item):
                return 200, {"status": "Failed", "reason": reason}
            given, shipping, fees = [Decimal(m["value"]) for m in (item["amount"], asked["shippingRefund"], asked["fees"])]
            total = given + shipping - fees  # your payment system refunds it here, once for each transactionId
            row = [asked["transactionId"], item["purchaseId"], item["quantity"], str(total)]
            done = [db.execute("INSERT INTO refunds VALUES (NULL, ?, ?, ?, ?)", row).lastrowid]
    return 200, {"status": "Completed", "externalReference": f"refund-{done[0]}"}


def why_not(db, kind, item):
    order, line = next(((o, l) for o in ORDERS for l in o["lines"] if l["id"] == item["purchaseId"]), (None, None))
    if line is None or kind != "Refund":
        return "There is no such line." if line is None else "This shop refunds only money."
    if item["amount"]["currency"] != order["currency"]:
        return f"The order was paid in {order['currency']}."
    return "There are not that many units left." if item["quantity"] > line["units"] - refunded(db, line) else None


def get_label(asked):
    with database() as db:
        db.execute("BEGIN IMMEDIATE")
        made = db.execute("SELECT id FROM labels WHERE transaction_id = ?", [asked["transactionId"]]).fetchone()
        if made is None:  # your carrier creates it here, and you store the result
            made = [db.execute("INSERT INTO labels VALUES (NULL, ?)", [asked["transactionId"]]).lastrowid]
    number = f"TEST-{made[0]}"
    zpl = f"^XA^FO50,50^A0N,40^FD{asked['returnOrderNumber']} {number}^FS^XZ"  # a PDF is better, because people can print it
    label = {"mediaType": "application/zpl", "data": b64encode(zpl.encode()).decode()}
    return 200, {"status": "Created", "carrier": "Test", "trackingNumber": number, "qrCode": number, "label": label}


OPERATIONS = {"/get-purchases": get_purchases, "/resolve-return": resolve_return, "/get-label": get_label}


class Bridge(BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200 if self.path == "/health" else 404)  # tells nothing, so it needs no signature

    def do_POST(self):
        operation = OPERATIONS.get(self.path, lambda _: (404, None))
        try:
            body = self.rfile.read(min(int(self.headers["Content-Length"]), 1 << 20))  # the raw bytes
            asked = webhook.verify(body, dict(self.headers))
        except Exception:  # not from Retour, changed in transit, or older than five minutes
            return self.answer(401)
        try:
            self.answer(*operation(asked))
        except Exception as error:
            self.log_error("%r", error)
            self.answer(500)  # Retour asks again, with the same transactionId

    def answer(self, status, body=None):
        self.send_response(status)
        self.end_headers()
        self.wfile.write(b"" if body is None else json.dumps(body).encode())


database().execute("CREATE TABLE IF NOT EXISTS refunds (id INTEGER PRIMARY KEY, transaction_id UNIQUE, line, units, total)")
database().execute("CREATE TABLE IF NOT EXISTS labels (id INTEGER PRIMARY KEY, transaction_id UNIQUE)")
ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Bridge).serve_forever()
