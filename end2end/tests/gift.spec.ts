// Gift returns: the recipient returns the gift and sees no amount.
import type { Page, TestInfo } from '@playwright/test';
import { look } from './support/axe';
import { doesNotFit } from './support/portal';
import { basket, expect, Portal, Shop, test as base } from './support/test';

const postalCode = 'EH6 7AB';
const email = 'eve@example.com';
const shippingPaid = 495;

interface Given {
  portal: Portal;
  number: string;
}

/** A shop that accepts gift returns for a fee, and an order that was a gift. */
const test = base.extend<{ given: Given }>({
  given: async ({ page }, use) => {
    const requestFee = [{ value: '2.95', currency: 'GBP' }];
    const resolutions = ['Refund', 'StoreCredit', 'Exchange'];
    const shop = await Shop.open({ giftReturns: true, resolutions, requestFee, feeCollection: 'prepay' });
    const order = await shop.order(basket, { shippingPaid, postalCode });
    await use({ portal: new Portal(page, shop), number: order.number });
  },
});

/** No text, attribute or title of the page contains an amount, not even for scripts. */
async function hasNoAmount(page: Page): Promise<void> {
  const html = (await page.title()) + (await page.getByRole('main').evaluate((main) => main.outerHTML));
  expect(html).not.toMatch(/[£€$]\s?\d|\d\s?[£€$]|GBP/);
  expect(html).not.toMatch(/\b(59\.00|5900|12\.50|1250|50\.01|5001|38\.00|3800|2\.95|295|4\.95|495|56\.05|5605)\b/);
  await expect(page.locator('.money, [data-price]')).toHaveCount(0);
}

async function type(page: Page, number: string, code: string, address: string): Promise<void> {
  await page.getByLabel('Order number').fill(number);
  await page.getByLabel('Postal code').fill(code);
  await page.getByLabel('Your email').fill(address);
  await page.getByRole('button', { name: 'Find my gift' }).click();
}

async function find({ portal, number }: Given): Promise<void> {
  await portal.open();
  await portal.page.getByRole('link', { name: 'I received it as a gift' }).click();
  await portal.isAt('gift');
  await expect(portal.heading).toHaveText('Return a gift');
  await type(portal.page, number, postalCode, email);
  await portal.isAt('purchases');
}

/** Checks a page, which must have no amount. */
async function seen(page: Page, info: TestInfo, name: string): Promise<void> {
  await hasNoAmount(page);
  await look(page, info, name);
}

test('a gift is returned for store credit', async ({ page, given }, info) => {
  const { portal } = given;
  await portal.open();
  await page.getByRole('link', { name: 'I received it as a gift' }).click();
  await portal.isAt('gift'); // waits until the page is loaded
  await seen(page, info, 'gift');
  await find(given);
  await seen(page, info, 'gift-purchases');
  await expect(portal.row('Linen shirt').root).not.toContainText('Refund');
  await portal.row('Linen shirt').choose();
  await portal.row('Linen shirt').because(doesNotFit);
  await portal.row('Linen shirt').resolution(/Store credit/).check();
  await seen(page, info, 'gift-chosen');
  await portal.goOn();
  await seen(page, info, 'gift-review');
  const main = page.getByRole('main');
  await expect(main).toContainText('You’ll get store credit for the gift’s value');
  await expect(main).toContainText('Any return fee is deducted from your credit.');
  await portal.submit();
  await expect(portal.heading).toHaveText('Your return is ready to send');
  await expect(main).toContainText(`Updates go to ${email}.`);
  await expect(main).toContainText('You’ll get your store credit');
  await seen(page, info, 'gift-return');
  await page.getByRole('link', { name: 'My returns' }).click();
  await portal.isAt('returns');
  await seen(page, info, 'gift-returns');
});

test('a gift is exchanged', async ({ page, given }, info) => {
  const { portal } = given;
  await find(given);
  const shirt = portal.row('Linen shirt');
  await shirt.choose();
  await shirt.because(doesNotFit);
  await shirt.resolution(/Exchange/).check();
  await shirt.exchangeFor.selectOption('Size L');
  await portal.goOn();
  const main = page.getByRole('main');
  await expect(main).toContainText('No extra charge');
  await expect(main).not.toContainText('deducted from your credit');
  await portal.submit();
  await seen(page, info, 'gift-exchange');
  await portal.cancel();
  await hasNoAmount(page);
});

test('the entries for a gift are kept', async ({ page, given }, info) => {
  const { portal, number } = given;
  await portal.open('gift');
  await type(page, '', '', '');
  await expect(portal.alert.getByRole('link')).toHaveText([
    'Enter your order number',
    'Enter your postal code',
    'Enter your email address',
  ]);
  await seen(page, info, 'gift-missing');
  await type(page, number, postalCode, 'eve');
  await expect(portal.alert.getByRole('link')).toHaveText(['Enter your full email address, e.g. name@example.com']);
  await type(page, number, 'EH6 7AC', email);
  await expect(portal.alert.getByRole('link')).toHaveText(['We couldn’t find an order with that number and postal code']);
  await expect(page.getByLabel('Order number')).toHaveValue(number);
  await expect(page.getByLabel('Postal code')).toHaveValue('EH6 7AC');
  await expect(page.getByLabel('Your email')).toHaveValue(email);
  await seen(page, info, 'gift-not-found');
  await page.getByRole('link', { name: 'I placed this order' }).click();
  await portal.isAt('');
});

test('a shop without gift returns has no page for them', async ({ page }) => {
  const portal = new Portal(page, await Shop.open());
  await portal.open('gift');
  await portal.isAt('');
  await expect(page.getByRole('link', { name: 'I received it as a gift' })).toHaveCount(0);
});
