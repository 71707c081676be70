// What an agent asks others to approve, because it is above the agent's limit.
import { look } from './support/axe';
import { Desk, staff } from './support/desk';
import { returned, state } from './support/returned';
import { expect, Shop, test } from './support/test';

test('finance approves the refund that an agent asks for', async ({ page }, info) => {
  const agentLimit = [{ value: '10.00', currency: 'GBP' }];
  const shop = await Shop.open({ autoResolve: false, agentLimit });
  const made = await returned(shop, { lines: [{ product: 'Stoneware mug', total: 2500 }], by: 'staff' });
  const [agent, finance] = [await staff('agent', shop.slug), await staff('finance', shop.slug)];
  const desk = new Desk(page);
  await desk.enter(agent, `returns/${made.number}`);
  await page.getByRole('link', { name: 'Count units' }).click();
  await page.getByRole('button', { name: 'Count units' }).click();
  await expect(page.getByText('The units are counted.')).toBeVisible();
  await page.getByText('Not possible now').click();
  await expect(page.getByRole('article').first()).toContainText('Approve the refund: The value is above your limit.');
  await page.getByRole('link', { name: 'Ask for approval' }).click();
  await expect(page.getByText('You can decide about at most £10.00 for each item.')).toBeVisible();
  await page.getByLabel('Why (only your team sees this)').fill('A regular customer.');
  await look(page, info, 'desk-approval-asked');
  await page.getByRole('button', { name: 'Ask for approval' }).click();
  await expect(page.getByText('Waiting for somebody with the role Finance or Admin.')).toBeVisible();

  await page.context().clearCookies();
  await desk.enter(finance);
  await page.getByRole('row').filter({ hasText: 'To approve' }).getByRole('link', { name: 'Start' }).click();
  await expect(desk.heading).toHaveText(`Return ${made.number}`);
  await expect(page.getByText('asks for the approval of the refund.')).toBeVisible();
  await look(page, info, 'desk-approval');
  await page.getByRole('button', { name: 'Approve the proposal' }).click();
  await expect(page.getByText('The proposal is approved.')).toBeVisible();
  expect((await state(shop, made.id)).returnRequests[0]!.stage).toBe('Resolution: Approved');
});
