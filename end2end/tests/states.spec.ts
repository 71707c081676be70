// Every page in every state: axe finds no problem, nothing is cut off at 320 px, and artefacts/ gets a picture.
import type { Page } from '@playwright/test';
import { look, picture } from './support/axe';
import { doesNotFit } from './support/portal';
import { startAlone } from './support/server';
import { expect, Portal, Shop, test } from './support/test';

const returnAddress = { name: 'Plain & Simple Returns', street: '1 Dock Road', postalCode: '1012 AB', city: 'Amsterdam', country: 'NL' };
/** The rows of a long list except the first ones, which are alike. */
const theRest = '.items > li:nth-child(n + 13)';

test('look-up', async ({ page, portal, order }, info) => {
  await portal.open();
  await look(page, info, 'look-up');
  await portal.type({ number: '', email: '' });
  await expect(portal.alert).toBeVisible();
  await look(page, info, 'look-up-empty');
  await portal.type({ ...order, email: 'somebody@example.com' });
  await expect(portal.alert).toContainText('We couldn’t find an order with that number and email');
  await expect(page).toHaveTitle(/^Error: /);
  await look(page, info, 'look-up-not-found');
});

test('look-up after the session expired, and after leaving', async ({ page, portal, order, context }, info) => {
  await portal.prove(order);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(portal.notice).toContainText('You’re signed out');
  await look(page, info, 'look-up-left');
  await context.addCookies([{ name: 'retour', value: 'a-session-that-is-over', url: page.url() }]);
  await portal.open('purchases');
  await expect(portal.notice).toContainText('Your session timed out');
  await look(page, info, 'look-up-away');
  // A typing error is not an expired session.
  await context.clearCookies();
  await portal.open();
  await portal.type({ ...order, email: 'nobody@example.com' });
  await portal.open('purchases');
  await portal.isAt('');
  await expect(portal.notice).toHaveCount(0);
});

test('look-up while the shop does not answer', async ({ page }, info) => {
  const portal = new Portal(page, await Shop.open({ returnAddress }));
  const nobody = { kind: 'http', url: 'http://127.0.0.1:1', secret: `whsec_${Buffer.alloc(32).toString('base64')}` };
  await (await portal.shop.api()).patch('/account', { bridge: nobody });
  await portal.open();
  await portal.type({ number: '#1001', email: 'ada@example.com' });
  await expect(portal.notice).toContainText('We can’t look up orders right now');
  await expect(portal.alert).toHaveCount(0); // no field is wrong
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByLabel('Order number')).toHaveValue('#1001');
  await expect(page.getByLabel('Email address')).toHaveValue('ada@example.com');
  await look(page, info, 'look-up-shop-away');
});

test('shops with other credentials for the look-up', async ({ page }, info) => {
  for (const [name, lookUpBy] of [['postal-code', ['postalCode']], ['either', ['email', 'postalCode']]] as const) {
    const portal = new Portal(page, await Shop.open({ lookUpBy, returnAddress }));
    await portal.open();
    await expect(page.getByLabel(/[Pp]ostal code/)).toBeVisible();
    await look(page, info, `look-up-${name}`);
  }
});

test('pages that do not exist', async ({ page, portal, order }, info) => {
  await page.goto('/no-such-shop');
  await expect(portal.heading).toHaveText('We can’t find this shop');
  await look(page, info, 'error-no-shop');
  await page.goto('/fjord-fern/some/where');
  await expect(portal.heading).toHaveText('Page not found');
  await look(page, info, 'error-not-found');
  await portal.prove(order);
  await portal.open('returns/0190a0a0-0000-7000-8000-000000000000');
  await expect(portal.heading).toHaveText('Page not found');
  await look(page, info, 'error-no-return');
});

test('choosing', async ({ page, portal, order }, info) => {
  await portal.prove(order);
  await look(page, info, 'choose');
  await portal.row('Linen shirt').choose();
  await portal.row('Stoneware mug').choose();
  await portal.row('Stoneware mug').quantity.fill('3');
  await look(page, info, 'choose-chosen');
  await portal.row('Stoneware mug').quantity.fill('5');
  await portal.continue.click();
  await expect(portal.alert.getByRole('listitem')).toHaveCount(3);
  await expect(page).toHaveTitle(/^Error: /);
  await look(page, info, 'choose-errors');
  await portal.row('Linen shirt').press();
  await portal.row('Stoneware mug').press();
  await portal.continue.click();
  await expect(portal.alert).toContainText('Select at least one item');
  await look(page, info, 'choose-nothing');
});

test('the bar on a phone, opened', async ({ page, portal, order, scripting, isMobile }, info) => {
  await portal.prove(order);
  await portal.row('Linen shirt').choose();
  const bar = page.locator('.bar-label', { hasText: 'Refund up to' });
  await expect(bar).toBeVisible({ visible: scripting && isMobile });
  if (await bar.isVisible()) await bar.click();
  await look(page, info, 'choose-bar');
});

