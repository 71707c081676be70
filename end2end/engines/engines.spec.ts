// The journey of a shopper in other browsers than Chromium, which all other tests use: Firefox (Gecko) and
// WebKitGTK (WebKit, as in Safari).
import { expect, test } from '@playwright/test';
import { Shop } from '../tests/support/shop';
import { setting } from '../tests/support/site';
import { firefox } from './firefox';
import { cancel, changeWay, choose, lookUp, submitReturn } from './journey';
import type { Engine } from './page';
import { webkit } from './webkit';

const engines: [string, Engine][] = [
  ['Firefox', firefox],
  ['WebKit', webkit],
];

for (const [name, engine] of engines) {
  test.describe(name, () => {
    test.skip(() => Boolean(engine.missing), engine.missing);

    for (const scripting of [true, false]) {
      test(`a shopper returns an item, gets the label, and cancels the return ${scripting ? 'with' : 'without'} scripting`, async ({ baseURL }) => {
        const order = await Shop.demo.order();
        await engine.open(scripting, async (page) => {
          await page.goto(`${baseURL}/${Shop.demo.slug}`);
          expect(await page.run(`matchMedia('(scripting: none)').matches`)).toBe(!scripting);
          await lookUp(page, order);
          await choose(page, scripting);
          await changeWay(page, scripting);
          await submitReturn(page);
          await cancel(page);
        });
      });
    }

    const where = engine.keepsCookiesInFrames ? 'in the frame' : 'in a tab of its own, since it keeps no cookies in the frame';
    test(`from a page of the shop, a shopper returns an item ${where}`, async ({ baseURL }) => {
      await setting(baseURL!, {}, async ({ order, site }) => {
        await engine.open(true, async (shop) => {
          await shop.goto(site.origin);
          await shop.shows('iframe');
          const frame = await shop.frame('iframe');
          if (!engine.keepsCookiesInFrames) await frame.shows('.own-tab'); // the form announces it
          await lookUp(frame, order);
          const portal = engine.keepsCookiesInFrames ? frame : await shop.opened();
          await choose(portal, true);
          await submitReturn(portal);
          const told = engine.keepsCookiesInFrames ? 'look-up choose review return completed' : 'look-up';
          await shop.until(`told.map(([type, { step }]) => step ?? type).join(' ') === '${told}'`);
          await cancel(portal);
        });
      });
    });
  });
}
