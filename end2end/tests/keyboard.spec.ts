// The whole journey by keyboard: every control is reachable in reading order, and the focus is visible.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './support/test';

/** Presses Tab until an element has the focus, and checks that the focus is visible. */
async function tabTo(page: Page, target: Locator, most = 40): Promise<void> {
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let presses = 0; presses < most && !(await isThere()); presses++) {
    await page.keyboard.press('Tab');
    await isSeen(page);
  }
  await expect(target).toBeFocused();
}

/** The focused element, or its container, has a focus ring, and nothing covers it. */
async function isSeen(page: Page): Promise<void> {
  // A page that is new has no styles for a moment.
  await expect.poll(() => ringOf(page), { intervals: [0, 50, 100, 200], timeout: 10_000 }).toMatch(/^(seen|none needed)$/);
}

async function ringOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return 'none needed';
    const box = element.getBoundingClientRect();
    const around = [element, ...[...document.querySelectorAll('.item-head, .choice, .chip, .card')].filter((one) => one.contains(element))];
    const hasRing = around.some((one) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
    });
    const isInside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    const middle = document.elementFromPoint(Math.min(box.left + box.width / 2, innerWidth - 1), box.top + box.height / 2);
    const bar = document.querySelector('.bar');
    const isCovered = Boolean(middle && bar?.contains(middle) && !bar.contains(element));
    return hasRing && isInside && !isCovered ? 'seen' : `${element.outerHTML.slice(0, 120)} ring ${hasRing} inside ${isInside} covered ${isCovered}`;
  });
}

test('a whole return without a pointer', async ({ page, portal, order }) => {
  await portal.open();
  await tabTo(page, page.getByLabel('Order number'));
  await page.keyboard.type(order.number);
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Email address')).toBeFocused();
  await page.keyboard.type(order.email);
  await page.keyboard.press('Enter');
  await portal.isAt('purchases');

  const shirt = portal.row('Linen shirt');
  await tabTo(page, shirt.tick);
  await page.keyboard.press('Space');
  await expect(shirt.tick).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(shirt.reason.getByRole('radio').first()).toBeFocused();
  await isSeen(page);
  await page.keyboard.press('ArrowRight');
  await expect(shirt.reason.getByRole('radio', { name: 'Changed my mind' })).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await tabTo(page, shirt.comment);
  await page.keyboard.type('Sorry.');
  await expect(shirt.comment).toHaveValue('Sorry.');
  await page.keyboard.press('Tab');
  await expect(shirt.resolution(/^Refund/)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(shirt.resolution(/^Exchange/)).toBeChecked();
  await page.keyboard.press('Tab');
  await expect(shirt.exchangeFor).toBeFocused();
  await isSeen(page);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowDown');
  await expect(shirt.resolution(/^Store credit/)).toBeChecked();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(shirt.resolution(/^Refund/)).toBeChecked();
  await isSeen(page);

  const mug = portal.row('Stoneware mug');
  await tabTo(page, mug.tick);
  await page.keyboard.press('Space');
  await tabTo(page, mug.quantity);
  await page.keyboard.press('ArrowUp');
  await expect(mug.quantity).toHaveValue('2');
  await tabTo(page, mug.reason.getByRole('radio').first());
  await page.keyboard.press('Space');
  await tabTo(page, portal.continue);
  await page.keyboard.press('Enter');
  await portal.isAt('review');

  const first = portal.ways.getByRole('radio', { name: 'Print a label' });
  await tabTo(page, portal.ways.getByRole('radio', { checked: true }).or(first).first());
  await page.keyboard.press('ArrowDown');
  await isSeen(page);
  await tabTo(page, portal.send);
  await page.keyboard.press('Enter');
  await portal.isAt(/returns\/.+/);
  await tabTo(page, page.getByText('Cancel this return'));
  await page.keyboard.press('Enter');
  await tabTo(page, page.getByRole('button', { name: 'Cancel my return' }));
  await page.keyboard.press('Space');
  await expect(portal.heading).toHaveText('This return is cancelled');
});

test('the skip link comes first and skips the header', async ({ page, portal, order }) => {
  await portal.find(order);
  await page.reload();
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  const isInMain = () => page.evaluate(() => document.querySelector('main')!.contains(document.activeElement));
  expect(await isInMain()).toBe(true);
});

test('the focus moves down the page, never up', async ({ page, portal, order }) => {
  await portal.find(order);
  await portal.row('Linen shirt').choose();
  await page.reload();
  let before = -1;
  for (const order of await tabOrder(page)) {
    expect(order.top, `${order.what} comes after what stands beneath it`).toBeGreaterThanOrEqual(before - 8);
    before = order.top;
  }
});

test('after an error the summary comes first, with a link to each field', async ({ page, portal, order, scripting }) => {
  await portal.find(order);
  await portal.row('Linen shirt').choose();
  await portal.row('Stoneware mug').choose();
  await portal.row('Stoneware mug').quantity.fill('9');
  await portal.continue.click();
  await expect(portal.alert).toBeVisible();
  // With scripting, the summary gets the focus; without, the page reloads and the summary is its first element.
  if (scripting) await expect(portal.alert).toBeFocused();
  const before = await portal.alert.evaluate((alert) => {
    const heading = document.querySelector('h1')!;
    return Boolean(alert.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_FOLLOWING);
  });
  expect(before).toBe(true);
  for (const [name, field] of [
    [/^Linen shirt: /, portal.row('Linen shirt').reason.getByRole('radio').first()],
    [/^Stoneware mug: You can return/, portal.row('Stoneware mug').quantity],
    [/^Stoneware mug: Select a reason/, portal.row('Stoneware mug').reason.getByRole('radio').first()],
  ] as const) {
    const link = portal.alert.getByRole('link', { name });
    await tabTo(page, link, 60);
    await page.keyboard.press('Enter');
    await expect(field).toBeFocused();
    await expect(field).toBeInViewport();
    await isSeen(page);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await portal.alert.focus();
  }
});

test('forms have names, descriptions and groups for screen readers', async ({ page, portal, order }) => {
  await portal.find(order);
  const mug = portal.row('Stoneware mug');
  await expect(mug.tick).toHaveAccessibleName('Stoneware mug');
  await expect(mug.tick).toHaveAccessibleDescription(/Oatmeal\s*4 of 4 returnable.*£50\.01 for 4/);
  await mug.choose();
  await expect(mug.root.getByRole('group', { name: 'Stoneware mug' })).toBeVisible();
  await expect(mug.quantity).toHaveAccessibleDescription('of 4');
  await expect(mug.root.getByRole('group', { name: 'What would you like in return?' })).toBeVisible();
  await mug.quantity.fill('5');
  await portal.continue.click();
  await expect(mug.quantity).toHaveAccessibleDescription(/Error: You can return up to 4/);
  await expect(page.getByRole('navigation', { name: 'Steps' }).locator('[aria-current=step]')).toHaveText('Select');
});

/** The elements of the form that Tab reaches, and their vertical position. */
async function tabOrder(page: Page): Promise<{ what: string; top: number }[]> {
  const order = [];
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement!;
      // The total is beside the list or at the bottom of the window: it comes last in either case.
      if (element === document.body || element.closest('aside, .bar')) return undefined;
      if (!element.closest('main')) return null;
      return { what: element.outerHTML.slice(0, 80), top: element.getBoundingClientRect().top + scrollY };
    });
    if (at === undefined) return order;
    if (at) order.push(at);
  }
  return order;
}
