// Bad input gets a clear answer; nothing is lost, duplicated or broken.
import { doesNotFit } from './support/portal';
import { fieldsOf, Raw } from './support/raw';
import { expect, Portal, Shop, test } from './support/test';

test('an order that is not found: one answer for every reason, and the entries stay', async ({ page, portal, order }) => {
  const stranger = await Shop.demo.order();
  await portal.open();
  const said = new Set<string>();
  for (const typed of [
    { number: 'No such order', email: order.email },
    { number: order.number, email: 'somebody@example.com' },
    { number: order.number, email: stranger.email },
    { number: "' OR 1=1 --", email: '"><script>alert(1)</script>@example.com' },
  ]) {
    await portal.type(typed);
    await expect(portal.alert).toBeVisible();
    said.add(await portal.alert.innerText());
    await expect(page.getByLabel('Order number')).toHaveValue(typed.number);
    await expect(page.getByLabel('Email address')).toHaveValue(typed.email);
    await expect(page.getByLabel('Order number')).toHaveAttribute('aria-invalid', 'true');
    expect(page.url()).not.toContain('example.com');
  }
  expect([...said]).toHaveLength(1);
  await portal.type(order);
  await portal.isAt('purchases');
});

test('empty fields are named', async ({ page, portal, order }) => {
  await portal.open();
  await portal.type({ number: order.number, email: '  ' });
  await expect(portal.alert.getByRole('link')).toHaveText(['Enter your email address']);
  await portal.alert.getByRole('link').click();
  await expect(page.getByLabel('Email address')).toBeFocused();
  await expect(page.getByLabel('Order number')).toHaveValue(order.number);
});

test('a shop that does not exist', async ({ baseURL }) => {
  const raw = await Raw.stranger(baseURL!);
  for (const path of ['/no-such-shop', '/no-such-shop/purchases', '/no-such-shop/returns/1', '/%FF', '/..%2f', `/${'a'.repeat(5000)}`]) {
    expect((await raw.get(path)).status, path).toBe(404);
  }
  expect((await raw.post('/no-such-shop', { orderNumber: '1001', email: 'ada@example.com' })).heading).toBe('We can’t find this shop');
  await raw.close();
});

for (const [name, quantity, says] of [
  ['none', '', 'Enter a number from 1 to 4'],
  ['0', '0', 'Enter a number from 1 to 4'],
  ['-1', '-1', 'Enter a number from 1 to 4'],
  ['one and a half', '1.5', 'Enter a number from 1 to 4'],
  ['5 of 4', '5', 'You can return up to 4'],
  ['10^12', '1000000000000', 'You can return up to 4'],
]) {
  test(`a quantity of ${name}`, async ({ page, portal, order }) => {
    await portal.prove(order);
    const mug = portal.row('Stoneware mug');
    await mug.choose();
    await mug.quantity.fill(quantity);
    await mug.because(doesNotFit);
    await mug.note('A chip on the rim.');
    await portal.row('Linen shirt').choose();
    await portal.continue.click();
    await expect(portal.alert.getByRole('link', { name: `Stoneware mug: ${says}` })).toBeVisible();
    await expect(mug.root).toContainText(`Error: ${says}`);
    await expect(mug.quantity).toHaveAttribute('aria-invalid', 'true');
    await expect(mug.quantity).toHaveValue(quantity);
    await expect(mug.comment).toHaveValue('A chip on the rim.');
    await expect(mug.reason.getByRole('radio', { name: doesNotFit })).toBeChecked();
    await expect(portal.row('Linen shirt').tick).toBeChecked();
    await portal.alert.getByRole('link', { name: /^Stoneware mug/ }).click();
    await expect(mug.quantity).toBeFocused();
    await mug.quantity.fill('2');
    await portal.row('Linen shirt').press();
    await portal.goOn();
    await expect(page.getByRole('region', { name: 'You’re returning' })).toContainText('Refund · qty 2 of 4');
  });
}

test('quantities that bypass the browser: the server gives the same message', async ({ page, portal, order, baseURL }) => {
  await portal.prove(order);
  await portal.row('Stoneware mug').choose();
  await portal.row('Stoneware mug').because(doesNotFit);
  const fields = await fieldsOf(page);
  const [name] = Object.entries(fields).find(([name]) => name.endsWith('.take'))!;
  const key = name.split('.')[0];
  const raw = await Raw.of(page, baseURL!);
  for (const [quantity, says] of [['abc', 'Enter a number from 1 to 4'], ['1e1', 'Enter a number from 1 to 4'], ['٣', 'Enter a number from 1 to 4'], ['9'.repeat(400), 'You can return up to 4']]) {
    const answer = await raw.post(portal.at('purchases'), { ...fields, [`${key}.quantity`]: quantity });
    expect(answer.status, quantity).toBe(422);
    expect(answer.text).toContain(says);
  }
  await raw.close();
});

test('no item is chosen', async ({ portal, order }) => {
  await portal.prove(order);
  await portal.continue.click();
  await expect(portal.alert).toContainText('Select at least one item');
  await portal.alert.getByRole('link').click();
  await expect(portal.row('Linen shirt').tick).toBeFocused();
});

