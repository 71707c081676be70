// Adds the events that Retour sends to subscribers, as one union over `type`.

/** Adds `WebhookEvent`: any of the document's webhooks. */
export function addEventSchemas(document, schemas) {
  const events = Object.values(document.webhooks).map((webhook) => webhook.post.requestBody.content["application/json"].schema);
  schemas.WebhookEvent = { description: "An event that Retour sends to a subscriber. `type` decides what `data` holds.", oneOf: events };
}
