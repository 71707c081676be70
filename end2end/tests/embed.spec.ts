// The portal in a page of the shop, on two origins: support/site.ts.
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type BrowserContext, type FrameLocator, type Locator, type Page } from '@playwright/test';
import { wholeBrowser } from '../playwright.config';
import { picture } from './support/axe';
import { html, setting, Site, type Setting } from './support/site';
import { expect, Portal, Shop, test } from './support/test';
import type { Order } from './support/shop';

const told = (page: Page): Promise<[string, Record<string, string>][]> => page.evaluate('told');
const frameOf = (page: Page): FrameLocator => page.frameLocator('iframe[title="Returns"]');

async function find(frame: FrameLocator, { number, email }: Order): Promise<void> {
  await frame.getByLabel('Order number').fill(number);
  await frame.getByLabel('Email address').fill(email);
  await frame.getByRole('button', { name: 'Find my order' }).click();
}

/** Waits for the style sheet, which hides one of two buttons. */
async function loaded(frame: FrameLocator): Promise<void> {
  await frame.locator('body').evaluate(() => document.readyState === 'complete' || new Promise((done) => addEventListener('load', done)));
}

async function choose(frame: FrameLocator): Promise<void> {
  // While the frame adapts its height, elements move, and a click may miss its target.
  await expect(() => frame.getByRole('checkbox', { name: 'Linen shirt', exact: true }).check({ timeout: 5_000 })).toPass();
  await frame.locator('.chip:visible', { hasText: 'Doesn’t fit' }).click();
  await frame.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Review your return');
  await loaded(frame);
}

/** Clicks until a tab opens: a click misses its target while the frame changes its height or the page scrolls. */
async function opened(context: BrowserContext, target: Locator): Promise<Page> {
  let tab: Page | undefined;
  await expect(async () => {
    [tab] = await Promise.all([context.waitForEvent('page', { timeout: 10_000 }), target.click({ timeout: 5_000 })]);
  }).toPass();
  return tab!;
}

/** The frame is as high as its content: only the shop's page scrolls. */
async function fits(page: Page): Promise<void> {
  const frame = page.frames().find((one) => one !== page.mainFrame())!;
  await expect
    .poll(() => frame.evaluate(() => Math.abs(document.body.getBoundingClientRect().height - innerHeight)), { message: 'height' })
    .toBeLessThan(2);
}

test('a whole return in a page of the shop @scripting', async ({ page, baseURL, elsewhere }, info) => {
  const data = ({ number, email }: Order) => ({ 'order-number': number, email });
  await setting(baseURL!, {}, async ({ shop, order, site }) => {
    elsewhere.push(site.origin);
    await page.goto(site.origin);
    const frame = frameOf(page);
    const heading = frame.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText('Start a return');
    await expect(page.getByRole('link', { name: 'Return something' })).toHaveCount(0);
    await fits(page);
    await picture(page, info, 'embedded-look-up');
    // The form is filled in with the page's data, and is not submitted automatically.
    await expect(frame.getByLabel('Order number')).toHaveValue(order.number);
    await expect(frame.getByLabel('Email address')).toHaveValue(order.email);
    await expect(frame.getByText('Opens in a new tab')).toBeHidden();
    await frame.getByRole('button', { name: 'Find my order' }).click();
    await expect(heading).toHaveText('Select items');
    await fits(page);
    // The start of the new page is in view without scrolling.
    await expect.poll(() => page.locator('iframe').evaluate((one) => one.getBoundingClientRect().top)).toBeGreaterThanOrEqual(-1);
    await picture(page, info, 'embedded-choose');
    await choose(frame);
    await fits(page);
    await frame.getByRole('button', { name: 'Get my label' }).click();
    await expect(frame.getByRole('link', { name: 'Download my label' })).toBeVisible();
    await fits(page);
    await picture(page, info, 'embedded-return');
    await fits(page);
    const label = frame.getByRole('link', { name: 'Download my label' });
    const [download] = await Promise.all([page.waitForEvent('download'), label.click()]);
    expect(readFileSync(await download.path()).subarray(0, 5).toString()).toBe('%PDF-');

    const id = /returns\/([0-9a-f-]{36})/.exec(page.frames()[1].url())![1];
    const steps = await told(page);
    expect(steps.map(([type, { step }]) => step ?? type)).toEqual(['look-up', 'choose', 'review', 'return', 'completed']);
    expect(steps.slice(-2).map(([, { returnOrderId }]) => returnOrderId)).toEqual([id, id]);
    const cookies = await page.context().cookies(baseURL!);
    expect(cookies.map(({ name }) => name).sort()).toEqual(['retour-embedded', 'retour-lang', 'retour-probe']);
    for (const cookie of cookies) expect(cookie).toMatchObject({ secure: true, sameSite: 'None', partitionKey: 'http://localhost' });

    // Showing the page again does not complete the return again.
    await frame.getByRole('link', { name: 'My returns' }).click();
    await frame.getByRole('main').getByRole('listitem').getByRole('link').first().click();
    await expect(frame.getByRole('link', { name: 'Download my label' })).toBeVisible();
    expect((await told(page)).filter(([type]) => type === 'completed')).toHaveLength(1);
    // Outside of the shop's page there is no session.
    const tab = await page.context().newPage();
    await tab.goto(`${baseURL}/${shop.slug}/returns`);
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Start a return');
  }, data);
});

