// The pane beside the list of returns: the space bar opens it on the row that the keys have moved to.
import type { Page } from '@playwright/test';
import { look } from './support/axe';
import { Desk, staff } from './support/desk';
import { apiOf, returned, state } from './support/returned';
import { expect, Shop, test } from './support/test';

/** The list of a shop with three returns that wait for a decision, as an agent sees it: the newest is first. */
async function list(page: Page) {
  const shop = await Shop.open({ autoApprove: false });
  const made = [];
  for (const product of ['Linen shirt', 'Stoneware mug', 'Canvas tote']) made.unshift(await returned(shop, { lines: [{ product, total: 2000 }] }));
  const desk = new Desk(page);
  await desk.enter(await staff('agent', shop.slug), 'returns');
  const pane = page.getByRole('complementary', { name: 'Return beside the list' });
  const link = (row: number) => page.locator('[data-row]').nth(row).getByRole('link', { name: made[row]!.number });
  const shows = async (row: number) => {
    await expect(pane.getByRole('heading', { level: 1 })).toHaveText(`Return ${made[row]!.number}`);
    await expect(pane.getByRole('link', { name: 'Open it' })).toHaveAttribute('href', new RegExp(`/desk/returns/${made[row]!.number}\\?from=`));
  };
  return { desk, link, made, pane, shop, shows };
}

test('the space bar shows the row beside the list, and Escape leads back to it @scripting', async ({ page }, info) => {
  const { link, pane, shows } = await list(page);
  const address = page.url();
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await shows(0);
  await expect(pane).toBeFocused();
  await expect(pane).toContainText('Canvas tote');
  await expect(pane).not.toContainText('Stoneware mug');
  await look(page, info, 'desk-pane');
  await page.keyboard.press('Escape');
  await expect(pane).toBeHidden();
  await expect(link(0)).toBeFocused();

  // It shows the row that the keys move to, while it is open, too.
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await shows(1);
  await page.keyboard.press('j');
  await expect(link(2)).toBeFocused();
  await page.keyboard.press('Space');
  await shows(2);
  await page.keyboard.press('k');
  await page.keyboard.press('Space');
  await shows(1);
  await page.keyboard.press('Escape');
  await expect(pane).toBeHidden();
  await expect(link(1)).toBeFocused();
  expect(page.url()).toBe(address);

  // Enter opens the row's page, and Back leads to the list.
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/desk\/returns\/R-/);
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(pane).toBeHidden();
});

test('the icon of a row shows the return beside the list @scripting', async ({ page }, info) => {
  test.skip(info.project.use.viewport!.width < 1024, 'a phone has no room for two');
  const { link, pane, shows } = await list(page);
  const icon = (row: number) => page.locator('[data-row]').nth(row).locator('[data-peek]');
  await icon(1).click();
  await shows(1);
  await icon(2).click();
  await shows(2);
  await page.keyboard.press('Escape');
  await expect(pane).toBeHidden();
  await expect(link(2)).toBeFocused();
});

