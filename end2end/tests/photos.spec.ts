// Required and voluntary photos: from the return's page to the merchant, with and without scripting.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Api } from './support/api';
import { look } from './support/axe';
import { photographs } from './support/photos';
import { expect, Portal, Shop, test } from './support/test';

interface Evidence {
  name: string;
  mediaType: string;
}

interface Request {
  stage: string;
  evidence: Evidence[];
}

/** A shop that requires photos of damage, and a return of two damaged items. */
async function asked(page: Page): Promise<{ api: Api; portal: Portal; requests: () => Promise<Request[]> }> {
  const shop = await Shop.open();
  const api = await shop.api();
  const { data } = await api.get<{ data: { id: string; description: Record<string, string> }[] }>('/return-reasons');
  const damaged = data.find(({ description }) => description.en === 'Damaged or faulty')!;
  await api.patch(`/return-reason/${damaged.id}`, { evidence: 'required' });
  const order = await shop.order();
  const portal = new Portal(page, shop);
  await portal.prove(order);
  for (const name of ['Linen shirt', 'Canvas tote']) {
    await portal.row(name).choose();
    await portal.row(name).because('Damaged or faulty');
  }
  await page.waitForLoadState();
  await portal.continue.click();
  await portal.isAt('details'); // photos may be added here or later
  await portal.goOn();
  await portal.submit();
  const requests = async () => (await api.get<{ data: Request[] }>('/return-requests')).data;
  return { api, portal, requests };
}

test('the shop gets the required photos without their location', async ({ page, scripting }, info) => {
  const { portal, requests } = await asked(page);
  const folder = photographs();
  await expect(portal.heading).toHaveText('We need a photo');
  await look(page, info, 'photos-asked');

  await page.getByRole('button', { name: 'Upload photos' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Select at least one photo');

  await page.getByLabel('Photos of Linen shirt').setInputFiles(['jpg', 'heic'].map((extension) => join(folder, `photo.${extension}`)));
  await page.getByRole('button', { name: 'Upload photos' }).click();
  await expect(page.getByText('We’ve received your photos')).toBeVisible();
  await expect(portal.heading).toHaveText('We need a photo'); // a photo of the tote
  await expect(page.getByRole('list', { name: 'Photos you uploaded' }).getByRole('link')).toHaveCount(2);
  const shown = page.getByRole('img', { name: 'Photo 1' });
  await expect.poll(() => shown.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([400, 640]); // upright
  const src = (await shown.getAttribute('src'))!;
  await look(page, info, 'photos-some');

  // The second one is rejected, the first and the third are accepted.
  const paper = join(folder, 'notes <b>.txt');
  writeFileSync(paper, 'not a photo');
  await page.getByLabel('Photos of Canvas tote').setInputFiles([join(folder, 'photo.png'), paper, join(folder, 'photo.webp')]);
  await page.getByRole('button', { name: 'Upload photos' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('notes <b>.txt couldn’t be read as a photo');
  await expect(portal.heading).toHaveText('We’re reviewing your return');
  await look(page, info, 'photos-mistake');

  const all = await requests();
  expect(all.map(({ stage }) => stage)).toEqual(['Requested: Review', 'Requested: Review']);
  const kinds = all.map(({ evidence }) => evidence.map(({ mediaType }) => mediaType).sort().join(' ')).sort();
  expect(kinds).toEqual(['image/jpeg image/heic', 'image/png image/webp'].map((pair) => pair.split(' ').sort().join(' ')).sort());
  const answer = await page.request.get(src);
  expect(answer.headers()['content-type']).toBe('image/jpeg');
  const bytes = await answer.body();
  expect(readFileSync(join(folder, 'photo.jpg')).includes('CameraMaker')).toBe(true);
  expect(bytes.includes('CameraMaker')).toBe(false);

  // More photos may follow at any time, and a duplicate is stored once.
  await page.reload();
  const add = page.getByText('Add photos');
  await add.click();
  await page.getByLabel('Photos of Linen shirt').setInputFiles(join(folder, 'photo.jpg'));
  await page.getByRole('button', { name: 'Upload photos' }).click();
  await expect(page.getByText('We’ve received your photos')).toBeVisible();
  expect((await requests()).map(({ evidence }) => evidence.length)).toEqual([2, 2]);
  if (!scripting) return;
  // A file that is too large is reported before the upload.
  await add.click();
  const large = join(folder, 'large.jpg');
  writeFileSync(large, Buffer.alloc(10 * 1024 * 1024 + 1, 7));
  await page.getByLabel('Photos of Linen shirt').setInputFiles(large);
  await page.getByRole('button', { name: 'Upload photos' }).click();
  await expect(page.getByText('large.jpg is larger than 10 MB')).toBeVisible();
});

test('a file that is too large is named, and the other files are kept', async ({ page, scripting }) => {
  test.skip(scripting, 'scripts say so before it is sent');
  const { requests } = await asked(page);
  const folder = photographs();
  const large = join(folder, 'large.jpg');
  writeFileSync(large, Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(10 * 1024 * 1024, 7)]));
  await page.getByLabel('Photos of Linen shirt').setInputFiles([large, join(folder, 'photo.jpg')]);
  await page.getByRole('button', { name: 'Upload photos' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('large.jpg is larger than 10 MB');
  expect((await requests()).map(({ evidence }) => evidence.length).sort()).toEqual([0, 1]);
});

test('photos stay selected after a failed upload @scripting', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ baseURL }); // console errors are expected on this page
  const page = await context.newPage();
  const { requests } = await asked(page);
  const folder = photographs();
  await page.waitForLoadState('networkidle');
  const field = page.getByLabel('Photos of Linen shirt');
  await field.setInputFiles(join(folder, 'photo.jpg'));
  await context.route('**/photos', (route) => route.abort('connectionreset'), { times: 1 });
  await page.getByRole('button', { name: 'Upload photos' }).click();
  await expect(page.getByText('Upload failed.')).toBeVisible();
  expect(await field.evaluate((input: HTMLInputElement) => input.files!.length)).toBe(1);
  await page.getByRole('button', { name: 'Upload photos' }).click();
  await expect(page.getByText('We’ve received your photos')).toBeVisible();
  expect((await requests()).map(({ evidence }) => evidence.length).sort()).toEqual([0, 1]);
  await context.close();
});

test('other sessions can neither see nor add photos', async ({ page, browser, baseURL }) => {
  const { portal } = await asked(page);
  const folder = photographs();
  await page.getByLabel('Photos of Linen shirt').setInputFiles(join(folder, 'photo.jpg'));
  await page.getByRole('button', { name: 'Upload photos' }).click();
  const src = (await page.getByRole('img', { name: 'Photo 1' }).getAttribute('src'))!;
  const field = (await page.getByLabel('Photos of Linen shirt').getAttribute('name'))!;
  const stranger = await browser.newContext({ baseURL });
  const other = await stranger.newPage();
  await new Portal(other, portal.shop).prove(await portal.shop.order());
  expect((await other.request.get(src)).status()).toBe(404);
  const origin = new URL(baseURL!).origin;
  const sent = await other.request.post(src.replace(/\/[^/]+$/, ''), {
    headers: { origin },
    multipart: { [field]: { name: 'a.jpg', mimeType: 'image/jpeg', buffer: readFileSync(join(folder, 'photo.jpg')) } },
    maxRedirects: 0,
  });
  expect(sent.status()).toBe(404);
  await stranger.close();
});
