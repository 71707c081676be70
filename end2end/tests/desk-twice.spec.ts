// Twice: one parcel in two tabs, a form that is sent twice, the way back after Done, and a scan while the one before waits for its undo.
import type { Page } from '@playwright/test';
import { Desk, staff } from './support/desk';
import { apiOf, returned, state } from './support/returned';
import { wedge } from './support/scanner';
import { expect, Shop, test } from './support/test';

const mug = [{ product: 'Stoneware mug', total: 1250 }];

/** Units of a return's only item: those that were asked for, and those too many. */
async function units(shop: Shop, { id }: { id: string }): Promise<[number, number]> {
  const [request] = (await state(shop, id)).returnRequests;
  return [request!.receivedQuantity, request!.surplusQuantity];
}

/** The scan page of a parcel in a new tab. */
async function tab(page: Page, number: string): Promise<Desk> {
  const desk = new Desk(await page.context().newPage());
  await desk.open(`scan?open=${number}`);
  await desk.ready();
  return desk;
}

test.describe('two tabs', () => {
  test('a parcel that waits for its undo in one tab cannot be finished in the other @scripting', async ({ page }) => {
    await page.clock.install(); // in both tabs
    const shop = await Shop.open();
    const parcel = await returned(shop, { lines: mug, by: 'staff' });
    const desk = new Desk(page);
    await desk.enter(await staff('warehouse', shop.slug), `scan?open=${parcel.number}`);
    const other = await tab(page, parcel.number);
    await page.getByLabel('Here now').fill('1');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(desk.holding).toContainText(`${parcel.number} is saved in`);
    await other.page.clock.runFor(1_000);
    await expect(other.holding).toContainText(`${parcel.number} is saved in`);
    await other.page.getByLabel('Here now').fill('1');
    await expect(other.page.getByRole('button', { name: 'Done' })).toHaveAttribute('aria-disabled', 'true');
    await other.page.getByRole('button', { name: 'Done' }).click({ force: true });
    await expect(other.page).toHaveURL(/open=/);
    // Both tabs see that the time is over.
    await page.clock.fastForward(11_000);
    await expect.poll(() => units(shop, parcel)).toEqual([1, 0]);
    await other.open('scan');
    await expect(other.page.getByText('1 parcel, 1 unit, 0 refused')).toBeVisible();
  });

  test('a parcel that was finished in one tab is not counted again in the other', async ({ page, scripting }) => {
    if (scripting) await page.clock.install();
    const shop = await Shop.open();
    const parcel = await returned(shop, { lines: mug, by: 'staff' });
    const desk = new Desk(page);
    await desk.enter(await staff('warehouse', shop.slug), `scan?open=${parcel.number}`);
    const other = await tab(page, parcel.number);
    await wedge(page, '$RETOUR-DONE');
    await expect(page.getByText(`${parcel.number} is counted.`)).toBeVisible();
    await other.page.getByLabel('Here now').fill('1');
    // With scripting, either tab sends what waits.
    const answered = page.context().waitForEvent('response', (answer) => answer.url().endsWith('/desk/call/receive'));
    await other.page.getByRole('button', { name: 'Done' }).click();
    if (scripting) {
      await expect(other.holding).toContainText(`${parcel.number} is saved in`);
      await page.clock.fastForward(11_000);
    }
    await answered;
    expect(await units(shop, parcel)).toEqual([1, 0]);
  });

  test('a command is about the parcel as it is now, not as the tab shows it', async ({ page }) => {
    const shop = await Shop.open();
    const parcel = await returned(shop, { lines: mug, by: 'staff' });
    const desk = new Desk(page);
    await desk.enter(await staff('warehouse', shop.slug), `scan?open=${parcel.number}`);
    const other = await tab(page, parcel.number);
    await wedge(page, '$RETOUR-DONE');
    await expect(page.getByText(`${parcel.number} is counted.`)).toBeVisible();
    await wedge(other.page, '$RETOUR-DONE');
    await expect(other.alert).toContainText('Count at least one unit.');
    expect(await units(shop, parcel)).toEqual([1, 0]);
  });
});

