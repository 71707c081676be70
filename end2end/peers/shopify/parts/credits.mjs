// Store credit: accounts of customers, one for each currency.
import { inputOnly, userError } from './answers.mjs';
import { parse } from './money.mjs';
import { show } from './views.mjs';

const MOST = 1_000_000; // minor units in one account. An assumption: Shopify names the limit CREDIT_LIMIT_EXCEEDED without an amount.

/** Adds to a customer's account in this currency, and opens it if there is none. */
export function credit(shop, owner, { amount, currency, expiresAt = null, event = 'ADJUSTMENT' }) {
  let account = owner.accounts.find((one) => one.currency === currency);
  if (!account) {
    account = shop.keep('StoreCreditAccount', { owner, currency, balance: 0, credits: [] });
    owner.accounts.push(account);
  }
  account.balance += amount;
  const made = shop.keep('StoreCreditAccountCreditTransaction', { account, amount, balanceAfter: account.balance, createdAt: shop.time(), expiresAt, event });
  account.credits.push(made);
  return made;
}

/** The mutation storeCreditAccountCredit. Shopify gives it no idempotency key: each call credits. */
export function storeCreditAccountCredit({ id, creditInput }, { shop }) {
  inputOnly(creditInput, 'StoreCreditAccountCreditInput', ['creditAmount', 'expiresAt', 'notify']);
  const { creditAmount: { amount: written, currencyCode: currency }, expiresAt } = creditInput;
  const failed = (code, field, message) => ({ storeCreditAccountTransaction: null, userErrors: [userError(field, message, code)] });
  const account = shop.find(id, 'StoreCreditAccount');
  const owner = account?.owner ?? shop.find(id, 'Customer');
  if (!owner) {
    return id.includes('/StoreCreditAccount/') ? failed('ACCOUNT_NOT_FOUND', ['id'], 'Store credit account does not exist') : failed('OWNER_NOT_FOUND', ['id'], 'Owner does not exist');
  }
  const amount = parse(written, currency);
  const field = ['creditInput', 'creditAmount'];
  if (amount <= 0) return failed('NEGATIVE_OR_ZERO_AMOUNT', [...field, 'amount'], 'A positive amount must be used to credit a store credit account');
  if (account && account.currency !== currency) return failed('MISMATCHING_CURRENCY', [...field, 'currencyCode'], 'The currency provided does not match the currency of the store credit account');
  if (amount > MOST) return failed('CREDIT_LIMIT_EXCEEDED', [...field, 'amount'], 'The operation would cause the account\'s credit limit to be exceeded');
  if (expiresAt && Date.parse(expiresAt) <= shop.now()) return failed('EXPIRES_AT_IN_PAST', ['creditInput', 'expiresAt'], 'The expiry date must be in the future');
  const made = credit(shop, owner, { amount, currency, expiresAt });
  shop.pay({ order: null, kind: 'credit', gateway: 'shopify_store_credit', parent: null, minor: amount, currency, by: 'api', note: null, refund: null, customer: owner.id });
  return { storeCreditAccountTransaction: show(shop, made), userErrors: [] };
}
