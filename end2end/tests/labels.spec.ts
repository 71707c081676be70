// Labels that a carrier makes in the background.
import { look } from './support/axe';
import { Component } from './support/component';
import { expect, Portal, Shop, test as base } from './support/test';

const label = { mediaType: 'application/pdf', data: Buffer.from('%PDF-1.4 a label').toString('base64') };
const returnAddress = { name: 'Plain & Simple Returns', street: '1 Dock Road', postalCode: 'EH6 6LU', city: 'Leith', country: 'GB' };

/** A shop whose component knows every order and makes labels as the test sets; and a return of a shirt. */
const test = base.extend<{ component: Component; sent: Portal }>({
  component: async ({}, use) => {
    const component = await Component.start();
    await use(component);
    await component.stop();
  },
  sent: async ({ page, component }, use) => {
    const portal = new Portal(page, await Shop.open({ returnAddress }));
    const { url, secret } = component;
    await (await portal.shop.api()).patch('/account', { bridge: { kind: 'http', url, secret }, carrier: { kind: 'bridge' } });
    await portal.prove({ number: '1001', email: 'ada@example.com' });
    await portal.choose('Linen shirt');
    await portal.submit();
    await use(portal);
  },
});

test('the page waits for a label', async ({ page, sent: portal, component, scripting }, info) => {
  await expect(portal.heading).toHaveText(/^We’re creating your (label|code)$/); // on phones the default option needs no printer
  await expect(page.getByRole('link', { name: /^Download my label/ })).toHaveCount(0);
  await look(page, info, 'return-label-pending');
  component.give({ status: 'Created', label, carrier: 'Post', trackingNumber: '3SABC00123' });
  await expect(async () => {
    if (!scripting) await page.getByRole('link', { name: 'Refresh' }).click(); // with scripting, the page refreshes itself
    await expect(portal.heading).toHaveText('Your return is ready to send', { timeout: 1000 });
  }).toPass();
  await expect(page.getByText('3SABC00123')).toBeVisible();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^Download my label/ }).click()]);
  expect(download.suggestedFilename()).toMatch(/^return-R-.*\.pdf$/);
  await look(page, info, 'return-label-of-a-carrier');
});

test('a label that cannot be made', async ({ page, sent: portal, component }, info) => {
  component.give({ status: 'Failed', reason: 'No contract 4711 for this street' });
  await expect(async () => {
    await page.reload();
    await expect(portal.heading).toHaveText('Your label is taking longer than usual', { timeout: 1000 });
  }).toPass();
  await expect(page.getByRole('main')).not.toContainText('4711'); // the error code is for the shop's staff
  await look(page, info, 'return-label-failed');
  await page.getByRole('link', { name: 'My returns' }).click();
  await expect(page.getByRole('main')).toContainText('Label delayed');
  await look(page, info, 'returns-label-failed');
});

test('a code instead of a label', async ({ page, sent: portal, component }, info) => {
  component.give({ status: 'Created', qrCode: 'POST:3SABC00123', trackingNumber: '3SABC00123' });
  await expect(async () => {
    await page.reload();
    await expect(portal.heading).toHaveText('Your return is ready to send', { timeout: 1000 });
  }).toPass();
  await expect(page.getByRole('img', { name: /^Code for return/ })).toBeVisible();
  await look(page, info, 'return-code-of-a-carrier');
});
