// Passkeys at the desk, with Chromium's own virtual authenticator.
import type { CDPSession, Page } from '@playwright/test';
import { look } from './support/axe';
import { Desk, person } from './support/desk';
import { expect, test } from './support/test';

// Browsers have no passkeys for a bare address.
const url = process.env.RETOUR_URL?.replace('127.0.0.1', 'localhost');
test.use({ baseURL: url });

/** Gives the page an authenticator that verifies its person by itself. */
async function authenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
  return { cdp, authenticatorId };
}

async function add(desk: Desk, name: string): Promise<void> {
  await desk.ready();
  await desk.page.getByLabel('Name of the new passkey').fill(name);
  await desk.page.getByRole('button', { name: 'Add a passkey' }).click();
}

async function signOut(desk: Desk): Promise<void> {
  await desk.page.locator('.person > summary').click();
  await desk.page.getByRole('button', { name: 'Sign out' }).click();
  await expect(desk.heading).toHaveText('Sign in');
}

test('a passkey is added, signs in, proves again and is removed @scripting', async ({ page, browser }, info) => {
  const desk = new Desk(page);
  const kari = await person();
  const { cdp, authenticatorId } = await authenticator(page);
  await desk.signIn(kari);
  await expect(page.getByText('You have no passkey yet.')).toBeVisible();
  await add(desk, 'Work laptop');
  await expect(desk.heading).toHaveText('Save your recovery codes');
  expect(await page.locator('.door-codes code').count()).toBe(10);
  const [recovery] = await page.locator('.door-codes code').allTextContents();
  await page.getByRole('link', { name: 'I have saved them' }).click();
  await expect(page.getByRole('link', { name: 'Remove the passkey Work laptop' })).toBeVisible();
  await desk.ready();
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeVisible();
  await look(page, info, 'desk-passkeys');
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId });
  expect(credentials.map(({ rpId, isResidentCredential }) => [rpId, isResidentCredential])).toEqual([['localhost', true]]);

  // The same authenticator is not added twice.
  await add(desk, 'Again');
  await expect(page.getByRole('status').filter({ hasText: 'No passkey was used.' })).toBeVisible();

  await signOut(desk);
  await desk.ready();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible();
  await look(page, info, 'desk-sign-in-passkey');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(/\/desk$/);

  // The password alone does not sign in any more: the passkey is the second factor.
  await signOut(desk);
  await page.getByLabel('Email address').fill(kari.email);
  await page.getByLabel('Password').fill(kari.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(desk.heading).toHaveText('Enter your code');
  await desk.ready();
  await look(page, info, 'desk-code-passkey');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(/\/desk$/);

  // Without the passkey, a recovery code signs in.
  const elsewhere = await browser.newContext({ baseURL: url });
  const other = new Desk(await elsewhere.newPage());
  await other.open('me');
  await other.page.getByLabel('Email address').fill(kari.email);
  await other.page.getByLabel('Password').fill(kari.password);
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.page.getByLabel('Recovery code').fill(recovery!);
  await other.page.getByRole('button', { name: 'Continue' }).click();
  await expect(other.heading).toHaveText('Your settings');
  await elsewhere.close();

  await desk.open('me');
  await page.getByRole('link', { name: 'Rename the passkey Work laptop' }).click();
  await page.getByLabel('Name of the passkey').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(desk.alert).toBeVisible();
  await page.getByLabel('Name of the passkey').fill('Home laptop');
  await look(page, info, 'desk-passkey-rename');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The passkey is renamed.')).toBeVisible();
  await page.getByRole('link', { name: 'Remove the passkey Home laptop' }).click();
  await expect(desk.heading).toHaveText('Remove a passkey?');
  await look(page, info, 'desk-passkey-remove');
  await page.getByRole('button', { name: 'Remove the passkey' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Your passkey is removed.' })).toBeVisible();
  await expect(page.getByText('You have no passkey yet.')).toBeVisible();

  await signOut(desk);
  await desk.ready();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(desk.alert).toContainText('This passkey was not accepted.');
  await desk.signIn(kari);
});

test('a page that proves again takes a passkey @scripting', async ({ page }, info) => {
  const desk = new Desk(page);
  const kari = await person('admin');
  await authenticator(page);
  await desk.signIn(kari);
  await add(desk, '');
  await page.getByRole('link', { name: 'I have saved them' }).click();
  await desk.open('confirm?next=%2Fdesk%2Fpeople');
  await expect(desk.heading).toHaveText('Confirm that it is you');
  await desk.ready();
  await look(page, info, 'desk-confirm-passkey');
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(/\/desk\/people$/);
});

test('an answer counts once, and only for this website @scripting', async ({ page }) => {
  const desk = new Desk(page);
  const kari = await person();
  await authenticator(page);
  await desk.signIn(kari);
  await add(desk, 'Work laptop');
  await page.getByRole('link', { name: 'I have saved them' }).click();
  await signOut(desk);
  await desk.ready();
  const sent = page.waitForRequest((request) => request.url().endsWith('/call/sign-in-with-passkey'));
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  const form = new URLSearchParams((await sent).postData()!);
  await expect(page).toHaveURL(/\/desk$/);
  await signOut(desk);

  const send = async (passkey: string) => {
    const headers = { Accept: 'application/json', Origin: url! };
    const answer = await page.request.post('/desk/call/sign-in-with-passkey', { form: { passkey, next: '' }, headers });
    return { status: answer.status(), text: await answer.text() };
  };
  const replayed = await send(form.get('passkey')!);
  expect(replayed.status).toBe(409);
  expect(replayed.text).toContain('This passkey was not accepted.');

  // What another website made the person sign. The challenge is fresh.
  const begun = await page.request.post('/desk/call/begin-passkey', { headers: { Accept: 'application/json', Origin: url! }, form: {} });
  const { challenge } = JSON.parse((await begun.json()).options);
  const answer = JSON.parse(form.get('passkey')!);
  const clientData = { type: 'webauthn.get', challenge, origin: 'https://desk.example.com', crossOrigin: false };
  answer.response.clientDataJSON = Buffer.from(JSON.stringify(clientData)).toString('base64url');
  expect((await send(JSON.stringify(answer))).status).toBe(409);
});

test.describe('at a bare address', () => {
  test.use({ baseURL: process.env.RETOUR_URL });

  test('nothing of passkeys is offered', async ({ page, scripting }) => {
    const desk = new Desk(page);
    await desk.open('sign-in');
    if (scripting) await desk.ready();
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden();
  });
});
