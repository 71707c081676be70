// Withdrawal from a contract: reachable from every page, sent once, acknowledged; with and without scripting.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { Api } from './support/api';
import { look } from './support/axe';
import { fieldsOf, Raw } from './support/raw';
import { expect, Portal, Shop, test } from './support/test';

interface Withdrawal {
  number: string;
  status: string;
  name: string;
  contract: string;
  email: string;
  language: string;
  returnOrderId: string | null;
}

const returnAddress = { name: 'Plain & Simple Returns', street: '1 Dock Road', postalCode: '1012 AB', city: 'Amsterdam', country: 'NL' };

/** A shop for this test, because one address may withdraw at most 20 times a day. */
class Withdrawing {
  private constructor(
    readonly page: Page,
    readonly portal: Portal,
    readonly api: Api,
  ) {}

  static async open(page: Page, policy: object = { returnAddress }): Promise<Withdrawing> {
    const shop = await Shop.open(policy);
    return new Withdrawing(page, new Portal(page, shop), await shop.api());
  }

  readonly confirmButton = () => this.page.getByRole('button', { name: 'Confirm withdrawal', exact: true });
  readonly atFoot = () => this.page.getByRole('contentinfo').getByRole('link', { name: 'Withdraw from contract here' });

  async type(name: string, contract: string, email: string): Promise<void> {
    await this.page.getByLabel('Your name').fill(name);
    await this.page.getByLabel('Order or items').fill(contract);
    await this.page.getByLabel('Email address').fill(email);
    await this.page.getByRole('button', { name: 'Continue', exact: true }).click();
  }

  async kept(): Promise<Withdrawal[]> {
    return (await this.api.get<{ data: Withdrawal[] }>('/withdrawals?orderBy=asc')).data;
  }
}

test('from the first page to the acknowledgement', async ({ page }, info) => {
  const withdrawing = await Withdrawing.open(page);
  const { portal } = withdrawing;
  await portal.open();
  await page.getByRole('main').getByRole('link', { name: 'Withdraw from contract here' }).click();
  await portal.isAt('withdraw');
  await expect(portal.heading).toHaveText('Withdraw from a contract');
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(3);
  await look(page, info, 'withdraw');

  await withdrawing.type('Ada Lovelace', 'Order 4711\nonly the linen shirt', 'ada@example.com');
  await portal.isAt('withdraw/confirm');
  expect(new URL(page.url()).search, 'nothing of it is in the address').toBe('');
  await expect(portal.heading).toHaveText('Review your withdrawal');
  for (const text of ['Ada Lovelace', 'Order 4711', 'only the linen shirt', 'ada@example.com']) {
    await expect(page.getByRole('main')).toContainText(text);
  }
  await expect(page.getByRole('main').getByRole('button')).toHaveText(['Confirm withdrawal']);
  expect(await withdrawing.kept()).toEqual([]);
  await look(page, info, 'withdraw-confirm');

  // Back to change something: the entries are there.
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByLabel('Your name')).toHaveValue('Ada Lovelace');
  await expect(page.getByLabel('Order or items')).toHaveValue('Order 4711\nonly the linen shirt');
  await withdrawing.type('Ada King', 'Order 4711\nonly the linen shirt', 'ada@example.com');
  await withdrawing.confirmButton().click();
  await portal.isAt('withdraw/done');
  await expect(portal.heading).toHaveText('Your withdrawal has been received');
  const [withdrawal] = await withdrawing.kept();
  expect(withdrawal).toMatchObject({ name: 'Ada King', contract: 'Order 4711\nonly the linen shirt', email: 'ada@example.com', language: 'en', status: 'Received' });
  expect(withdrawal.number).toMatch(/^W-[0-9A-HJKMNP-TV-Z]{8}$/);
  for (const text of [withdrawal.number, 'Ada King', 'Order 4711', '(UTC)', 'Plain & Simple']) {
    await expect(page.getByRole('main')).toContainText(text);
  }
  await look(page, info, 'withdraw-done');

  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download confirmation' }).click()]);
  expect(download.suggestedFilename()).toBe(`withdrawal-${withdrawal.number}.txt`);
  const file = readFileSync(await download.path(), 'utf8');
  expect(file.startsWith('\ufeff')).toBe(true);
  for (const text of [withdrawal.number, 'Ada King', 'only the linen shirt', 'ada@example.com', '(UTC)', 'Plain & Simple']) {
    expect(file).toContain(text);
  }
});

