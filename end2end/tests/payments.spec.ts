// A fee is paid before the return is sent: on our own test page, which moves no money, and at imitations of
// payment providers.
import { look } from './support/axe';
import { Company } from './support/company';
import type { Page } from '@playwright/test';
import { expect, Portal, Shop, test as base } from './support/test';

const returnAddress = { name: 'Plain & Simple Returns', street: '1 Dock Road', postalCode: '1012 AB', city: 'Amsterdam', country: 'NL' };

/** A shop with a fee of £4.95 in advance, and a shopper who is about to return a shirt. */
async function prepaying(page: Page, payment: object): Promise<Portal> {
  const requestFee = [{ value: '4.95', currency: 'GBP' }];
  const portal = new Portal(page, await Shop.open({ returnAddress, requestFee, feeCollection: 'prepay' }));
  await (await portal.shop.api()).patch('/account', { payment });
  await portal.prove(await portal.shop.order());
  await portal.choose('Linen shirt');
  return portal;
}

const test = base.extend<{ prepaid: Portal; company: Company }>({
  prepaid: async ({ page }, use) => use(await prepaying(page, { kind: 'simulated' })),
  company: async ({ elsewhere }, use) => {
    const company = await Company.start();
    elsewhere.push(company.url);
    await use(company);
    await company.stop();
  },
});

test('paying, then sending', async ({ page, prepaid: portal }, info) => {
  const receipt = await portal.receipt();
  // The fee is paid by itself, and not taken off the refund.
  expect(receipt.lines).toEqual([['Linen shirt', 5900], ['Handling fee', 495], ['Return shipping', 0], ['Due now', 495]]);
  expect(receipt.total).toBe(5900);
  expect(receipt.called).toBe('Refund later');
  await expect(page.getByRole('main')).toContainText('Due now');
  await expect(page.getByRole('button', { name: 'Continue to payment · £4.95' }).filter({ visible: true })).toHaveCount(1);
  await look(page, info, 'review-to-pay');
  await portal.submit();
  await expect(portal.heading).toHaveText('Pay £4.95 to get your label');
  await look(page, info, 'return-to-pay');
  const back = page.url();
  await page.getByRole('link', { name: 'Pay £4.95' }).click();
  await expect(portal.heading).toHaveText('Pay £4.95 to get your label');
  await look(page, info, 'pay');
  await page.getByRole('link', { name: 'Not now' }).click();
  await expect(page).toHaveURL(back);
  await page.getByRole('link', { name: 'Pay £4.95' }).click();
  const checkout = page.url();
  await page.getByRole('button', { name: 'Pay £4.95' }).click();
  await expect(page).toHaveURL(back);
  await expect(portal.heading).toHaveText('Your return is ready to send');
  await look(page, info, 'return-paid');
  // Back button and a second payment: there is nothing left to pay.
  await page.goto(checkout);
  await expect(page).toHaveURL(back);
});

test('paid in two tabs, then cancelled', async ({ page, context, prepaid: portal }, info) => {
  await portal.submit();
  await page.getByRole('link', { name: 'Pay £4.95' }).click();
  const other = await context.newPage();
  await other.goto(page.url());
  for (const tab of [other, page]) {
    await tab.getByRole('button', { name: 'Pay £4.95' }).click();
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Your return is ready to send');
  }
  await portal.cancel();
  await expect(page.getByRole('main')).toContainText('The £4.95 you paid will be refunded to your original payment method.');
  await look(page, info, 'return-paid-back');
  await other.close();
});

const companies = [
  { kind: 'stripe', apiKey: 'sk_test_retour' },
  { kind: 'mollie', apiKey: 'test_retour' },
];
for (const setting of companies) {
  test(`paying at ${setting.kind}`, async ({ page, company }, info) => {
    const portal = await prepaying(page, { ...setting, url: company.url });
    await portal.submit();
    const back = page.url();
    await page.getByRole('link', { name: 'Pay £4.95' }).click();
    await expect(page).toHaveURL(new RegExp(`^${company.url}/pay/`));
    await page.getByRole('link', { name: 'Back to the shop' }).click();
    await expect(page).toHaveURL(back);
    await expect(portal.heading).toHaveText('Pay £4.95 to get your label');
    await page.getByRole('link', { name: 'Pay £4.95' }).click();
    const checkout = page.url();
    await page.getByRole('button', { name: 'Pay' }).click();
    await expect(page).toHaveURL(new RegExp(`^${back}(#|$)`)); // redirects keep the fragment
    await expect(portal.heading).toHaveText('Your return is ready to send');
    await expect(page.getByRole('main')).toContainText('Already paid');
    // Back button and reload: it is paid once.
    await page.goto(checkout);
    await page.getByRole('button', { name: 'Pay' }).click();
    await expect(portal.heading).toHaveText('Your return is ready to send');
    expect((await company.money()).map(({ amount }) => amount)).toEqual([495]);
    await portal.cancel();
    await expect(page.getByRole('main')).toContainText('The £4.95 you paid will be refunded to your original payment method.');
    await expect.poll(async () => (await company.money()).map(({ refunded }) => refunded)).toEqual([495]);
    await look(page, info, `return-paid-back-${setting.kind}`);
  });
}

test('closing the tab after paying still counts as paid', async ({ page, company, baseURL }) => {
  const secret = 'whsec_wRNftLajMZNeslQOP6vEPm4iVx5NlZ6z';
  const portal = await prepaying(page, { kind: 'stripe', apiKey: 'sk_test_retour', webhookSecret: secret, url: company.url });
  const account = await (await portal.shop.api()).get<{ payment: { noticesUrl: string } }>('/account');
  await company.tells(`${baseURL}${account.payment.noticesUrl}`, secret);
  await portal.submit();
  const back = page.url();
  await page.getByRole('link', { name: 'Pay £4.95' }).click();
  await fetch(page.url().split('#')[0], { method: 'POST', redirect: 'manual' }); // as if the tab was closed before the redirect
  await expect(async () => {
    await page.goto(back);
    await expect(portal.heading).toHaveText('Your return is ready to send', { timeout: 1000 });
  }).toPass();
});

test('a payment that takes days', async ({ page, company }, info) => {
  const portal = await prepaying(page, { kind: 'mollie', apiKey: 'test_retour', url: company.url });
  await portal.submit();
  const back = page.url();
  await page.getByRole('link', { name: 'Pay £4.95' }).click();
  await fetch(`${page.url()}?how=days`, { method: 'POST', redirect: 'manual' });
  await page.goto(back.replace('/returns/', '/pay/') + '/done');
  await expect(page).toHaveURL(back);
  await expect(portal.heading).toHaveText('Your payment is on its way');
  await expect(page.getByRole('link', { name: 'Pay £4.95' })).toHaveCount(0);
  await look(page, info, 'return-payment-on-its-way');
});

test('the payment provider is unavailable', async ({ page, company, context }, info) => {
  const portal = await prepaying(page, { kind: 'stripe', apiKey: 'sk_test_retour', url: company.url });
  await portal.submit();
  const back = page.url();
  await company.next('open', 'fail');
  const other = await context.newPage(); // here a 502 is expected
  await other.goto(back.replace('/returns/', '/pay/'));
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('We can’t open the payment page');
  await look(other, info, 'pay-unavailable');
  await other.getByRole('link', { name: 'Try again' }).click();
  await expect(other).toHaveURL(new RegExp(`^${company.url}/pay/`));
});
