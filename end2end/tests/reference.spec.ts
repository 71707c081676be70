import { look } from './support/axe';
import { expect, test } from './support/test';

const wide = { width: 1440, height: 900 };

test('the reference is readable on every screen', async ({ page }, info) => {
  await page.goto('/api/docs');
  await expect(page.getByRole('heading', { level: 1, name: 'Retour API' })).toBeVisible();
  await look(page, info, 'reference-overview');
  await page.goto('/api/docs/return-orders');
  await expect(page.getByRole('heading', { level: 1, name: 'Return orders' })).toBeVisible();
  await look(page, info, 'reference-return-orders');
});

test('long names of types fit a phone', async ({ page }) => {
  await page.goto('/api/docs/types');
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test('the sidebar links to every operation and stays in view', async ({ page }) => {
  await page.setViewportSize(wide);
  await page.goto('/api/docs/return-orders');
  const sidebar = page.getByRole('navigation', { name: 'Contents' });
  await expect(sidebar.getByRole('link', { name: 'All of Return orders' })).toHaveAttribute('aria-current', 'page');
  await sidebar.getByRole('link', { name: 'Cancel a return order' }).click();
  await expect(page).toHaveURL(/\/api\/docs\/return-orders#cancelReturnOrder$/);
  await expect(page.locator('#cancelReturnOrder')).toBeInViewport();
  await expect(sidebar.getByText('Return orders', { exact: true })).toBeInViewport();
  await sidebar.getByText('Shipments', { exact: true }).click();
  await sidebar.getByRole('link', { name: 'Retrieve a shipment' }).click();
  await expect(page).toHaveURL(/\/api\/docs\/shipments#getShipment$/);
});

test('samples are beside an operation on a wide screen, and below it on a narrow one', async ({ page }) => {
  const operation = page.locator('article', { has: page.locator('#getReturnOrder') });
  const boxes = async () => [(await operation.locator('.about').boundingBox())!, (await operation.locator('.samples').boundingBox())!];
  await page.setViewportSize(wide);
  await page.goto('/api/docs/return-orders');
  await expect(operation.getByText('curl "$BASE')).toBeVisible();
  const [about, samples] = await boxes();
  expect(samples.x).toBeGreaterThanOrEqual(about.x + about.width);
  await page.setViewportSize({ width: 390, height: 844 });
  const [above, below] = await boxes();
  expect(below.y).toBeGreaterThanOrEqual(above.y + above.height);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});

test('on a phone the table of contents is collapsed', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/api/docs');
  const link = page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'Errors' });
  await expect(link).toBeHidden();
  await page.getByText('Contents', { exact: true }).click();
  await link.click();
  await expect(page.locator('#errors')).toBeInViewport();
});
