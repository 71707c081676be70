// Users' settings and limits: large type, reduced motion, forced colours, a slow network.
import type { Page } from '@playwright/test';
import { picture } from './support/axe';
import { expect, Portal, Shop, test } from './support/test';

/** A shop with every page: gifts, questions, photos. */
async function everything(): Promise<Shop> {
  const shop = await Shop.open({ giftReturns: true, resolutions: ['Refund', 'StoreCredit'] });
  const api = await shop.api();
  const { data } = await api.get<{ data: { id: string }[] }>('/return-reasons');
  const options = ['The thing itself', 'Only the box'].map((en, index) => ({ id: `o${index}`, text: { en } }));
  const questions = [{ id: 'what', text: { en: 'What is it about?' }, options, required: true }, { id: 'how', text: { en: 'What happened?' } }];
  for (const { id } of data) await api.patch(`/return-reason/${id}`, { evidence: 'optional', questions });
  return shop;
}

/** Walks through all pages and checks each of them. */
async function everyPage(page: Page, check: (name: string) => Promise<void>): Promise<void> {
  const portal = new Portal(page, await everything());
  const order = await portal.shop.order();
  for (const path of ['', 'link', 'gift']) {
    await portal.open(path);
    await check(path || 'look-up');
  }
  await portal.prove(order);
  await portal.row('Linen shirt').choose();
  await portal.row('Linen shirt').because({ index: 1 });
  await check('choose');
  await page.waitForLoadState();
  await portal.continue.click();
  await portal.isAt('details');
  await check('details');
  await page.getByText('The thing itself').click();
  await portal.goOn();
  await check('review');
  await portal.submit();
  await check('return');
  await portal.open('returns');
  await check('returns');
  await portal.open('withdraw');
  await check('withdraw');
  await page.locator('#name').fill('Ada Lovelace');
  await page.locator('#contract').fill(order.number);
  await page.locator('#email').fill(order.email);
  await page.locator('form.withdraw button').click();
  await portal.isAt('withdraw/confirm');
  await check('withdraw-confirm');
}

/** Elements that cannot be read without horizontal scrolling. */
async function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const all = [...document.body.querySelectorAll('main *, header *, footer *')];
    const shown = all.filter((element) => element.checkVisibility() && !element.closest('.visually-hidden, .skip'));
    return shown.filter((element) => element.getBoundingClientRect().right > width + 1 || element.getBoundingClientRect().left < -1).map(({ outerHTML }) => outerHTML.slice(0, 100));
  });
}

test('with type twice as large, nothing is cut off and no line leaves the window', async ({ page, context }, info) => {
  test.slow();
  // Like the browser's own setting: 32 px instead of 16.
  const session = await context.newCDPSession(page);
  await session.send('Page.enable');
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await everyPage(page, async (name) => {
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), name).toBe('32px');
    expect.soft(await tooWide(page), name).toEqual([]);
    if (['choose', 'details', 'review', 'return'].includes(name)) await picture(page, info, `large-type-${name}`);
  });
});

test('with type twice as large, a quantity with a mistake fits a phone', async ({ page, context }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const session = await context.newCDPSession(page);
  await session.send('Page.enable');
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  const portal = new Portal(page, await everything());
  await portal.prove(await portal.shop.order());
  const row = portal.row('Stoneware mug');
  await row.choose();
  await row.quantity.fill('99');
  await row.because({ index: 1 });
  await page.waitForLoadState();
  await portal.continue.click();
  await expect(portal.alert).toContainText('You can return up to 4');
  expect(await tooWide(page)).toEqual([]);
});

test('reduced motion is respected', async ({ page }) => {
  test.slow();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await everyPage(page, async (name) => {
    const moving = await page.evaluate(() => {
      const long = (durations: string) => durations.split(', ').some((one) => parseFloat(one) > 0.01);
      const all = [...document.querySelectorAll('*')].map((element) => ({ element, style: getComputedStyle(element) }));
      const moves = all.filter(({ style }) => long(style.transitionDuration) || (style.animationName !== 'none' && long(style.animationDuration)) || style.scrollBehavior === 'smooth');
      return moves.map(({ element }) => element.outerHTML.slice(0, 100));
    });
    expect.soft(moving, name).toEqual([]);
  });
});

test('in forced colours every control has a border', async ({ page }, info) => {
  test.slow();
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await everyPage(page, async (name) => {
    const bare = await page.evaluate(() => {
      const controls = [...document.querySelectorAll('main button, main .button, main input:not([type=hidden]), main select, main textarea')];
      const shown = controls.filter((element) => element.checkVisibility({ opacityProperty: true }) && !element.closest('.visually-hidden'));
      const hasEdge = (element: Element) => {
        const { borderStyle, borderWidth, textDecorationLine, outlineStyle, appearance } = getComputedStyle(element);
        return (borderStyle !== 'none' && parseFloat(borderWidth) > 0) || textDecorationLine.includes('underline') || outlineStyle !== 'none' || appearance === 'auto';
      };
      return shown.filter((element) => !hasEdge(element) && !hasEdge(element.closest('.stepper, .select, .choice, .chip') ?? element)).map(({ outerHTML }) => outerHTML.slice(0, 120));
    });
    expect.soft(bare, name).toEqual([]);
    if (name === 'details') await picture(page, info, 'details-forced-colours');
  });
});

test('the form works before scripts are loaded @scripting', async ({ page }) => {
  const portal = new Portal(page, await everything());
  const order = await portal.shop.order();
  await portal.prove(order);
  // As over a slow network, for as long as the test needs.
  let asked = 0;
  await page.route('**/*.wasm', () => void (asked += 1));
  await page.goto(portal.at('purchases'), { waitUntil: 'commit' });
  await expect.poll(() => asked).toBeGreaterThan(0);
  await portal.row('Linen shirt').press();
  await portal.row('Linen shirt').because({ index: 1 });
  await portal.continue.click();
  await expect(page).toHaveURL(/\/details$/);
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Linen shirt']);
});
