// A receiver in JavaScript: the exit status is 0 if the message is accepted, 1 if it is rejected.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// The package is installed with the browser tests.
const { Webhook, WebhookVerificationError } = createRequire(new URL("../../../../end2end/", import.meta.url))("standardwebhooks");

const { secret, body, headers } = JSON.parse(readFileSync(0, "utf8"));
try {
  new Webhook(secret).verify(body, headers);
} catch (error) {
  process.exit(error instanceof WebhookVerificationError ? 1 : 2);
}
