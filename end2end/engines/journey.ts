// A shopper's steps, written once for every browser. They use fields and forms, not words: other tests check the words.
import { expect } from '@playwright/test';
import type { Order } from '../tests/support/shop';
import { patience, type Page } from './page';

const submit = 'form[action$="/call/submit"] button';
const reason = 'label:has(> #p1-why)';
const label = 'a[href$="/label.pdf"]';

export async function lookUp(page: Page, order: Order): Promise<void> {
  await page.isAt(/^\/[^/]+$/);
  await page.type('input[name="orderNumber"]', order.number);
  await page.type('input[name="proof"]', order.email);
  await page.press('form[action*="/call/look-up"] button');
}

/** Chooses the first item of the order, with a reason. */
export async function choose(page: Page, scripting: boolean): Promise<void> {
  await page.isAt(/\/purchases$/);
  await page.hides(reason);
  await page.press('label[for="p1"]');
  await page.press(reason);
  // The total is updated at once, or shown later.
  if (scripting) await page.shows('.receipt-lines');
  else await page.hides('.receipt-lines');
  await page.press('#choose button.button[name="go"][value="on"]');
  await page.isAt(/\/review$/);
}

/** Chooses each shipping option in turn, and the one with a label last. */
export async function changeWay(page: Page, scripting: boolean): Promise<void> {
  const ways = [2, 3, 1];
  expect(await page.run(`document.querySelectorAll('input[name="shippingOption"]').length`)).toBe(ways.length);
  if (scripting) await keepsWay(page);
  for (const way of ways) {
    await page.press(`label[for="way${way}"]`);
    await page.shows(`.receipt[data-way="${way}"]`);
    for (const other of ways.filter((one) => one !== way)) await page.hides(`.receipt[data-way="${other}"]`);
  }
}

/** With scripting, the server stores a chosen option at once: the page shows it when it is loaded again. */
async function keepsWay(page: Page): Promise<void> {
  const isKept = async (way: number) => {
    const text = await (await fetched(page, await page.run('location.href'))).text();
    const [field] = new RegExp(`<input[^>]* id="way${way}"[^>]*>`).exec(text) ?? [];
    expect(field).toMatch(/ checked[ >]/);
  };
  let way = 1;
  const change = async () => {
    way = way === 2 ? 3 : 2;
    await page.press(`label[for="way${way}"]`);
    await expect(() => isKept(way)).toPass({ timeout: 3_000, intervals: [50, 100, 200] });
  };
  await expect(change).toPass({ timeout: patience }); // retried if the first change came before hydration
}

/** Fetches a URL with the session of this page. */
async function fetched(page: Page, address: string): Promise<Response> {
  return fetch(address, { headers: { cookie: await page.cookies() } });
}

/** Submits the return. It has a number, and its label is a PDF. */
export async function submitReturn(page: Page): Promise<void> {
  await page.press(submit);
  await page.isAt(/\/returns\/[0-9a-f-]{36}$/);
  await page.shows(label);
  expect(await page.run(`document.querySelector('.done-number .code').textContent`)).toMatch(/^R-[0-9A-HJKMNP-TV-Z]{8}$/);
  const answer = await fetched(page, await page.run(`document.querySelector('${label}').href`));
  expect(Buffer.from(await answer.arrayBuffer()).subarray(0, 5).toString()).toBe('%PDF-');
}

export async function cancel(page: Page): Promise<void> {
  const form = 'form[action$="/call/cancel"]';
  await page.hides(`${form} button`);
  await page.press(`details:has(> ${form}) > summary`);
  await page.press(`${form} button`);
  await page.hides(label);
  await page.isAt(/\/returns\/[0-9a-f-]{36}$/);
  await page.until(`!document.querySelector('${form}')`);
}
