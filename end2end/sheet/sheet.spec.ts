// Every page in every language, in light and dark mode, on a phone and on a desktop: one picture for each language,
// artefacts/sheet/<language>.png, for people to look at.
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test, type Page } from '@playwright/test';
import { Shop, pictures } from '../tests/support/shop';

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
    await withPictures(page);
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
    await shirt.locator('.chip').nth(0).click();
    await take('choose');
    await page.locator('button.button[name=go][value=on]:visible').click();
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
    await page.locator('.item', { hasText: 'Linen shirt' }).locator('.chip').nth(0).click();
    await page.locator('button.button[name=go][value=on]:visible').click();
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

test('the picture in the README', async ({ browser }) => {
  const options = { baseURL: process.env.RETOUR_URL, reducedMotion: 'reduce' as const };
  const phone = { width: 340, height: 720 };
  const desk = await browser.newPage({ ...options, viewport: { width: 1100, height: 720 } });
  const shirt = await begin(desk, 'en', await Shop.demo.order());
  await shirt.locator('.chip').nth(0).click();
  const mug = desk.locator('.item', { hasText: 'Stoneware mug' });
  await mug.locator('label.item-name').click();
  await mug.locator('.chip').nth(1).click();
  await desk.evaluate(() => scrollTo(0, 0));
  const arabic = await browser.newPage({ ...options, viewport: phone });
  await (await begin(arabic, 'ar', await Shop.demo.order())).locator('.chip').nth(0).click();
  await arabic.locator('button.button[name=go][value=on]:visible').click();
  await arabic.waitForURL(/\/review/);
  const dark = await browser.newPage({ ...options, viewport: phone, colorScheme: 'dark' });
  await (await begin(dark, 'en', await Shop.demo.order())).locator('.chip').nth(0).click();
  await dark.locator('button.button[name=go][value=on]:visible').click();
  await dark.waitForURL(/\/review/);
  await dark.locator('form.review button:visible').first().click();
  await dark.waitForURL(/\/returns\/./);
  const taken: string[] = [];
  for (const page of [desk, arabic, dark]) {
    await page.waitForLoadState('networkidle');
    const width = page.viewportSize()!.width;
    taken.push(`<img width="${width}" class="${width > 400 ? 'desk' : ''}" src="data:image/png;base64,${(await page.screenshot()).toString('base64')}">`);
  }
  const paper = await browser.newPage({ viewport: { width: 1940, height: 800 } });
  await paper.setContent(`<style>body{margin:0;height:800px;background:#e9eceb;display:flex;gap:40px;align-items:center;justify-content:center}
    img{border-radius:32px;box-shadow:0 12px 40px #0003}.desk{border-radius:12px}</style>${taken.join('')}`);
  await paper.screenshot({ path: resolve(__dirname, '../../docs/portal.png') });
});

test('the picture of the reference of the API', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: process.env.RETOUR_URL, viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.25 });
  await page.goto('/api/docs/return-orders');
  await page.getByRole('navigation').getByRole('link', { name: 'Create a return order' }).click();
  await page.mouse.move(0, 0);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: resolve(__dirname, '../../docs/api.png') });
});

/** Answers requests to the host of the shops' pictures. */
async function withPictures(page: Page): Promise<void> {
  await page.route(`${pictures}/*`, (route) =>
    route.fulfill({ path: resolve(__dirname, '../../public/demo', new URL(route.request().url()).pathname.slice(1)) }),
  );
}

/** Finds an order and chooses its shirt. Returns the row. */
async function begin(page: Page, language: string, { number, email }: { number: string; email: string }) {
  await withPictures(page);
  await page.goto(`/fjord-fern?lang=${language}`);
  await page.locator('#order').fill(number);
  await page.locator('#proof').fill(email);
  await page.locator('form.lookup button').click();
  await page.waitForURL(/\/purchases/);
  const shirt = page.locator('.item', { hasText: 'Linen shirt' });
  await shirt.getByRole('checkbox').first().check();
  return shirt;
}

/** A shop that accepts gift returns, asks for photos, and has questions for every reason. */
async function asking(): Promise<Shop> {
  const shop = await Shop.open({ giftReturns: true, resolutions: ['Refund', 'StoreCredit'] });
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

/** Puts pictures side by side, each cut slightly below the first screen. */
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
