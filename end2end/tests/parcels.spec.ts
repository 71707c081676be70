// Shipping options: by weight, through customs, in several shipments, with and without a printer.
import { look } from './support/axe';
import { Component } from './support/component';
import { expect, Portal, Shop, test } from './support/test';

const returnAddress = { name: 'Plain & Simple Returns', street: '1 Dock Road', postalCode: '1012 AB', city: 'Amsterdam', country: 'NL' };
const gbp = (value: string) => [{ value, currency: 'GBP' }];
const ways = [
  { name: { en: 'Parcel shop' }, description: { en: 'Bring it as it is: they pack it.' }, method: 'DropOff', prices: gbp('4.95'),
    weightPrices: [{ above: 1500, prices: gbp('6.95') }], maxWeight: 2500 },
  { name: { en: 'Courier' }, method: 'PickUp', prices: gbp('9.95') },
];

test('heavier returns cost more, and too heavy ones get another option', async ({ page }, info) => {
  const shop = await Shop.open({ returnAddress });
  const api = await shop.api();
  for (const way of ways) await api.post('/shipping-options', way);
  const portal = new Portal(page, shop);
  await portal.prove(await shop.order([{ product: 'Stoneware mug', quantity: 6, total: 12000 }]));
  await portal.choose('Stoneware mug'); // 500 g by default
  await expect(portal.way('Parcel shop')).toContainText('£4.95');
  await expect(portal.way('Parcel shop')).toContainText('No box, no printer');
  await expect(portal.way('Courier')).toContainText('Home collection, printer needed');
  await look(page, info, 'review-ways-by-weight');
  const again = async (units: string) => {
    await page.getByRole('link', { name: 'Edit: Stoneware mug' }).click();
    await portal.row('Stoneware mug').quantity.fill(units);
    await portal.goOn();
  };
  await again('4');
  await expect(portal.way('Parcel shop')).toContainText('£6.95');
  await again('6');
  await expect(portal.way('Parcel shop')).toHaveCount(0);
  await expect(portal.way('Courier')).toBeVisible();
});

for (const [name, todo] of [['Parcel shop', 'Staff at the drop-off point will pack your items and print the label.'], ['Courier', 'The carrier will come to you.']] as const) {
  test(`what to do: ${name}`, async ({ page }, info) => {
    const shop = await Shop.open({ returnAddress });
    const api = await shop.api();
    for (const way of ways) await api.post('/shipping-options', way);
    const portal = new Portal(page, shop);
    await portal.prove(await shop.order([{ product: 'Stoneware mug', total: 2000 }]));
    await portal.choose('Stoneware mug');
    await portal.pick(name);
    await portal.submit();
    await expect(page.getByRole('main')).toContainText(todo);
    await expect(page.getByRole('link', { name: /^Download my label/ })).toHaveCount(name === 'Courier' ? 1 : 0);
    await expect(page.getByRole('img', { name: /^Code for return/ })).toHaveCount(name === 'Courier' ? 0 : 1);
    await look(page, info, `return-${name === 'Courier' ? 'pick-up' : 'drop-off'}`);
  });
}

test('items that customs would stop are named, and get another option or none', async ({ page }, info) => {
  const component = await Component.start();
  try {
    const portal = new Portal(page, await Shop.open({ returnAddress })); // the order was sent to London
    const api = await portal.shop.api();
    const { url, secret } = component;
    await api.patch('/account', { bridge: { kind: 'http', url, secret }, carrier: { kind: 'bridge' } });
    await portal.prove({ number: '1001', email: 'ada@example.com' });
    await portal.choose('Linen shirt');
    await expect(page.getByRole('main')).toContainText('No return option for these items right now');
    await expect(page.getByRole('main')).toContainText('This parcel needs customs details');
    await expect(page.locator('.named')).toHaveText('Linen shirt');
    await expect(portal.send).toHaveCount(0);
    await look(page, info, 'review-no-way');
    await api.post('/shipping-options', { name: { en: 'Any carrier' }, method: 'OwnCarrier', prices: gbp('0.00') });
    await page.reload();
    await expect(page.getByRole('main')).not.toContainText('No return option');
    await expect(page.getByRole('main')).toContainText('This parcel needs customs details');
    await expect(portal.way('Any carrier')).toBeVisible();
    await look(page, info, 'review-customs');
    await portal.submit();
    await expect(page.locator('.facts')).toContainText('1 Dock Road'); // there is no label with the address
  } finally {
    await component.stop();
  }
});

test('a return that does not fit into one shipment has a label for each', async ({ page }, info) => {
  const shop = await Shop.open({ returnAddress });
  const api = await shop.api();
  const portal = new Portal(page, shop);
  await portal.prove(await shop.order([{ product: 'Stoneware mug', quantity: 2, total: 2000 }]));
  await portal.choose('Stoneware mug');
  await portal.submit();
  const id = page.url().split('/').pop()!;
  await api.post(`/return-orders/${id}/shipments`, {});
  await page.reload();
  await expect(page.getByRole('main')).toContainText('Use one parcel for each label');
  const names = new Set<string>();
  for (const number of [1, 2]) {
    const link = page.getByRole('link', { name: `Download label ${number} of 2` });
    names.add((await link.getAttribute('href'))!);
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toMatch(/^return-R-.*\.pdf$/);
  }
  expect(names.size).toBe(2);
  await look(page, info, 'return-several-parcels');
});
