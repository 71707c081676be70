// A return at the desk: decide about it, note something, hand it on, and what happens if a colleague was faster.
import { look } from './support/axe';
import { Desk, staff } from './support/desk';
import { apiOf, returned, state } from './support/returned';
import { Shop, expect, test } from './support/test';

/** A return of two items in a shop where a person decides, and one of its people. */
async function waiting() {
  const shop = await Shop.open({ autoApprove: false, autoResolve: false });
  const lines = [
    { product: 'Linen shirt', total: 5900, sku: 'LS-M' },
    { product: 'Stoneware mug', total: 2000 },
  ];
  const made = await returned(shop, { lines, comment: 'It is too small.' });
  const kari = await staff('admin', shop.slug);
  return { shop, kari, api: await apiOf(shop), id: made.id, number: made.number, request: made.returnRequests[0]!.id };
}

test('a person approves one item, rejects another, and the timeline names them', async ({ page, scripting }, info) => {
  if (scripting) await page.clock.install(); // the ten seconds of undo pass at once
  const desk = new Desk(page);
  const { kari, number } = await waiting();
  await desk.enter(kari, `returns/${number}`);
  await expect(desk.heading).toHaveText(`Return ${number}`);
  const [shirt, mug] = [0, 1].map((index) => page.getByRole('article').nth(index));
  await expect(shirt!).toContainText('Linen shirt');
  await expect(shirt!).toContainText('It is too small.');
  await look(page, info, 'desk-return');

  await shirt!.getByRole('button', { name: 'Approve', exact: true }).click();
  if (scripting) {
    await expect(desk.holding).toContainText(`${number} is approved in`);
    await look(page, info, 'desk-return-undo');
    await page.clock.fastForward(11_000);
    await expect(desk.holding).toContainText(`${number} is approved.`);
    await desk.ready();
  } else {
    await expect(page.getByRole('status').filter({ hasText: 'Done. The item is now:' })).toBeVisible();
  }
  await shirt!.getByText('Not possible now').click();
  await expect(shirt!).toContainText('Only while it waits for a decision.');

  await mug!.getByRole('link', { name: 'Reject', exact: true }).click();
  await page.getByLabel('Why').fill(' ');
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(desk.alert).toBeVisible();
  await look(page, info, 'desk-return-reject');
  await page.getByLabel('Why').fill('It was worn.');
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  await expect(mug!).toContainText('Rejected. The customer keeps the item.');
  const happened = page.getByRole('region', { name: 'What happened' });
  await expect(happened.getByRole('listitem').filter({ hasText: 'It was worn.' })).toContainText(kari.name);
  await look(page, info, 'desk-return-decided');
});

test('a person changes what the customer asked for', async ({ page }, info) => {
  const desk = new Desk(page);
  const { kari, number } = await waiting();
  await desk.signIn(kari, `returns/${number}`);
  const shirt = page.getByRole('article').nth(0);
  await shirt.getByRole('link', { name: 'Change the request' }).click();
  await page.getByLabel('Units to return').fill('2');
  await page.getByLabel('Why (only your team sees this)').fill('On the phone');
  await page.getByRole('button', { name: 'Change the request' }).click();
  await expect(desk.alert).toContainText('Enter a value from 1 to 1.');
  await expect(page.getByLabel('Why (only your team sees this)')).toHaveValue('On the phone');
  await look(page, info, 'desk-return-amend');
  await page.getByLabel('Units to return').fill('1');
  await page.getByLabel('Customer’s words').fill('It is too big.');
  await page.getByRole('button', { name: 'Change the request' }).click();
  await expect(page.getByText('The request is changed.')).toBeVisible();
  await expect(shirt).toContainText('It is too big.');
  const happened = page.getByRole('region', { name: 'What happened' });
  await expect(happened.getByRole('listitem').filter({ hasText: 'On the phone' })).toContainText(kari.name);
});

