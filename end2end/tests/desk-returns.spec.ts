// The desk's first page, the list of returns and the search: filters in the address, back, cards on a phone, keys, decisions about many.
import type { Page } from '@playwright/test';
import { look } from './support/axe';
import { Desk, staff } from './support/desk';
import { returned, type Returned } from './support/returned';
import type { Order } from './support/shop';
import { expect, Shop, test } from './support/test';

/** A shop where a person decides, with two returns. Tests of one worker share it, and only read. */
let shared: Promise<{ shop: Shop; made: Returned & { order: Order } }> | undefined;
function waiting() {
  return (shared ??= open());
}
async function open() {
  const shop = await Shop.open({ autoApprove: false });
  await returned(shop, { items: 1 });
  return { shop, made: await returned(shop, { items: 2 }) };
}

function rows(page: Page) {
  return page.getByRole('table').locator('tbody > tr');
}

test.describe('today', () => {
  test('the queues say what waits, and lead to their rows', async ({ page }, info) => {
    const desk = new Desk(page);
    const { shop } = await waiting();
    await desk.enter(await staff('admin', shop.slug));
    await expect(desk.heading).toHaveText('Today');
    await look(page, info, 'desk-today');
    const queue = page.getByRole('row', { name: /To decide/ });
    await queue.getByRole('link', { name: 'To decide', exact: true }).click();
    await expect(desk.heading).toHaveText('To decide');
    await expect(page).toHaveURL(/filter=queue%3AToDecide/);
  });

  test('work begins with the row that has waited longest', async ({ page }) => {
    const { shop } = await waiting();
    const desk = new Desk(page);
    await desk.enter(await staff('agent', shop.slug), 'returns?rows=requests&filter=queue%3AToDecide&sortBy=stageSince&orderBy=asc');
    const first = await rows(page).first().getByRole('link').first().textContent();
    await page.getByRole('link', { name: 'Start' }).click();
    await expect(page).toHaveURL(new RegExp(`/desk/returns/${first}\\?from=`));
  });
});

