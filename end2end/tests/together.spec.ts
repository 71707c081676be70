// Several lines at once, continuing from the first page, and the number of taps for a return.
import type { Page } from '@playwright/test';
import { look } from './support/axe';
import { doesNotFit } from './support/portal';
import { expect, Portal, Shop, test } from './support/test';

test('everything is returned for one reason', async ({ page, portal, order, scripting }) => {
  await portal.prove(order);
  if (scripting) await expect(page.getByRole('button', { name: 'Select all' })).toHaveAttribute('type', 'button');
  const rows = ['Linen shirt', 'Stoneware mug', 'Canvas tote'].map((name) => portal.row(name));
  await rows[1].choose();
  await rows[1].quantity.fill('3');
  await page.getByRole('button', { name: 'Select all' }).click();
  for (const row of rows) await expect(row.tick).toBeChecked();
  await expect(rows[1].quantity).toHaveValue('3');
  if (scripting) {
    await rows[0].because(doesNotFit);
    await page.getByRole('button', { name: 'Same reason for all 3' }).click();
    for (const row of rows) await expect(row.reason.getByRole('radio', { name: doesNotFit })).toBeChecked();
    await expect(rows[0].reason.getByRole('radio', { name: doesNotFit })).toBeFocused();
    await expect(page.getByRole('button', { name: /^Same reason/ })).toBeHidden();
  } else {
    await rows[2].because('Other');
    await page.getByLabel('Reason for all items').selectOption(doesNotFit);
  }
  await portal.goOn();
  const back = page.getByRole('region', { name: 'You’re returning' }).getByRole('listitem');
  await expect(back).toHaveText([new RegExp(doesNotFit), /qty 3 of 4/, scripting ? new RegExp(doesNotFit) : /Other/]);
});

test('the selection is cleared at once, and the entries stay', async ({ page, portal, order }) => {
  await portal.prove(order);
  await page.getByRole('button', { name: 'Select all' }).click();
  await expect(portal.row('Stoneware mug').quantity).toHaveValue('4'); // all units, not one of each
  await portal.row('Linen shirt').note('The collar scratches.');
  await page.getByRole('button', { name: 'Clear selection' }).click();
  await expect(portal.row('Linen shirt').tick).not.toBeChecked();
  await portal.row('Linen shirt').choose();
  await expect(portal.row('Linen shirt').comment).toHaveValue('The collar scratches.');
});

test('Enter in a field submits; it selects nothing', async ({ page, portal, order }) => {
  await portal.prove(order);
  const mug = portal.row('Stoneware mug');
  await mug.choose();
  await mug.because(doesNotFit);
  await mug.quantity.fill('2');
  await mug.quantity.press('Enter');
  await portal.isAt('review');
  await expect(page.getByRole('region', { name: 'You’re returning' }).getByRole('listitem')).toHaveCount(1);
});

test('a chosen row is not a search result', async ({ page, portal, scripting }, info) => {
  const lines = Array.from({ length: 12 }, (_, index) => ({ product: `Button no. ${index}`, total: 100 }));
  await portal.prove(await Shop.demo.order(lines));
  await portal.row('Button no. 7').choose();
  await page.getByLabel('Search this order').fill('zzzz');
  if (!scripting) await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'No items match “zzzz”' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Selected (1)' }).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByText('No items found, 1 selected')).toBeVisible();
  await look(page, info, 'choose-nothing-found');
});

test('more than a handful of reasons are a list', async ({ page }) => {
  const shop = await Shop.open();
  const api = await shop.api();
  await api.post('/return-reasons', { description: { en: 'The eighth' } });
  const portal = new Portal(page, shop);
  await portal.prove(await shop.order());
  await portal.row('Linen shirt').choose();
  await expect(portal.row('Linen shirt').root.getByRole('combobox', { name: 'Why are you returning it?' })).toBeVisible();
  await portal.row('Linen shirt').because('The eighth');
  await portal.goOn();
});

test('chips are high enough for a thumb', async ({ page, portal, order }) => {
  await portal.prove(order);
  await portal.row('Linen shirt').choose();
  for (const chip of await portal.row('Linen shirt').reason.locator('.chip').all()) {
    expect((await chip.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  }
});

test('the fields of a chosen row scroll into view', { tag: '@scripting' }, async ({ page, portal, order, isMobile }) => {
  test.skip(!isMobile);
  await portal.prove(order);
  await expect(page.getByRole('button', { name: 'Select all' })).toHaveAttribute('type', 'button');
  await portal.row('Canvas tote').press();
  await expect
    .poll(() => page.evaluate(() => document.querySelector('.item:has(.tick:checked) .item-ask')!.getBoundingClientRect().top < document.querySelector('.bar')!.getBoundingClientRect().top - 44))
    .toBe(true);
});

test('the first page continues with the order that was found', async ({ page, portal, order }, info) => {
  await portal.prove(order);
  await portal.open();
  await look(page, info, 'look-up-known');
  await page.getByRole('link', { name: `Continue with order ${order.number}` }).click();
  await portal.isAt('purchases');
  await portal.open('withdraw');
  await expect(page.getByLabel('Order or items')).toHaveValue(order.number);
  await expect(page.getByLabel('Email address')).toHaveValue(order.email);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('link', { name: /^Continue with order/ })).toHaveCount(0);
});

test('the page header is one line in every language', async ({ page, portal, order, isMobile }) => {
  test.skip(!isMobile);
  await portal.prove(order);
  for (const width of [page.viewportSize()!.width, 360]) {
    await page.setViewportSize({ width, height: 740 });
    for (const language of ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'ar']) {
      await page.goto(`${portal.at('purchases')}?lang=${language}`);
      expect((await page.locator('.masthead-in').boundingBox())!.height, `${language} ${width}`).toBeLessThan(90);
    }
  }
});

test('one item, a refund, a label: the number of taps', async ({ page, isMobile }) => {
  test.skip(!isMobile);
  const portal = new Portal(page, await Shop.open());
  const order = await portal.shop.order();
  let taps = 0;
  const tap = async (name: string, target: ReturnType<Page['locator']>) => {
    taps += 1;
    await target.tap();
    console.log(`${taps}. ${name}`);
  };
  await portal.open();
  await tap('order number', page.getByLabel('Order number'));
  await page.keyboard.type(order.number);
  await tap('email address', page.getByLabel('Email address'));
  await page.keyboard.type(order.email);
  await tap('find', page.getByRole('button', { name: 'Find my order' }));
  await portal.isAt('purchases');
  await tap('the thing', portal.row('Linen shirt').root.locator('label.item-name'));
  await tap('the reason', portal.row('Linen shirt').reason.locator('.chip', { hasText: doesNotFit }));
  await tap('continue', portal.continue);
  await portal.isAt('review');
  await tap('get it', portal.send);
  await portal.isAt(/returns\/.+/);
  await expect(page.getByRole('link', { name: /Download my label/ })).toBeVisible();
  console.log(`taps from the first page to the label: ${taps}`);
  expect(taps).toBeLessThanOrEqual(7);
});
