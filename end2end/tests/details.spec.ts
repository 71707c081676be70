// A shop's questions about returned items, and photos before the return is submitted: with and without scripting.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Api } from './support/api';
import { look } from './support/axe';
import { photographs } from './support/photos';
import { expect, Portal, Shop, test } from './support/test';

interface Request {
  stage: string;
  answers: { questionId: string; value: string }[];
  evidence: { mediaType: string }[];
}

const questions = [
  {
    id: 'where',
    text: { en: 'What is damaged?', ar: 'ما الذي تضرّر؟' },
    required: true,
    options: [
      { id: 'box', text: { en: 'Only the box' } },
      { id: 'item', text: { en: 'The thing itself' } },
    ],
  },
  { id: 'when', text: { en: 'When did you see it?' }, options: ['At once', 'On the same day', 'Later'].map((en, index) => ({ id: `t${index}`, text: { en } })) },
  { id: 'how', text: { en: 'What happened?' }, required: true },
];

/** A shop with questions about damaged items and required photos; a shopper who has chosen a damaged item and one that does not fit. */
async function asked(page: Page): Promise<{ api: Api; portal: Portal; requests: () => Promise<Request[]> }> {
  const shop = await Shop.open();
  const api = await shop.api();
  const { data } = await api.get<{ data: { id: string; description: Record<string, string> }[] }>('/return-reasons');
  const damaged = data.find(({ description }) => description.en === 'Damaged or faulty')!;
  await api.patch(`/return-reason/${damaged.id}`, { evidence: 'required', questions });
  const portal = new Portal(page, shop);
  await portal.prove(await shop.order());
  await portal.row('Linen shirt').choose();
  await portal.row('Linen shirt').because('Damaged or faulty');
  await portal.row('Canvas tote').choose();
  await portal.row('Canvas tote').because('Doesn’t fit');
  await page.waitForLoadState();
  await portal.continue.click();
  await portal.isAt('details');
  const requests = async () => (await api.get<{ data: Request[] }>('/return-requests')).data;
  return { api, portal, requests };
}

const photos = (page: Page) => page.getByLabel('Photos', { exact: true });

test("the shop's questions are answered before the return is submitted, with a photo", async ({ page }, info) => {
  const { portal, requests } = await asked(page);
  await expect(portal.heading).toHaveText('A few more details');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText(['Linen shirt']); // there are no questions about the tote
  await look(page, info, 'details');

  // A missing answer has a message beside it; other answers and photos are kept.
  const folder = photographs();
  await page.getByLabel('When did you see it?').selectOption('Later');
  await photos(page).setInputFiles([join(folder, 'photo.jpg'), join(folder, 'photo.heic')]);
  await portal.continue.click();
  await expect(portal.alert).toContainText('Linen shirt: What is damaged? – Select an answer');
  await expect(portal.alert).toContainText('Linen shirt: What happened? – Enter an answer');
  await expect(page.getByLabel('When did you see it?')).toHaveValue('t2');
  const sent = page.getByRole('list', { name: 'Photos you uploaded' }).getByRole('listitem');
  await expect(sent).toHaveCount(2);
  await expect.poll(() => page.getByRole('img', { name: 'Photo 1' }).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400);
  await look(page, info, 'details-mistakes');

  // Enter submits, whichever button comes first: here it shows the missing answers again, with both photos.
  await page.getByRole('radio', { name: 'Only the box' }).press('Enter');
  await expect(portal.alert).toContainText('Linen shirt: What happened? – Enter an answer');
  await expect(sent).toHaveCount(2);

  // A photo is removed, and the entries since then stay.
  await page.getByLabel('What happened?').fill('It fell.\nTwice.');
  await page.getByRole('button', { name: 'Remove photo 2' }).click();
  await expect(sent).toHaveCount(1);
  await expect(page.getByLabel('What happened?')).toHaveValue('It fell.\nTwice.');
  await page.getByText('The thing itself').click();
  await portal.continue.click();
  await portal.isAt('review');
  await expect(page.getByRole('definition').filter({ hasText: 'The thing itself' })).toBeVisible();
  await expect(sent).toHaveCount(1);
  await expect.poll(() => page.getByRole('img', { name: 'Photo 1' }).evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400);
  await look(page, info, 'details-review');

  // Going back and forth changes nothing.
  await page.getByRole('link', { name: 'Edit: Linen shirt' }).click();
  await portal.isAt('purchases');
  await portal.continue.click();
  await portal.isAt('details');
  await expect(page.getByRole('radio', { name: 'The thing itself' })).toBeChecked();
  await portal.continue.click();
  await portal.isAt('review');
  await portal.submit();
  const all = await requests();
  const shirt = all.find(({ answers }) => answers.length > 0)!;
  expect(shirt.answers.map(({ questionId, value }) => [questionId, value])).toEqual([
    ['where', 'item'],
    ['when', 't2'],
    ['how', 'It fell.\nTwice.'],
  ]);
  expect(shirt.evidence.map(({ mediaType }) => mediaType)).toEqual(['image/jpeg']);
  expect(shirt.stage).toBe('Requested: Review');
  await expect(portal.heading).toHaveText('We’re reviewing your return');
  await expect(sent).toHaveCount(1);
});