test.describe('the list of returns', () => {
  test('filters are in the address, and back is back', async ({ page }, info) => {
    const { shop, made } = await waiting();
    const desk = new Desk(page);
    await desk.enter(await staff('agent', shop.slug), 'returns');
    await look(page, info, 'desk-returns');
    await page.getByLabel('Order number').fill(made.order.number);
    await page.getByRole('button', { name: 'Filter' }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(page).toHaveURL(/filter=purchaseOrderNumber%3A/);
    await look(page, info, 'desk-returns-filtered');
    await rows(page).first().getByRole('link', { name: made.number }).click();
    await page.goBack();
    await expect(rows(page)).toHaveCount(1);
    await page.getByRole('link', { name: `Remove filter: Order: ${made.order.number}` }).click();
    await expect(page).toHaveURL(/\/desk\/returns$/);
  });

  test('several stages can be ticked at once', async ({ page }) => {
    const desk = new Desk(page);
    await desk.enter(await staff('agent', (await waiting()).shop.slug), 'returns?rows=requests');
    await page.getByText('Stage', { exact: true }).first().click();
    await page.getByLabel('To decide').check();
    await page.getByLabel('Done', { exact: true }).check();
    await page.getByRole('button', { name: 'Filter' }).click();
    await expect(page).toHaveURL(/filter=stage%3ARequested%3A%20Review%7CResolution%3A%20Completed/);
    for (const badge of await page.locator('tbody .badge').allTextContents()) expect(['To decide', 'Done']).toContain(badge);
  });

  test('an empty list says which filter to drop', async ({ page }, info) => {
    const { shop, made } = await waiting();
    const desk = new Desk(page);
    await desk.enter(await staff('agent', shop.slug), `returns?filter=purchaseOrderNumber%3A${made.order.number}&filter=gift%3Atrue`);
    await expect(page.getByText('Nothing matches')).toBeVisible();
    await look(page, info, 'desk-returns-empty');
    await page.getByRole('link', { name: 'Gift: Yes: 1' }).click();
    await expect(rows(page)).toHaveCount(1);
  });

  test('columns can be chosen, and a view saved', async ({ page }) => {
    const desk = new Desk(page);
    await desk.enter(await staff('admin', (await waiting()).shop.slug), 'returns?filter=status%3AOpen');
    await page.locator('summary', { hasText: 'Columns' }).click();
    await page.getByLabel('Value').uncheck();
    await page.getByRole('button', { name: 'Show these columns' }).click();
    await expect(page.getByRole('columnheader', { name: 'Value' })).toHaveCount(0);
    const name = `Open ${Date.now()}`;
    await page.getByText('Saved views', { exact: true }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Save this view' }).click();
    await expect(page.getByText('The view is saved.')).toBeVisible();
    await page.goto('/desk/returns');
    await page.getByRole('link', { name }).click();
    await expect(page.getByRole('columnheader', { name: 'Value' })).toHaveCount(0);
    await page.getByText('Saved views', { exact: true }).click();
    await page.getByRole('button', { name: 'Delete this view' }).click();
    await expect(page.getByText('The view is deleted.')).toBeVisible();
    await expect(page.getByRole('link', { name })).toHaveCount(0);
  });

  test('on a phone, rows are cards', async ({ page }, info) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const desk = new Desk(page);
    await desk.enter(await staff('agent', (await waiting()).shop.slug), 'returns');
    const row = rows(page).first();
    const box = await row.boundingBox();
    expect(box!.width).toBeLessThanOrEqual(390);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await look(page, info, 'desk-returns-phone');
  });
});

test('decisions about many have a page between', async ({ page }, info) => {
  const shop = await Shop.open({ autoApprove: false });
  const numbers = [await returned(shop, { items: 1 }), await returned(shop, { items: 1 })];
  const desk = new Desk(page);
  await desk.enter(await staff('admin', shop.slug), 'returns?rows=requests&filter=queue%3AToDecide&sortBy=stageSince&orderBy=asc');
  for (const { number } of numbers) await page.getByLabel(`Select ${number}`).check();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('2 items can be changed now.')).toBeVisible();
  await look(page, info, 'desk-bulk');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('2 items changed.')).toBeVisible();
  await expect(page.getByText('Nothing is waiting here')).toBeVisible();
});

test('a change of many says which items it did not change, and leaves out what is left out', async ({ page }, info) => {
  const shop = await Shop.open({ autoApprove: false });
  const [first, second] = [await returned(shop, { items: 1 }), await returned(shop, { items: 1 })];
  const api = await shop.api();
  const desk = new Desk(page);
  await desk.enter(await staff('admin', shop.slug), 'returns?rows=requests');
  await page.getByLabel('All 2 of this list').check();
  await page.getByText('More actions').click();
  await page.getByRole('button', { name: 'Flag' }).click();
  await page.getByLabel('Flag', { exact: true }).fill('VIP');
  // Then one of them has all the flags that a return can have.
  await api.patch(`/return-orders/${second.id}`, { flags: ['a', 'b', 'c', 'd', 'e'] });
  await page.getByRole('main').getByRole('button', { name: 'Flag' }).click();
  await expect(desk.heading).toHaveText('Bulk change: Flag');
  await expect(page.getByText('1 item changed. 1 item not changed.')).toBeVisible();
  await look(page, info, 'desk-bulk-run');
  await page.getByRole('link', { name: /Not changed/ }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText(second.number);
  await api.patch(`/return-orders/${second.id}`, { leaveOutOfBulk: true });
  await page.getByRole('link', { name: 'Select these items again' }).click();
  await expect(page.getByText(`${second.number}: it is left out of bulk changes.`)).toBeVisible();
  const flagged = await api.get<{ flags: string[] }>(`/return-orders/${first.id}`);
  expect(flagged.flags).toEqual(['VIP']);
});

test('withdrawals are linked with their return and closed with a note', async ({ page }, info) => {
  const shop = await Shop.open({});
  const { number } = await returned(shop, { items: 1 });
  const api = await shop.api();
  const stated = { name: 'Ada', contract: 'The blue mug', email: 'ada@example.com' };
  const [one, other] = [await api.post<{ number: string }>('/withdrawals', stated), await api.post<{ number: string }>('/withdrawals', stated)];
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), '');
  await page.getByRole('link', { name: 'Withdrawn, open' }).click();
  await expect(desk.heading).toHaveText('Withdrawals');
  await look(page, info, 'desk-withdrawals');
  const card = (of: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: of }) });
  await expect(card(one.number)).toContainText('14 days left');
  await card(one.number).getByLabel('Return number').fill('R-NONE');
  await card(one.number).getByRole('button', { name: 'Link the return' }).click();
  await expect(card(one.number)).toContainText('There is no return with this number.');
  await card(one.number).getByLabel('Return number').fill(number);
  await card(one.number).getByRole('button', { name: 'Link the return' }).click();
  await expect(page.getByText(`${one.number} is linked to return ${number}.`)).toBeVisible();
  await card(other.number).getByLabel(/what you did/).fill('Refunded by hand.');
  await card(other.number).getByRole('button', { name: 'Close', exact: true }).click();
  await expect(page.getByText('No withdrawals are waiting')).toBeVisible();
  await page.getByRole('link', { name: 'All', exact: true }).click();
  await expect(card(other.number)).toContainText('Refunded by hand.');
});

