"""Stores announced parcels: SECRET=whsec_… python warehouse.py"""
import os
import sqlite3
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook  # pip install standardwebhooks

webhook = Webhook(os.environ["SECRET"])
with sqlite3.connect("warehouse.db") as database:
    database.execute("CREATE TABLE IF NOT EXISTS expected (request TEXT PRIMARY KEY, sscc TEXT, sku TEXT, units INTEGER)")


def expect(parcel):
    """Stores the content of a parcel. A duplicate changes nothing."""
    with sqlite3.connect("warehouse.db") as database:  # commits before the answer
        for request in parcel["returnOrder"]["returnRequests"]:
            if request["stage"] != "Submitted: Ready":
                continue  # not in the parcel: the shopper keeps it, or it was rejected
            row = (request["id"], parcel["labelBarcode"], request["product"]["sku"], request["quantity"])
            if database.execute("INSERT OR IGNORE INTO expected VALUES (?, ?, ?, ?)", row).rowcount:
                print("expect", *row[1:], flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = webhook.verify(body, dict(self.headers))
        except Exception:  # not from Retour, changed in transit, or older than five minutes
            status = 400
        else:
            if event["type"] == "shipment.label_created":
                expect(event["data"])
            status = 204
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver).serve_forever()
