import { expect, test } from '@playwright/test';

test('the server is up', async ({ page }) => {
  const answer = await page.goto('/health/ready');
  expect(answer?.status()).toBe(200);
});
