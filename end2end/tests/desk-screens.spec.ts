// Every screen of the desk with the demo's returns: accessibility in light and dark mode, on a phone and on a desktop, at 320 px and at
// 200 % zoom.
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { look } from './support/axe';
import { Desk } from './support/desk';
import { startAlone } from './support/server';
import { expect, test } from './support/test';

/** The screens that docs/desk.md shows: `PICTURES=docs` takes their pictures. */
const shown = ['today', 'queue', 'return', 'scan-parcel'];

/** The screens that are also checked in Arabic. */
const mirrored = ['today', 'queue', 'return-reject', 'scan-parcel', 'new-return', 'me'];

/** The screens, with the fields of addresses that depend on the data. */
async function screens(page: Page): Promise<Map<string, string>> {
  const desk = new Desk(page);
  const first = async (list: string) => {
    await desk.open(list);
    return (await page.locator('tbody th a').first().getAttribute('href'))!.replace(/^\/desk\//, '');
  };
  const waiting = await first('returns?rows=requests&filter=queue%3AToDecide');
  const ids = await page.locator('[data-tick]').first().getAttribute('value');
  const ready = (await first('returns?rows=requests&filter=stage%3ASubmitted%3A%20Ready')).match(/R-\w+/)![0];
  await desk.open(waiting);
  const reject = await page.getByRole('link', { name: 'Reject', exact: true }).first().getAttribute('href');
  const adjust = await page.getByRole('link', { name: 'Adjust the amount' }).first().getAttribute('href');
  const below = (href: string | null) => href!.replace(/^\/desk\//, '');
  return new Map([
    ['today', ''],
    ['returns', 'returns'],
    ['items', 'returns?rows=requests'],
    ['queue', 'returns?rows=requests&filter=queue%3AToDecide&sortBy=stageSince&orderBy=asc'],
    ['return', waiting],
    ['return-reject', below(reject)],
    ['return-adjust', below(adjust)],
    ['bulk', `returns/bulk?do=approve&r=${encodeURIComponent(ids!)}&from=`],
    ['withdrawals', 'withdrawals'],
    ['connections', 'connections'],
    ['scan', 'scan'],
    ['scan-parcel', `scan?open=${ready}`],
    ['found', 'scan/found'],
    ['new-return', 'new-return'],
    ['orders', 'orders'],
    ['search', 'search'],
    ['people', 'people'],
    ['invite', 'people/invite'],
    ['new-key', 'people/new-key'],
    ['audit', 'audit'],
    ['me', 'me'],
  ]);
}

test('all screens are accessible, and none scrolls sideways @scripting', async ({ browser }, info) => {
  test.setTimeout(600_000); // two dozen pages, several times each
  const server = await startAlone({}, true);
  const context = await browser.newContext({ ...info.project.use, baseURL: server.url });
  try {
    const [email, password] = [...server.demo.matchAll(/e-mail (\S+)\s+password (\S+)\s+role admin/g)][0]!.slice(1);
    const page = await context.newPage();
    // Pictures of products are on other hosts.
    await context.route((url) => url.origin !== server.url, (route) => route.abort());
    const desk = new Desk(page);
    await desk.signIn({ email: email!, password: password!, name: '' }, 'me');
    const english = [...(await screens(page))];
    // From right to left, last: the desk remembers the language.
    const arabic = english.filter(([name]) => mirrored.includes(name));
    const asked = (path: string) => path.replace(/(#|$)/, `${path.includes('?') ? '&' : '?'}lang=ar$1`);
    for (const [name, path] of [...english, ...arabic.map(([name, path]) => [`${name}-ar`, asked(path)] as const)]) {
      await desk.open(path);
      await desk.ready();
      await expect(page.locator('html')).toHaveAttribute('dir', name.endsWith('-ar') ? 'rtl' : 'ltr');
      if (process.env.PICTURES === 'docs' && info.project.name === 'desktop' && shown.includes(name)) {
        await page.screenshot({ path: resolve(__dirname, `../../docs/desk-${name}.png`) });
      }
      await look(page, info, `desk-all-${name}`);
      // 200 % zoom of a window of 1280 px.
      const size = page.viewportSize()!;
      await page.setViewportSize({ width: 640, height: 450 });
      expect.soft(await page.evaluate(() => document.documentElement.scrollWidth), `${name} at 200 %`).toBeLessThanOrEqual(640);
      await page.setViewportSize(size);
    }
  } finally {
    await context.close();
    await server.stop();
  }
});
