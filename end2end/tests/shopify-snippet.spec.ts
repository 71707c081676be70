// The files that a merchant pastes into a Shopify shop (docs/shopify.md), rendered with liquidjs in place of Shopify.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FrameLocator, Page } from '@playwright/test';
import { Liquid } from 'liquidjs';
import { Site } from './support/site';
import { expect, Shop, test } from './support/test';

const email = 'ada+test@example.com';
// Each would end an attribute, an element or a parameter if it were not escaped.
const names = ['#1001 & "x"', '"><b>1</b><script>injected = 1</script>', `' onclick='injected = 1' &email=x%41+#`];

/** A file with the merchant's two values, as Shopify would render it. */
async function render(file: string, portal: string, slug: string, objects: object): Promise<string> {
  let source = readFileSync(resolve(__dirname, '../../docs/shopify', file), 'utf8');
  for (const [example, value] of [['https://returns.example', portal], ['my-shop', slug]]) {
    expect(source.split(`'${example}'`)).toHaveLength(2);
    source = source.replace(`'${example}'`, `'${value}'`);
  }
  return new Liquid({ strictFilters: true }).parseAndRender(source, objects);
}

/** The objects on the order page of a signed-in customer. */
const orderPage = (name: string) => ({ request: { locale: { iso_code: 'de' } }, customer: { email: 'account@example.com' }, order: { name, email } });

/** Shows what the shop's page contains, and closes the shop. */
async function inShop(snippet: string, use: (site: Site, show: (snippet: string) => void) => Promise<void>): Promise<void> {
  let shown = snippet;
  const site = await Site.open(() => `<!doctype html><html lang="en"><meta charset="utf-8"><title>A shop</title><main>${shown}</main></html>`);
  try {
    await use(site, (snippet) => (shown = snippet));
  } finally {
    await site.close();
  }
}

async function notInjected(page: Page): Promise<void> {
  await expect(page.locator('main b, [onclick]')).toHaveCount(0);
  expect(await page.evaluate('typeof injected')).toBe('undefined');
}

async function filledIn(form: Page | FrameLocator, lang: string, name: string, address: string): Promise<void> {
  await expect(form.locator('html')).toHaveAttribute('lang', lang);
  await expect(form.locator('[name=orderNumber]')).toHaveValue(name);
  await expect(form.locator('[name=proof]')).toHaveValue(address);
}

test('the portal is in the page, in its language, with the order filled in @scripting', async ({ page, baseURL, elsewhere }) => {
  const shop = await Shop.open();
  const snippet = (objects: object) => render('returns.liquid', baseURL!, shop.slug, objects);
  await inShop('', async (site, show) => {
    elsewhere.push(site.origin);
    await (await shop.api()).patch('/account', { branding: { embedOrigins: [site.origin] } });
    for (const name of names) {
      show(await snippet(orderPage(name)));
      await page.goto(site.origin);
      await filledIn(page.frameLocator('#retour-returns iframe'), 'de', name, email);
      await notInjected(page);
    }
    const { request, customer } = orderPage('');
    show(await snippet({ request, customer }));
    await page.goto(site.origin);
    await filledIn(page.frameLocator('#retour-returns iframe'), 'de', '', customer.email);
    show(await snippet({ request }));
    await page.goto(site.origin);
    await filledIn(page.frameLocator('#retour-returns iframe'), 'de', '', '');
  });
});

test('without scripting, the page has a link that fills the form in', async ({ browser, baseURL }) => {
  const shop = await Shop.open();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await inShop('', async (site, show) => {
    for (const name of names) {
      show(await render('returns.liquid', baseURL!, shop.slug, orderPage(name)));
      await page.goto(site.origin);
      await expect(page.locator('main b, [onclick]')).toHaveCount(0);
      await page.getByRole('link', { name: 'Return something' }).click();
      await filledIn(page, 'de', name, email);
    }
  });
  await context.close();
});

test('the link of a mail fills the form in', async ({ page, baseURL, elsewhere }) => {
  const shop = await Shop.open();
  await inShop('', async (site, show) => {
    elsewhere.push(site.origin);
    for (const name of names) {
      show(await render('mail-link.liquid', baseURL!, shop.slug, { name, email }));
      await page.goto(site.origin);
      await notInjected(page);
      await page.getByRole('link', { name: 'Return something' }).click();
      await filledIn(page, 'en', name, email);
      expect(page.url()).not.toContain('?');
    }
  });
});