test('a page that scrolls before the portal is there sends it nothing @scripting', async ({ page, baseURL, elsewhere }) => {
  await setting(baseURL!, {}, async ({ shop, site }) => {
    elsewhere.push(site.origin);
    await page.addInitScript(() => setInterval(() => dispatchEvent(new Event('scroll')), 5));
    await page.route(`${baseURL}/${shop.slug}*`, async (route) => {
      await page.waitForTimeout(300); // the frame is still empty, and of the shop's origin
      await route.continue();
    });
    await page.goto(site.origin);
    await expect(frameOf(page).getByRole('heading', { level: 1 })).toHaveText('Start a return');
  }); // the fixture `quiet` fails the test if the browser complains
});

test('the bottom bar stays in view while the shop’s page scrolls @scripting', async ({ page, baseURL, elsewhere }, info) => {
  test.skip(!info.project.name.startsWith('phone'), 'on a desk it stands beside');
  await setting(baseURL!, {}, async ({ order, site }) => {
    elsewhere.push(site.origin);
    await page.goto(site.origin);
    const frame = frameOf(page);
    await find(frame, order);
    await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Select items');
    await fits(page);
    const go = frame.getByRole('button', { name: 'Continue', exact: true });
    const height = page.viewportSize()!.height;
    for (const down of [0, 150, 400]) {
      await page.evaluate((down) => scrollTo(0, document.querySelector('iframe')!.offsetTop + down), down);
      await expect.poll(async () => { const box = (await go.boundingBox())!; return box.y >= 0 && box.y + box.height <= height; }, { message: `${down}` }).toBe(true);
    }
    await page.screenshot({ path: info.outputPath('bar.png') });
  });
});

