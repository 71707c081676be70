// The scan page of the desk: a hand scanner types like a fast keyboard. With and without scripting, on a phone and on a desktop.
import type { Page } from '@playwright/test';
import { look } from './support/axe';
import { Desk, person } from './support/desk';
import { expect, Shop, test } from './support/test';

interface Returned {
  id: string;
  number: string;
  shipments: { labelBarcode: string }[];
  returnRequests: { id: string; stage: string; receivedQuantity: number }[];
}

/** A scanner that is plugged in as a keyboard: it waits for nothing between two keys, and ends with Enter. */
async function wedge(page: Page, code: string) {
  await Promise.all([...code, 'Enter'].map((key) => page.keyboard.press(key)));
}

/** Makes a return of these lines, which waits for its parcel. */
async function sentBack(shop: Shop, lines: { product: string; total: number; quantity?: number; sku?: string }[]): Promise<Returned> {
  const order = await shop.order(lines);
  const at = process.env.RETOUR_URL;
  const json = { 'content-type': 'application/json' };
  const proof = { account: shop.slug, orderNumber: order.number, email: order.email };
  const proved = await fetch(`${at}/auth/consumer`, { method: 'POST', headers: json, body: JSON.stringify(proof) });
  const { consumer, accessToken } = (await proved.json()) as { consumer: { id: string }; accessToken: string };
  const bought = await fetch(`${at}/consumer/${consumer.id}/purchases`, { headers: { authorization: `Bearer ${accessToken}` } });
  const { data } = (await bought.json()) as { data: { id: string; returnReasons: { id: string }[]; shippingOptions: { id: string }[] }[] };
  const made = await (await shop.api()).post<Returned>('/return-orders', {
    consumerId: consumer.id,
    shippingOptionId: data[0].shippingOptions[0].id,
    selectedPurchases: data.map(({ id, returnReasons }, index) => ({
      purchaseId: id,
      quantity: lines[index].quantity ?? 1,
      returnReasonId: returnReasons[0].id,
      requestedResolution: 'Refund',
    })),
  });
  return state(shop, made.id);
}

async function state(shop: Shop, id: string): Promise<Returned> {
  return (await shop.api()).get<Returned>(`/return-orders/${id}?expand=returnRequests&expand=shipments`);
}

test('a parcel of one item takes at most three actions', async ({ page, scripting }, info) => {
  const shop = await Shop.open();
  const parcel = await sentBack(shop, [{ product: 'Stoneware mug', total: 1250 }]);
  await new Desk(page).signIn(await person('agent', shop.slug), 'scan');
  await expect(page.getByLabel('Scan or type a code')).toBeFocused();
  await look(page, info, 'desk-scan');
  await wedge(page, `]C100${parcel.shipments[0].labelBarcode}`); // 1: the parcel
  await expect(page.getByRole('heading', { name: `Return ${parcel.number}` })).toBeVisible();
  await expect(page.getByText('1 expected')).toBeVisible();
  await look(page, info, 'desk-scan-parcel');
  if (scripting) {
    await wedge(page, '$RETOUR-ALL-HERE'); // 2
    await expect(page.getByLabel('Here now')).toHaveValue('1');
    await new Desk(page).ready();
    await page.getByRole('button', { name: 'Done' }).click(); // 3
    await expect(page.getByText(`${parcel.number} is saved in`)).toBeVisible();
    expect((await state(shop, parcel.id)).returnRequests[0].receivedQuantity, 'nothing is saved yet').toBe(0);
    await expect(page.getByRole('status').getByText(/Approved: £12\.50 to pay\./)).toBeVisible({ timeout: 20_000 });
  } else {
    await wedge(page, '$RETOUR-DONE'); // 2: everything that is expected is here
    await expect(page.getByText(`${parcel.number} is counted. Approved: £12.50 to pay.`)).toBeVisible();
  }
  expect((await state(shop, parcel.id)).returnRequests[0].stage).toBe('Resolution: Approved');
});

