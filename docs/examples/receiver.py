"""Receives webhooks: SECRET=whsec_… python receiver.py"""
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook  # pip install standardwebhooks

webhook = Webhook(os.environ["SECRET"])


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))  # the raw bytes, not JSON that was written again
        try:
            event = webhook.verify(body, dict(self.headers))
        except Exception:  # not from Retour, changed in transit, or older than five minutes
            status = 400
        else:
            print(event["id"], event["type"], flush=True)
            status = 204
        self.send_response(status)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8000"))), Receiver).serve_forever()
