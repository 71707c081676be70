// The desk's door: passwords, codes, proofs, sessions, and a person's own settings.
import { look } from './support/axe';
import { Desk, person, totp } from './support/desk';
import { linkIn, waitForMails } from './support/mail';
import { expect, test } from './support/test';

test('a person signs in, changes how the desk looks, and signs out', async ({ page }, info) => {
  const desk = new Desk(page);
  const kari = await person();
  await desk.open('me');
  await expect(desk.heading).toHaveText('Sign in');
  await look(page, info, 'desk-sign-in');

  await page.getByLabel('Email address').fill(kari.email);
  await page.getByLabel('Password').fill('wrong horse battery');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(desk.alert).toContainText('The email address or the password is wrong.');
  await expect(page.getByLabel('Email address')).toHaveValue(kari.email);
  await expect(page.getByLabel('Password')).toHaveValue('');
  await look(page, info, 'desk-sign-in-wrong');

  await page.getByLabel('Password').fill(kari.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(/\/desk\/me$/);
  await expect(desk.heading).toHaveText('Your settings');
  await expect(page).toHaveTitle('Your settings – Desk');
  await look(page, info, 'desk-me');

  await page.getByLabel('Rows').selectOption('Comfortable');
  await page.getByLabel('Time zone').fill('Europe/Atlantis');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(desk.alert).toContainText('There is no such time zone');
  await expect(page.getByLabel('Rows')).toHaveValue('comfortable');
  await page.getByLabel('Time zone').fill('Europe/Oslo');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Your settings are saved.' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-density', 'comfortable');
  await look(page, info, 'desk-me-comfortable');

  await page.locator('.person > summary').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'You are signed out.' })).toBeVisible();
  await desk.open('me');
  await expect(desk.heading).toHaveText('Sign in');
});

test('an authenticator app is set up, asked for, and replaced by a recovery code', async ({ page, browser, javaScriptEnabled }, info) => {
  const desk = new Desk(page);
  const kari = await person('finance');
  await desk.signIn(kari);
  await page.getByRole('link', { name: 'Set up an app' }).click();
  await expect(desk.heading).toHaveText('Set up an authenticator app');
  await look(page, info, 'desk-app-start');
  await page.getByRole('button', { name: 'Set it up' }).click();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await look(page, info, 'desk-app');
  const secret = (await page.locator('.door-secret').textContent())!;

  await page.getByLabel('Code that the app shows now').fill('000000');
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await expect(desk.alert).toContainText('This code is wrong');
  await expect(page.locator('.door-secret')).toHaveText(secret);
  await page.getByLabel('Code that the app shows now').fill(totp(secret));
  await page.getByRole('button', { name: 'Turn it on' }).click();
  await expect(desk.heading).toHaveText('Save your recovery codes');
  await look(page, info, 'desk-recovery-codes');
  const recovery = await page.locator('.door-codes code').allTextContents();
  expect(new Set(recovery).size).toBe(10);
  await page.getByRole('link', { name: 'I have saved them' }).click();
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
  await look(page, info, 'desk-me-app');

  const elsewhere = await browser.newContext({ javaScriptEnabled, baseURL: process.env.RETOUR_URL });
  const other = new Desk(await elsewhere.newPage());
  await other.open('me');
  await other.page.getByLabel('Email address').fill(kari.email);
  await other.page.getByLabel('Password').fill(kari.password);
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(other.heading).toHaveText('Enter your code');
  await other.open('me');
  await expect(other.heading).toHaveText('Enter your code');
  await look(other.page, info, 'desk-code');
  await other.page.getByLabel('Code', { exact: true }).fill('000000');
  await other.page.getByRole('button', { name: 'Continue' }).click();
  await expect(other.alert).toContainText('This code is wrong');
  await other.page.getByLabel('Code', { exact: true }).fill(recovery[0]!);
  await other.page.getByRole('button', { name: 'Continue' }).click();
  await expect(other.page).toHaveURL(/\/desk\/me$/);
  await expect(other.page.getByText('9 recovery codes are left.')).toBeVisible();

  // The first browser ends the other's session.
  await desk.open('me');
  await page.getByRole('button', { name: 'End all others' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'All other sessions have ended.' })).toBeVisible();
  await other.open('me');
  await expect(other.page.getByText('Your session has ended. Sign in to continue.')).toBeVisible();
  await elsewhere.close();
});

test('a forgotten password is set by a link in mail, once', async ({ page }, info) => {
  const desk = new Desk(page);
  const kari = await person();
  await desk.open('sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await look(page, info, 'desk-forgotten');
  await page.getByLabel('Email address').fill(kari.email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(desk.heading).toHaveText('Check your email');
  await look(page, info, 'desk-forgotten-sent');

  const [mail] = await waitForMails(kari.email);
  const link = linkIn(mail!, '/desk/password');
  await page.goto(link);
  await look(page, info, 'desk-password');
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(desk.alert).toBeVisible();
  await page.getByLabel('New password').fill('a new horse battery staple');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Your password is set.' })).toBeVisible();
  await desk.signIn({ ...kari, password: 'a new horse battery staple' });
  await page.goto(link);
  await page.getByLabel('New password').fill('yet another horse battery');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(desk.heading).toHaveText('This link does not work any more');
  await look(page, info, 'desk-link-over');
});

test('error pages of the desk', async ({ page }, info) => {
  const desk = new Desk(page);
  await desk.signIn(await person('viewer'));
  await desk.open('no/such/page');
  await expect(desk.heading).toHaveText('Page not found');
  await look(page, info, 'desk-not-found');
});

test('the desk is used by keyboard alone @scripting', async ({ page }, info) => {
  const desk = new Desk(page);
  const kari = await person();
  await desk.open('me');
  await page.getByLabel('Email address').focus();
  await page.keyboard.type(kari.email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(kari.password);
  await page.keyboard.press('Enter');
  await expect(desk.heading).toHaveText('Your settings');
  await desk.ready();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await look(page, info, 'desk-keys');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // Inside a field, a key types.
  await page.getByLabel('Time zone').focus();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByLabel('Time zone')).toHaveValue('?');
  await page.getByLabel('Time zone').fill('');

  await page.getByRole('combobox', { name: 'Keyboard shortcuts' }).selectOption('Off');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'saved' })).toBeVisible();
  await desk.ready();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