test('withdrawal is reachable from every page', async ({ page }) => {
  const withdrawing = await Withdrawing.open(page);
  const { portal } = withdrawing;
  const order = await portal.shop.order();
  await portal.prove(order);
  await expect(withdrawing.atFoot()).toBeVisible();
  await portal.choose('Linen shirt');
  await expect(withdrawing.atFoot()).toBeVisible();
  await portal.submit();
  await expect(withdrawing.atFoot()).toBeVisible();
  await portal.open('returns');
  await withdrawing.atFoot().click();
  await portal.isAt('withdraw');
  await expect(withdrawing.atFoot()).toHaveCount(0); // the link leads to this page
  await portal.open('no-such-page'); // an unknown page belongs to no shop
  await expect(portal.heading).toHaveText('Page not found');
});

test('sent twice, reloaded and revisited, it is one withdrawal', async ({ page, baseURL }) => {
  const withdrawing = await Withdrawing.open(page);
  const { portal } = withdrawing;
  await portal.open('withdraw');
  await withdrawing.type('Ada Lovelace', '4711', 'ada@example.com');
  await portal.isAt('withdraw/confirm');
  const fields = await fieldsOf(page);
  const raw = await Raw.of(page, baseURL!);
  await withdrawing.confirmButton().dblclick();
  await portal.isAt('withdraw/done');
  const answers = await Promise.all(Array.from({ length: 4 }, () => raw.post(portal.at('withdraw/confirm'), fields)));
  expect(answers.map((answer) => answer.heading)).toEqual(answers.map(() => 'Your withdrawal has been received'));
  await raw.close();
  const [{ number }] = await withdrawing.kept();
  await page.reload();
  await expect(page.getByRole('main')).toContainText(number);
  await page.goBack();
  await expect(page.getByRole('main')).toContainText(number);
  await portal.open('withdraw/confirm');
  await expect(page.getByRole('main')).toContainText(number);
  expect(await withdrawing.kept()).toHaveLength(1);
});

test('errors are named, and the entries stay', async ({ page }, info) => {
  const withdrawing = await Withdrawing.open(page);
  const { portal } = withdrawing;
  await portal.open('withdraw');
  await withdrawing.type('', '4711', 'nobody');
  await expect(portal.alert.getByRole('link')).toHaveText(['Enter your name', 'Enter an email address, e.g. name@example.com']);
  await expect(page).toHaveTitle(/^Error: /);
  await portal.alert.getByRole('link').first().click();
  await expect(page.getByLabel('Your name')).toBeFocused();
  await expect(page.getByLabel('Your name')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Order or items')).toHaveValue('4711');
  await expect(page.getByLabel('Email address')).toHaveValue('nobody');
  expect(page.url()).not.toContain('nobody');
  await look(page, info, 'withdraw-wrong');
});

test('long names and hostile text stay plain text', async ({ page }, info) => {
  const withdrawing = await Withdrawing.open(page);
  const { portal } = withdrawing;
  const name = `<script>document.title = 'owned'</script>${'Wolfeschlegelsteinhausenbergerdorff'.repeat(4)}`;
  const contract = `"><img src=x onerror="document.title='owned'">\n</textarea></dd>\n${'9'.repeat(300)}\n\u202emirrored\n=cmd|' /C calc'!A0`;
  const email = `${'a'.repeat(120)}'&{{b}}@example.com`;
  await portal.open('withdraw');
  await withdrawing.type(name, contract, email);
  await portal.isAt('withdraw/confirm');
  await expect(page.getByRole('main')).toContainText(name);
  await expect(page.getByRole('main')).toContainText('</textarea></dd>');
  await look(page, info, 'withdraw-confirm-hostile');
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByLabel('Order or items')).toHaveValue(contract);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await withdrawing.confirmButton().click();
  await portal.isAt('withdraw/done');
  await expect(page.getByRole('main')).toContainText(name);
  await expect(page).not.toHaveTitle(/owned/);
  await look(page, info, 'withdraw-done-hostile');
  expect(await withdrawing.kept()).toMatchObject([{ name, contract, email }]);
});