test("another shop's reason, another shopper's items and drafts", async ({ page, portal, order, browser, baseURL }) => {
  const elsewhere = new Portal(await (await browser.newContext({ baseURL })).newPage(), await Shop.open());
  await elsewhere.prove(await elsewhere.shop.order());
  await elsewhere.row('Linen shirt').choose();
  await elsewhere.row('Linen shirt').because(doesNotFit);
  const theirs = await fieldsOf(elsewhere.page);
  await elsewhere.goOn();
  const draft = await elsewhere.page.locator('[name=draft]').inputValue();
  const theirOption = await elsewhere.ways.getByRole('radio').first().inputValue();

  await portal.prove(order);
  await portal.row('Linen shirt').choose();
  await portal.row('Linen shirt').because(doesNotFit);
  const mine = await fieldsOf(page);
  const key = Object.keys(mine).find((name) => name.endsWith('.take'))!.split('.')[0];
  const raw = await Raw.of(page, baseURL!);
  const reason = await raw.post(portal.at('purchases'), { ...mine, [`${key}.reason`]: theirs['p1.reason'] });
  expect([reason.status, reason.text.includes('Linen shirt: Select a reason')]).toEqual([422, true]);
  const wish = await raw.post(portal.at('purchases'), { ...mine, [`${key}.resolution`]: 'Barter' });
  expect([wish.status, wish.text.includes('Not available for this reason')]).toEqual([422, true]);
  const swap = await raw.post(portal.at('purchases'), { ...mine, [`${key}.resolution`]: 'Exchange', [`${key}.exchange`]: 'GOLD-BAR' });
  expect([swap.status, swap.text.includes('Select a replacement')]).toEqual([422, true]);
  const thing = await raw.post(portal.at('purchases'), { 'p1.id': theirs['p1.id'], 'p1.take': '1', 'p1.quantity': '1', 'p1.reason': theirs['p1.reason'] });
  expect(new URL(thing.url).pathname).not.toMatch(/review/);

  const sent = await raw.post(portal.at('review'), { draft, shippingOption: theirOption });
  expect(new URL(sent.url).pathname).toBe(portal.at('purchases'));
  expect((await raw.get(portal.at(`review?draft=${draft}`))).text).not.toContain('Review your return');
  expect((await raw.get(portal.at('returns'))).heading).toBe('You haven’t returned anything yet');

  // The other draft is unchanged, and its return belongs to that shopper.
  await elsewhere.submit();
  const path = new URL(elsewhere.page.url()).pathname;
  const other = path.replace(elsewhere.shop.slug, portal.shop.slug);
  for (const [method, address] of [['GET', other], ['GET', `${other}/label.pdf`], ['POST', `${other}/cancel`]]) {
    expect((await raw.fetch(method, address)).status, address).toBe(404);
  }
  // In another shop, the session is unknown.
  expect((await raw.get(path)).heading).toBe('Start a return');
  await elsewhere.page.reload();
  await expect(elsewhere.heading).toHaveText('Your return is ready to send');
  await elsewhere.page.context().close();
  await raw.close();
});

test('a shipping option of another shop', async ({ page, portal, order, baseURL }) => {
  await portal.prove(order);
  await portal.choose('Linen shirt');
  const raw = await Raw.of(page, baseURL!);
  const fields = await fieldsOf(page);
  for (const shippingOption of ['0190a0a0-0000-7000-8000-000000000000', 'nonsense']) {
    const answer = await raw.post(portal.at('review'), { ...fields, shippingOption });
    expect(answer.heading).not.toBe('Your return is ready to send');
  }
  for (const draft of ['', 'nonsense', '0190a0a0-0000-7000-8000-000000000000']) {
    const answer = await raw.post(portal.at('review'), { ...fields, draft });
    expect(answer.heading, draft).toBe('Select items');
  }
  await raw.close();
  await portal.open('returns');
  await expect(portal.heading).toHaveText('You haven’t returned anything yet');
});

test('bodies that are too large or unreadable', async ({ page, portal, order, baseURL }) => {
  await portal.prove(order);
  const raw = await Raw.of(page, baseURL!);
  for (const path of ['', 'purchases', 'review']) {
    expect((await raw.postBytes(portal.at(path), `q=${'x'.repeat(2 * 1024 * 1024)}`)).status, path).toBe(413);
    expect((await raw.postBytes(portal.at(path), Buffer.from('orderNumber=%FF&email=\xff', 'latin1'))).status, path).toBe(400);
    expect((await raw.postBytes(portal.at(path), '{"orderNumber": 1}', 'application/json')).status, path).toBe(400);
    expect((await raw.postBytes(portal.at(path), '')).status, path).toBeLessThan(500);
  }
  for (const path of ['', 'purchases', 'review', 'returns']) {
    for (const method of ['PUT', 'DELETE', 'PATCH']) expect((await raw.fetch(method, portal.at(path))).status).toBe(405);
  }
  for (const path of ['purchases?q=%FF', 'review?draft=%FF', 'returns/%FF', 'purchases?q=%00', `purchases?q=${'x'.repeat(3000)}`]) {
    expect((await raw.get(portal.at(path))).status, path).toBeLessThan(500);
  }
  await raw.close();
});

test('many fields, a comment that is too long', async ({ page, portal, order, baseURL }) => {
  await portal.prove(order);
  await portal.row('Linen shirt').choose();
  await portal.row('Linen shirt').because(doesNotFit);
  const fields = await fieldsOf(page);
  const key = Object.keys(fields).find((name) => name.endsWith('.take'))!.split('.')[0];
  const raw = await Raw.of(page, baseURL!);
  const long = await raw.post(portal.at('purchases'), { ...fields, [`${key}.comment`]: 'é'.repeat(2001) });
  expect([long.status, long.text.includes('Keep it under 2,000 characters')]).toEqual([422, true]);
  expect(long.text).toContain('é'.repeat(2001));
  const extra = (length: number) => Object.fromEntries(Array.from({ length }, (_, index) => [`x${index}.take`, '1']));
  expect((await raw.post(portal.at('purchases'), { ...extra(10_000), ...fields })).status).toBe(400); // 10,000 are allowed
  expect((await raw.post(portal.at('purchases'), { ...extra(9_000), ...fields })).heading).toBe('Review your return');
  await raw.close();
});
