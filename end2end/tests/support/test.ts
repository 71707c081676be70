import { test as base, expect, type Page } from '@playwright/test';
import { Portal } from './portal';
import { Shop, type Order } from './shop';

export { expect };
export { Portal } from './portal';
export { Shop, basket } from './shop';

interface Fixtures {
  /** Whether this project's pages may run scripts. */
  scripting: boolean;
  /** The demo shop in this test's page. */
  portal: Portal;
  /** An order in the demo shop that no other test knows. */
  order: Order;
  /** Fails the test when its page complained, or asked anyone but the server. */
  quiet: void;
}

export const test = base.extend<Fixtures>({
  scripting: async ({ javaScriptEnabled }, use) => use(javaScriptEnabled !== false),
  portal: async ({ page }, use) => use(new Portal(page)),
  order: async ({}, use) => use(await Shop.demo.order()),
  quiet: [
    async ({ page, baseURL }, use) => {
      const complaints = listen(page, baseURL!);
      await use();
      expect(complaints, 'complaints of the browser').toEqual([]);
    },
    { auto: true },
  ],
});

/** Collects what a page should never say or do. */
export function listen(page: Page, baseURL: string): string[] {
  const complaints: string[] = [];
  // A page that answers 404 or 422 is logged by Chromium as well; what failed is told below, by request.
  const expected = /^Failed to load resource: the server responded with a status of 4/;
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !expected.test(message.text())) {
      complaints.push(`console: ${message.text()}`);
    }
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== baseURL) complaints.push(`another host: ${request.url()}`);
  });
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest();
    if (response.status() >= (isPage ? 500 : 400)) complaints.push(`${response.status()}: ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    // A download ends the navigation that led to it, and so does whoever goes on before a page is there.
    const why = request.failure()?.errorText;
    if (why !== 'net::ERR_ABORTED') complaints.push(`${why}: ${request.url()}`);
  });
  return complaints;
}