test('a change says first what it changes in money', async ({ page }, info) => {
  const shop = await Shop.open({ autoResolve: false });
  const made = await returned(shop, { lines: [{ product: 'Stoneware mug', total: 2500, quantity: 2 }], by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), `returns/${made.number}`);
  await page.getByRole('link', { name: 'Change the request' }).click();
  await page.getByLabel('Units to return').fill('1');
  await page.getByLabel('Why (only your team sees this)').fill('On the phone');
  await page.getByRole('button', { name: 'Show how the amounts change' }).click();
  await expect(page.locator('#effect')).toContainText(/Refund: from £\d+\.\d\d to £\d+\.\d\d/);
  await expect(page.getByLabel('Why (only your team sees this)')).toHaveValue('On the phone');
  await look(page, info, 'desk-return-effect');
  expect((await state(shop, made.id)).returnRequests[0]!.quantity).toBe(2);
  await page.getByRole('button', { name: 'Change the request' }).click();
  await expect(page.getByText('The request is changed.')).toBeVisible();
  expect((await state(shop, made.id)).returnRequests[0]!.quantity).toBe(1);
});

test('the customer has no printer: another way of sending', async ({ page }, info) => {
  const shop = await Shop.open({ autoResolve: false });
  const api = await apiOf(shop);
  const prices = [{ value: '6.50', currency: 'GBP' }];
  const van = await api.post<{ id: string }>('/shipping-options', { name: { en: 'Our van' }, method: 'PickUp', prices });
  const made = await returned(shop, { lines: [{ product: 'Stoneware mug', total: 2500 }], by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), `returns/${made.number}`);
  const parcels = page.getByRole('region', { name: 'Parcels' });
  await parcels.getByRole('link', { name: 'Choose another way of sending' }).click();
  await page.getByLabel('Way of sending', { exact: true }).selectOption({ label: 'Our van' });
  await page.getByLabel('Why (only your team sees this)').fill('No printer');
  await page.getByRole('button', { name: 'Show how the amounts change' }).click();
  await expect(page.locator('#effect')).toContainText('Refund: from £25.00 to £18.50');
  await expect(page.getByLabel('Way of sending', { exact: true })).toHaveValue(van.id);
  await look(page, info, 'desk-return-shipping');
  await page.getByRole('button', { name: 'Choose another way of sending' }).click();
  await expect(page.getByText('The way of sending is changed.')).toBeVisible();
  await expect(parcels).toContainText('Our van');
  await expect(parcels.getByText('Cancelled')).toBeVisible();
  const now = await state(shop, made.id);
  expect(now.shipments).toHaveLength(2);
  expect(now.shipments[0]!.labelBarcode).not.toBe(now.shipments[1]!.labelBarcode);
});

test('if a colleague was faster, the page says who and when, and keeps what was typed', async ({ page }, info) => {
  const desk = new Desk(page);
  const { kari, api, number, request } = await waiting();
  await desk.enter(kari, `returns/${number}`);
  await page.getByRole('article').first().getByRole('link', { name: 'Reject', exact: true }).click();
  await page.getByLabel('Why').fill('It was worn.');
  await api.patch(`/return-requests/${request}`, { stage: 'Requested: Approved', fromStage: 'Requested: Review' });
  const answered = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await page.getByRole('button', { name: 'Reject', exact: true }).click();
  expect((await answered).status()).toBe(409);
  await expect(desk.alert).toContainText('test changed this');
  await expect(page.getByLabel('Why')).toHaveValue(/It was worn\./);
  await expect(page.getByRole('button', { name: 'Reject', exact: true }).first()).toBeDisabled();
  await look(page, info, 'desk-return-changed');
});

test('notes, who has a return, and its flags', async ({ page }, info) => {
  const desk = new Desk(page);
  const { kari, number } = await waiting();
  await desk.enter(kari, `returns/${number}`);
  await page.getByLabel('Note for your team').first().fill('The customer called.');
  await page.getByRole('button', { name: 'Add note' }).click();
  const note = page.getByRole('listitem').filter({ hasText: 'The customer called.' });
  await expect(note).toContainText(kari.name);
  await note.getByText('Edit').click();
  await note.getByLabel('Note for your team').fill('The customer wrote.');
  await note.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'The customer wrote.' })).toBeVisible();

  await page.getByRole('button', { name: 'Assign to me' }).click();
  await expect(page.getByLabel('Who has it')).toHaveValue(/.+/);
  await page.getByLabel('Flags').fill('VIP, 1, 2, 3, 4, 5');
  const handing = page.getByRole('region', { name: 'Hand it on' });
  await handing.getByRole('button', { name: 'Save' }).click();
  await expect(desk.alert).toContainText('at most 5');
  await expect(page.getByLabel('Flags')).toHaveValue('VIP, 1, 2, 3, 4, 5');
  await page.getByLabel('Flags').fill('VIP');
  await handing.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('list', { name: 'Flags' })).toHaveText('VIP');
  await look(page, info, 'desk-return-handled');
});

