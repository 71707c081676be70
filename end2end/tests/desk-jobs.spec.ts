// The jobs of support, warehouse, finance and an owner that other files do not do from their first page to their end.
import { join } from 'node:path';
import { Component } from './support/component';
import { Desk, staff } from './support/desk';
import { waitForMails } from './support/mail';
import { photographs } from './support/photos';
import { apiOf, returned, state } from './support/returned';
import { expect, Portal, Shop, test } from './support/test';

const returnAddress = { name: 'Plain & Simple Returns', street: '1 Dock Road', postalCode: 'EH6 6LU', city: 'Leith', country: 'GB' };
const mug = [{ product: 'Stoneware mug', total: 1250 }];

test.describe('support', () => {
  test('a label that failed is asked for again', async ({ page }) => {
    const component = await Component.start();
    try {
      const shop = await Shop.open({ returnAddress });
      const { url, secret } = component;
      await (await shop.api()).patch('/account', { bridge: { kind: 'http', url, secret }, carrier: { kind: 'bridge' } });
      component.give({ status: 'Failed', reason: 'No contract 4711 for this street' });
      const portal = new Portal(page, shop);
      await portal.prove({ number: '1001', email: 'ada@example.com' });
      await portal.choose('Linen shirt');
      await portal.submit();
      await expect(async () => {
        await page.reload();
        await expect(portal.heading).toHaveText('Your label is taking longer than usual', { timeout: 1_000 });
      }).toPass();

      const desk = new Desk(page);
      await desk.enter(await staff('agent', shop.slug));
      await page.getByRole('link', { name: 'Label trouble', exact: true }).click();
      await page.locator('tbody').getByRole('link', { name: /^R-/ }).click();
      const parcels = page.getByRole('region', { name: 'Parcels' });
      await expect(parcels).toContainText('No contract 4711 for this street');
      component.give({ status: 'Created', label: { mediaType: 'application/pdf', data: Buffer.from('%PDF-1.4 a label').toString('base64') } });
      await parcels.getByRole('button', { name: 'Ask for the label again' }).click();
      await expect(page.getByText('The carrier is asked again.')).toBeVisible();
      const label = parcels.getByRole('link', { name: 'Label (PDF)' });
      await expect(async () => {
        await page.reload();
        await expect(label).toBeVisible({ timeout: 1_000 });
      }).toPass();
      const bytes = await (await page.request.get((await label.getAttribute('href'))!)).body();
      expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
      await desk.open();
      await expect(page.getByRole('row', { name: /Label trouble/ })).toContainText('0');
    } finally {
      await component.stop();
    }
  });

  test('what was counted by mistake is taken back, with its reason in the timeline', async ({ page }) => {
    const shop = await Shop.open({ autoResolve: false });
    const made = await returned(shop, { lines: [{ product: 'Stoneware mug', total: 2500, quantity: 2 }], by: 'staff' });
    const desk = new Desk(page);
    await desk.enter(await staff('agent', shop.slug), `returns/${made.number}`);
    await page.getByRole('link', { name: 'Count units' }).click();
    await page.getByLabel('Units that arrived').fill('2');
    await page.getByRole('button', { name: 'Count units' }).click();
    await expect(page.getByText('The units are counted.')).toBeVisible();
    const receipt = page.getByRole('listitem').filter({ hasText: '2 units arrived' });
    await receipt.getByText('Take back').first().click();
    await receipt.getByLabel(/^Why/).fill('It was the parcel beside it.');
    await receipt.getByRole('button', { name: 'Take back' }).click();
    await expect(page.getByText('It is taken back.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'What happened' })).toContainText('It was the parcel beside it.');
    const [request] = (await state(shop, made.id)).returnRequests;
    expect([request!.receivedQuantity, request!.stage]).toEqual([0, 'Submitted: Ready']);
  });

  test('a denial is reopened, and the refund approved', async ({ page, scripting }) => {
    if (scripting) await page.clock.install(); // the ten seconds of undo pass at once
    const shop = await Shop.open({ autoResolve: false });
    const made = await returned(shop, { lines: mug, by: 'staff' });
    const desk = new Desk(page);
    await (await apiOf(shop)).post(`/return-requests/${made.returnRequests[0]!.id}/receipts`, { quantity: 1 });
    await desk.enter(await staff('finance', shop.slug));
    await page.getByRole('link', { name: 'To settle', exact: true }).click();
    await page.locator('tbody').getByRole('link', { name: made.number }).click();
    await page.getByRole('link', { name: 'Deny the refund' }).click();
    await page.getByLabel('Why').fill('It was worn.');
    await page.getByRole('button', { name: 'Deny the refund' }).click();
    await expect.poll(async () => (await state(shop, made.id)).returnRequests[0]!.stage).toBe('Resolution: Denied');
    await desk.open(`returns/${made.number}`);
    await page.getByRole('link', { name: 'Reopen' }).click();
    await page.getByLabel(/^Why/).first().fill('The customer sent a photo of the seal.');
    await page.getByRole('button', { name: 'Reopen' }).click();
    await desk.ready();
    await page.getByRole('button', { name: 'Approve the refund' }).click();
    if (scripting) {
      await expect(desk.holding).toContainText('is approved in');
      await page.clock.fastForward(11_000);
    }
    await expect.poll(async () => (await state(shop, made.id)).returnRequests[0]!.stage).toBe('Resolution: Approved');
  });

  test('a mail is sent again', async ({ page }) => {
    const shop = await Shop.open();
    const made = await returned(shop, { lines: mug });
    await waitForMails(made.order.email);
    const desk = new Desk(page);
    await desk.enter(await staff('agent', shop.slug), `returns/${made.number}`);
    const sent = page.getByRole('listitem').filter({ hasText: 'Email sent' }).first();
    await expect(async () => {
      await page.reload();
      await expect(sent).toBeVisible({ timeout: 1_000 });
    }).toPass();
    await sent.getByRole('button', { name: 'Send again' }).click();
    await expect(page.getByText('The email is sent again within a minute.')).toBeVisible();
    const [first, second] = await waitForMails(made.order.email, 2, 90_000);
    expect(second!.headers.Subject).toBe(first!.headers.Subject);
  });
});

test('the warehouse grades units and adds a photo, which the agent sees', async ({ page, scripting }) => {
  if (scripting) await page.clock.install();
  const shop = await Shop.open({ resolveOn: 'inspection', autoResolve: false });
  const made = await returned(shop, { lines: [{ product: 'Stoneware mug', total: 2500, quantity: 2 }], by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('warehouse', shop.slug), `scan?open=${made.number}`);
  await page.getByText('Refuse units').click();
  await page.getByLabel('Photo of the damage').setInputFiles(join(photographs(), 'photo.jpg'));
  await page.getByRole('button', { name: 'Add photo' }).click();
  await expect(page.getByText('The photo is saved.')).toBeVisible();
  await page.getByLabel('Here now').fill('2');
  await page.getByLabel('Condition').selectOption('Damaged');
  await page.getByLabel('What to do with it').selectOption('Outlet');
  const refuse = page.getByText('Refuse units');
  if (!(await page.getByLabel('Units refused').isVisible())) await refuse.click();
  await page.getByLabel('Units refused').fill('1');
  await page.getByLabel('Why').fill('The handle is broken.');
  await desk.ready();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(desk.heading).toHaveText('Scan');
  await desk.ready();
  if (scripting) await page.clock.fastForward(11_000);
  await expect.poll(async () => (await state(shop, made.id)).returnRequests[0]!.stage).toBe('Resolution: Pending');

  await page.context().clearCookies();
  await desk.enter(await staff('agent', shop.slug), `returns/${made.number}`);
  const item = page.getByRole('article').first();
  await expect(item.getByText('2 of 2 here')).toBeVisible();
  const photo = item.getByRole('img', { name: 'Photo 1' });
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  const inspection = await (await apiOf(shop)).get<object>(`/return-requests/${made.returnRequests[0]!.id}/inspection`);
  expect(inspection).toMatchObject({ accepted: 1, refused: 1, condition: 'Damaged', disposition: 'Outlet', note: 'The handle is broken.' });
});

test('the page of a return says what the inspection found', async ({ page }) => {
  const shop = await Shop.open({ resolveOn: 'inspection', autoResolve: false });
  const made = await returned(shop, { lines: [{ product: 'Stoneware mug', total: 2500, quantity: 2 }], by: 'staff' });
  const path = `/return-requests/${made.returnRequests[0]!.id}`;
  const api = await apiOf(shop);
  await api.post(`${path}/receipts`, { quantity: 2 });
  await api.post(`${path}/inspection`, { accepted: 1, refused: 1, condition: 'Damaged', note: 'The handle is broken.' });
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), `returns/${made.number}`);
  await expect(page.getByText('Units inspected')).toBeVisible();
  for (const text of ['The handle is broken.', 'Damaged', /1 (unit )?refused/i]) await expect(page.getByRole('main')).toContainText(text);
});

test.describe('finance', () => {
  test('what is granted and unpaid adds up, and is marked as done, one by one and all at once', async ({ page }) => {
    const shop = await Shop.open();
    const made = [];
    for (const total of [1250, 2999, 5900]) made.push(await returned(shop, { lines: [{ product: 'Stoneware mug', total }], by: 'staff' }));
    const api = await apiOf(shop);
    for (const { returnRequests } of made) await api.post(`/return-requests/${returnRequests[0]!.id}/receipts`, { quantity: 1 });
    const desk = new Desk(page);
    await desk.enter(await staff('finance', shop.slug));
    const queue = page.getByRole('row', { name: /To pay/ });
    await expect(queue).toContainText('3');
    await queue.getByRole('link', { name: 'To pay', exact: true }).click();
    const rows = page.getByRole('table').locator('tbody > tr');
    await expect(rows).toHaveCount(3);
    const pounds = (await rows.allTextContents()).map((text) => Number(/£([\d.]+)/.exec(text)![1]));
    expect(pounds.sort((one, other) => one - other)).toEqual([12.5, 29.99, 59]);

    await rows.getByRole('link', { name: made[0]!.number }).click();
    await page.getByRole('link', { name: 'Mark as done' }).click();
    await page.getByLabel('Reference of the payment').fill('BANK-1');
    await page.getByRole('button', { name: 'Mark as done' }).click();
    await expect.poll(async () => (await state(shop, made[0]!.id)).returnRequests[0]!.stage).toBe('Resolution: Completed');
    await desk.open(`returns/${made[0]!.number}`);
    await expect(page.getByRole('article').first()).toContainText('BANK-1');

    await desk.open('returns?rows=requests&filter=queue%3AToPay&sortBy=stageSince&orderBy=asc');
    await page.getByLabel('All 2 of this list').check();
    await page.getByText('More actions').click();
    await page.getByRole('button', { name: 'Mark as done' }).click();
    await expect(page.getByText('2 items can be changed now.')).toBeVisible();
    await expect(page.getByText('Value: £88.99')).toBeVisible();
    await page.getByRole('main').getByRole('button', { name: 'Mark as done' }).click();
    await expect(page.getByText('2 items changed.')).toBeVisible();
    await desk.open();
    await expect(page.getByRole('row', { name: /To pay/ })).toContainText('0');
    const strip = page.locator('.figure').filter({ hasText: 'Refunded' });
    await expect(strip).toContainText('£101.49');
  });

  test('what is above the agent’s limit waits for finance', async ({ page, scripting }) => {
    if (scripting) await page.clock.install();
    const shop = await Shop.open({ autoResolve: false, agentLimit: [{ value: '20.00', currency: 'GBP' }] });
    const made = await returned(shop, { lines: [{ product: 'Linen shirt', total: 5900 }], by: 'staff' });
    await (await apiOf(shop)).post(`/return-requests/${made.returnRequests[0]!.id}/receipts`, { quantity: 1 });
    const stage = async () => (await state(shop, made.id)).returnRequests[0]!.stage;
    const desk = new Desk(page);
    await desk.enter(await staff('agent', shop.slug), `returns/${made.number}`);
    await expect(page.getByRole('article').first()).toContainText('Approve the refund: The value is above your limit.');
    await expect(page.getByRole('button', { name: 'Approve the refund' })).toHaveCount(0);
    await expect(page.getByRole('article').first()).toContainText('Ask for approval');
    expect(await stage()).toBe('Resolution: Pending');
    await page.context().clearCookies();
    await desk.enter(await staff('finance', shop.slug), `returns/${made.number}`);
    await page.getByRole('button', { name: 'Approve the refund' }).click();
    if (scripting) {
      await expect(desk.holding).toContainText('is approved in');
      await page.clock.fastForward(11_000);
    }
    await expect.poll(stage).toBe('Resolution: Approved');
  });
});

test('an owner sees on a phone, without a click, what is stuck and what came back', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const shop = await Shop.open({ autoApprove: false });
  await returned(shop, { lines: mug });
  const done = await returned(shop, { lines: [{ product: 'Linen shirt', total: 5900 }], by: 'staff' });
  const api = await apiOf(shop);
  await api.post(`/return-requests/${done.returnRequests[0]!.id}/receipts`, { quantity: 1 });
  await api.patch(`/return-requests/${done.returnRequests[0]!.id}`, { stage: 'Resolution: Completed', externalReference: 'BANK-2' });
  const desk = new Desk(page);
  await desk.enter(await staff('admin', shop.slug));
  const queue = page.getByRole('row', { name: /To decide/ });
  await expect(queue).toContainText('1');
  await expect(queue).toContainText('On time');
  await expect(queue).toBeInViewport();
  const figure = (name: string) => page.locator('.figure').filter({ hasText: name });
  await expect(figure('Units received')).toContainText('1');
  await expect(figure('Refunded')).toContainText('£59.00');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // A figure opens the rows that it counts.
  await figure('Refunded').getByRole('link', { name: 'Refunded' }).click();
  const rows = page.getByRole('table').locator('tbody > tr');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(done.number);
  await expect(rows).toContainText('£59.00');
});
