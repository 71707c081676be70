import { Webhook } from "standardwebhooks";
import { RetourError } from "./errors.js";
import type { WebhookEvent } from "./types.gen.js";

/** The webhook is not from Retour, was changed on the way, or is more than five minutes old. */
export class WebhookVerificationError extends RetourError {
  override readonly name = "WebhookVerificationError";
}

/** The headers of a request: those of `fetch`, or those of Node. */
export type WebhookHeaders = Headers | { readonly [name: string]: string | readonly string[] | undefined };

/**
 * Verifies a webhook and reads its event.
 *
 * @param secret the secret of the subscription, `whsec_…`
 * @param body the bytes as received: JSON that was parsed and serialized again has another signature
 * @param headers the headers of the request
 * @throws WebhookVerificationError
 */
export function verifyWebhook(secret: string, body: string | Uint8Array, headers: WebhookHeaders): WebhookEvent {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const webhook = new Webhook(secret);
  try {
    return webhook.verify(text, plain(headers)) as WebhookEvent;
  } catch (cause) {
    throw new WebhookVerificationError(cause instanceof Error ? cause.message : "The webhook cannot be verified", { cause });
  }
}

function plain(headers: WebhookHeaders): Record<string, string> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === "string" ? [[name.toLowerCase(), value]] : [])));
}