test('the amount is adjusted within what was paid', async ({ page }, info) => {
  const desk = new Desk(page);
  const { kari, number } = await waiting();
  await desk.enter(kari, `returns/${number}`);
  await page.getByRole('article').first().getByRole('link', { name: 'Adjust the amount' }).click();
  await page.getByLabel('Amount in GBP').fill('1000');
  await page.getByLabel('Why (only your team sees this)').fill('Stained');
  await page.getByRole('button', { name: 'Adjust the amount' }).click();
  await expect(desk.alert).toContainText('Enter a value from');
  await look(page, info, 'desk-return-adjust');
  await page.getByLabel('Amount in GBP').fill('-5.00');
  await page.getByRole('button', { name: 'Adjust the amount' }).click();
  const money = page.getByRole('region', { name: 'Money' });
  await expect(money.getByRole('row').filter({ hasText: 'Adjustment' })).toContainText('−£5.00');
});

test('a warehouse sees no amounts and no email address', async ({ page }, info) => {
  const desk = new Desk(page);
  const { number, shop } = await waiting();
  await desk.enter(await staff('warehouse', shop.slug), `returns/${number}`);
  await expect(desk.heading).toHaveText(`Return ${number}`);
  const text = (await page.locator('main').textContent())!;
  expect(text).not.toContain('£');
  expect(text).not.toContain('@example.com');
  await look(page, info, 'desk-return-warehouse');
});

test('a return is decided by keyboard alone @scripting', async ({ page }) => {
  await page.clock.install();
  const desk = new Desk(page);
  const { shop, id, kari, number } = await waiting();
  await desk.enter(kari, `returns/${number}`);
  const stages = async () => (await state(shop, id)).returnRequests.map(({ stage }) => stage).sort();

  // What is undone within ten seconds does not happen.
  await page.keyboard.press('a');
  await expect(desk.holding).toContainText(`${number} is approved in`);
  await page.keyboard.press('u');
  await expect(desk.holding).toBeHidden();
  await page.clock.fastForward(20_000);
  expect(await stages()).toEqual(['Requested: Review', 'Requested: Review']);

  await page.keyboard.press('a');
  await expect(desk.holding).toContainText(`${number} is approved in`);
  await page.clock.fastForward(11_000);
  await expect(desk.holding).toContainText(`${number} is approved.`);
  expect(await stages()).toEqual(['Requested: Approved', 'Requested: Review']);
  await desk.ready();
  await page.keyboard.press('r');
  await expect(page.getByLabel('Why')).toBeFocused();
  await desk.ready();
  await page.keyboard.press('Escape'); // leaves the field
  await page.keyboard.press('Escape'); // closes the form
  await expect(page.getByLabel('Why')).toHaveCount(0);
  await desk.ready();
  await page.keyboard.press('r');
  await expect(page.getByLabel('Why')).toBeFocused();
  await page.keyboard.type('It was worn.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article').nth(1)).toContainText('Rejected. The customer keeps the item.');

  await desk.ready();
  await page.keyboard.press('n');
  await expect(page.getByLabel('Note for your team').first()).toBeFocused();
  await page.keyboard.type('The customer called.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('listitem').filter({ hasText: 'The customer called.' })).toBeVisible();
  await desk.ready();
  await page.keyboard.press('e');
  await expect(page.getByLabel('Who has it')).toHaveValue(/.+/);
});

test('an approval that was overtaken says so, and leads back @scripting', async ({ page }) => {
  await page.clock.install();
  const desk = new Desk(page);
  const { api, kari, number, request } = await waiting();
  await desk.enter(kari, `returns/${number}`);
  await page.getByRole('article').first().getByRole('button', { name: 'Approve', exact: true }).click();
  await expect(desk.holding).toContainText(`${number} is approved in`);
  await api.patch(`/return-requests/${request}`, { stage: 'Requested: Rejected', fromStage: 'Requested: Review', comment: 'It was worn.' });
  await page.clock.fastForward(11_000);
  await expect(desk.holding).toContainText(`${number} was not approved.`);
  await page.getByRole('link', { name: 'Open it again' }).click();
  await expect(page.getByRole('article').first()).toContainText('Rejected. The customer keeps the item.');
});
