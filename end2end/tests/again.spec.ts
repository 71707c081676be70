// Back, reload, a second click, a second tab, an expired session: nothing is lost or duplicated.
import type { BrowserContext } from '@playwright/test';
import { doesNotFit } from './support/portal';
import { fieldsOf, Raw } from './support/raw';
import { expect, Portal, Shop, test } from './support/test';

test('a form that is sent twice makes one return', async ({ page, portal, order, baseURL }) => {
  await portal.prove(order);
  await portal.choose('Linen shirt');
  const fields = await fieldsOf(page);
  const raw = await Raw.of(page, baseURL!);
  const answers = await Promise.all(Array.from({ length: 5 }, () => raw.post(portal.at('review'), fields)));
  answers.push(await raw.post(portal.at('review'), fields));
  expect(new Set(answers.map((answer) => answer.url)).size).toBe(1);
  expect(answers.map((answer) => answer.heading)).toEqual(answers.map(() => 'Your return is ready to send'));
  await raw.close();
  await portal.open('returns');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
});

test('a double click makes one return', async ({ page, portal, order }) => {
  await portal.prove(order);
  await portal.choose('Linen shirt');
  await portal.send.dblclick();
  await portal.isAt(/returns\/.+/);
  await expect(portal.heading).toHaveText('Your return is ready to send');
  await portal.open('returns');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
});

test('back and reload on every page', async ({ page, portal, order }) => {
  await portal.prove(order);
  await portal.row('Stoneware mug').choose();
  await portal.row('Stoneware mug').quantity.fill('2');
  await portal.row('Stoneware mug').because(doesNotFit);
  await portal.row('Stoneware mug').note('Two of them leak.');
  await portal.goOn();
  await page.reload();
  await expect(portal.heading).toHaveText('Review your return');

  await page.goBack();
  await portal.isAt('purchases');
  const isKept = async () => {
    await expect(portal.row('Stoneware mug').tick).toBeChecked();
    await expect(portal.row('Stoneware mug').quantity).toHaveValue('2');
    await expect(portal.row('Stoneware mug').comment).toHaveValue('Two of them leak.');
    await expect(portal.row('Stoneware mug').reason.getByRole('radio', { name: doesNotFit })).toBeChecked();
  };
  await isKept();
  await page.reload();
  await isKept();
  await page.goForward();
  await page.getByRole('link', { name: 'Edit: Stoneware mug' }).click();
  await isKept();
  await portal.goOn();
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Select' }).click();
  await isKept();
  await portal.goOn();

  const number = await portal.submit();
  await page.reload();
  await expect(portal.number).toHaveText(number);
  // A submitted form is not offered again.
  await page.goBack();
  await expect(portal.number).toHaveText(number);
  await portal.open('purchases');
  await expect(page.getByRole('main')).toContainText('2 of 4 returnable');
  await expect(portal.row('Stoneware mug').tick).not.toBeChecked();
  await portal.open('returns');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
});

test('two browsers want the last unit: the first gets it, the second sees a message and loses nothing', async ({ page, portal, order, browser, baseURL, javaScriptEnabled }) => {
  const other = new Portal(await (await browser.newContext({ baseURL, javaScriptEnabled })).newPage());
  await other.prove(order);
  await other.choose('Linen shirt');
  await portal.prove(order);
  await portal.row('Stoneware mug').choose();
  await portal.row('Stoneware mug').because(doesNotFit);
  await portal.row('Stoneware mug').quantity.fill('2');
  await portal.row('Stoneware mug').note('Not the green I expected.');
  await portal.choose('Linen shirt');
  await other.submit();

  await portal.send.click();
  await portal.isAt('purchases');
  await expect(portal.alert).toContainText('Linen shirt: This can no longer be returned');
  await expect(page.getByRole('main')).toContainText('Some of this was returned since you opened the page');
  await expect(portal.row('Stoneware mug').tick).toBeChecked();
  await expect(portal.row('Stoneware mug').quantity).toHaveValue('2');
  await expect(portal.row('Stoneware mug').comment).toHaveValue('Not the green I expected.');
  await portal.goOn();
  await portal.submit();
  await portal.open('returns');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(2);
  await other.page.context().close();
});

test('two tabs of one browser each send what they show', async ({ page, portal, order, context }) => {
  const second = new Portal(await context.newPage());
  await portal.prove(order);
  await portal.choose('Linen shirt');
  await second.open('purchases');
  await second.row('Linen shirt').press();
  await second.choose('Canvas tote');
  await second.submit();
  await expect(second.page.getByRole('main')).toContainText('Canvas tote');
  await expect(second.page.getByRole('main')).not.toContainText('Linen shirt');
  await portal.submit();
  await expect(page.getByRole('main')).toContainText('Linen shirt');
  await expect(page.getByRole('main')).not.toContainText('Canvas tote');
});

