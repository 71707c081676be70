// An admin's and a developer's jobs: people, API keys, the request behind a button, the audit log.
import { look } from './support/axe';
import { Desk, person } from './support/desk';
import { returned, state } from './support/returned';
import { expect, Shop, test } from './support/test';

/** What the API answers to a key. */
async function status(key: string, path = '/return-orders', body?: object): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const [method, sent] = body ? ['POST', JSON.stringify(body)] : ['GET', undefined];
  return (await fetch(`${process.env.RETOUR_URL}/api/v0${path}`, { method, headers, body: sent })).status;
}

test('a person is invited, gets another role, and is removed', async ({ page, browser }, info) => {
  const shop = await Shop.open();
  const desk = new Desk(page);
  await desk.signIn(await person('admin', shop.slug, 'Ada Admin'), 'people');
  await page.getByRole('link', { name: 'Invite a person' }).click();
  await page.getByLabel('Email address').fill('no address');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(desk.alert).toBeVisible();
  await expect(page.getByLabel('Email address')).toHaveValue('no address');
  await look(page, info, 'desk-invite-mistake');
  const email = `ola-${shop.slug}@shop.example`;
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Name').fill('Ola Olsen');
  await page.getByLabel('Role').selectOption('viewer');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = (await page.locator('.secret').textContent())!;
  await look(page, info, 'desk-invited');
  await desk.open('people');
  await page.getByRole('link', { name: 'Ola Olsen' }).click();
  await expect(page.getByText('Invited', { exact: true })).toBeVisible();
  await expect(page.locator('.secret')).toHaveCount(0); // it is shown once

  const elsewhere = await browser.newContext({ ...info.project.use, baseURL: process.env.RETOUR_URL });
  const theirs = new Desk(await elsewhere.newPage());
  const password = 'a new horse battery staple';
  await theirs.page.goto(link);
  await theirs.page.getByLabel('New password').fill(password);
  await theirs.page.getByRole('button', { name: 'Set password' }).click();
  await theirs.signIn({ email, name: 'Ola Olsen', password }, 'returns');
  await expect(theirs.page.getByRole('link', { name: 'Scan', exact: true })).toHaveCount(0); // a viewer receives nothing

  // Another role ends the person's sessions.
  await desk.open('people');
  await page.getByRole('link', { name: 'Ola Olsen' }).click();
  await page.getByLabel('Role').selectOption('agent');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await theirs.open('returns');
  await expect(theirs.heading).toHaveText('Sign in');
  await theirs.signIn({ email, name: 'Ola Olsen', password }, 'scan');

  await page.getByRole('link', { name: 'Remove', exact: true }).click();
  await expect(desk.heading).toContainText('Remove');
  await look(page, info, 'desk-remove');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('The person is removed.')).toBeVisible();
  await theirs.open('scan');
  await expect(theirs.heading).toHaveText('Sign in');
  await theirs.page.getByLabel('Email address').fill(email);
  await theirs.page.getByLabel('Password').fill(password);
  await theirs.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(theirs.alert).toContainText('The email address or the password is wrong.');
  await elsewhere.close();
});

test('a key is made, replaced and revoked, and the audit log says so', async ({ page }, info) => {
  const shop = await Shop.open();
  const desk = new Desk(page);
  await desk.signIn(await person('admin', shop.slug, 'Ada Admin'), 'people');
  await page.getByRole('link', { name: 'Create a key' }).click();
  await expect(page.getByRole('button', { name: 'Create the key' })).toBeVisible(); // `all` does not wait for the page
  for (const tick of await page.getByRole('group', { name: 'Permissions' }).getByRole('checkbox').all()) await tick.uncheck();
  await page.getByLabel('Name').fill('Warehouse system');
  await page.getByRole('button', { name: 'Create the key' }).click();
  await expect(page.getByText('Select at least one permission.').first()).toBeVisible();
  await look(page, info, 'desk-new-key-mistake');
  await page.getByRole('checkbox', { name: /^read/ }).check();
  await page.getByRole('button', { name: 'Create the key' }).click();
  const secret = page.locator('.secret');
  const first = (await secret.textContent())!;
  await look(page, info, 'desk-key-made');
  expect(await status(first)).toBe(200);
  expect(await status(first, '/found-parcels', { contents: 'A mug' })).toBe(403);
  await desk.open('people');
  await page.getByRole('link', { name: 'Warehouse system' }).click();
  await expect(page.getByText(`…${first.slice(-4)}`)).toBeVisible();
  await expect(secret).toHaveCount(0); // it is shown once

  await page.getByRole('link', { name: 'Replace the key' }).click();
  await page.getByRole('button', { name: 'Replace the key' }).click();
  const second = (await secret.textContent())!;
  expect([await status(first), await status(second)]).toEqual([401, 200]);
  await page.getByRole('link', { name: 'Revoke', exact: true }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await expect(page.getByText('The key is revoked.')).toBeVisible();
  expect(await status(second)).toBe(401);

  await desk.open('audit');
  const entries = page.getByRole('table').locator('tbody > tr');
  for (const action of ['API key revoked', 'API key replaced', 'API key created', 'Signed in']) {
    await expect(entries.filter({ hasText: action }).first()).toContainText('Ada Admin');
  }
  const text = (await page.locator('main').textContent())!;
  for (const key of [first, second]) expect(text).not.toContain(key);
  await page.getByLabel('Action').selectOption({ label: 'API key replaced' });
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(entries).toHaveCount(1);
  const csv = (await page.getByRole('link', { name: 'Download as CSV' }).getAttribute('href'))!;
  const lines = (await (await page.request.get(csv)).text()).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Ada Admin');
  await page.getByText('More filters').click();
  await page.getByLabel('From day').fill('2020-01-01');
  await page.getByLabel('To day').fill('2020-01-02');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect(page.getByText('No entry matches these filters.')).toBeVisible();
  await look(page, info, 'desk-audit-empty');
});

test('the request that a form shows does what its button does', async ({ page }) => {
  const shop = await Shop.open({ autoApprove: false });
  const made = await returned(shop, { lines: [{ product: 'Linen shirt', total: 5900 }] });
  const desk = new Desk(page);
  const admin = await person('admin', shop.slug, 'Ada Admin');
  await desk.signIn(admin, 'people/new-key');
  await page.getByLabel('Name').fill('A developer');
  await page.getByRole('checkbox', { name: /^write/ }).check();
  await page.getByRole('button', { name: 'Create the key' }).click();
  const key = (await page.locator('.secret').textContent())!;
  await desk.open(`returns/${made.number}`);
  await page.getByRole('link', { name: 'Reject', exact: true }).click();
  await page.getByText('As an API request').click();
  const shown = (await page.locator('.curl code').textContent())!;
  const [, method, path, body] = /^curl -X (\w+) \$BASE(\S+) .*-d '(.*)'$/s.exec(shown)!;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${process.env.RETOUR_URL}${path}`, { method, headers, body });
  expect(answer.status, await answer.text()).toBe(200);
  expect((await state(shop, made.id)).returnRequests[0]!.stage).toBe('Requested: Rejected');
});