test.describe('the search', () => {
  test('a number opens its return, and a name is in no address', async ({ page }, info) => {
    const { shop, made } = await waiting();
    const { number } = made;
    const desk = new Desk(page);
    await desk.enter(await staff('agent', shop.slug), 'search');
    await look(page, info, 'desk-search');
    await page.getByRole('searchbox', { name: 'Number, code, SKU, name or email' }).fill(number.toLowerCase());
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await expect(page).toHaveURL(new RegExp(`/desk/returns/${number}$`));
    await page.goto('/desk/search');
    await page.getByRole('searchbox', { name: 'Number, code, SKU, name or email' }).fill(made.order.email);
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    expect(page.url()).not.toContain('@');
    expect(page.url()).not.toContain('%40');
  });

  test('too little is said so beside the field', async ({ page }) => {
    const desk = new Desk(page);
    await desk.enter(await staff('agent'), 'search');
    await page.getByRole('searchbox', { name: 'Number, code, SKU, name or email' }).fill('x');
    await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
    await expect(page.getByText('Enter at least 2 characters.')).toBeVisible();
    await expect(page.getByRole('searchbox', { name: 'Number, code, SKU, name or email' })).toHaveValue('x');
  });
});

test('a list is worked through by keyboard alone @scripting', async ({ page }) => {
  const { shop, made } = await waiting();
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), 'returns');
  await page.keyboard.press('j');
  await expect(rows(page).first().getByRole('link', { name: made.number })).toBeFocused();
  await page.keyboard.press('x');
  await expect(page.getByLabel(`Select ${made.number}`)).toBeChecked();
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(desk.heading).toHaveText(`Return ${made.number}`);
  await desk.ready();
  await page.keyboard.press(']');
  await expect(page).toHaveURL(/\/desk\/returns\/R-/);
  await expect(desk.heading).not.toHaveText(`Return ${made.number}`);
  await desk.ready();
  await page.keyboard.press('[');
  await expect(desk.heading).toHaveText(`Return ${made.number}`);
  await desk.ready();
  await page.keyboard.press('Escape');
  await expect(desk.heading).toHaveText('Returns');
  await desk.ready();
  await page.keyboard.press('g');
  await page.keyboard.press('t');
  await expect(desk.heading).toHaveText('Today');
  await desk.ready();
  await page.keyboard.press('/');
  await expect(page.getByRole('search').getByLabel('Search')).toBeFocused();
  await page.keyboard.type(made.number);
  await page.keyboard.press('Enter');
  await expect(desk.heading).toHaveText(`Return ${made.number}`);
});
