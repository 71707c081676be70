// Who else looks at a return: two people at one return, each in a browser of their own.
import type { Browser, TestInfo } from '@playwright/test';
import { look } from './support/axe';
import { Desk, person } from './support/desk';
import { returned } from './support/returned';
import { expect, listen, Shop, test } from './support/test';

/** How often a page asks who else is there, in milliseconds. */
const ASK_EVERY = 15_000;
/** For how long somebody who does nothing counts as there, in milliseconds. */
const ACTIVE_FOR = 300_000;

async function shared() {
  const shop = await Shop.open({ autoApprove: false });
  const { number } = await returned(shop, { lines: [{ product: 'Linen shirt', total: 5900 }] });
  // A name is text, whatever it contains.
  const [kari, ola] = [await person('agent', shop.slug, 'Kari Nordmann'), await person('agent', shop.slug, 'Ola <b>Olsen</b>')];
  return { kari, number, ola, path: `returns/${number}` };
}

/** Another browser. Its complaints are the test's. */
async function another(browser: Browser, info: TestInfo) {
  const context = await browser.newContext({ ...info.project.use, baseURL: process.env.RETOUR_URL });
  const page = await context.newPage();
  const complaints = listen(page, process.env.RETOUR_URL!, info.project.use.javaScriptEnabled !== false);
  const close = async () => {
    await context.close();
    expect(complaints, 'complaints of the other browser').toEqual([]);
  };
  return { desk: new Desk(page), close };
}

/** Lets the page ask who else is there, and waits for the answer. */
async function asks({ page }: Desk): Promise<void> {
  const answered = page.waitForResponse((answer) => answer.url().endsWith('/desk/call/look'));
  await page.clock.fastForward(ASK_EVERY);
  await (await answered).finished();
}

test('two people see each other, and who is writing @scripting', async ({ page, browser }, info) => {
  const { kari, ola, path } = await shared();
  const mine = new Desk(page);
  const { desk: theirs, close } = await another(browser, info);
  for (const desk of [mine, theirs]) await desk.page.clock.install();
  await mine.signIn(kari, path);
  await mine.ready();
  await expect(page.locator('.return-visits')).toHaveCount(0);
  await theirs.signIn(ola, path);
  await theirs.ready();
  await expect(theirs.page.getByText('Kari Nordmann is looking at this now.')).toBeVisible();
  await asks(mine);
  await expect(page.getByText('Ola <b>Olsen</b> is looking at this now.')).toBeVisible();
  await look(page, info, 'desk-presence');

  // Kari writes.
  await page.getByLabel('Note for your team').first().focus();
  await page.keyboard.type('The customer called.');
  await asks(mine);
  await asks(theirs);
  await expect(theirs.page.getByText('Kari Nordmann is writing.')).toBeVisible();
  await expect(theirs.page.getByText('Kari Nordmann is looking at this now.')).toHaveCount(0);
  await expect(page.getByText(/is writing/)).toHaveCount(0); // nobody else writes

  // She leaves the field: she only looks. What she typed stays.
  await page.keyboard.press('Escape');
  await asks(mine);
  await asks(theirs);
  await expect(theirs.page.getByText('Kari Nordmann is looking at this now.')).toBeVisible();
  await expect(theirs.page.getByText(/is writing/)).toHaveCount(0);
  await expect(page.getByLabel('Note for your team').first()).toHaveValue('The customer called.');
  await close();
});

test('a field of the search is no writing about the return @scripting', async ({ page, browser }, info) => {
  const { kari, ola, path } = await shared();
  const mine = new Desk(page);
  const { desk: theirs, close } = await another(browser, info);
  for (const desk of [mine, theirs]) await desk.page.clock.install();
  await mine.signIn(kari, path);
  await mine.ready();
  await page.getByRole('search').getByLabel('Search').focus();
  await page.keyboard.type('Ada');
  await asks(mine);
  await theirs.signIn(ola, path);
  await expect(theirs.page.getByText('Kari Nordmann is looking at this now.')).toBeVisible();
  await close();
});

test('a page that nobody uses stops asking, until somebody does @scripting', async ({ page }) => {
  await page.clock.install();
  const { kari, path } = await shared();
  const desk = new Desk(page);
  await desk.signIn(kari, path);
  await desk.ready();
  let asked = 0;
  page.on('request', (request) => (asked += Number(request.url().endsWith('/desk/call/look'))));
  await asks(desk);
  expect(asked).toBe(1);
  await page.clock.fastForward(ACTIVE_FOR);
  await page.clock.fastForward(ASK_EVERY);
  expect(asked, 'while nobody is there').toBe(1);
  await page.keyboard.press('Shift');
  await asks(desk);
  expect(asked).toBe(2);
});

test('the page says who else opened the return, with and without scripting', async ({ page, browser }, info) => {
  const { kari, ola, number, path } = await shared();
  const mine = new Desk(page);
  await mine.signIn(kari, path);
  const { desk: theirs, close } = await another(browser, info);
  await theirs.signIn(ola, path);
  await expect(theirs.page.getByText('Kari Nordmann is looking at this now.')).toBeVisible();
  await expect(theirs.page.locator('.return-visits li')).toHaveText(['Kari Nordmann is looking at this now.']); // not of oneself
  await mine.open(path);
  await expect(page.getByText('Ola <b>Olsen</b> is looking at this now.')).toBeVisible();
  await expect(mine.heading).toHaveText(`Return ${number}`);
  await close();
});
