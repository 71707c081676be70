// Subscriptions to webhooks. notices.mjs sends the notices.
import { connection, inputOnly, userError } from './answers.mjs';
import { register, show } from './views.mjs';

const LOCAL = /^http:\/\/(127\.0\.0\.1|localhost)(:|\/)/; // Shopify takes https only; receivers of tests have no certificate

export const webhookMutations = {
  webhookSubscriptionCreate({ topic, webhookSubscription: input }, { shop, version }) {
    inputOnly(input, 'WebhookSubscriptionInput', ['uri', 'callbackUrl', 'format', 'includeFields']);
    const failed = (message) => ({ webhookSubscription: null, userErrors: [userError(['webhookSubscription', 'callbackUrl'], message)] });
    const uri = input.uri ?? input.callbackUrl;
    if (!uri) return failed('Address can\'t be blank');
    if (!uri.startsWith('https://') && !LOCAL.test(uri)) return failed('Address protocol http:// is not supported');
    if (shop.webhooks.some((one) => one.topic === topic && one.uri === uri)) return failed('Address for this topic has already been taken');
    const made = shop.keep('WebhookSubscription', { topic, uri, format: input.format ?? 'JSON', includeFields: input.includeFields ?? [], version, createdAt: shop.time() });
    shop.webhooks.push(made);
    return { webhookSubscription: show(shop, made), userErrors: [] };
  },
  webhookSubscriptionDelete({ id }, { shop }) {
    const at = shop.webhooks.findIndex((one) => one.id === id);
    if (at < 0) return { deletedWebhookSubscriptionId: null, userErrors: [userError(['id'], 'Webhook subscription does not exist')] };
    shop.webhooks.splice(at, 1);
    shop.everything.delete(id);
    return { deletedWebhookSubscriptionId: id, userErrors: [] };
  },
};

export const webhookQueries = {
  webhookSubscriptions: (args, context, info) => {
    const found = context.shop.webhooks.filter(({ topic, uri }) => (!args.topics || args.topics.includes(topic)) && (!args.uri || args.uri === uri));
    return connection(found.map((one) => show(context.shop, one)), args, context, info, ['topics', 'uri', 'sortKey']);
  },
};

register('WebhookSubscription', (shop, one) => ({
  __typename: 'WebhookSubscription', id: one.id, legacyResourceId: String(one.number), topic: one.topic, uri: one.uri, format: one.format, createdAt: one.createdAt,
  updatedAt: one.createdAt, includeFields: one.includeFields, metafieldNamespaces: [], filter: null, apiVersion: { handle: one.version, displayName: one.version, supported: true },
}));
