// A shop's own pages that call the API from the browser (docs/headless.md), on two origins: the shop is localhost, the API 127.0.0.1.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { look } from './support/axe';
import { Site } from './support/site';
import { expect, Portal, Shop, test } from './support/test';

const example = readFileSync(resolve(__dirname, '../../docs/examples/headless.html'), 'utf8');

/** The example, adapted as a shop would. */
function html(portal: string, slug: string): string {
  const changed = example.replace('http://127.0.0.1:3000', portal).replace('fjord-fern', slug);
  if (!changed.includes(`content="${portal}" data-shop="${slug}"`)) throw new Error('the example names Retour and the shop elsewhere');
  return changed;
}

/** A shop with a website. The account lists its origin, or another one. */
async function setting(portal: string, use: (shop: Shop, site: Site) => Promise<void>, listed?: string): Promise<void> {
  const shop = await Shop.open();
  const site = await Site.open(() => html(portal, shop.slug));
  try {
    await (await shop.api()).patch('/account', { apiOrigins: [listed ?? site.origin] });
    await use(shop, site);
  } finally {
    await site.close();
  }
}

/** What a script of the page can read of a response, or the browser's error. */
function asked(page: Page, url: string, init: { credentials?: 'include' }): Promise<string> {
  return page.evaluate(
    ([url, init]) => fetch(url, init).then((answer) => `${answer.status}`, (error: Error) => error.name),
    [url, init] as const,
  );
}

test('a whole return in the shop’s own pages @scripting', async ({ page, baseURL, elsewhere }, info) => {
  await setting(baseURL!, async (shop, site) => {
    elsewhere.push(site.origin);
    const order = await shop.order();
    await page.goto(site.origin);
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText('Return an order');
    await look(page, info, 'headless-look-up');

    await page.getByLabel('Order number').fill(order.number);
    await page.getByLabel('Email address').fill(order.email);
    await page.getByRole('button', { name: 'Find my order' }).click();
    await expect(heading).toHaveText('Select items');
    await expect(heading).toBeFocused();
    await look(page, info, 'headless-choose');
    await page.getByRole('button', { name: 'See the refund' }).click();
    await expect(page.getByRole('alert')).toHaveText('Select an item.');

    const mug = page.getByRole('group', { name: 'Stoneware mug' });
    await mug.getByLabel('Return this').check();
    await mug.getByLabel('Quantity').fill('2');
    await mug.getByLabel('Reason').selectOption('Damaged or faulty');
    await page.getByRole('button', { name: 'See the refund' }).click();
    await expect(heading).toHaveText('Review your return');
    await expect(page.locator('dt', { hasText: /^Refund$/ }).locator('+ dd')).toHaveText('£25.01');
    await look(page, info, 'headless-review');

    await page.getByRole('button', { name: 'Send my return' }).click();
    await expect(heading).toHaveText(/^Return R-/);
    const label = page.getByRole('link', { name: 'Open the label' });
    const bytes = await label.evaluate(async (link: HTMLAnchorElement) => (await (await fetch(link.href)).text()).slice(0, 5));
    expect(bytes).toBe('%PDF-');
    await look(page, info, 'headless-return');
    expect(await page.context().cookies()).toEqual([]);

    const api = await shop.api();
    const { data } = await api.get<{ data: { number: string; source: string }[] }>('/return-orders');
    expect(data.map(({ number, source }) => [`Return ${number}`, source])).toEqual([[await heading.textContent(), 'Api']]);
  });
});

test("a script can read the service's error @scripting", async ({ context, baseURL }) => {
  await setting(baseURL!, async (shop, site) => {
    const page = await context.newPage(); // the browser logs refusals
    await page.goto(site.origin);
    const order = await shop.order();
    await page.getByLabel('Order number').fill(order.number);
    await page.getByLabel('Email address').fill('somebody@example.com');
    await page.getByRole('button', { name: 'Find my order' }).click();
    await expect(page.getByRole('alert')).not.toBeEmpty();
    await expect(page.getByRole('alert')).not.toHaveText(/fetch/);
    await expect(page.getByRole('button', { name: 'Find my order' })).toBeEnabled();
  });
});

test('the browser hides responses from a website that is not listed @scripting', async ({ context, baseURL }) => {
  const use = async (shop: Shop, site: Site) => {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(site.origin);
    const order = await shop.order();
    await page.getByLabel('Order number').fill(order.number);
    await page.getByLabel('Email address').fill(order.email);
    await page.getByRole('button', { name: 'Find my order' }).click();
    await expect(page.getByRole('alert')).toHaveText('Failed to fetch');
    await expect.poll(() => complaints.join('\n')).toContain('CORS');
    expect(await asked(page, `${baseURL}/consumer/01980000-0000-7000-8000-000000000000/purchases`, {})).toBe('TypeError');
  };
  await setting(baseURL!, use, 'https://shop.example');
});

test('a cookie gives no access to the API, and other websites cannot call the merchant’s operations @scripting', async ({ page, context, baseURL }) => {
  await setting(baseURL!, async (shop, site) => {
    // A shopper with a session in the portal, and so with its cookie.
    const order = await shop.order();
    await new Portal(page, shop).find(order);
    expect(await context.cookies(baseURL!)).not.toEqual([]);
    const other = await context.newPage();
    await other.goto(site.origin);
    const purchases = `${baseURL}/consumer/01980000-0000-7000-8000-000000000000/purchases`;
    expect(await asked(other, purchases, { credentials: 'include' })).toBe('TypeError');
    expect(await asked(other, purchases, {})).toBe('401');
    expect(await asked(other, `${baseURL}/api/v0/account`, {})).toBe('TypeError');
    expect(await asked(other, `${baseURL}/${shop.slug}/purchases`, { credentials: 'include' })).toBe('TypeError');
  });
});
