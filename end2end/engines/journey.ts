// What a shopper does, written once for every browser. It goes by fields and forms, not by words: those are tested elsewhere.
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

/** Chooses the first thing of the order, with a reason. */
export async function choose(page: Page, scripting: boolean): Promise<void> {
  await page.isAt(/\/purchases$/);
  await page.hides(reason);
  await page.press('label[for="p1"]');
  await page.press(reason);
  // What it comes to follows the choice, or is told later.
  if (scripting) await page.shows('.receipt-lines');
  else await page.hides('.receipt-lines');
  await page.press('#choose button.button[name="go"][value="on"]');
  await page.isAt(/\/review$/);
}

/** Chooses every way of sending in turn, the one with a label at the end. */
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

/** Where scripts run, the server keeps a chosen way at once: the page shows it when it is fetched again. */
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
  await expect(change).toPass({ timeout: patience }); // again, if the first change came before the islands
}

/** Fetches an address with the session of this page. */
async function fetched(page: Page, address: string): Promise<Response> {
  return fetch(address, { headers: { cookie: await page.cookies() } });
}

/** Submits it. The return has a number, and a label that is a PDF. */
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