test('a website that is not listed cannot embed the portal, but its link works', async ({ page, baseURL, elsewhere, scripting }) => {
  const shop = await Shop.open();
  const site = await Site.open(() => html(baseURL!, shop.slug, {}));
  try {
    const api = await shop.api();
    await api.patch('/account', { branding: { embedOrigins: ['https://shop.example'] } });
    elsewhere.push(site.origin);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    const answer = await page.request.get(`${baseURL}/${shop.slug}`, { headers: { 'sec-fetch-dest': 'iframe' } });
    expect(answer.headers()['content-security-policy']).toContain('frame-ancestors https://shop.example;');
    if (!scripting) {
      await page.goto(site.origin);
      await page.getByRole('link', { name: 'Return something' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Start a return');
      return;
    }
    // In a page without the check for console errors: here the browser's refusal is expected.
    const other = await page.context().newPage();
    other.on('console', (message) => complaints.push(message.text()));
    await other.goto(site.origin);
    await expect.poll(() => complaints.join('\n')).toContain('frame-ancestors');
    await expect(other.locator('iframe')).toBeHidden();
    await other.getByRole('link', { name: 'Return something' }).click();
    await expect(other.getByRole('heading', { level: 1 })).toHaveText('Start a return');
  } finally {
    await site.close();
  }
});

test('forms from other websites are rejected, also from websites that may embed the portal @scripting', async ({ context, baseURL }) => {
  await setting(baseURL!, {}, async ({ shop, order, site }) => {
    const page = await context.newPage(); // the browser logs the refusal
    await page.goto(site.origin);
    await expect(frameOf(page).getByLabel('Order number')).toBeVisible();
    for (const path of ['', '/purchases', '/review', '/leave', '/withdraw']) {
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'POST'),
        page.evaluate(
          ({ action, fields }) => {
            // A new frame each time: the last one may still process its refusal.
            const form = Object.assign(document.createElement('form'), { method: 'post', action, target: action });
            for (const [name, value] of Object.entries(fields)) form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
            const there = Object.assign(document.createElement('iframe'), { name: action });
            document.body.append(there, form);
            form.submit();
          },
          { action: `${baseURL}/${shop.slug}${path}`, fields: { orderNumber: order.number, email: order.email } },
        ),
      ]);
      expect(answer.status(), path).toBe(403);
    }
  });
});

