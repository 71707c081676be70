# What a receiver in Python does: exit status 0 if the message is accepted, 1 if it is refused.
import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

message = json.load(sys.stdin)
try:
    Webhook(message["secret"]).verify(message["body"], message["headers"])
except WebhookVerificationError:
    sys.exit(1)
