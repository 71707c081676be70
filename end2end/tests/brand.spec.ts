// A shop's own colours, typeface, words and links, and their preview before they are live.
import type { Page } from '@playwright/test';
import { look } from './support/axe';
import { expect, Portal, Shop, test } from './support/test';

const brand = {
  color: '#ffd400', // unreadable on white
  font: 'Serif',
  corners: 'Round',
  texts: {
    lookUp: { en: 'Money goes back within 5 days of arrival.', de: 'Geld gibt es 5 Tage nach der Ankunft zurück.' },
    choose: { en: 'Keep the dust bag: we send it on with the next one.' },
    review: { en: 'Parcels are counted on Tuesdays and Fridays.' },
    follow: { en: 'Questions? We answer within a day.' },
  },
  shopUrl: 'https://shop.example/',
  links: [{ text: { en: 'Help & <contact>', de: 'Hilfe' }, url: 'https://shop.example/help?a=1&b=2' }],
  termsUrl: 'https://shop.example/terms',
  contactUrl: 'https://shop.example/contact',
  contactEmail: 'help@shop.example',
  contactPhone: '+44 131 496 0000',
};

const styleOf = (page: Page, selector: string, property: string) =>
  page.locator(selector).first().evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property);

test('every step has the brand and stays readable', async ({ page }, info) => {
  const shop = await Shop.open();
  await (await shop.api()).patch('/account', { branding: brand });
  const order = await shop.order();

  await page.goto(`/${shop.slug}`);
  await expect(page.getByText(brand.texts.lookUp.en)).toBeVisible();
  expect(await styleOf(page, 'body', 'font-family')).toMatch(/^Charter, .*, serif$/);
  expect(await styleOf(page, 'form.lookup button', 'border-radius')).toBe('20px');
  const help = page.getByRole('link', { name: 'Help & <contact>' });
  await expect(help).toHaveAttribute('href', brand.links[0].url);
  await expect(page.getByRole('link', { name: 'Returns policy' })).toHaveAttribute('href', brand.termsUrl);
  const foot = page.getByRole('contentinfo');
  await expect(foot.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', brand.contactUrl);
  await expect(foot.getByRole('link', { name: brand.contactEmail })).toHaveAttribute('href', `mailto:${brand.contactEmail}`);
  await expect(foot.getByRole('link', { name: `Call ${brand.contactPhone}` })).toHaveAttribute('href', 'tel:+441314960000');
  await look(page, info, 'brand-look-up');
  await page.goto(`/${shop.slug}/nothing/here`);
  const main = page.getByRole('main');
  await expect(main.getByRole('link', { name: 'Contact us' })).toHaveAttribute('href', brand.contactUrl);
  await look(page, info, 'brand-not-found');
  await page.goto(`/${shop.slug}?lang=de`);
  await expect(page.getByText(brand.texts.lookUp.de)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Hilfe' })).toBeVisible();
  await page.goto(`/${shop.slug}?lang=en`);

  const portal = new Portal(page, shop);
  await portal.find(order);
  await expect(page.getByText(brand.texts.choose.en)).toBeVisible();
  await look(page, info, 'brand-choose');
  await portal.choose('Linen shirt');
  await expect(page.getByText(brand.texts.review.en)).toBeVisible();
  const terms = page.getByRole('main').getByRole('link', { name: 'Returns policy (opens in a new tab)' });
  await expect(terms).toHaveAttribute('href', brand.termsUrl);
  await look(page, info, 'brand-review');
  await portal.submit();
  await expect(page.getByText(brand.texts.follow.en)).toBeVisible();
  await look(page, info, 'brand-return');
});

test('a brand can be previewed by link before it is live', async ({ page, browser }, info) => {
  const shop = await Shop.open();
  const { url } = await (await shop.api()).post<{ url: string }>('/account/previews', { branding: brand });
  const link = new URL(url);
  await page.goto(link.pathname + link.search);
  await expect(page).toHaveURL(new RegExp(`/${shop.slug}$`)); // the link is neither in the history nor sent to other sites
  await expect(page.getByText('Preview, visible only to you.')).toBeVisible();
  await expect(page.getByText(brand.texts.lookUp.en)).toBeVisible();
  await look(page, info, 'brand-preview');

  const stranger = await browser.newPage();
  await stranger.goto(`/${shop.slug}`);
  await expect(stranger.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(stranger.getByText(brand.texts.lookUp.en)).toHaveCount(0);
  await stranger.close();
  const other = await Shop.open();
  await page.goto(`/${other.slug}`);
  await expect(page.getByText('Preview, visible only to you.')).toHaveCount(0);

  await page.goto(`/${shop.slug}`);
  await page.getByRole('button', { name: 'Exit preview' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByText(brand.texts.lookUp.en)).toHaveCount(0);
  await page.goto(`/${shop.slug}/preview?token=${'0'.repeat(32)}`);
  await expect(page.getByText('Preview, visible only to you.')).toHaveCount(0);
});

test('in dark mode the dark logo is shown, without a light background', async ({ page }) => {
  const shop = await Shop.open();
  await (await shop.api()).patch('/account', { branding: { logoUrl: '/demo/logo.svg', logoDarkUrl: '/favicon.svg' } });
  const logo = page.getByRole('banner').getByRole('img');
  const shown = () => logo.evaluate((image: HTMLImageElement) => new URL(image.currentSrc, location.href).pathname);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`/${shop.slug}`);
  await expect.poll(shown).toBe('/demo/logo.svg');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(shown).toBe('/favicon.svg');
  expect(await styleOf(page, '.brand-logo', 'background-color')).toBe('rgba(0, 0, 0, 0)');
});

test('days are promised if the shop has set them', async ({ page }) => {
  const shop = await Shop.open();
  await page.goto(`/${shop.slug}`);
  await expect(page.getByText('Once your return arrives')).toBeVisible();
  await (await shop.api()).patch('/account', { policy: { refundDays: 3 } });
  await page.goto(`/${shop.slug}`);
  await expect(page.getByText('Usually within 3 days of arrival')).toBeVisible();
});
