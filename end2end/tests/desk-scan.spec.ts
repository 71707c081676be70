// The scan page of the desk: a hand scanner types like a fast keyboard. With and without scripting, on a phone and on a desktop.
import { look } from './support/axe';
import { Desk, staff } from './support/desk';
import { apiOf, returned, state } from './support/returned';
import { elsewhere, wedge } from './support/scanner';
import { expect, Shop, test } from './support/test';

const mug = [{ product: 'Stoneware mug', total: 1250 }];

test('a parcel of one item takes at most three actions', async ({ page, scripting }, info) => {
  if (scripting) await page.clock.install(); // the ten seconds of undo pass at once
  const shop = await Shop.open();
  const parcel = await returned(shop, { lines: mug, by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), 'scan');
  await expect(page.getByLabel('Scan or type a code')).toBeFocused();
  await look(page, info, 'desk-scan');
  await wedge(page, `]C100${parcel.shipments[0]!.labelBarcode}`); // 1: the parcel
  await expect(page.getByRole('heading', { name: `Return ${parcel.number}` })).toBeVisible();
  await expect(page.getByText('1 expected')).toBeVisible();
  await look(page, info, 'desk-scan-parcel');
  await desk.ready();
  if (scripting) {
    await wedge(page, '$RETOUR-ALL-HERE'); // 2
    await expect(page.getByLabel('Here now')).toHaveValue('1');
    await desk.ready();
    await page.getByRole('button', { name: 'Done' }).click(); // 3
    await expect(desk.holding).toContainText(`${parcel.number} is saved in`);
    await look(page, info, 'desk-scan-undo');
    expect((await state(shop, parcel.id)).returnRequests[0]!.receivedQuantity, 'nothing is saved yet').toBe(0);
    await page.clock.fastForward(11_000);
    await expect(desk.holding).toContainText('Approved: £12.50 to pay.');
  } else {
    await wedge(page, '$RETOUR-DONE'); // 2: everything that is expected is here
    await expect(page.getByText(`${parcel.number} is counted. Approved: £12.50 to pay.`)).toBeVisible();
  }
  expect((await state(shop, parcel.id)).returnRequests[0]!.stage).toBe('Resolution: Approved');
});

test('within ten seconds, Undo brings the parcel back @scripting', async ({ page }) => {
  await page.clock.install();
  const shop = await Shop.open();
  const parcel = await returned(shop, { lines: mug, by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('warehouse', shop.slug), `scan?open=${parcel.number}`);
  await page.getByLabel('Here now').fill('1');
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page).toHaveURL(/\/desk\/scan$/);
  await expect(desk.holding).toContainText(`${parcel.number} is saved in`);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: `Return ${parcel.number}` })).toBeVisible();
  await desk.ready();
  await expect(desk.holding).toBeHidden();
  await page.clock.fastForward(20_000);
  await expect(desk.holding).toBeHidden();
  expect((await state(shop, parcel.id)).returnRequests[0]!.stage).toBe('Submitted: Ready');
});

test('items are counted by scanning them, and refused with a reason', async ({ page, scripting }) => {
  await page.clock.install();
  const shop = await Shop.open({ resolveOn: 'inspection' });
  const lines = [
    { product: 'Stoneware mug', total: 2500, quantity: 2, sku: 'MUG' },
    { product: 'Canvas tote', total: 1900, sku: 'TOTE-01' },
  ];
  const parcel = await returned(shop, { lines, by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), 'scan');
  await wedge(page, parcel.number);
  const item = (product: string) => page.getByRole('listitem').filter({ hasText: product });
  const [mugs, tote] = [item('Stoneware mug'), item('Canvas tote')];
  await expect(mugs).toBeVisible();
  for (const [code, card, units] of [['MUG', mugs, '1'], ['mug', mugs, '2'], ['TOTE-01', tote, '1']] as const) {
    await desk.ready();
    await page.getByLabel('Scan or type a code').fill(code);
    await page.keyboard.press('Enter');
    await expect(card.getByLabel('Here now')).toHaveValue(units);
  }
  await tote.getByText('Refuse units').click();
  await tote.getByLabel('Units refused').fill('1');
  await desk.ready();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(tote.getByText('Say why units are refused.')).toBeVisible();
  await expect(tote.getByLabel('Units refused')).toHaveValue('1');
  await tote.getByLabel('Why').fill('The strap is torn.');
  await desk.ready();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Scan' })).toBeVisible();
  await desk.ready();
  if (scripting) await page.clock.fastForward(11_000);
  await expect(page.getByText(/Approved: £25\.00 to pay\. 1 item denied\./).last()).toBeVisible();
  const stages = (await state(shop, parcel.id)).returnRequests.map((request) => request.stage);
  expect(stages.sort()).toEqual(['Resolution: Approved', 'Resolution: Denied']);
});

