# A receiver in Python: the exit status is 0 if the message is accepted, 1 if it is rejected.
import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError

message = json.load(sys.stdin)
try:
    Webhook(message["secret"]).verify(message["body"], message["headers"])
except WebhookVerificationError:
    sys.exit(1)
