// Improvements with scripting: live totals, errors in place, instant search; nothing is lost.
import type { Page } from '@playwright/test';
import { minor, readReceipt, sum } from './support/money';
import { doesNotFit, isDamaged } from './support/portal';
import { expect, neverIdle, Portal, Shop, test } from './support/test';

test.describe('with scripting', { tag: '@scripting' }, () => {
  test('on a page that is never idle, the islands react', async ({ page, portal, order }) => {
    await neverIdle(page);
    await portal.prove(order);
    await expect(page.locator('html')).toHaveAttribute('data-hydrated', '');
  });

  test("the refund follows the choice, and equals the server's amount", async ({ page, portal, order, isMobile }) => {
    await portal.prove(order);
    await expect.poll(() => figure(page, isMobile)).toBe(isMobile ? '' : 'nothing');
    const mug = portal.row('Stoneware mug');
    await mug.choose();
    await expect.poll(() => figure(page, isMobile)).toBe('£12.51');
    await mug.root.getByRole('button', { name: 'Increase quantity' }).click();
    await expect(mug.quantity).toHaveValue('2');
    await expect.poll(() => figure(page, isMobile)).toBe('£25.01');
    await mug.quantity.fill('4');
    await expect.poll(() => figure(page, isMobile)).toBe('£50.01');
    await portal.row('Linen shirt').choose();
    await expect.poll(() => figure(page, isMobile)).toBe('£109.01');
    await portal.row('Canvas tote').choose();
    await portal.row('Canvas tote').resolution(/Store credit/).check();
    await mug.quantity.fill('3');
    await portal.row('Linen shirt').press();
    await expect.poll(() => figure(page, isMobile)).toBe('£37.51');
    for (const name of ['Stoneware mug', 'Canvas tote']) await portal.row(name).because(doesNotFit);

    if (isMobile) await page.locator('.bar summary').click();
    const estimate = await readReceipt(page.locator(isMobile ? '.bar-sheet .receipt' : '.receipt:visible').first());
    await portal.goOn();
    // The cheapest option: bringing it to the store, free of charge.
    await portal.pick('Bring it to our store');
    const checked = await portal.receipt();
    expect(checked.credit).toBe(2090);
    expect(estimate.lines).toEqual(checked.lines);
    if (!isMobile) expect(estimate).toMatchObject({ total: checked.total, credit: checked.credit });
    expect(sum(checked)).toBe(checked.total + checked.credit);
  });

  test("if the shop is at fault, shipping becomes free at once", async ({ page, portal, order, isMobile }) => {
    await portal.prove(order);
    await portal.row('Linen shirt').choose();
    await expect.poll(() => range(page, isMobile)).toBe('£0–£4.95');
    await portal.row('Linen shirt').because(isDamaged);
    await expect.poll(() => range(page, isMobile)).toBe('Free');
    await portal.row('Linen shirt').because(doesNotFit);
    await expect.poll(() => range(page, isMobile)).toBe('£0–£4.95');
  });

  test('an exchange is free, and names the new item', async ({ page, portal, order, isMobile }) => {
    await portal.prove(order);
    const shirt = portal.row('Linen shirt');
    await shirt.choose();
    await shirt.because(doesNotFit);
    await shirt.resolution(/^Exchange/).check();
    await expect.poll(() => figure(page, isMobile)).toBe('No charge');
    // Each resolution shows its value.
    const outcomes = shirt.root.locator('[data-outcome]');
    await expect(outcomes).toHaveText(['up to £59.00', 'No charge', 'up to £64.90']);
    await shirt.because(isDamaged);
    await expect(outcomes).toHaveText(['£59.00', 'No charge', '£64.90']);
    await shirt.because(doesNotFit);
    await expect.poll(() => range(page, isMobile)).toBe('Free');
    await shirt.exchangeFor.selectOption('Size L');
    const scope = page.locator(isMobile ? '.bar-sheet' : 'aside');
    await expect(scope.locator('dt').first()).toHaveText('Linen shirt → Size L');
  });

  test('the estimate is exact in a currency without decimals and with fees', async ({ page, isMobile }) => {
    const policy = { requestFee: [{ value: '150', currency: 'JPY' }], resolutions: ['Refund', 'StoreCredit'], storeCreditBonusPercent: 7.5 };
    const portal = new Portal(page, await Shop.open(policy, 'JPY'));
    const order = await portal.shop.order([{ product: 'Tea', quantity: 7, total: 10_000 }, { product: 'Pot', total: 3_333 }]);
    await portal.prove(order);
    await portal.row('Tea').choose();
    await portal.row('Tea').quantity.fill('5');
    await portal.row('Tea').because(doesNotFit);
    await portal.row('Pot').choose();
    await portal.row('Pot').because(doesNotFit);
    await portal.row('Pot').resolution(/Store credit/).check();
    await expect.poll(() => figure(page, isMobile)).not.toBe('nothing');
    const estimate = await figure(page, isMobile);
    await portal.goOn();
    const checked = await portal.receipt();
    expect(minor(estimate)).toBe(checked.total);
    expect(sum(checked)).toBe(checked.total + checked.credit);
  });

  test('the stepper goes from 1 to the returnable quantity, and typed numbers are not corrected', async ({ page, portal, order, isMobile }) => {
    await portal.prove(order);
    const mug = portal.row('Stoneware mug');
    const [fewer, more] = ['Decrease quantity', 'Increase quantity'].map((name) => mug.root.getByRole('button', { name }));
    await mug.choose();
    await expect.poll(() => figure(page, isMobile)).toBe('£12.51');
    await expect(fewer).toBeDisabled();
    for (const now of ['2', '3', '4']) {
      await more.click();
      await expect(mug.quantity).toHaveValue(now);
    }
    await expect(more).toBeDisabled();
    await fewer.click();
    await expect(mug.quantity).toHaveValue('3');
    await mug.quantity.fill('');
    await mug.quantity.pressSequentially('12');
    await expect(mug.quantity).toHaveValue('12');
    await expect(mug.quantity).toBeFocused();
    // Twelve are too many: the estimate uses the maximum, and submitting shows an error.
    await expect.poll(() => figure(page, isMobile)).toBe('£50.01');
    await fewer.click();
    await expect(mug.quantity).toHaveValue('4');
  });

  test('a search is instant, keeps the focus, and never hides chosen items', async ({ page, portal }) => {
    const lines = Array.from({ length: 60 }, (_, index) => ({ product: `Button no. ${index}`, total: 100 + index, attributes: index % 2 ? 'Colour=Sage' : 'Colour=Rust', finalSale: index > 50 }));
    await portal.prove(await Shop.demo.order(lines));
    const search = page.getByLabel('Search this order');
    const rows = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Button no.' });
    await expect(page.getByRole('button', { name: 'Search', exact: true })).toBeHidden();
    await expect(rows).toHaveCount(60);
    await portal.row('Button no. 7').choose();
    await portal.row('Button no. 7').note('Wrong green.');
    await search.pressSequentially('rust no. 4');
    await expect(search).toBeFocused();
    // 4, 40 to 48, 14, 24, 34 … in rust. The chosen one is listed separately and is not a result.
    const expected = lines.filter(({ product, attributes }) => `${product} ${attributes}`.toLowerCase().includes('rust') && product.includes('4')).length;
    const selected = page.getByRole('region', { name: 'Selected (1)' });
    await expect(rows.filter({ visible: true })).toHaveCount(expected + 1);
    await expect(selected.getByRole('listitem')).toHaveText(/Button no\. 7/);
    await expect(page.getByText(`${expected} of 60 items shown, 1 selected`)).toBeVisible();
    await search.fill('nothing of the kind');
    await expect(rows.filter({ visible: true })).toHaveCount(1);
    await expect(page.getByRole('heading', { name: 'No items match “nothing of the kind”' })).toBeVisible();
    // A chosen result stays in place until the next search.
    await search.fill('no. 9');
    await portal.row('Button no. 9').press();
    await expect(selected.getByRole('listitem')).toHaveCount(1);
    await portal.row('Button no. 9').press();
    await search.fill('');
    await expect(selected).toBeHidden();
    await expect(rows.nth(7)).toContainText('Button no. 7'); // back in its place
    await page.getByText('Returnable items only').click();
    await expect(rows.filter({ visible: true })).toHaveCount(51);
    await expect(portal.row('Button no. 7').comment).toHaveValue('Wrong green.');
    // Enter submits the form; it does not search.
    await portal.row('Button no. 7').because(doesNotFit);
    await search.fill('no. 7');
    await search.press('Enter');
    await portal.isAt('review');
    await expect(page.getByRole('region', { name: 'You’re returning' }).getByRole('listitem')).toHaveCount(1);
  });

  test('errors show in place without a page load, and disappear when corrected', async ({ page, portal, order }) => {
    await portal.prove(order);
    const mug = portal.row('Stoneware mug');
    await mug.choose();
    await expect(mug.root.getByRole('button', { name: 'Decrease quantity' })).toBeDisabled();
    await mug.quantity.fill('0');
    let posts = 0;
    page.on('request', (request) => (posts += Number(request.method() === 'POST')));
    await expect(async () => {
      await portal.continue.click();
      await expect(portal.alert).toBeFocused();
    }).toPass();
    expect(posts).toBe(0);
    await expect(page).toHaveTitle(/^Error: /);
    await expect(mug.root).toContainText('Error: Enter a number from 1 to 4');
    await expect(mug.root).toContainText('Error: Select a reason');
    await expect(mug.reason).toHaveAttribute('aria-invalid', 'true');
    await mug.quantity.fill('2');
    await expect(mug.root).not.toContainText('Enter a number');
    await mug.because(doesNotFit);
    await expect(mug.root).not.toContainText('Error: Select a reason');
    await portal.goOn();
  });

  test('the total is announced when it stops changing', async ({ page, portal, order }) => {
    await portal.prove(order);
    await portal.row('Linen shirt').choose();
    await expect(page.getByRole('status').filter({ hasText: 'Refund up to: £59.00' })).toBeAttached();
  });

  test('offline: a message is shown, and the entries stay', async ({ page, portal, order, context, isMobile }) => {
    await portal.prove(order);
    await portal.row('Linen shirt').choose();
    await portal.row('Linen shirt').note('On the train.');
    await expect.poll(() => figure(page, isMobile)).toBe('£59.00');
    await context.setOffline(true);
    await expect(page.getByText('You’re offline.')).toBeVisible();
    await expect(portal.row('Linen shirt').comment).toHaveValue('On the train.');
    await context.setOffline(false);
    await expect(page.getByText('You’re offline.')).toBeHidden();
  });

  test('only pages that need it load any script', async ({ page, portal, order }) => {
    const loaded: string[] = [];
    page.on('request', (request) => {
      if (/\.(m?js|wasm)(\?|$)/.test(request.url())) loaded.push(request.url());
    });
    await portal.open();
    await portal.type({ ...order, email: '' });
    await expect(portal.alert).toBeVisible();
    await page.goto('/no-such-shop');
    await portal.open('returns');
    await page.waitForLoadState('networkidle');
    expect(loaded).toEqual([]);
    await expect(page.locator('script')).toHaveCount(0);
    await portal.prove(order);
    await expect.poll(() => loaded.some((url) => url.includes('.wasm'))).toBe(true);
  });
});

/** The current total: on a phone in the bar, otherwise in the receipt beside the list. */
async function figure(page: Page, isMobile: boolean): Promise<string> {
  if (isMobile) return page.locator('.bar-figure').innerText();
  const total = page.locator('.receipt-total dd:visible');
  return (await total.count()) ? total.innerText() : 'nothing';
}

/** The range of the shipping costs. */
async function range(page: Page, isMobile: boolean): Promise<string> {
  const scope = page.locator(isMobile ? '.bar-sheet' : 'aside');
  return (await scope.locator('dl > div', { hasText: 'Return shipping' }).locator('dd').textContent()) ?? '';
}