test('an error disappears when its field is corrected', async ({ page, scripting }) => {
  test.skip(!scripting, 'without scripting the server says so');
  const { portal } = await asked(page);
  await portal.continue.click();
  const mistakes = portal.alert.getByRole('listitem');
  await expect(mistakes).toHaveCount(2);
  await expect(page).toHaveTitle(/^Error: /);
  await page.waitForLoadState('networkidle');

  // Without an answer, the error stays.
  await page.getByLabel('What happened?').fill('  ');
  await expect(mistakes).toHaveCount(2);
  await page.getByLabel('What happened?').fill('Wet');
  await expect(mistakes).toHaveCount(1);
  await expect(page.getByLabel('What happened?')).not.toHaveAttribute('aria-invalid');
  await expect(page.getByText('Enter an answer')).toHaveCount(0);
  await page.getByText('Only the box').click();
  await expect(portal.alert).toHaveCount(0);
  await expect(page.locator('.has-error')).toHaveCount(0);
  await expect(page).not.toHaveTitle(/^Error: /);
});

test('a photo can be added later, and a file that is no photo is named', async ({ page }) => {
  const { portal, requests } = await asked(page);
  await page.getByText('Only the box').click();
  await page.getByLabel('What happened?').fill('Wet');
  const paper = join(mkdtempSync(join(tmpdir(), 'retour-paper-')), 'notes.txt');
  writeFileSync(paper, 'not a photo');
  await photos(page).setInputFiles(paper);
  await portal.continue.click();
  await expect(portal.alert).toContainText('notes.txt couldn’t be read as a photo');
  await expect(page.getByLabel('What happened?')).toHaveValue('Wet');
  await portal.continue.click();
  await portal.isAt('review');
  await portal.submit();
  await expect(portal.heading).toHaveText('We need a photo');
  expect((await requests()).find(({ answers }) => answers.length > 0)!.stage).toBe('Requested: Evidence Pending');
});

test("the questions are in the page's language, also from right to left", async ({ page }, info) => {
  const { portal } = await asked(page);
  await page.goto(`${portal.at('details')}?lang=ar`);
  await expect(page.getByText('ما الذي تضرّر؟')).toBeVisible();
  await look(page, info, 'details-ar');
});

test('other sessions cannot see or delete the photos', async ({ page, browser, baseURL }) => {
  const { portal } = await asked(page);
  await photos(page).setInputFiles(join(photographs(), 'photo.jpg'));
  await portal.continue.click();
  const src = (await page.getByRole('img', { name: 'Photo 1' }).getAttribute('src'))!;
  const stranger = await browser.newContext({ baseURL });
  const other = await stranger.newPage();
  await new Portal(other, portal.shop).prove(await portal.shop.order());
  expect((await other.request.get(src)).status()).toBe(404);
  expect((await page.request.get(src)).status()).toBe(200);
  await other.goto(portal.at('details'));
  await new Portal(other, portal.shop).isAt('purchases'); // the other session has chosen nothing
  await stranger.close();
});