test('items are counted by scanning them, and refused with a reason', async ({ page }) => {
  const shop = await Shop.open({ resolveOn: 'inspection' });
  const parcel = await sentBack(shop, [
    { product: 'Stoneware mug', total: 2500, quantity: 2, sku: 'MUG' },
    { product: 'Canvas tote', total: 1900, sku: 'TOTE-01' },
  ]);
  await new Desk(page).signIn(await person('agent', shop.slug), 'scan');
  await wedge(page, parcel.number);
  for (const code of ['MUG', 'mug', 'TOTE-01']) {
    await page.getByLabel('Scan or type a code').fill(code);
    await page.keyboard.press('Enter');
    await page.waitForLoadState();
  }
  const [mugs, tote] = [page.getByLabel('Here now').nth(0), page.getByLabel('Here now').nth(1)];
  await expect(mugs).toHaveValue('2');
  await expect(tote).toHaveValue('1');
  await page.getByText('Refuse units').nth(1).click();
  await page.getByLabel('Units refused').nth(1).fill('1');
  const done = page.getByRole('button', { name: 'Done' });
  await done.click();
  await expect(page.getByText('Say why units are refused.').first()).toBeVisible();
  await expect(page.getByLabel('Units refused').nth(1)).toHaveValue('1');
  await page.getByLabel('Why').nth(1).fill('The strap is torn.');
  await done.click();
  const said = page.getByText(/Approved: £25\.00 to pay\. 1 item denied\./);
  await expect(said.first()).toBeVisible({ timeout: 20_000 });
  const stages = (await state(shop, parcel.id)).returnRequests.map((request) => request.stage);
  expect(stages).toEqual(['Resolution: Approved', 'Resolution: Denied']);
});

test('the last parcel is taken back', async ({ page }) => {
  const shop = await Shop.open();
  const parcel = await sentBack(shop, [{ product: 'Stoneware mug', total: 1250 }]);
  await new Desk(page).signIn(await person('agent', shop.slug), 'scan');
  await wedge(page, parcel.number);
  await expect(page.getByRole('heading', { name: `Return ${parcel.number}` })).toBeVisible();
  await wedge(page, '$RETOUR-DONE');
  await expect(page.getByText(`${parcel.number} is counted.`)).toBeVisible();
  await expect(page.getByText('1 parcel, 1 unit, 0 refused')).toBeVisible();
  await page.getByRole('button', { name: `Take back ${parcel.number}` }).click();
  await expect(page.getByText(`${parcel.number} is taken back. Count it again.`)).toBeVisible();
  expect((await state(shop, parcel.id)).returnRequests[0].stage).toBe('Submitted: Ready');
});

test('an unknown parcel is recorded with its code', async ({ page }) => {
  const shop = await Shop.open();
  await new Desk(page).signIn(await person('agent', shop.slug), 'scan');
  await wedge(page, 'JJD000390001234567890');
  await expect(page.getByText('Nothing is known about this code.').first()).toBeVisible();
  await expect(page.getByLabel('Code on the parcel')).toHaveValue('JJD000390001234567890');
  await page.getByLabel('What is in it').fill('A blue mug');
  await page.getByRole('button', { name: 'Record parcel' }).click();
  await expect(page.getByText(/^Write F-[0-9A-Z]{8} on the parcel\.$/)).toBeVisible();
  const found = await (await shop.api()).get<{ data: { code: string; contents: string }[] }>('/found-parcels');
  expect(found.data).toHaveLength(1);
  expect(found.data[0]).toMatchObject({ code: 'JJD000390001234567890', contents: 'A blue mug' });
});

test('a scanner is heard wherever the focus is @scripting', async ({ page }) => {
  const shop = await Shop.open();
  const parcel = await sentBack(shop, [{ product: 'Stoneware mug', total: 1250, sku: 'MUG-BLUE' }]);
  await new Desk(page).signIn(await person('agent', shop.slug), 'scan');
  await wedge(page, parcel.number);
  await expect(page.getByRole('heading', { name: `Return ${parcel.number}` })).toBeVisible();
  await new Desk(page).ready();
  await page.getByLabel('Here now').focus();
  await wedge(page, 'MUG-BLUE');
  await expect(page.getByLabel('Here now')).toHaveValue('1');
  // A person who types slowly is no scanner.
  await new Desk(page).ready();
  await page.getByLabel('Here now').focus();
  await page.keyboard.type('2', { delay: 200 });
  await expect(page.getByRole('heading', { name: `Return ${parcel.number}` })).toBeVisible();
});

test('a found parcel is matched to its return and counted', async ({ page }) => {
  const shop = await Shop.open();
  const parcel = await sentBack(shop, [{ product: 'Stoneware mug', total: 1250 }]);
  await (await shop.api()).post('/found-parcels', { contents: 'A blue mug' });
  await new Desk(page).signIn(await person('warehouse', shop.slug), 'scan/found');
  await expect(page.getByText('A blue mug')).toBeVisible();
  await page.getByLabel('Number of its return').fill('R-00000000');
  await page.getByRole('button', { name: 'Match' }).click();
  await expect(page.getByText('There is no return with this number.').first()).toBeVisible();
  await page.getByLabel('Number of its return').fill(parcel.number);
  await page.getByRole('button', { name: 'Match' }).click();
  await expect(page.getByRole('heading', { name: `Return ${parcel.number}` })).toBeVisible();
  await expect(page.getByText(/£/)).toHaveCount(0); // the warehouse sees no amounts
});
