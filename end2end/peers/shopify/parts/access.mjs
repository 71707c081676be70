// Which access scope a field needs, and which fields are protected customer data.
import { requestError } from './answers.mjs';

const scopes = {
  'QueryRoot.orders': 'read_orders', 'QueryRoot.order': 'read_orders', 'QueryRoot.return': 'read_returns', 'QueryRoot.reverseFulfillmentOrder': 'read_returns',
  'QueryRoot.reverseDelivery': 'read_returns', 'QueryRoot.returnableFulfillments': ['read_orders', 'read_returns'], 'QueryRoot.locations': 'read_locations', 'QueryRoot.location': 'read_locations',
  'QueryRoot.customer': 'read_customers', 'QueryRoot.storeCreditAccount': 'read_store_credit_accounts',
  'Mutation.refundCreate': 'write_orders', 'Mutation.orderUpdate': 'write_orders', 'Mutation.tagsAdd': 'write_orders', 'Mutation.metafieldsSet': 'write_orders',
  'Mutation.returnCreate': 'write_returns', 'Mutation.returnRequest': 'write_returns', 'Mutation.returnApproveRequest': 'write_returns',
  'Mutation.returnDeclineRequest': 'write_returns', 'Mutation.returnCancel': 'write_returns', 'Mutation.returnClose': 'write_returns',
  'Mutation.returnReopen': 'write_returns', 'Mutation.returnProcess': 'write_returns', 'Mutation.reverseDeliveryCreateWithShipping': 'write_returns',
  'Mutation.reverseFulfillmentOrderDispose': 'write_returns', 'Mutation.removeFromReturn': 'write_returns',
  'Mutation.storeCreditAccountCredit': 'write_store_credit_account_transactions',
  'Order.returns': 'read_returns', 'Order.customer': 'read_customers', 'Customer.storeCreditAccounts': 'read_store_credit_accounts',
  'StoreCreditAccount.transactions': 'read_store_credit_account_transactions', 'LineItem.product': 'read_products', 'LineItem.variant': 'read_products',
  'InventoryItem.inventoryLevel': 'read_inventory', 'InventoryItem.inventoryLevels': 'read_inventory',
};
const protectedFields = new Set([
  'Order.email', 'Order.phone', 'Order.customer', 'Order.billingAddress', 'Order.shippingAddress', 'Order.displayAddress', 'Customer.email', 'Customer.firstName',
  'Customer.lastName', 'Customer.defaultEmailAddress', 'QueryRoot.customer',
]);
const DOCUMENTATION = 'https://shopify.dev/api/usage/access-scopes';

/** Fails with ACCESS_DENIED if the app may not read this field. */
export function checkAccess(shop, { parentType, fieldName }) {
  const place = `${parentType.name}.${fieldName}`;
  const scope = [scopes[place] ?? []].flat().find((one) => !shop.allows(one));
  if (scope) {
    const requiredAccess = `\`${scope}\` access scope.`;
    throw requestError(`Access denied for ${fieldName} field. Required access: ${requiredAccess}`, 'ACCESS_DENIED', { documentation: DOCUMENTATION, requiredAccess });
  }
  if (!shop.protectedData && protectedFields.has(place)) {
    throw requestError(`This app is not approved to use the ${fieldName} field. See https://shopify.dev/docs/apps/launch/protected-customer-data for more details.`, 'ACCESS_DENIED', { documentation: DOCUMENTATION });
  }
}