/** A separate browser with special settings. */
async function browser(args: string[], preferences: object, use: (context: BrowserContext) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'retour-browser-'));
  const { launchOptions } = test.info().project.use;
  try {
    await mkdir(join(folder, 'Default'));
    await writeFile(join(folder, 'Default', 'Preferences'), JSON.stringify(preferences));
    const { args: usual = [], ...options } = launchOptions ?? {};
    const executablePath = wholeBrowser; // a browser without profiles ignores the preferences
    const context = await chromium.launchPersistentContext(folder, { ...options, executablePath, args: [...usual, ...args], locale: 'en-GB' });
    try {
      await use(context);
    } finally {
      await context.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

test('if third-party cookies are blocked, partitioned cookies work @scripting', async ({ baseURL }) => {
  test.skip(test.info().project.name !== 'desktop', 'once is enough');
  await setting(baseURL!, {}, async ({ order, site }) => {
    const preferences = { profile: { cookie_controls_mode: 1, block_third_party_cookies: true } };
    await browser(['--test-third-party-cookie-phaseout'], preferences, async (context) => {
      const page = await context.newPage();
      await page.goto(site.origin);
      const frame = frameOf(page);
      await find(frame, order);
      await choose(frame);
      await frame.getByRole('button', { name: 'Get my label' }).click();
      await expect(frame.getByRole('link', { name: 'Download my label' })).toBeVisible();
    });
  });
});

test('if frames have no cookies, the portal continues in a tab of its own and nothing is lost @scripting', async ({ baseURL }, info) => {
  test.skip(info.project.name !== 'desktop', 'once is enough');
  await setting(baseURL!, {}, async ({ shop, order, site }) => {
    // No cookies of the portal in the shop's pages, not even partitioned ones.
    const exceptions = { cookies: { 'http://127.0.0.1,http://localhost': { setting: 2 } } };
    await browser([], { profile: { content_settings: { exceptions } } }, async (context) => {
      const page = await context.newPage();
      await page.goto(site.origin);
      const frame = frameOf(page);
      await expect(frame.getByText('Opens in a new tab')).toBeVisible();
      await picture(page, info, 'embedded-no-cookies');
      await fits(page); // taking the screenshot scrolled it
      await frame.getByLabel('Order number').fill(order.number);
      await frame.getByLabel('Email address').fill(order.email);
      const tab = await opened(context, frame.getByRole('button', { name: 'Find my order' }));
      await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Select items');
      // The same without the script's announcement.
      await page.reload();
      await frame.locator('form.lookup').evaluate((form) => form.removeAttribute('target'));
      await find(frame, order);
      await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Continue in a new tab');
      await picture(page, info, 'embedded-own-tab');
      await fits(page); // taking the screenshot scrolled it
      const other = await opened(context, frame.getByRole('button', { name: 'Continue in a new tab' }));
      await expect(other.getByRole('heading', { level: 1 })).toHaveText('Select items');
      expect(other.url()).toBe(`${baseURL}/${shop.slug}/purchases`);
    });
  });
});

test('a payment opens a tab of its own, and the shop’s page continues automatically @scripting', async ({ page, baseURL, elsewhere }, info) => {
  const policy = { feeCollection: 'prepay', requestFee: [{ value: '4.95', currency: 'GBP' }] };
  await setting(baseURL!, policy, async ({ shop, order, site }) => {
    const api = await shop.api();
    await api.patch('/account', { payment: { kind: 'simulated' } });
    elsewhere.push(site.origin);
    await page.goto(site.origin);
    const frame = frameOf(page);
    await find(frame, order);
    await choose(frame);
    await frame.getByRole('button', { name: 'Continue to payment' }).click();
    const tab = await opened(page.context(), frame.getByRole('link', { name: 'Pay £4.95' }));
    await tab.getByRole('button', { name: 'Pay £4.95' }).click();
    await expect(tab.getByRole('heading', { level: 1 })).toHaveText('Thank you');
    await picture(tab, info, 'paid-elsewhere');
    await expect(frame.getByRole('link', { name: 'Download my label' })).toBeVisible();
  });
});

test('every step has the language of the shop’s page @scripting', async ({ page, baseURL, elsewhere }) => {
  await setting(baseURL!, {}, async ({ order, site }) => {
    elsewhere.push(site.origin);
    await page.goto(site.origin);
    const frame = frameOf(page);
    await expect(frame.locator('html')).toHaveAttribute('lang', 'pl');
    await frame.getByLabel('Numer zamówienia').fill(order.number);
    await frame.getByLabel('Adres e-mail').fill(order.email);
    await frame.getByRole('button', { name: 'Znajdź moje zamówienie' }).click();
    await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Wybierz produkty');
    await expect(frame.getByRole('navigation', { name: 'Język' })).toHaveCount(0); // the page sets the language
  }, () => ({ lang: 'pl-PL' }));
});

test('on the same site, a frame uses its own session @scripting', async ({ page, baseURL, elsewhere }) => {
  const damaged = 'Damaged or faulty';
  const use = async ({ shop, order, site }: Setting) => {
    const api = await shop.api();
    const { data } = await api.get<{ data: { id: string; description: { en: string } }[] }>('/return-reasons');
    await api.patch(`/return-reason/${data.find(({ description }) => description.en === damaged)!.id}`, { evidence: 'required' });
    elsewhere.push(site.origin);
    // The shopper has used the portal itself before, with another order: the browser sends that cookie too.
    await new Portal(page, shop).find(await shop.order());
    await page.goto(site.origin);
    const frame = frameOf(page);
    await find(frame, order);
    await frame.getByRole('checkbox', { name: 'Linen shirt', exact: true }).check();
    await frame.locator('.chip:visible', { hasText: damaged }).click();
    await frame.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(frame.getByRole('heading', { level: 1 })).toHaveText('A few more details');
    await loaded(frame);
    await frame.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Review your return');
    await loaded(frame);
    await frame.getByRole('button', { name: 'Request return' }).click();
    await expect(frame.getByRole('heading', { level: 1 })).toHaveText('We need a photo');
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    await frame.getByLabel('Photos of Linen shirt').setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(dot, 'base64') });
    await frame.getByRole('button', { name: 'Upload photos' }).click();
    await expect(frame.getByText('We’ve received your photos')).toBeVisible();
    await frame.getByText('Add photos').click();
    const shown = frame.getByRole('img', { name: 'Photo 1' });
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  };
  await setting(baseURL!, {}, use, undefined, '127.0.0.1');
});