test('nothing is returnable', async ({ page, portal }, info) => {
  const order = await Shop.demo.order([{ product: 'Oak board', total: 4200, image: 'oak-board' }, { product: 'Hat', total: 100, finalSale: true }], { daysAgo: 61 });
  await portal.prove(order);
  await expect(portal.heading).toHaveText('Nothing in this order can be returned right now');
  await look(page, info, 'choose-none-returnable');
});

test('an order of 300 lines', async ({ page, portal }, info) => {
  test.slow();
  await portal.prove({ number: '1004', email: 'dora@example.com' });
  await expect(page.getByRole('checkbox', { name: /mug|Saucer/ })).toHaveCount(300);
  await look(page, info, 'choose-300', theRest);
});

test('an order of 300 lines, searched', async ({ page, portal, scripting }, info) => {
  test.slow();
  await portal.prove({ number: '1004', email: 'dora@example.com' });
  const search = async (text: string) => {
    await page.getByLabel('Search this order').fill(text);
    if (!scripting) await page.getByLabel('Search this order').press('Enter');
  };
  await search('saucer 15');
  await expect(page.getByRole('checkbox', { name: /mug|Saucer/ })).toHaveCount(4);
  await look(page, info, 'choose-found', theRest);
  await search('umbrella');
  await expect(page.getByRole('link', { name: 'Show all items' })).toBeVisible();
  await look(page, info, 'choose-no-results', theRest);
});

test('checking', async ({ page, portal, order }, info) => {
  await portal.prove(order);
  await portal.row('Linen shirt').choose();
  await portal.row('Linen shirt').note('The sleeves are longer than I am used to.');
  await portal.row('Canvas tote').choose();
  await portal.row('Canvas tote').resolution(/Store credit/).check();
  await portal.row('Canvas tote').because(doesNotFit);
  await portal.choose('Linen shirt');
  await look(page, info, 'review');
  await portal.pick('Bring it to our store');
  await look(page, info, 'review-in-store');
});

test('another session was faster', async ({ page, portal, order, browser, baseURL, javaScriptEnabled }, info) => {
  const other = await browser.newContext({ baseURL, javaScriptEnabled });
  const before = new Portal(await other.newPage());
  await portal.prove(order);
  await before.prove(order);
  // One mug cost a penny more: the second return gets less, with a message.
  await portal.choose('Stoneware mug');
  await before.choose('Stoneware mug');
  await before.submit();
  await portal.send.click();
  await expect(portal.notice).toContainText('The amounts have changed');
  await expect(portal.notice).toContainText('£12.51');
  await expect(portal.notice).toContainText('£12.50');
  await look(page, info, 'review-changed');
  await portal.submit();
  // The last tote: there is nothing left to return, and nothing is lost.
  for (const one of [portal, before]) {
    await one.open('purchases');
    await one.row('Canvas tote').choose();
    await one.row('Canvas tote').quantity.fill('2');
    await one.choose('Canvas tote');
  }
  await before.submit();
  await portal.send.click();
  await portal.isAt('purchases');
  await expect(portal.alert).toContainText('Canvas tote: This can no longer be returned');
  await look(page, info, 'choose-gone');
  await other.close();
});

test('a label, a code, a store: ready to send', async ({ page, portal, order }, info) => {
  for (const [thing, way, name] of [['Linen shirt', 'Print a label', 'label'], ['Stoneware mug', 'Show a code', 'code'], ['Canvas tote', 'Bring it to our store', 'in-store']]) {
    await portal.prove(order);
    await portal.choose(thing);
    await portal.pick(way);
    await portal.submit();
    await look(page, info, `return-${name}`);
  }
  await page.getByText('Cancel this return').click();
  await look(page, info, 'return-cancel');
  await page.getByRole('button', { name: 'Cancel my return' }).click();
  await expect(portal.heading).toHaveText('This return is cancelled');
  await look(page, info, 'return-cancelled');
  await page.getByRole('link', { name: 'My returns' }).click();
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(3);
  await look(page, info, 'returns');
  await portal.open('purchases');
  await look(page, info, 'choose-returned');
});

test('a return that the shop reviews first', async ({ page }, info) => {
  const portal = new Portal(page, await Shop.open({ autoApprove: false, returnAddress }));
  await portal.prove(await portal.shop.order());
  await portal.choose('Linen shirt');
  await look(page, info, 'review-for-the-shop');
  await portal.submit();
  await expect(portal.heading).toHaveText('We’re reviewing your return');
  await look(page, info, 'return-under-review');
});

test('a return that is not worth sending', async ({ page }, info) => {
  const portal = new Portal(page, await Shop.open({ keepItemBelow: [{ value: '20.00', currency: 'GBP' }] }));
  await portal.prove(await portal.shop.order());
  await portal.choose('Stoneware mug');
  await expect(page.getByRole('heading', { name: 'You’re keeping' })).toBeVisible();
  await expect(portal.send).toHaveText('Keep it and get refunded');
  await look(page, info, 'review-keep');
  await portal.submit();
  await expect(portal.heading).toHaveText('Keep it: your refund is on its way');
  await look(page, info, 'return-kept');
});

