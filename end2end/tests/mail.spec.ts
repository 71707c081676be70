// Mail through a real server: its text, its appearance and its links.
import { look, picture } from './support/axe';
import { linkIn, waitForMails, type Mail } from './support/mail';
import { basket, expect, Portal, Shop, test } from './support/test';
import type { Browser, TestInfo } from '@playwright/test';

/** Shows a mail like a mail program: without scripting, in the width of a phone and of a desktop. */
async function show(browser: Browser, mail: Mail, info: TestInfo, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ javaScriptEnabled: false, colorScheme, viewport: info.project.use.viewport });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    // A mail program loads the images from the mail itself.
    const html = mail.pictures.reduce((html, { cid, type, bytes }) => html.replaceAll(`cid:${cid}`, `data:${type};base64,${bytes}`), mail.html);
    await page.setContent(html);
    await picture(page, info, `${name}-${colorScheme}`);
    const wide = await page.locator('body').evaluate((body) => body.scrollWidth > body.clientWidth);
    expect(wide, 'fits its width').toBe(false);
    expect(asked.filter((url) => url.startsWith('http')), 'fetches nothing').toEqual([]);
    await context.close();
  }
}

test('a return is confirmed with its label and a link to it', async ({ page, portal, order, browser }, info) => {
  await portal.prove(order);
  await portal.choose('Linen shirt');
  await portal.pick('Print a label'); // on a phone, the option with a code comes first
  const number = await portal.submit();
  const [mail] = await waitForMails(order.email);
  expect(mail.headers.Subject).toBe(`Your return is ready to send (${number})`);
  expect(mail.files.map((file) => [file.name, file.type])).toEqual([[`return-${number}.pdf`, 'application/pdf']]);
  expect(Buffer.from(mail.files[0].bytes, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  await show(browser, mail, info, 'mail-ready');
  // In a browser without a session.
  await page.context().clearCookies();
  await page.goto(linkIn(mail, '/mail/'));
  await portal.isAt(/returns\/[0-9a-f-]+/);
  await expect(portal.number).toHaveText(number);
  expect(page.url()).not.toContain('rtl_');
});

test('the mail contains the code that replaces a label', async ({ page, portal, order, browser }, info) => {
  await portal.prove(order);
  await portal.choose('Linen shirt');
  await portal.pick('Show a code');
  await portal.submit();
  const number = (await portal.number.textContent())!;
  await expect(page.getByText('We’ve emailed this to')).toContainText('•••@');
  const [mail] = await waitForMails(order.email);
  expect(mail.headers.Subject).toBe(`Your drop-off code (${number})`);
  expect(mail.files).toEqual([]);
  expect(mail.pictures.map((picture) => picture.type)).toEqual(['image/png']);
  expect(mail.text).toContain(`Show this at the counter: ${number}`);
  await show(browser, mail, info, 'mail-code');
});

test('the page and the mail link to the carrier’s tracking', async ({ page, browser }, info) => {
  const shop = await Shop.open();
  const order = await shop.order(basket);
  const portal = new Portal(page, shop);
  await portal.return(order, 'Linen shirt');
  await waitForMails(order.email); // otherwise one mail would report both events
  const id = page.url().split('/').pop()!;
  const api = await shop.api();
  const { shipments } = await api.get<{ shipments: { id: string }[] }>(`/return-orders/${id}?expand=shipments`);
  const url = 'https://carrier.example/3SABC00123';
  await api.post(`/shipments/${shipments[0].id}/tracking-updates`, { status: 'InTransit', carrier: 'Evri', trackingNumber: '3SABC00123', trackingUrl: url });
  await page.reload();
  const link = page.getByRole('link', { name: 'Track with Evri' });
  await expect(link).toHaveAttribute('href', url);
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(page.getByText('3SABC00123')).toBeVisible();
  await look(page, info, 'return-tracking');
  if (info.project.name !== 'desktop') return; // the mail is the same, and comes 45 seconds later to combine events
  const mails = await waitForMails(order.email, 2, 120_000);
  expect(mails[1].text).toContain(url);
  await show(browser, mails[1], info, 'mail-tracking');
});

test('a shopper without an order number can request a link', async ({ page, portal, order }, info) => {
  await portal.open();
  await page.getByRole('link', { name: 'No order number? Email me a link' }).click();
  await portal.isAt('link');
  await look(page, info, 'link');
  await page.getByLabel('Email address').fill('not an address');
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(portal.alert).toContainText('Enter an email address');
  await expect(page.getByLabel('Email address')).toHaveValue('not an address');
  await look(page, info, 'link-wrong');
  await page.getByLabel('Email address').fill(order.email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(portal.heading).toHaveText('Check your email');
  await expect(page.getByText('If we find orders for')).toContainText('•••@');
  await look(page, info, 'link-sent');

  const [mail] = await waitForMails(order.email);
  const link = linkIn(mail, '/mail/');
  await page.goto(link);
  await expect(portal.heading).toHaveText('Choose an order');
  await look(page, info, 'link-orders');
  await page.getByRole('button', { name: `Order ${order.number}` }).click();
  await portal.isAt('purchases');
  await expect(page.getByText('Linen shirt').first()).toBeVisible();
  await page.goto(link);
  await expect(portal.heading).toHaveText('This link no longer works');
  await look(page, info, 'link-over');
});

test('optional mail can be unsubscribed and subscribed again', async ({ page }, info) => {
  const shop = await Shop.open();
  const order = await shop.order(basket);
  const portal = new Portal(page, shop);
  await portal.return(order, 'Linen shirt');
  const [mail] = await waitForMails(order.email);
  await page.goto(`${linkIn(mail, '/mail/')}/stop`);
  await expect(portal.heading).toHaveText('Unsubscribe?');
  await look(page, info, 'mail-stop');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(portal.heading).toHaveText('You’re unsubscribed');
  await look(page, info, 'mail-stopped');
  await page.getByRole('button', { name: 'Resubscribe' }).click();
  await expect(portal.heading).toHaveText('You’re subscribed again');
});

test('mail is in the language of the page', async ({ page, browser }, info) => {
  const shop = await Shop.open();
  const order = await shop.order(basket);
  const portal = new Portal(page, shop);
  await portal.prove(order);
  await portal.choose('Linen shirt');
  const here = new URL(page.url());
  here.searchParams.set('lang', 'ar');
  await page.goto(here.href);
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl');
  await page.locator('main button.button:visible').first().click();
  await portal.isAt(/returns\/[0-9a-f-]+/);
  const [mail] = await waitForMails(order.email);
  expect(mail.html).toContain('<html lang="ar" dir="rtl">');
  await show(browser, mail, info, 'mail-ar');
});
