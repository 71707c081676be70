// A return that staff make for a customer: the look-up, the items, the costs, and the three ways to end it.
import { look } from './support/axe';
import { Desk, staff } from './support/desk';
import { Shop, basket, expect, test } from './support/test';

test.describe('a return for a customer', () => {
  test('one item takes the keyboard alone', async ({ page }, info) => {
    const order = await Shop.demo.order([{ product: 'Linen shirt', total: 5900 }]);
    const desk = new Desk(page);
    await desk.enter(await staff('agent'), 'new-return');
    await look(page, info, 'desk-new-return');
    await page.getByRole('main').getByLabel('Order number, email or name').focus();
    await page.keyboard.type(order.number);
    await page.keyboard.press('Enter');
    await expect(desk.heading).toContainText(order.number);
    await expect(page.getByLabel('Units')).toHaveValue('1'); // the only item
    await look(page, info, 'desk-new-return-items');
    await page.getByLabel('Reason', { exact: true }).focus();
    await page.keyboard.type('Ch');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Show costs' }).focus();
    await page.keyboard.press('Enter');
    await expect(desk.heading).toHaveText('Check and make the return');
    await expect(page.getByText('Refund £55.05')).toBeVisible(); // less the label
    await look(page, info, 'desk-new-return-costs');
    await page.getByRole('button', { name: 'Make the return' }).focus();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/desk\/returns\/R-/);
  });

  test('a mistake is named beside its field, and what was typed stays', async ({ page }) => {
    const order = await Shop.demo.order(basket);
    const desk = new Desk(page);
    await desk.enter(await staff('agent'), 'new-return');
    await page.getByRole('main').getByLabel('Order number, email or name').fill(order.number);
    await page.getByRole('button', { name: 'Find' }).click();
    const mugs = page.getByRole('group', { name: 'Stoneware mug' });
    await mugs.getByLabel('Units').fill('9');
    await mugs.getByLabel('Customer’s words').fill('The glaze is grey.');
    await page.getByRole('button', { name: 'Show costs' }).click();
    await expect(mugs.getByText('Enter a whole number, at most the number beside the field.')).toBeVisible();
    await expect(mugs.getByText('Fill in this field.')).toBeVisible(); // the reason
    await expect(mugs.getByLabel('Units')).toHaveValue('9');
    await expect(mugs.getByLabel('Customer’s words')).toHaveValue('The glaze is grey.');
    await expect(page.getByText('No: not sent yet')).toBeVisible();
  });

  test('a final sale comes back with a tick and a reason', async ({ page }, info) => {
    const order = await Shop.demo.order([{ product: 'Outlet jacket', total: 5000, finalSale: true }]);
    const desk = new Desk(page);
    await desk.enter(await staff('agent'), 'new-return');
    await page.getByRole('main').getByLabel('Order number, email or name').fill(order.number);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByLabel('Units').fill('1');
    await page.getByLabel('Reason', { exact: true }).selectOption({ label: 'Changed my mind' });
    await page.getByRole('button', { name: 'Show costs' }).click();
    await expect(page.getByText('A rule does not allow this.').first()).toBeVisible();
    await page.getByLabel('Final sale: take back').check();
    await page.getByRole('button', { name: 'Show costs' }).click();
    await expect(page.getByText('Use 3 to 500 characters.').first()).toBeVisible();
    await look(page, info, 'desk-new-return-override');
    await page.locator('#why-final-sale').fill('Bought twice by mistake');
    await page.getByRole('button', { name: 'Show costs' }).click();
    await expect(desk.heading).toHaveText('Check and make the return');
  });

  test('items that are handed in count as received', async ({ page }) => {
    const order = await Shop.demo.order([{ product: 'Linen shirt', total: 5900 }]);
    const desk = new Desk(page);
    await desk.enter(await staff('agent'), 'new-return');
    await page.getByRole('main').getByLabel('Order number, email or name').fill(order.number);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByLabel('Reason', { exact: true }).selectOption({ label: 'Changed my mind' });
    await page.getByRole('button', { name: 'Show costs' }).click();
    await page.getByRole('button', { name: 'Received at the counter' }).click();
    await expect(page.getByText(/Return R-.* is made, and its items are received\./)).toBeVisible();
  });

  test('the customer finishes what was picked, behind a link', async ({ page }) => {
    const order = await Shop.demo.order([{ product: 'Linen shirt', total: 5900 }]);
    const desk = new Desk(page);
    await desk.enter(await staff('agent'), 'new-return');
    await page.getByRole('main').getByLabel('Order number, email or name').fill(order.number);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByLabel('Reason', { exact: true }).selectOption({ label: 'Changed my mind' });
    await page.getByRole('button', { name: 'Show costs' }).click();
    await page.getByRole('button', { name: 'Email a link' }).click();
    await expect(page.getByText('The link is sent.')).toBeVisible();
    await expect(desk.heading).toHaveText('Check and make the return');
  });
});

test.describe('orders', () => {
  test('an order is found by its e-mail address, which is in no address', async ({ page }, info) => {
    const order = await Shop.demo.order(basket);
    const desk = new Desk(page);
    await desk.enter(await staff('viewer'), 'orders');
    await page.getByRole('main').getByLabel('Order number, email or name').fill(order.email);
    await page.getByRole('button', { name: 'Find' }).click();
    await expect(page).toHaveURL(/\/desk\/orders\?o=[0-9a-f-]+$/);
    await expect(page.getByRole('heading', { name: order.number })).toBeVisible();
    await expect(page.getByText('No: sold as final sale')).toBeVisible();
    await expect(page.getByText('No: not sent yet')).toBeVisible();
    await expect(page.getByText('Nothing from this order has been returned.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Return items' })).toHaveCount(0); // a viewer changes nothing
    await look(page, info, 'desk-orders');
  });

  test('an unknown order is said so beside the field', async ({ page }) => {
    const desk = new Desk(page);
    await desk.enter(await staff('agent'), 'orders');
    await page.getByRole('main').getByLabel('Order number, email or name').fill('NO-SUCH-ORDER');
    await page.getByRole('button', { name: 'Find' }).click();
    await expect(page.getByText('No order found.').first()).toBeVisible();
    await expect(page.getByRole('main').getByLabel('Order number, email or name')).toHaveValue('NO-SUCH-ORDER');
  });
});
