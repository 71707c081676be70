// Response headers and cookies.
import { brotliDecompressSync } from 'node:zlib';
import { Raw } from './support/raw';
import { expect, test } from './support/test';

const personal = ['purchases', 'review', 'returns'];

test('pages have a content security policy', async ({ page, portal, order, baseURL }) => {
  await portal.find(order);
  await portal.choose('Linen shirt');
  const raw = await Raw.of(page, baseURL!);
  const nonces = new Set<string>();
  for (const path of ['', ...personal, 'returns/0190a0a0-0000-7000-8000-000000000000', 'no/such/page']) {
    const { headers, text } = await raw.get(portal.at(path));
    const policy = headers['content-security-policy'];
    const directives = new Map(policy.split(';').map((directive) => directive.trim().split(/\s+(.*)/s).slice(0, 2) as [string, string]));
    expect(policy, path).not.toMatch(/unsafe-inline|unsafe-eval(?<!wasm-unsafe-eval)|\*|data:|http:/);
    expect(directives.get('default-src')).toBe("'none'");
    expect(directives.get('frame-ancestors')).toMatch(/^'(none|self)'$/);
    expect(directives.get('base-uri')).toBe("'none'");
    expect(directives.get('form-action')).toBe("'self'");
    const nonce = /'nonce-([^']+)'/.exec(policy)![1];
    expect(nonce.length).toBeGreaterThanOrEqual(16);
    nonces.add(nonce);
    for (const [, attributes] of text.matchAll(/<(?:script|style)\b([^>]*)>/g)) expect(attributes).toContain(`nonce="${nonce}"`);
    expect(text).not.toMatch(/ style="| on\w+="|javascript:/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toMatch(/same-origin|strict-origin/);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control'], path).toContain('no-store');
  }
  expect(nonces.size).toBe(3 + personal.length);
  await raw.close();
});

test('the label is as private as its page', async ({ page, portal, order, baseURL }) => {
  await portal.return(order, 'Linen shirt');
  const raw = await Raw.of(page, baseURL!);
  const label = await raw.get(`${new URL(page.url()).pathname}/label.pdf`);
  expect(label.headers['content-type']).toBe('application/pdf');
  expect(label.headers['cache-control']).toContain('no-store');
  expect(label.headers['x-content-type-options']).toBe('nosniff');
  await raw.close();
  const stranger = await Raw.stranger(baseURL!);
  expect((await stranger.get(`${new URL(page.url()).pathname}/label.pdf`)).headers['content-type']).toContain('text/html');
  await stranger.close();
});

test('no cookie before one is needed, and then a safe one', async ({ page, portal, order, context }) => {
  await portal.open();
  await page.goto('/no-such-shop');
  await portal.open('purchases');
  expect(await context.cookies()).toEqual([]);
  await portal.type({ ...order, email: 'somebody@example.com' });
  await expect(portal.alert).toBeVisible();
  const [before] = await context.cookies();
  await portal.type(order);
  await portal.isAt('purchases');
  const cookies = await context.cookies();
  expect(cookies).toHaveLength(1);
  expect(cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
  // A cookie that somebody planted before must not be adopted.
  expect(cookies[0].value).not.toBe(before.value);
  expect(await page.evaluate(() => document.cookie)).toBe('');
  expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(portal.notice).toContainText('You’re signed out');
  expect(await context.cookies()).toEqual([]);
});

test('an old cookie does not work after leaving', async ({ page, portal, order, baseURL }) => {
  await portal.find(order);
  const raw = await Raw.of(page, baseURL!);
  expect((await raw.get(portal.at('purchases'))).heading).toBe('Select items');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(portal.notice).toContainText('You’re signed out');
  expect((await raw.get(portal.at('purchases'))).heading).toBe('Start a return');
  await raw.close();
});

test('no personal data in any URL', async ({ page, portal, order }) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url(), request.headers().referer ?? ''));
  await portal.open();
  await portal.type({ ...order, number: 'T-WRONG' });
  await expect(portal.alert).toBeVisible();
  await portal.type(order);
  await portal.row('Linen shirt').choose();
  await portal.row('Linen shirt').note('My back hurts');
  await portal.continue.click();
  await portal.choose('Linen shirt');
  const number = await portal.submit();
  await portal.open('returns');
  const said = decodeURIComponent(addresses.join('\n')).toLowerCase();
  for (const secret of [order.email, order.number, 'T-WRONG', 'back hurts', number]) expect(said).not.toContain(secret.toLowerCase());
});

test('a form from another website is rejected', async ({ page, portal, order, baseURL }) => {
  await portal.find(order);
  const raw = await Raw.of(page, baseURL!);
  const form = { orderNumber: order.number, email: order.email };
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'https://evil.example' }, { origin: 'null' }] as Record<string, string>[]) {
    for (const path of ['', 'purchases', 'review', 'leave']) {
      const answer = await raw.post(portal.at(path), form, headers);
      expect([answer.status, answer.heading], `${path} ${JSON.stringify(headers)}`).toEqual([403, 'Please use the form on this site']);
    }
  }
  // A link from an e-mail is not a form, so it works.
  expect((await raw.get(portal.at('purchases'))).status).toBe(200);
  await raw.close();
  await page.reload();
  await expect(portal.heading).toHaveText('Select items');
});

test('static files are immutable, precompressed and small', async ({ page, portal, order, baseURL, scripting }) => {
  const files = new Set<string>();
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/pkg/')) files.add(new URL(request.url()).pathname);
  });
  await portal.find(order);
  if (scripting) await expect.poll(() => [...files].some((file) => file.endsWith('.wasm'))).toBe(true);
  expect([...files].filter((file) => file.endsWith('.css'))).toHaveLength(1);
  let scripts = 0;
  for (const file of files) {
    const { status, headers, bytes } = await compressed(`${baseURL}${file}`);
    expect(status).toBe(200);
    expect(headers.get('content-encoding'), file).toBe('br');
    expect(headers.get('cache-control'), file).toMatch(/max-age=31536000.*immutable|immutable.*max-age=31536000/);
    expect(headers.get('vary')?.toLowerCase(), file).toContain('accept-encoding');
    expect(headers.get('x-content-type-options'), file).toBe('nosniff');
    expect(headers.get('content-type')).toMatch(/^(text\/css|text\/javascript|application\/javascript|application\/wasm)/);
    expect(brotliDecompressSync(bytes).length).toBeGreaterThan(bytes.length);
    if (!file.endsWith('.css')) scripts += bytes.length;
  }
  expect(scripts).toBeLessThanOrEqual(125_000); // docs/performance.md lists them
  const missing = await fetch(`${baseURL}/pkg/retour.0000.js`);
  expect(missing.status).toBe(404);
  expect(missing.headers.get('cache-control') ?? '').not.toContain('immutable');
});

/** A file as it is transferred; `fetch` would decompress it. */
async function compressed(url: string): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(url, { headers: { 'accept-encoding': 'br, gzip' } }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk as Buffer);
      const headers = new Headers(response.headers as Record<string, string>);
      resolve({ status: response.statusCode!, headers, bytes: Buffer.concat(chunks) });
    }).on('error', reject);
  });
}
