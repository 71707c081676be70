// Adds the events that Retour sends to subscribers, as one union over `type`.

const reference = (name) => ({ $ref: `#/components/schemas/${name}` });

/** Adds `WebhookEvent`: any of the document's webhooks. */
export function addEventSchemas(document, schemas) {
  const webhooks = Object.values(document.webhooks ?? {});
  const events = webhooks.length > 0 ? webhooks.map((webhook) => webhook.post.requestBody.content["application/json"].schema) : describe(schemas);
  schemas.WebhookEvent = { description: "An event that Retour sends to a subscriber. `type` decides what `data` holds.", oneOf: events };
}

/** Schemas for a document without webhooks, made from docs/webhooks.md. */
function describe(schemas) {
  const { ReturnRequest, ReturnOrder, Shipment, EventType, Event } = schemas;
  const withConsumer = (schema) => ({
    ...structuredClone(schema),
    properties: { ...schema.properties, consumerId: { ...reference("Consumer"), description: "The consumer." } },
  });
  const request = withConsumer(ReturnRequest);
  request.properties.previousStage = { anyOf: [reference("Stage"), { type: "null" }], description: "The stage before; `null` for the first stage." };
  request.required = [...request.required, "previousStage"];
  const order = withConsumer(ReturnOrder);
  order.required = [...new Set([...order.required, "returnRequests", "shipments"])];
  const shipment = structuredClone(Shipment);
  shipment.properties.returnOrder = { ...reference("ReturnOrderEventData"), description: "The return order that the shipment belongs to." };
  shipment.required = [...shipment.required, "returnOrder"];
  const object = (description, properties) => ({ description, type: "object", properties, required: Object.keys(properties) });
  Object.assign(schemas, {
    ReturnRequestEventData: request,
    ReturnOrderEventData: order,
    ShipmentEventData: shipment,
    ConsumerErasedEventData: object("The consumers whose personal data were erased.", {
      consumerIds: { type: "array", items: { type: "string" }, description: "Their ids." },
    }),
    SubscriptionDisabledEventData: object("The subscription that was disabled, without its address.", {
      id: { type: "string", description: "The id of the subscription." },
      description: { type: "string", description: "What the subscription is for; may be empty." },
      disabledReason: { ...reference("DisabledBecause"), description: "The reason." },
      disabledAt: { ...reference("Timestamp"), description: "When the subscription was disabled." },
      failingSince: { ...reference("Timestamp"), description: "Since when every attempt has failed." },
    }),
    PingEventData: object("The subscription that is tested.", {
      webhookSubscription: { ...reference("WebhookSubscription"), description: "The subscription." },
    }),
  });
  return EventType.enum.map((type, position) => {
    const name = type.split(/[._]/).map((word) => word[0].toUpperCase() + word.slice(1)).join("") + "Event";
    const only = (field) => ({ type: "string", enum: [type], description: Event.properties[field].description });
    schemas[name] = {
      ...structuredClone(Event),
      description: `An event of the type \`${type}\`. ${EventType["x-enum-descriptions"][position]}`,
      properties: {
        ...Event.properties,
        type: only("type"),
        event: only("event"),
        data: { ...reference(dataOf(type)), description: Event.properties.data.description },
      },
    };
    return reference(name);
  });
}

function dataOf(type) {
  const others = {
    "withdrawal.received": "Withdrawal",
    "consumer.erased": "ConsumerErasedEventData",
    "webhook_subscription.disabled": "SubscriptionDisabledEventData",
    "test.ping": "PingEventData",
  };
  if (others[type]) return others[type];
  if (type.startsWith("return_request.")) return "ReturnRequestEventData";
  if (type.startsWith("return_order.")) return "ReturnOrderEventData";
  if (type.startsWith("shipment.")) return "ShipmentEventData";
  throw new Error(`what does an event of the type ${type} hold?`);
}