test.describe('a form that is sent twice', () => {
  test('rejects once', async ({ page }) => {
    const shop = await Shop.open({ autoApprove: false });
    const made = await returned(shop, { lines: mug });
    const desk = new Desk(page);
    await desk.enter(await staff('agent', shop.slug), `returns/${made.number}`);
    await page.getByRole('link', { name: 'Reject', exact: true }).click();
    await page.getByLabel('Why').fill('It was worn.');
    await page.getByRole('button', { name: 'Reject', exact: true }).dblclick();
    await expect(page.getByRole('article').first()).toContainText('Rejected. The customer keeps the item.');
    await expect(desk.alert).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'What happened' }).getByRole('listitem').filter({ hasText: 'It was worn.' })).toHaveCount(1);
  });

  test('approves once @scripting', async ({ page }) => {
    await page.clock.install();
    const shop = await Shop.open({ autoApprove: false });
    const made = await returned(shop, { lines: mug });
    const desk = new Desk(page);
    await desk.enter(await staff('agent', shop.slug), `returns/${made.number}`);
    let sent = 0;
    page.on('request', (request) => (sent += Number(request.url().endsWith('/desk/call/move-request'))));
    await page.getByRole('button', { name: 'Approve', exact: true }).dblclick();
    await expect(desk.holding).toContainText(`${made.number} is approved in`);
    await page.keyboard.press('a');
    await page.clock.fastForward(11_000);
    await expect(desk.holding).toContainText(`${made.number} is approved.`);
    expect(sent).toBe(1);
  });

  test('writes one note, and makes one return', async ({ page }) => {
    const shop = await Shop.open();
    const order = await shop.order([{ product: 'Linen shirt', quantity: 3, total: 5900 }]);
    const desk = new Desk(page);
    await desk.enter(await staff('agent', shop.slug), 'new-return');
    const main = page.getByRole('main');
    await main.getByLabel('Order number, email or name').fill(order.number);
    await main.getByRole('button', { name: 'Find' }).click();
    await main.getByLabel('Units').fill('1');
    await main.getByLabel('Reason', { exact: true }).selectOption({ label: 'Changed my mind' });
    await main.getByRole('button', { name: 'Show costs' }).click();
    await main.getByRole('button', { name: 'Make the return' }).dblclick();
    await expect(desk.heading).toHaveText(/^Return R-/);
    const { data } = await (await apiOf(shop)).get<{ data: { number: string }[] }>('/return-orders');
    expect(data.map(({ number }) => `Return ${number}`)).toEqual([await desk.heading.textContent()]);

    await page.getByLabel('Note for your team').first().fill('The customer called.');
    await page.getByRole('button', { name: 'Add note' }).dblclick();
    await expect(page.getByText('The note is added.')).toBeVisible();
    await expect(page.getByRole('listitem').filter({ hasText: 'The customer called.' })).toHaveCount(1);
  });
});

