import { resolve } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { Portal } from './portal';
import { Shop, pictures, type Order } from './shop';

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
  /** Other hosts that this test's page is led to: a payment provider's. */
  elsewhere: string[];
  /** Fails the test when its page complained, or asked anyone but the server. */
  quiet: void;
}

export const test = base.extend<Fixtures>({
  scripting: async ({ javaScriptEnabled }, use) => use(javaScriptEnabled !== false),
  portal: async ({ page }, use) => use(new Portal(page)),
  order: async ({}, use) => use(await Shop.demo.order()),
  elsewhere: async ({}, use) => use([]),
  quiet: [
    async ({ page, context, baseURL, scripting, elsewhere }, use) => {
      await context.route(`${pictures}/*`, (route) =>
        route.fulfill({ path: resolve(__dirname, '../../../public/demo', new URL(route.request().url()).pathname.slice(1)) }),
      );
      const complaints = listen(page, baseURL!, scripting, elsewhere);
      await use();
      expect(complaints, 'complaints of the browser').toEqual([]);
    },
    { auto: true },
  ],
});

/** Collects what a page should never say or do. */
export function listen(page: Page, baseURL: string, scripting: boolean, elsewhere: string[] = []): string[] {
  const complaints: string[] = [];
  // A page that answers 404 or 422 is logged by Chromium as well; what failed is told below, by request.
  const expected = /^Failed to load resource: the server responded with a status of 4/;
  const unused = /was preloaded using link preload but not used/; // as nothing that scripts would use, where they are off
  page.on('console', (message) => {
    const isExpected = expected.test(message.text()) || (!scripting && unused.test(message.text()));
    if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    // Chromium reports a transition between pages that it skips, for instance when the window changes its size.
    if (!/^Transition was (aborted|skipped)/.test(error.message)) complaints.push(`exception: ${error.message}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isPicture = url.origin === pictures && request.resourceType() === 'image';
    if (url.protocol.startsWith('http') && url.origin !== baseURL && !isPicture && !elsewhere.includes(url.origin)) complaints.push(`another host: ${request.url()}`);
  });
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest();
    if (response.status() >= (isPage ? 500 : 400)) complaints.push(`${response.status()}: ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    // A download ends the navigation that led to it, and so does whoever goes on before a page is there.
    const why = request.failure()?.errorText;
    // Where scripting is off, Chromium loads no script, and calls that a policy of the page.
    const isOff = why === 'csp' && !scripting && request.resourceType() === 'script';
    if (why !== 'net::ERR_ABORTED' && !isOff) complaints.push(`${why}: ${request.url()}`);
  });
  return complaints;
}
