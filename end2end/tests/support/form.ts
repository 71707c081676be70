import { expect, type Page } from '@playwright/test';

/** Sends a form as a browser does, with the page's cookies, but shows neither the form nor the page that it leads to. */
export async function sendForm(page: Page, action: string, form: Record<string, string>, leadsTo: string): Promise<void> {
  // A page that still asks the server for news would do so with the session before.
  if (page.url() !== 'about:blank') await page.goto('about:blank');
  const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
  const answer = await page.context().request.post(action, { form, headers, maxRedirects: 0, timeout: 120_000 });
  const { location } = answer.headers();
  expect(location && new URL(location, answer.url()).pathname, `${action} answers ${answer.status()}, and leads to`).toBe(leadsTo);
}
