// A day at the desk: each job of a merchant's staff, with the number of actions that it takes. Its time is printed, not checked.
import type { Page, TestInfo } from '@playwright/test';
import { Desk, staff } from './support/desk';
import { returned, state, type Returned } from './support/returned';
import { expect, Shop, test } from './support/test';

/** Counts what a person does: a click, a field that is filled, a key with an effect, a code that is scanned. */
class Work {
  private readonly begun = Date.now();
  private count = 0;

  constructor(
    private readonly page: Page,
    private readonly info: TestInfo,
  ) {}

  async does(action: Promise<unknown>): Promise<void> {
    this.count += 1;
    await action;
  }

  /** A key, on a page that listens. */
  async presses(key: string): Promise<void> {
    await new Desk(this.page).ready();
    await this.does(this.page.keyboard.press(key));
  }

  /** Ends the job. Says how long it took, which depends on the machine. */
  end(most: number): void {
    console.log(`${this.info.project.name}, ${this.info.title}: ${this.count} actions, ${((Date.now() - this.begun) / 1000).toFixed(1)} s`);
    expect(this.count).toBeLessThanOrEqual(most);
  }
}

test('one hundred plain approvals', async ({ page }, info) => {
  const shop = await Shop.open({ autoApprove: false });
  const lines = Array.from({ length: 25 }, (_, index) => ({ product: `Mug ${index + 1}`, total: 1000 }));
  const made: Returned[] = [];
  for (let order = 0; order < 4; order += 1) made.push(await returned(shop, { lines }));
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug));
  const work = new Work(page, info);
  await work.does(page.getByRole('link', { name: 'To decide', exact: true }).click());
  await expect(desk.heading).toHaveText('To decide');
  await work.does(page.getByLabel('All 100 of this list').check());
  await work.does(page.getByRole('button', { name: 'Approve' }).click());
  await expect(page.getByText('100 items can be changed now.')).toBeVisible();
  await work.does(page.getByLabel('Number of items').fill('100'));
  await work.does(page.getByRole('button', { name: 'Approve' }).click());
  await expect(page.getByText('100 items can be changed now.')).toBeHidden();
  // After the first step, the change continues in the background.
  const left = async () => {
    const all = await Promise.all(made.map(({ id }) => state(shop, id)));
    return all.flatMap(({ returnRequests }) => returnRequests).filter(({ stage }) => stage.startsWith('Requested: Review')).length;
  };
  await expect.poll(left, { timeout: 60_000 }).toBe(0);
  work.end(5);
});

test('returns are approved one by one, with one key each @scripting', async ({ page }, info) => {
  const shop = await Shop.open({ autoApprove: false });
  const made: Returned[] = [];
  for (let order = 0; order < 3; order += 1) made.push(await returned(shop, { lines: [{ product: 'Stoneware mug', total: 1250 }] }));
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), 'returns?rows=requests&filter=queue%3AToDecide&sortBy=stageSince&orderBy=asc');
  const work = new Work(page, info);
  await work.does(page.getByRole('link', { name: 'Start' }).click());
  for (const { number } of made) {
    await expect(desk.heading).toHaveText(`Return ${number}`);
    await work.presses('a');
    await expect(desk.holding).toContainText(`${number} is approved in`);
  }
  // The last one waits for its undo.
  const stages = async () => Promise.all(made.map(async ({ id }) => (await state(shop, id)).returnRequests[0]!.stage));
  await expect.poll(async () => (await stages()).filter((stage) => stage !== 'Requested: Review').length).toBe(2);
  work.end(4);
});

test('where is it: from the customer’s words to the answer', async ({ page }, info) => {
  const shop = await Shop.open();
  const made = await returned(shop, { lines: [{ product: 'Linen shirt', total: 5900 }] });
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug));
  for (const words of [made.number, made.order.number, made.order.email]) {
    await desk.open();
    await desk.ready();
    const work = new Work(page, info);
    await work.does(page.getByRole('search').getByLabel('Search').fill(words));
    await work.does(page.keyboard.press('Enter'));
    const link = page.getByRole('main').getByRole('link', { name: new RegExp(made.number) }).first();
    await expect(desk.heading.filter({ hasText: `Return ${made.number}` }).or(link)).toBeVisible();
    if (await link.isVisible()) await work.does(link.click());
    await expect(desk.heading).toHaveText(`Return ${made.number}`);
    await expect(page.getByText('The customer has to send the parcel.')).toBeVisible(); // the answer
    work.end(3);
  }
});

test('a parcel of one item is received by scanning alone', async ({ page }, info) => {
  const shop = await Shop.open();
  const made = await returned(shop, { lines: [{ product: 'Stoneware mug', total: 1250 }], by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('warehouse', shop.slug), 'scan');
  const scan = async (code: string) => {
    await desk.ready();
    await Promise.all([...code, 'Enter'].map((key) => page.keyboard.press(key)));
  };
  const work = new Work(page, info);
  await work.does(scan(made.shipments[0]!.labelBarcode));
  await expect(page.getByRole('heading', { name: `Return ${made.number}` })).toBeVisible();
  await work.does(scan('$RETOUR-DONE'));
  await expect(page.getByText(`${made.number} is counted.`)).toBeVisible();
  work.end(3);
});

test('a customer on the phone gets a return', async ({ page }, info) => {
  const shop = await Shop.open();
  const order = await shop.order([{ product: 'Linen shirt', total: 5900 }]);
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), 'new-return');
  const main = page.getByRole('main');
  const work = new Work(page, info);
  await work.does(main.getByLabel('Order number, email or name').fill(order.number));
  await work.does(page.keyboard.press('Enter'));
  await expect(desk.heading).toContainText(order.number);
  await work.does(main.getByLabel('Reason', { exact: true }).selectOption({ label: 'Changed my mind' }));
  await work.does(main.getByRole('button', { name: 'Show costs' }).click());
  await expect(desk.heading).toHaveText('Check and make the return');
  await work.does(main.getByRole('button', { name: 'Make the return' }).click());
  await expect(desk.heading).toHaveText(/^Return R-/);
  work.end(5);
});
