// What a worker has typed, and the focus, on the scan page: neither is lost while the next code is scanned or a photo is added.
import { join } from 'node:path';
import { Desk, staff } from './support/desk';
import { photographs } from './support/photos';
import { returned } from './support/returned';
import { wedge } from './support/scanner';
import { expect, neverIdle, Shop, test } from './support/test';

const mug = [{ product: 'Stoneware mug', total: 1250 }];

test('on a page that is never idle, the islands react @scripting', async ({ page }) => {
  await neverIdle(page);
  const shop = await Shop.open();
  await new Desk(page).enter(await staff('warehouse', shop.slug), 'scan');
  await expect(page.locator('html')).toHaveAttribute('data-hydrated', '');
});

test('after an unknown code, the field has the focus for the next one', async ({ page }) => {
  const shop = await Shop.open();
  const desk = new Desk(page);
  await desk.enter(await staff('warehouse', shop.slug), 'scan');
  await wedge(page, 'JJD000390001234567890');
  await expect(page.getByText('Nothing is known about this code.').first()).toBeVisible();
  await desk.ready();
  await expect(page.getByLabel('Scan or type a code')).toBeFocused();
});

test('a number that was typed stays when the next item is scanned from its field @scripting', async ({ page }) => {
  const shop = await Shop.open();
  const lines = [{ product: 'Stoneware mug', total: 2500, quantity: 2, sku: 'MUG-BLUE' }, { product: 'Canvas tote', total: 1900, sku: 'TOTE-01' }];
  const parcel = await returned(shop, { lines, by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('warehouse', shop.slug), `scan?open=${parcel.number}`);
  const here = (product: string) => page.getByRole('listitem').filter({ hasText: product }).getByLabel('Here now');
  await here('Stoneware mug').fill('2');
  await here('Stoneware mug').focus();
  await wedge(page, 'TOTE-01');
  await expect(here('Canvas tote')).toHaveValue('1');
  await expect(here('Stoneware mug')).toHaveValue('2');
});

test('the sheet’s command Damaged leads to Done without typing', async ({ page }) => {
  const shop = await Shop.open({ resolveOn: 'inspection' });
  const parcel = await returned(shop, { lines: mug, by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('warehouse', shop.slug), 'scan');
  for (const code of [parcel.number, '$RETOUR-ALL-HERE', '$RETOUR-DAMAGED']) {
    const loaded = page.waitForEvent('domcontentloaded');
    await wedge(page, code);
    await loaded;
    await desk.ready();
  }
  await expect(page.getByLabel('Condition')).toHaveValue('Damaged');
  await wedge(page, '$RETOUR-DONE');
  await expect(page.getByText(`${parcel.number} is counted.`)).toBeVisible();
});

test('a photo of the damage is added, and what was typed stays', async ({ page }) => {
  const shop = await Shop.open({ resolveOn: 'inspection' });
  const parcel = await returned(shop, { lines: mug, by: 'staff' });
  const desk = new Desk(page);
  await desk.enter(await staff('warehouse', shop.slug), `scan?open=${parcel.number}`);
  await page.getByLabel('Here now').fill('1');
  await page.getByText('Refuse units').click();
  await page.getByLabel('Units refused').fill('1');
  await page.getByLabel('Why').fill('The handle is broken.');
  await page.getByLabel('Photo of the damage').setInputFiles(join(photographs(), 'photo.jpg'));
  await page.getByRole('button', { name: 'Add photo' }).click();
  await expect(page.getByText('The photo is saved.')).toBeVisible();
  await expect(page.getByLabel('Here now')).toHaveValue('1');
  await expect(page.getByLabel('Units refused')).toHaveValue('1');
  await expect(page.getByLabel('Why')).toHaveValue('The handle is broken.');
});
