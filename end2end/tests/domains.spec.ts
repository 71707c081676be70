// A portal at the merchant's own host.
import { chromium } from '@playwright/test';
import { systemBrowser } from '../playwright.config';
import { expect, Portal, Shop, test } from './support/test';

test('a whole return at the shop’s own host @scripting', async ({ baseURL }) => {
  const [one, other] = [await Shop.open(), await Shop.open()];
  const host = `returns.${one.slug}.example`;
  await one.at(host);
  await expect(other.at(host)).rejects.toThrow(/this one is taken/);
  await expect((await one.api()).patch('/account', { domain: host })).rejects.toThrow(/422/); // only the operator may set it

  const home = baseURL!.replace('127.0.0.1', host);
  const browser = await chromium.launch({ executablePath: systemBrowser, args: [`--host-resolver-rules=MAP ${host} 127.0.0.1`] });
  const page = await browser.newPage();
  await page.goto(home);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Start a return');
  const order = await one.order();
  const portal = new Portal(page, one);
  await portal.type(order);
  await expect(page).toHaveURL(`${home}/purchases`);
  await portal.row('Linen shirt').choose();
  await portal.row('Linen shirt').because('Doesn’t fit');
  await portal.continue.click();
  await expect(page).toHaveURL(new RegExp(`^${home}/review`));
  await portal.send.click();
  await expect(page).toHaveURL(new RegExp(`^${home}/returns/[0-9a-f-]{36}$`));
  await expect(portal.number).toHaveText(/^R-/);
  const links = await page.locator('a[href], form[action]').evaluateAll((all) => all.map((one) => one.getAttribute('href') ?? one.getAttribute('action')!));
  expect(links.filter((link) => link.includes(one.slug))).toEqual([]);
  const label = await page.evaluate(async () => {
    const answer = await fetch(`${location.pathname}/label.pdf`);
    return [answer.status, answer.headers.get('content-type')];
  });
  expect(label).toEqual([200, 'application/pdf']);

  // Another shop is not available there, but shared pages are.
  expect((await page.goto(`${home}/${other.slug}`))!.status()).toBe(404);
  expect((await page.goto(`${home}/health/live`))!.status()).toBe(200);
  // Languages work there, and another shop's order is not found.
  await page.goto(`${home}/?lang=de`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  const theirs = await other.order();
  await page.goto(`${home}/?lang=en`);
  await portal.type(theirs);
  await expect(page.getByRole('alert')).toContainText('We couldn’t find');
  await browser.close();
});

test('an unknown host is no shop', async ({ request, baseURL }) => {
  for (const host of ['returns.nobody.example', 'RETURNS.nobody.example:80']) {
    const answer = await request.get(baseURL! + '/', { headers: { host } });
    expect(answer.status()).toBe(404);
  }
});
