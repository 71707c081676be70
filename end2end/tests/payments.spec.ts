// Something is to be paid before anything is sent: on the page of ours that moves no money.
import { look } from './support/axe';
import { expect, Portal, Shop, test as base } from './support/test';

const returnAddress = { name: 'Plain & Simple Returns', street: '1 Dock Road', postalCode: '1012 AB', city: 'Amsterdam', country: 'NL' };

/** A shop that has a fee of £4.95 paid first. */
const test = base.extend<{ prepaid: Portal }>({
  prepaid: async ({ page }, use) => {
    const requestFee = [{ value: '4.95', currency: 'GBP' }];
    const portal = new Portal(page, await Shop.open({ returnAddress, requestFee, feeCollection: 'prepay' }));
    await (await portal.shop.api()).patch('/account', { payment: { kind: 'simulated' } });
    await portal.find(await portal.shop.order());
    await portal.choose('Linen shirt');
    await use(portal);
  },
});

test('paying and then sending', async ({ page, prepaid: portal }, info) => {
  await expect(page.getByRole('main')).toContainText('To pay before you send it');
  await look(page, info, 'review-to-pay');
  await portal.submit();
  await expect(portal.heading).toHaveText('Something is to be paid first');
  await look(page, info, 'return-to-pay');
  const back = page.url();
  await page.getByRole('link', { name: 'Pay £4.95' }).click();
  await expect(portal.heading).toHaveText('Pay £4.95');
  await look(page, info, 'pay');
  await page.getByRole('link', { name: 'Not now' }).click();
  await expect(page).toHaveURL(back);
  await page.getByRole('link', { name: 'Pay £4.95' }).click();
  const checkout = page.url();
  await page.getByRole('button', { name: 'Pay £4.95' }).click();
  await expect(page).toHaveURL(back);
  await expect(portal.heading).toHaveText('Your return is ready to send');
  await look(page, info, 'return-paid');
  // The back button, and paying once more: there is nothing left to pay.
  await page.goto(checkout);
  await expect(page).toHaveURL(back);
});

test('paid in two tabs, then called off', async ({ page, context, prepaid: portal }, info) => {
  await portal.submit();
  await page.getByRole('link', { name: 'Pay £4.95' }).click();
  const other = await context.newPage();
  await other.goto(page.url());
  for (const tab of [other, page]) {
    await tab.getByRole('button', { name: 'Pay £4.95' }).click();
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Your return is ready to send');
  }
  await portal.cancel();
  await expect(page.getByRole('main')).toContainText('The £4.95 that you paid goes back the way you paid it.');
  await look(page, info, 'return-paid-back');
  await other.close();
});