test('the pane closes and leads on by the mouse, too @scripting', async ({ page }) => {
  const { desk, link, made, pane, shows } = await list(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await shows(0);
  // The rows beside it can still be ticked.
  await page.getByLabel(`Select ${made[1]!.number}`).click();
  await expect(page.getByText('1 selected')).toBeVisible();
  await pane.getByRole('button', { name: 'Close' }).click();
  await expect(pane).toBeHidden();
  await expect(link(0)).toBeFocused();
  await expect(page.getByText('1 selected')).toBeVisible();
  await page.keyboard.press('Space');
  await shows(0);
  await pane.getByRole('link', { name: 'Open it' }).click();
  await expect(page).toHaveURL(new RegExp(`/desk/returns/${made[0]!.number}\\?from=`));
  await expect(desk.heading).toHaveText(`Return ${made[0]!.number}`);
});

test('a return is decided in the pane @scripting', async ({ page }) => {
  await page.clock.install();
  const { desk, made, pane, shop, shows } = await list(page);
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await shows(1);
  await page.keyboard.press('a');
  await expect(page.locator('.holding', { hasText: `${made[1]!.number} is approved in` })).toBeVisible();
  await desk.ready();
  await page.clock.fastForward(11_000);
  await expect(page.locator('.holding', { hasText: `${made[1]!.number} is approved.` })).toBeVisible();
  const stages = await Promise.all(made.map(async ({ id }) => (await state(shop, id)).returnRequests[0]!.stage));
  expect(stages.filter((stage) => stage === 'Requested: Review')).toHaveLength(2);
  expect(stages[1]).not.toBe('Requested: Review');
  await expect(pane).toBeHidden(); // the next return of the list is open
});

test('a note is written in the pane @scripting', async ({ page }) => {
  const { desk, made, pane, shop, shows } = await list(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await shows(0);
  await page.keyboard.press('n');
  await expect(pane.getByLabel('Note for your team').first()).toBeFocused();
  // In a field, keys type.
  await page.keyboard.type('j k x: a note');
  await page.keyboard.press('Escape');
  await expect(pane).toBeVisible();
  await pane.getByRole('button', { name: 'Add note' }).click();
  await expect(desk.heading).toHaveText(`Return ${made[0]!.number}`);
  await expect(page.getByRole('listitem').filter({ hasText: 'j k x: a note' })).toBeVisible();
  const { data } = await (await apiOf(shop)).get<{ data: { text?: string }[] }>(`/return-orders/${made[0]!.id}/activity`);
  expect(data.filter(({ text }) => text === 'j k x: a note')).toHaveLength(1);
});

test('a return that cannot be shown is said so, with a way to its page @scripting', async ({ page }) => {
  const { desk, made, pane } = await list(page);
  await page.route(`**/desk/returns/${made[0]!.number}?*`, (route) => route.abort('aborted'));
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await expect(pane.getByRole('status').filter({ hasText: 'The return cannot be shown here. Open it instead.' })).toBeVisible();
  await expect(pane.getByRole('heading')).toHaveCount(0);
  await page.unroute(`**/desk/returns/${made[0]!.number}?*`);
  await pane.getByRole('link', { name: 'Open it' }).click();
  await expect(desk.heading).toHaveText(`Return ${made[0]!.number}`);
});

test('after the session has ended, the whole page leads to the sign-in and back to the list @scripting', async ({ page }) => {
  const { desk, pane } = await list(page);
  const address = page.url();
  await page.context().clearCookies();
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/\/desk\/sign-in\?next=/);
  await expect(pane).toHaveCount(0);
  expect(new URL(page.url()).searchParams.get('next')).toBe(new URL(address).pathname + new URL(address).search);
  await expect(desk.heading).toHaveText('Sign in');
});

test('the space bar keeps its meaning in fields, and without a row @scripting', async ({ page }) => {
  const { made, pane } = await list(page);
  await page.keyboard.press('Space'); // no row is chosen yet
  await page.getByLabel(`Select ${made[2]!.number}`).focus();
  await page.keyboard.press('Space');
  await expect(page.getByLabel(`Select ${made[2]!.number}`)).toBeChecked();
  await page.keyboard.press('j');
  await page.getByLabel('Order number').focus();
  await page.keyboard.type('T 1');
  await expect(page.getByLabel('Order number')).toHaveValue('T 1');
  await expect(pane).toBeHidden();
});

test('without the pane, a row is a link', async ({ page, scripting }) => {
  test.skip(scripting, 'tested above');
  const { desk, link, made, pane } = await list(page);
  await expect(pane).toBeHidden();
  await link(1).focus();
  await page.keyboard.press('Space');
  await expect(pane).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(desk.heading).toHaveText(`Return ${made[1]!.number}`);
});

test('a slow answer does not replace the row that was asked for after it @scripting', async ({ page }) => {
  const { made, pane, shows } = await list(page);
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/desk/returns/${made[0]!.number}?*`, async (route) => {
    await held;
    await route.continue();
  });
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await shows(1);
  const late = page.waitForResponse((answer) => answer.url().includes(`/desk/returns/${made[0]!.number}?`));
  release();
  await (await late).finished();
  // What follows the answer is done once the page has drawn twice.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await shows(1);
  await expect(pane).toContainText('Stoneware mug');
});

test('an open pane follows j and k @scripting', async ({ page }) => {
  const { link, shows } = await list(page);
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await shows(0);
  await page.keyboard.press('j');
  await expect(link(1)).toBeFocused();
  await shows(1);
});