test('fewer units are left than were chosen', async ({ portal, order, browser, baseURL, javaScriptEnabled }) => {
  const other = new Portal(await (await browser.newContext({ baseURL, javaScriptEnabled })).newPage());
  await other.prove(order);
  for (const one of [portal, other]) {
    await one.prove(order);
    await one.row('Stoneware mug').choose();
    await one.row('Stoneware mug').quantity.fill('3');
    await one.choose('Stoneware mug');
  }
  await other.submit();
  await portal.send.click();
  await portal.isAt('purchases');
  await expect(portal.alert).toContainText('Stoneware mug: You can return up to 1');
  await expect(portal.row('Stoneware mug').quantity).toHaveValue('3');
  await portal.row('Stoneware mug').quantity.fill('1');
  await portal.goOn();
  await portal.submit();
  await other.page.context().close();
});

test('an expired session and a forged cookie', async ({ page, portal, order, baseURL }) => {
  await portal.prove(order);
  await portal.choose('Linen shirt');
  const review = await fieldsOf(page);
  for (const value of ['AAAAAAAAAAAAAAAAAAAAAA', 'not a session', '%00%FF', '../../etc/passwd', 'x'.repeat(4000)]) {
    const raw = await Raw.stranger(baseURL!, `retour=${value}`);
    for (const path of ['purchases', 'review', 'returns']) {
      const answer = await raw.get(portal.at(path));
      expect(answer.heading, `${value} ${path}`).toBe('Start a return');
      expect(answer.text).toContain('Your session timed out');
    }
    expect((await raw.post(portal.at('review'), review)).heading).toBe('Start a return');
    await raw.close();
  }
});

test('a session that expires while the shopper chooses: the entries are restored', async ({ page, portal, order, context }) => {
  await portal.prove(order);
  await portal.row('Stoneware mug').choose();
  await portal.row('Stoneware mug').quantity.fill('3');
  await portal.row('Stoneware mug').because(doesNotFit);
  await portal.row('Stoneware mug').note('The handle is too small for my fingers.');
  await endSession(context);
  await portal.continue.click();
  await expect(portal.notice).toContainText('Your session timed out');
  await portal.type(order);
  await portal.isAt('purchases');
  await expect(portal.row('Stoneware mug').tick).toBeChecked();
  await expect(portal.row('Stoneware mug').quantity).toHaveValue('3');
  await expect(portal.row('Stoneware mug').comment).toHaveValue('The handle is too small for my fingers.');
  await portal.goOn();
});

test('a session that expires during the review: the return can still be sent, once', async ({ page, portal, order, context }) => {
  await portal.prove(order);
  await portal.row('Linen shirt').choose();
  await portal.row('Linen shirt').note('The collar scratches.');
  await portal.choose('Linen shirt');
  await page.getByRole('radio', { name: 'Bring it to our store' }).check();
  // The shipping option is stored at once, and the response renews the cookie.
  await page.waitForLoadState('networkidle');
  await endSession(context);
  await portal.send.click();
  await expect(portal.notice).toContainText('Your session timed out');
  await portal.type(order);
  await expect(portal.heading).toHaveText('Review your return');
  await expect(page.getByRole('radio', { name: 'Bring it to our store' })).toBeChecked();
  await page.getByRole('link', { name: 'Edit: Linen shirt' }).click();
  await portal.isAt('purchases');
  await expect(portal.row('Linen shirt').comment).toHaveValue('The collar scratches.');
  await portal.goOn();
  await expect(page.getByRole('region', { name: 'You’re returning' })).toContainText('The collar scratches.');
  await portal.submit();
  await portal.open('returns');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
});

test('after leaving, nobody else on this device sees the order', async ({ page, portal, order }) => {
  const number = await portal.return(order, 'Linen shirt');
  const address = page.url();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(portal.notice).toContainText('You’re signed out');
  await page.goBack();
  await expect(page.getByText(number)).toHaveCount(0);
  await page.goto(address);
  await expect(portal.heading).toHaveText('Start a return');
  // After a new look-up, the shopper is redirected to the return of the URL.
  await portal.type(order);
  await expect(portal.number).toHaveText(number);
});

test('choices belong to one order', async ({ page, portal, order }) => {
  await portal.prove(order);
  await portal.choose('Linen shirt');
  const another = await Shop.demo.order([{ product: 'Candle', total: 900 }]);
  await portal.prove(another);
  await expect(page.getByRole('main')).not.toContainText('Linen shirt');
  await portal.choose('Candle');
  await expect(page.getByRole('region', { name: 'You’re returning' }).getByRole('listitem')).toHaveCount(1);
});

test('a return that is already cancelled', async ({ page, portal, order, context }) => {
  await portal.return(order, 'Linen shirt');
  const second = await context.newPage();
  await second.goto(page.url());
  await portal.cancel();
  await new Portal(second).cancel();
  await page.reload();
  await expect(page.getByRole('region', { name: 'History' }).getByText('Cancelled by you')).toHaveCount(1);
});

/** As after a day: the browser still has its cookie, but the server does not know it. */
async function endSession(context: BrowserContext): Promise<void> {
  const cookies = await context.cookies();
  await context.addCookies(cookies.map((cookie) => ({ ...cookie, value: 'AAAAAAAAAAAAAAAAAAAAAA' })));
}