test('the last parcel is taken back', async ({ page }) => {
  const shop = await Shop.open();
  const parcel = await returned(shop, { lines: mug, by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), 'scan');
  await wedge(page, parcel.number);
  await expect(page.getByRole('heading', { name: `Return ${parcel.number}` })).toBeVisible();
  await desk.ready();
  await wedge(page, '$RETOUR-DONE');
  await expect(page.getByText(`${parcel.number} is counted.`)).toBeVisible();
  await expect(page.getByText('1 parcel, 1 unit, 0 refused')).toBeVisible();
  await page.getByRole('button', { name: `Take back ${parcel.number}` }).click();
  await expect(page.getByText(`${parcel.number} is taken back. Count it again.`)).toBeVisible();
  expect((await state(shop, parcel.id)).returnRequests[0]!.stage).toBe('Submitted: Ready');
});

test('the command Take back drops nothing that is counted', async ({ page }) => {
  const shop = await Shop.open();
  const [first, second] = [await returned(shop, { lines: mug, by: 'staff' }), await returned(shop, { lines: mug, by: 'staff' })];
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), 'scan');
  await wedge(page, first.number);
  await expect(page.getByRole('heading', { name: `Return ${first.number}` })).toBeVisible();
  await desk.ready();
  await wedge(page, '$RETOUR-DONE');
  await expect(page.getByText(`${first.number} is counted.`)).toBeVisible();
  await desk.open(`scan?open=${second.number}`);
  await desk.ready();
  await page.getByLabel('Here now').fill('1');
  await page.locator('#code').focus();
  await wedge(page, '$RETOUR-TAKE-BACK');
  await expect(desk.alert.first()).toContainText(`You are still counting ${second.number}.`);
  await expect(page.getByLabel('Here now')).toHaveValue('1');
  expect((await state(shop, first.id)).returnRequests[0]!.receivedQuantity).toBe(1);
});

test('an unknown parcel is recorded with its code', async ({ page }, info) => {
  const shop = await Shop.open();
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), 'scan');
  await wedge(page, 'JJD000390001234567890');
  await expect(page.getByText('Nothing is known about this code.').first()).toBeVisible();
  await expect(page.getByLabel('Code on the parcel')).toHaveValue('JJD000390001234567890');
  await look(page, info, 'desk-scan-unknown');
  await page.getByLabel('What is in it').fill('A blue mug');
  await page.getByRole('button', { name: 'Record parcel' }).click();
  await expect(page.getByText(/^Write F-[0-9A-Z]{8} on the parcel\.$/)).toBeVisible();
  const found = await (await apiOf(shop)).get<{ data: { code: string; contents: string }[] }>('/found-parcels');
  expect(found.data).toHaveLength(1);
  expect(found.data[0]).toMatchObject({ code: 'JJD000390001234567890', contents: 'A blue mug' });
});

test('a scanner is heard wherever the focus is @scripting', async ({ page }) => {
  const shop = await Shop.open();
  const parcel = await returned(shop, { lines: [{ product: 'Stoneware mug', total: 2500, quantity: 2, sku: 'MUG-BLUE' }], by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), `scan?open=${parcel.number}`);
  const here = page.getByLabel('Here now');
  await here.focus();
  await elsewhere(page, 'MUG-BLUE');
  await expect(here).toHaveValue('1');
  // Some scanners end with Tab. Without a focus, no letter of a code is a key of the desk.
  await desk.ready();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await elsewhere(page, 'MUG-BLUE', 'Tab');
  await expect(here).toHaveValue('2');
  // A person who types slowly is no scanner.
  await desk.ready();
  await page.getByText('Refuse units').click();
  const why = page.getByLabel('Why');
  await why.focus();
  await page.keyboard.type('broken', { delay: 80 });
  await page.keyboard.press('Enter');
  await expect(why).toHaveValue('broken\n');
  await expect(here).toHaveValue('2');
});

test('a found parcel is matched to its return and counted', async ({ page }, info) => {
  const shop = await Shop.open();
  const parcel = await returned(shop, { lines: mug, by: 'staff' });
  await (await apiOf(shop)).post('/found-parcels', { contents: 'A blue mug' });
  const desk = new Desk(page);
  await desk.enter(await staff('warehouse', shop.slug), 'scan/found');
  await expect(page.getByText('A blue mug')).toBeVisible();
  await look(page, info, 'desk-found');
  await page.getByLabel('Return number').fill('R-00000000');
  await page.getByRole('button', { name: 'Match' }).click();
  await expect(page.getByText('There is no return with this number.').first()).toBeVisible();
  await page.getByLabel('Return number').fill(parcel.number);
  await page.getByRole('button', { name: 'Match' }).click();
  await expect(page.getByRole('heading', { name: `Return ${parcel.number}` })).toBeVisible();
  await expect(page.getByText(/£/)).toHaveCount(0); // the warehouse sees no amounts
});
