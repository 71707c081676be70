// Every page in every language, in the light and in the dark, on a telephone and on a desk: one picture for each language,
// artefacts/sheet/<language>.png, to be looked at.
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test, type Page } from '@playwright/test';
import { Shop } from '../tests/support/shop';

const languages = ['en', 'de', 'es', 'fr', 'it', 'nl', 'pl', 'ar'];
const sizes = { telephone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } };
const folder = resolve(__dirname, '../artefacts/sheet');

test.describe.configure({ mode: 'parallel' });

for (const language of languages) {
  test(`a sheet in ${language}`, async ({ browser }) => {
    mkdirSync(folder, { recursive: true });
    const order = await Shop.demo.order();
    const taken: string[] = [];
    const page = await browser.newPage({ baseURL: process.env.RETOUR_URL, reducedMotion: 'reduce' });
    const take = async (name: string) => {
      await page.waitForLoadState('networkidle');
      for (const [size, viewport] of Object.entries(sizes)) {
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme });
          const path = join(folder, `${language}-${name}-${size}-${colorScheme}.png`);
          await page.screenshot({ path, fullPage: true });
          taken.push(path);
        }
      }
    };
    await page.goto(`/fjord-fern?lang=${language}`);
    await take('look-up');
    await page.locator('#order').fill(order.number);
    await page.locator('#proof').fill('nobody@example.com');
    await page.locator('form.lookup button').click();
    await take('mistake');
    await page.locator('#proof').fill(order.email);
    await page.locator('form.lookup button').click();
    await page.waitForURL(/\/purchases/);
    const shirt = page.locator('.item', { hasText: 'Linen shirt' });
    await shirt.getByRole('checkbox').first().check();
    await shirt.locator('select').first().selectOption({ index: 1 });
    await take('choose');
    await page.locator('button[name=go][value=on]:visible').click();
    await page.waitForURL(/\/review/);
    await take('review');
    await page.locator('form.review button:visible').first().click();
    await page.waitForURL(/\/returns\/./);
    await take('return');
    await page.goto('/fjord-fern/returns');
    await take('returns');
    await page.goto('/fjord-fern/link');
    await take('link');
    const shop = await asking();
    await page.goto(`/${shop.slug}/gift`);
    await take('gift');
    const theirs = await shop.order();
    await page.goto(`/${shop.slug}`);
    await page.locator('#order').fill(theirs.number);
    await page.locator('#proof').fill(theirs.email);
    await page.locator('form.lookup button').click();
    await page.waitForURL(/\/purchases/);
    await page.locator('.item', { hasText: 'Linen shirt' }).getByRole('checkbox').first().check();
    await page.locator('.item', { hasText: 'Linen shirt' }).locator('select').first().selectOption({ index: 1 });
    await page.locator('button[name=go][value=on]:visible').click();
    await page.waitForURL(/\/details/);
    await take('details');
    await page.locator('form.details .button').click();
    await page.locator('.alert').waitFor();
    await take('details-mistakes');
    await page.goto('/fjord-fern/withdraw');
    await page.locator('#name').fill('Ada Lovelace');
    await page.locator('#contract').fill(order.number);
    await page.locator('#email').fill(order.email);
    await take('withdraw');
    await page.locator('form.withdraw button').click();
    await page.waitForURL(/\/withdraw\/confirm/);
    await take('withdraw-confirm');
    await page.locator('main form button').click();
    await page.waitForURL(/\/withdraw\/done/);
    await take('withdraw-done');
    await page.close();
    await compose(await browser.newPage({ viewport: { width: 2400, height: 1000 } }), language, taken);
  });
}

/** A shop that takes gifts back, asks for photos and about every reason. */
async function asking(): Promise<Shop> {
  const shop = await Shop.open({ giftReturns: true });
  const api = await shop.api();
  const option = (id: string, en: string, de: string) => ({ id, text: { en, de } });
  const options = [option('item', 'The thing itself', 'Die Ware'), option('box', 'Only the box', 'Nur die Verpackung')];
  const questions = [
    { id: 'where', text: { en: 'What is it about?', de: 'Worum geht es?' }, options, required: true },
    { id: 'how', text: { en: 'What happened?', de: 'Was ist passiert?' } },
  ];
  const { data } = await api.get<{ data: { id: string }[] }>('/return-reasons');
  for (const { id } of data) await api.patch(`/return-reason/${id}`, { evidence: 'required', questions });
  return shop;
}

/** Puts pictures side by side, each cut at what one would see of it first and a little more. */
async function compose(page: Page, language: string, taken: string[]): Promise<void> {
  const picture = (path: string) => {
    const width = path.includes('-desk-') ? 420 : 160;
    return `<figure><img src="data:image/png;base64,${readFileSync(path).toString('base64')}" width="${width}"></figure>`;
  };
  await page.setContent(`<style>body{margin:16px;background:#888;display:flex;flex-wrap:wrap;gap:12px}
    figure{margin:0;max-height:520px;overflow:hidden}</style>${taken.map(picture).join('')}`);
  await page.screenshot({ path: join(folder, `${language}.png`), fullPage: true });
  await page.close();
}