test('an expired session sends nothing and says so', async ({ page, context }, info) => {
  const withdrawing = await Withdrawing.open(page);
  const { portal } = withdrawing;
  await portal.open('withdraw');
  await withdrawing.type('Ada Lovelace', '4711', 'ada@example.com');
  await portal.isAt('withdraw/confirm');
  await context.clearCookies();
  await withdrawing.confirmButton().click();
  await expect(portal.notice).toContainText('Nothing has been sent yet');
  expect(await withdrawing.kept()).toEqual([]);
  await look(page, info, 'withdraw-lost');
});

test('the shopper returns the goods after the withdrawal, and the shop sees it', async ({ page }) => {
  const withdrawing = await Withdrawing.open(page);
  const { portal } = withdrawing;
  const order = await portal.shop.order();
  await portal.open('withdraw');
  await withdrawing.type('Ada Lovelace', `Order ${order.number}`, order.email);
  await withdrawing.confirmButton().click();
  await portal.isAt('withdraw/done');
  expect((await withdrawing.kept())[0].status).toBe('OrderFound');
  await page.getByRole('link', { name: 'Find my order' }).click();
  await portal.type(order);
  await portal.isAt('purchases');
  await portal.choose('Linen shirt');
  await portal.submit();
  const id = new URL(page.url()).pathname.split('/').pop();
  expect(await withdrawing.kept()).toMatchObject([{ status: 'Returned', returnOrderId: id }]);
});

test('each language has its own legal terms', async ({ page }, info) => {
  const withdrawing = await Withdrawing.open(page);
  const { portal } = withdrawing;
  for (const [language, withdraw, confirm] of [
    ['de', 'Vertrag widerrufen', 'Widerruf bestätigen'],
    ['es', 'Desistir del contrato aquí', 'Confirmar el desistimiento'],
    ['fr', 'Renoncer au contrat ici', 'Confirmer la rétractation'],
    ['it', 'Recedere dal contratto qui', 'Conferma il recesso'],
    ['nl', 'Herroep de overeenkomst hier', 'Bevestig de herroeping'],
    ['pl', 'Odstąp od umowy tutaj', 'Potwierdź odstąpienie'],
    ['ar', 'العدول عن العقد هنا', 'تأكيد العدول'],
  ]) {
    await page.goto(`${portal.at('')}?lang=${language}`);
    await page.getByRole('main').getByRole('link', { name: withdraw, exact: true }).click();
    await portal.isAt('withdraw');
    await page.locator('#name').fill('Zoë');
    await page.locator('#contract').fill(`4711 ${language}`);
    await page.locator('#email').fill('zoe@example.com');
    await page.locator('form.withdraw button').click();
    await portal.isAt('withdraw/confirm');
    await expect(page.getByRole('main').getByRole('button')).toHaveText([confirm]);
    if (language === 'ar') await look(page, info, 'withdraw-confirm-ar');
    await page.getByRole('main').getByRole('button').click();
    await portal.isAt('withdraw/done');
    await expect(page.getByRole('main')).toContainText('(UTC)');
  }
  expect((await withdrawing.kept()).map(({ language }) => language)).toEqual(['de', 'es', 'fr', 'it', 'nl', 'pl', 'ar']);
});

test('a shop without obligation has no withdrawal page', async ({ page }) => {
  const { portal } = await Withdrawing.open(page, { returnAddress, withdrawalFunction: false });
  await portal.open();
  await expect(page.getByRole('link', { name: 'Withdraw from contract here' })).toHaveCount(0);
  const answer = await page.goto(portal.at('withdraw'));
  expect(answer!.status()).toBe(404);
});
