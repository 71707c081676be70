// The whole journey with a real shop: ordered in Vendure, returned here, refunded there.
import { readFile } from 'node:fs/promises';
import { doesNotFit } from './support/portal';
import { expect, Portal, Shop, test as base } from './support/test';
import { Vendure } from './support/vendure';

const address = { name: 'Jumpers & Mugs', street: 'Hafenstraße 1', postalCode: '20457', city: 'Hamburg', country: 'DE' };

const test = base.extend<{ shop: Shop }, { vendure: Vendure }>({
  vendure: [
    async ({}, use) => {
      const vendure = await Vendure.start();
      await use(vendure);
      await vendure.stop();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  // 10 % off the whole order gives odd cents, and not all of it is sent yet.
  order: async ({ vendure }, use) => {
    const items = { 'JUMPER-M': 1, 'MUG-L': 3, 'BAG-NAVY': 2 };
    await use(await vendure.buy({ items, coupon: 'WELCOME10', fulfil: { 'JUMPER-M': 1, 'MUG-L': 2 } }));
  },
  shop: async ({ vendure }, use) => {
    const shop = await Shop.open({ resolveOn: 'inspection', returnAddress: address }, 'EUR', address.name);
    const api = await shop.api();
    await api.patch('/account', { bridge: { kind: 'vendure', url: vendure.url, secret: vendure.secret } });
    for (const [name, method, value] of [['Print a label', 'Label', '2.95'], ['Show a code', 'Paperless', '3.95']]) {
      await api.post('/shipping-options', { name: { en: name }, method, prices: [{ value, currency: 'EUR' }] });
    }
    await use(shop);
  },
  portal: async ({ page, shop }, use) => use(new Portal(page, shop)),
});

test.describe.configure({ mode: 'default' }); // in sequence, because they share one Vendure
test.slow(); // Vendure is slow on a busy machine

test('a Vendure order is returned, and refunded there to the cent', async ({ page, portal, shop, order, vendure }) => {
  await portal.find(order);
  const main = page.getByRole('main');
  const [jumper, mug] = [portal.row('Wool jumper'), portal.row('Enamel mug')];
  await expect(jumper.root).toContainText('€53.99'); // of 59.99
  await expect(mug.root).toContainText('2 of 3 returnable');
  await expect(mug.root).toContainText('€12.00'); // of 13.33
  await expect(main.getByRole('listitem').filter({ hasText: 'Canvas bag' })).toContainText('Not shipped yet');
  await expect(main.getByRole('checkbox')).toHaveCount(2);
  await jumper.choose();
  await jumper.because(doesNotFit);
  await mug.choose();
  await mug.quantity.fill('2');
  await mug.because('Other');
  await portal.goOn();

  await expect(portal.ways.getByRole('radio')).toHaveCount(3);
  await portal.pick('Show a code');
  expect(await portal.receipt()).toMatchObject({ total: 5399 + 2400 - 395 });
  await portal.pick('Print a label');
  const lines = [['Wool jumper', 5399], ['2 × Enamel mug', 2400], ['Return shipping', -295]];
  expect(await portal.receipt()).toMatchObject({ lines, total: 7504 });
  const number = await portal.submit();
  for (const line of ['Hafenstraße 1', '20457 Hamburg']) await expect(main).toContainText(line);
  const [label] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download my label (PDF)' }).click(),
  ]);
  expect((await readFile(await label.path())).subarray(0, 5).toString()).toBe('%PDF-');

  const merchant = await shop.api();
  const requests = await merchant.get<{ data: { id: string; quantity: number }[] }>('/return-requests');
  for (const { id, quantity } of requests.data) {
    await merchant.post(`/return-requests/${id}/receipts`, { quantity });
    await merchant.post(`/return-requests/${id}/inspection`, { accepted: quantity, refused: 0, disposition: 'Restock' });
  }
  await expect(async () => {
    await page.reload();
    await expect(portal.heading).toHaveText('You’ve been refunded', { timeout: 2_000 });
  }).toPass({ timeout: 300_000 }); // if the shop does not answer in time, the next attempt comes after a minute
  await expect(main).toContainText('€75.04 is on its way to your original payment method');

  const refunds = await vendure.refunds(order);
  expect(refunds.reduce((sum, { total }) => sum + total, 0)).toBe(7504);
  expect(refunds.map(({ state }) => state)).toEqual(['Settled', 'Settled']); // one for each item
  for (const { reason } of refunds) expect(reason).toContain(`Return ${number} `);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await portal.find(order);
  await expect(portal.heading).toHaveText('Nothing in this order can be returned right now');
  for (const name of ['Wool jumper', 'Enamel mug']) {
    await expect(main.getByRole('listitem').filter({ hasText: name })).toContainText(`Part of return ${number}`);
  }
});

test('while Vendure does not answer, the shopper sees a message and loses nothing', async ({ page, portal, order, vendure }) => {
  await portal.open();
  vendure.hang();
  try {
    await portal.type(order);
    await expect(portal.notice).toContainText('We can’t look up orders right now', { timeout: 60_000 });
  } finally {
    vendure.goOn();
  }
  await expect(page.getByLabel('Order number')).toHaveValue(order.number);
  await expect(page.getByLabel('Email address')).toHaveValue(order.email);
  await page.getByRole('button', { name: 'Find my order' }).click();
  await portal.isAt('purchases');
  await expect(portal.row('Wool jumper').tick).toBeVisible();
});
