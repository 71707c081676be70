import { expect, type Page } from '@playwright/test';

/** Sends a form of a page as a browser does, with the page's cookies, but shows neither the page nor the one that it leads to. */
export async function sendForm(page: Page, shown: string, action: string, form: Record<string, string>, leadsTo: string): Promise<void> {
  const { request } = page.context();
  const { origin } = new URL((await request.get(shown)).url()); // sets the first cookies
  const answer = await request.post(action, { form, headers: { origin, accept: 'text/html' }, maxRedirects: 0 });
  const { location } = answer.headers();
  expect(location && new URL(location, answer.url()).pathname, `${action} answers ${answer.status()}, and leads to`).toBe(leadsTo);
}