test('back after Done shows what is counted, and Done counts nothing more', async ({ page, scripting }) => {
  if (scripting) await page.clock.install();
  const shop = await Shop.open();
  const parcel = await returned(shop, { lines: mug, by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('warehouse', shop.slug), 'scan');
  await wedge(page, parcel.number);
  await page.getByLabel('Here now').fill('1');
  await desk.ready();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(desk.heading).toHaveText('Scan');
  await desk.ready();
  if (scripting) {
    await page.clock.fastForward(11_000);
    await expect(desk.holding).toContainText('is counted.');
    await desk.ready();
  } else {
    await expect(page.getByText(`${parcel.number} is counted.`)).toBeVisible();
  }
  await page.evaluate(() => history.back());
  await expect(page.getByRole('heading', { name: `Return ${parcel.number}` })).toBeVisible();
  await expect(page.getByText('1 already here')).toBeVisible();
  await desk.ready();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(desk.alert).toContainText('Count at least one unit.');
  expect(await units(shop, parcel)).toEqual([1, 0]);
});

test.describe('the ten seconds after Done', () => {
  /** Two parcels, and a station at which the first is done and waits. */
  async function waiting(page: Page) {
    await page.clock.install();
    const shop = await Shop.open();
    const [first, second] = [await returned(shop, { lines: mug, by: 'staff' }), await returned(shop, { lines: mug, by: 'staff' })];
    const desk = new Desk(page);
    const worker = await staff('warehouse', shop.slug);
    await desk.enter(worker, `scan?open=${first.number}`);
    await page.getByLabel('Here now').fill('1');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(desk.holding).toContainText(`${first.number} is saved in`);
    await desk.ready();
    return { desk, first, second, shop };
  }

  test('the next parcel is scanned, and keeps what is typed when the time is over @scripting', async ({ page }) => {
    const { desk, first, second, shop } = await waiting(page);
    await wedge(page, second.shipments[0]!.labelBarcode);
    await expect(page.getByRole('heading', { name: `Return ${second.number}` })).toBeVisible();
    await desk.ready();
    await expect(desk.holding).toContainText(`${first.number} is saved in`);
    await page.getByLabel('Here now').fill('1');
    await page.clock.fastForward(11_000);
    await expect(desk.holding).toContainText(`${first.number} is counted.`);
    await expect(page.getByRole('heading', { name: `Return ${second.number}` })).toBeVisible();
    await expect(page.getByLabel('Here now')).toHaveValue('1');
    expect([await units(shop, first), await units(shop, second)]).toEqual([[1, 0], [0, 0]]);
  });

  test('Done of the next parcel saves the first; Undo is about the next @scripting', async ({ page }) => {
    const { desk, first, second, shop } = await waiting(page);
    await wedge(page, second.shipments[0]!.labelBarcode);
    await expect(page.getByRole('heading', { name: `Return ${second.number}` })).toBeVisible();
    await desk.ready();
    await page.getByLabel('Here now').fill('1');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(desk.holding).toContainText(`${second.number} is saved in`);
    await expect.poll(() => units(shop, first)).toEqual([1, 0]);
    await desk.ready();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('heading', { name: `Return ${second.number}` })).toBeVisible();
    await desk.ready();
    await page.clock.fastForward(20_000);
    await expect(desk.holding).toBeHidden();
    expect([await units(shop, first), await units(shop, second)]).toEqual([[1, 0], [0, 0]]);
  });

  test('Undo while the next parcel is open brings the first one back, and saves neither @scripting', async ({ page }) => {
    const { desk, first, second, shop } = await waiting(page);
    await wedge(page, second.shipments[0]!.labelBarcode);
    await expect(page.getByRole('heading', { name: `Return ${second.number}` })).toBeVisible();
    await desk.ready();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('heading', { name: `Return ${first.number}` })).toBeVisible();
    await desk.ready();
    await page.clock.fastForward(20_000);
    expect([await units(shop, first), await units(shop, second)]).toEqual([[0, 0], [0, 0]]);
  });

  test('Undo brings back what was counted by hand @scripting', async ({ page }) => {
    const { desk, first } = await waiting(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('heading', { name: `Return ${first.number}` })).toBeVisible();
    await desk.ready();
    await expect(page.getByLabel('Here now')).toHaveValue('1');
  });

  test('the command Take back is not about the parcel before the one that waits @scripting', async ({ page }) => {
    await page.clock.install();
    const shop = await Shop.open();
    const [first, second] = [await returned(shop, { lines: mug, by: 'staff' }), await returned(shop, { lines: mug, by: 'staff' })];
    const desk = new Desk(page);
    await desk.enter(await staff('warehouse', shop.slug), `scan?open=${first.number}`);
    await wedge(page, '$RETOUR-DONE'); // the sheet's Done saves at once
    await expect(page.getByText(`${first.number} is counted.`)).toBeVisible();
    await desk.open(`scan?open=${second.number}`);
    await desk.ready();
    await page.getByLabel('Here now').fill('1');
    await page.getByRole('button', { name: 'Done' }).click();
    await expect(desk.holding).toContainText(`${second.number} is saved in`);
    await desk.ready();
    const loaded = page.waitForEvent('domcontentloaded');
    await wedge(page, '$RETOUR-TAKE-BACK');
    await loaded;
    expect(await units(shop, first)).toEqual([1, 0]);
  });
});