test('no returns yet', async ({ page, portal, order }, info) => {
  await portal.prove(order);
  await page.getByRole('link', { name: 'My returns' }).click();
  await expect(portal.heading).toHaveText('You haven’t returned anything yet');
  await look(page, info, 'returns-empty');
});

test('a shop without logo, far away', async ({ page }, info) => {
  const portal = new Portal(page, await Shop.open({ returnAddress, resolutions: ['Exchange', 'Refund'] }, 'KWD', 'Gewürz- und Teehandelsgesellschaft Hafencity'));
  const order = await portal.shop.order([{ product: 'Donaudampfschifffahrtsgesellschaftskapitänsmütze mit Goldkordel', quantity: 1_000_000, total: 12_345_678_901 }, { product: '🧵', total: 1 }]);
  await portal.prove(order);
  await portal.row('🧵').choose();
  await look(page, info, 'choose-far-away');
  await portal.choose('🧵');
  await look(page, info, 'review-far-away');
  await portal.submit();
  await look(page, info, 'return-far-away');
});

test("a shop's own long words", async ({ page }, info) => {
  const word = 'Rindfleischetikettierungsüberwachungsaufgaben';
  const shop = await Shop.open();
  const api = await shop.api();
  await api.patch('/account', { branding: { contactEmail: `kundendienst.${'a'.repeat(40)}@${'warenhaus.'.repeat(4)}example` } });
  const { data } = await api.get<{ data: { id: string }[] }>('/return-reasons');
  const questions = [
    { id: 'one', text: { en: word }, options: [word, 'No'].map((en, index) => ({ id: `o${index}`, text: { en } })), required: true },
    { id: 'list', text: { en: word }, options: [word, 'No'].map((en, index) => ({ id: `o${index}`, text: { en } })) },
    { id: 'text', text: { en: word } },
  ];
  for (const { id } of data) await api.patch(`/return-reason/${id}`, { questions });
  const portal = new Portal(page, shop);
  await portal.open();
  await look(page, info, 'look-up-long-contact');
  await portal.prove(await shop.order());
  await portal.row('Linen shirt').choose();
  await portal.row('Linen shirt').because({ index: 1 });
  await page.waitForLoadState();
  await portal.continue.click();
  await portal.isAt('details');
  await look(page, info, 'details-long-words');
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('unreadable forms', async ({ page, portal, order }, info) => {
  await portal.prove(order);
  await portal.row('Linen shirt').choose();
  await send(page, 'windows-1252', 'é');
  await expect(portal.heading).toHaveText('That didn’t come through');
  await look(page, info, 'error-malformed');
  await portal.open('purchases');
  await portal.row('Linen shirt').choose();
  await send(page, 'utf-8', 'x'.repeat(2 * 1024 * 1024));
  await expect(portal.heading).toHaveText('Too large to send at once');
  await look(page, info, 'error-too-large');
});

test('a form from another website', async ({ page, portal, baseURL }, info) => {
  await page.goto(`data:text/html,<form method="post" action="${baseURL}${portal.at()}"><button>Win</button></form>`);
  await page.getByRole('button', { name: 'Win' }).click();
  await expect(portal.heading).toHaveText('Please use the form on this site');
  await look(page, info, 'error-foreign');
});

test('too many attempts', async ({ browser, javaScriptEnabled, viewport, isMobile }, info) => {
  const server = await startAlone({ RETOUR_RATE_LIMIT: '5' });
  try {
    const context = await browser.newContext({ baseURL: server.url, javaScriptEnabled, viewport, isMobile });
    const page = await context.newPage();
    // Attempts are counted per minute of the clock, which may change in between.
    await expect(async () => {
      for (let tries = 0; tries < 6; tries++) await page.request.get('/fjord-fern');
      const answer = await page.goto('/fjord-fern');
      expect(answer!.status()).toBe(429);
    }).toPass();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Too many attempts');
    await look(page, info, 'error-too-many');
    await context.close();
  } finally {
    await server.stop();
  }
});

test('in forced colours the selection is visible', async ({ page, portal, order }, info) => {
  await portal.prove(order);
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  const { tick } = portal.row('Linen shirt');
  const before = await tick.screenshot();
  await portal.row('Linen shirt').choose();
  await page.mouse.move(0, 0);
  expect((await tick.screenshot()).equals(before)).toBe(false);
  await picture(page, info, 'choose-forced-colours');
  await portal.choose('Linen shirt');
  await picture(page, info, 'review-forced-colours');
});

/** Submits the form with a comment, bypassing the browser's checks. */
async function send(page: Page, charset: string, comment: string): Promise<void> {
  await page.getByRole('main').locator('form').evaluate(
    (form: HTMLFormElement, { charset, comment }) => {
      form.acceptCharset = charset;
      form.querySelector('textarea')!.value = comment;
      form.submit();
    },
    { charset, comment },
  );
}
