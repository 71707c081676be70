import { resolve } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { Portal } from './portal';
import { Shop, pictures, type Order } from './shop';

export { expect };
export { Portal } from './portal';
export { Shop, basket } from './shop';

interface Fixtures {
  /** Whether scripting is on in this project. */
  scripting: boolean;
  /** The demo shop in this test's page. */
  portal: Portal;
  /** An order in the demo shop that no other test knows. */
  order: Order;
  /** Other hosts that this test may visit: a payment provider's. */
  elsewhere: string[];
  /** Fails the test if its page logged errors, or sent requests to other hosts. */
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

/** Makes the page busy for ever: what waits for an idle moment starts only at the end of its limit. */
export async function neverIdle(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.requestIdleCallback = (work, options) =>
      options?.timeout ? window.setTimeout(work, options.timeout, { didTimeout: true, timeRemaining: () => 0 }) : 0;
  });
}

/** Collects console errors and unexpected requests. */
export function listen(page: Page, baseURL: string, scripting: boolean, elsewhere: string[] = []): string[] {
  const complaints: string[] = [];
  // Chromium also logs pages with status 404 or 422; failed requests are reported below.
  const expected = /^Failed to load resource: the server responded with a status of 4/;
  // Preloaded scripts are unused while scripts are off, and start late on a busy machine.
  const unused = /was preloaded using link preload but not used/;
  // A page that a script opens makes no sound until somebody presses a key there.
  const silent = /^The AudioContext was not allowed to start/;
  page.on('console', (message) => {
    const isExpected = [expected, unused, silent].some((pattern) => pattern.test(message.text()));
    if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => {
    // Chromium reports skipped view transitions, for example when the window is resized.
    if (!/^Transition was (aborted|skipped)/.test(error.message)) complaints.push(`exception: ${error.message}`);
  });
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isPicture = url.origin === pictures && request.resourceType() === 'image';
    if (url.protocol.startsWith('http') && url.origin !== baseURL && !isPicture && !elsewhere.includes(url.origin)) complaints.push(`another host: ${request.url()}`);
  });
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest();
    // Somebody was faster: the page says so.
    const isOvertaken = response.status() === 409 && response.url().includes('/desk/call/');
    if (response.status() >= (isPage ? 500 : 400) && !isOvertaken) complaints.push(`${response.status()}: ${response.url()}`);
  });
  page.on('requestfailed', (request) => {
    // A download aborts its navigation, and so does a click before a page is loaded.
    const why = request.failure()?.errorText;
    // While scripts are off, Chromium blocks them and reports it as a policy of the page.
    const isOff = why === 'csp' && !scripting && request.resourceType() === 'script';
    if (why !== 'net::ERR_ABORTED' && !isOff) complaints.push(`${why}: ${request.url()}`);
  });
  return complaints;
}
