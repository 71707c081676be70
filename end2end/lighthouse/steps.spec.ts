// Lighthouse's scores for each step of the portal and each screen of the desk, of the release build, with its own settings for a phone
// (slow 4G, a quarter of this machine's speed). Scores other than speed do not depend on the machine, so they must be 100.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { mkdtempSync } from 'node:fs';
import { chromium, expect, test, type Page } from '@playwright/test';
import { wholeBrowser } from '../playwright.config';
import { Desk, person } from '../tests/support/desk';
import { Portal } from '../tests/support/portal';
import { returned } from '../tests/support/returned';
import { freePort } from '../tests/support/server';
import { Shop } from '../tests/support/shop';

const folder = resolve(__dirname, '../artefacts/lighthouse');

/** Opens a browser, measures pages in it, and prints their scores. */
async function measuring(categories: string[], work: (page: Page, measure: (step: string) => Promise<void>) => Promise<void>) {
  const { default: lighthouse } = await import('lighthouse');
  const port = await freePort();
  const context = await chromium.launchPersistentContext(mkdtempSync(join(tmpdir(), 'retour-lighthouse-')), {
    executablePath: wholeBrowser,
    baseURL: process.env.RETOUR_URL,
    args: [`--remote-debugging-port=${port}`, '--disable-gpu'],
  });
  mkdirSync(folder, { recursive: true });
  const rows: string[] = [];
  const page = await context.newPage();
  await work(page, async (step) => {
    const url = page.url();
    await (await context.newCDPSession(page)).send('Network.clearBrowserCache'); // as on a first visit
    const result = await lighthouse(url, { port, output: 'html', onlyCategories: categories, disableStorageReset: true, logLevel: 'error' });
    const { lhr, report } = result!;
    writeFileSync(join(folder, `${step}.html`), report as string);
    const points = categories.map((category) => Math.round((lhr.categories[category]!.score ?? 0) * 100));
    const number = (audit: string) => lhr.audits[audit]!.numericValue ?? 0;
    const bytes = Math.round(number('total-byte-weight') / 1000);
    rows.push([step.padEnd(15), ...points.map((point) => String(point).padStart(5)), `${Math.round(number('largest-contentful-paint'))} ms`.padStart(9), `${Math.round(number('total-blocking-time'))} ms`.padStart(7), number('cumulative-layout-shift').toFixed(3).padStart(6), `${bytes} kB`.padStart(7)].join('  '));
    const missed = Object.values(lhr.audits).filter(({ score, scoreDisplayMode }) => score !== null && score < 1 && scoreDisplayMode === 'binary');
    expect.soft(points.slice(1), `${step}: ${missed.map(({ id }) => id).join(', ')}`).toEqual(points.slice(1).map(() => 100));
    await page.goto(url); // Lighthouse leaves the page
  });
  await context.close();
  const names = categories.map((category) => ({ performance: 'speed', accessibility: ' a11y', 'best-practices': ' best', seo: '  seo' })[category]!);
  const head = ['step           ', ...names, '      LCP', '    TBT', '   CLS', '  bytes'].join('  ');
  console.log(`\n${[head, ...rows].join('\n')}\n\nReports: ${folder}`);
}

test('every step, on a phone', async () => {
  await measuring(['performance', 'accessibility', 'best-practices', 'seo'], async (page, measure) => {
    const portal = new Portal(page, Shop.demo);
    // Product pictures are the merchant's own, on hosts that are not part of the test.
    const order = await portal.shop.order([{ product: 'Linen shirt', total: 5900 }, { product: 'Canvas tote', total: 3800, quantity: 2 }]);
    await portal.open();
    await measure('look-up');
    await portal.find(order);
    await measure('choose');
    await portal.choose('Linen shirt');
    await measure('review');
    await portal.submit();
    await measure('return');
    await portal.open('returns');
    await measure('returns');
    await portal.open('withdraw');
    await measure('withdraw');
    const asking = new Portal(page, await Shop.open());
    const api = await asking.shop.api();
    const { data } = await api.get<{ data: { id: string }[] }>('/return-reasons');
    const options = ['The thing itself', 'Only the box'].map((en, index) => ({ id: `o${index}`, text: { en } }));
    const questions = [{ id: 'what', text: { en: 'What is it about?' }, options, required: true }];
    for (const { id } of data) await api.patch(`/return-reason/${id}`, { evidence: 'optional', questions });
    await asking.find(await asking.shop.order([{ product: 'Linen shirt', total: 5900 }]));
    await asking.row('Linen shirt').choose();
    await asking.row('Linen shirt').because({ index: 1 });
    await page.waitForLoadState();
    await asking.continue.click();
    await asking.isAt('details');
    await measure('details');
  });
});

// Search engines must not find the desk, so that score is left out.
test('every screen of the desk, on a phone', async () => {
  const shop = await Shop.open({ autoApprove: false });
  const lines = [{ product: 'Linen shirt', total: 5900 }];
  const { number } = await returned(shop, { lines });
  const parcel = await returned(shop, { lines, by: 'staff' });
  await measuring(['performance', 'accessibility', 'best-practices'], async (page, measure) => {
    const desk = new Desk(page);
    await desk.open();
    await measure('desk-sign-in');
    await desk.enter(await person('admin', shop.slug), 'me');
    await measure('desk-me');
    const screens = { today: '', returns: 'returns', return: `returns/${number}`, scan: 'scan', parcel: `scan?open=${parcel.number}`, 'new-return': 'new-return', orders: 'orders', search: 'search', people: 'people', audit: 'audit' };
    for (const [name, path] of Object.entries(screens)) {
      await desk.open(path);
      await measure(`desk-${name}`);
    }
  });
});
