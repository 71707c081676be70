// The whole journey in every language, and the choice of a language.
import type { Page } from '@playwright/test';
import { look } from './support/axe';
import { expect, Portal, Shop, test } from './support/test';

const headings: Record<string, [string, string]> = {
  en: ['Start a return', 'Your return is ready to send'],
  de: ['Retoure anmelden', 'Ihre Retoure ist versandbereit'],
  es: ['Haz una devolución', 'Tu devolución está lista para enviar'],
  fr: ['Faire un retour', 'Votre retour est prêt à être envoyé'],
  it: ['Inizia un reso', 'Il tuo reso è pronto per la spedizione'],
  nl: ['Retour aanmelden', 'Je retour is klaar om te versturen'],
  pl: ['Zgłoś zwrot', 'Twój zwrot jest gotowy do wysłania'],
  ar: ['ابدأ الإرجاع', 'مرتجعك جاهز للإرسال'],
};

/** Pounds as the browser formats them in a language. */
function pounds(page: Page, language: string, minor: number): Promise<string> {
  return page.evaluate(
    ([tag, amount]) =>
      new Intl.NumberFormat(tag as string, { style: 'currency', currency: 'GBP', currencyDisplay: 'narrowSymbol' }).format(amount as number),
    [language === 'ar' ? 'ar-u-nu-latn' : language === 'en' ? 'en-GB' : language, minor / 100],
  );
}

/** Without direction marks and additions to the currency sign, and with normalized spaces. */
const plain = (text: string) => text.replaceAll(/[\u200e\u200f\u061c]|UK(?=£)/g, '').replaceAll(/\s/g, ' ');

const spoken = async (page: Page, language: string) => {
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expect(page.locator('html')).toHaveAttribute('dir', language === 'ar' ? 'rtl' : 'ltr');
};

for (const language of Object.keys(headings)) {
  test(`the whole journey in ${language}`, async ({ page, scripting, order }, info) => {
    // Texts do not depend on width or scripting, so a phone is enough; Arabic is tested everywhere.
    test.skip(info.project.name !== 'phone' && language !== 'ar');
    test.skip(language === 'en', 'all other tests are in English');
    const heading = page.getByRole('heading', { level: 1 });
    const step = async (name: string) => {
      await spoken(page, language);
      await look(page, info, `language-${language}-${name}`);
    };
    await page.goto(`/fjord-fern?lang=${language}`);
    await expect(heading).toHaveText(headings[language][0]);
    await step('look-up');
    await page.locator('#order').fill(order.number);
    await page.locator('#proof').fill(order.email);
    await page.locator('form.lookup button').click();

    await page.waitForURL(/\/purchases/);
    const shirt = page.locator('.item', { hasText: 'Linen shirt' });
    const price = plain(await pounds(page, language, 5900));
    expect(plain(await shirt.innerText())).toContain(price);
    await shirt.getByRole('checkbox').first().check();
    await shirt.locator('.chip').first().click();
    // Texts that scripts write are translated too.
    if (scripting) await expect.poll(async () => plain(await page.locator('.bar-figure, .receipt:visible').first().innerText())).toContain(price);
    await step('choose');
    await page.locator('button.button[name=go][value=on]:visible').click();

    await page.waitForURL(/\/review/);
    expect(plain(await page.locator('main').innerText())).toContain(plain(await pounds(page, language, 5505)));
    await step('review');
    await page.locator('form button.button:visible').last().click();

    await page.waitForURL(/\/returns\/[0-9a-f-]{36}/);
    await expect(heading).toHaveText(headings[language][1]);
    await step('return');
    await page.locator('.account a').click();
    await page.waitForURL(/\/returns$/);
    await step('returns');
  });
}

test('a language that is chosen in the footer stays', async ({ page, portal, order }) => {
  await portal.open();
  await spoken(page, 'en');
  await page.getByRole('navigation', { name: 'Language' }).getByRole('link', { name: 'Deutsch' }).click();
  await expect(portal.heading).toHaveText(headings.de[0]);
  await expect(page.getByRole('link', { name: 'Deutsch' })).toHaveAttribute('aria-current', 'true');
  await page.getByLabel('Bestellnummer').fill(order.number);
  await page.getByLabel('E-Mail-Adresse').fill(order.email);
  await page.getByRole('button', { name: 'Bestellung finden' }).click();
  await portal.isAt('purchases');
  await spoken(page, 'de');
  await page.goto('/no-such-shop');
  await spoken(page, 'de');
  await page.goto(`${portal.at('purchases')}?lang=en`);
  await spoken(page, 'en');
  await expect(portal.row('Linen shirt').root.locator('.chip').first()).toHaveText('Doesn’t fit');
  await portal.open('returns');
  await spoken(page, 'en');
});

test('the browser’s language precedes the shop’s, and untranslated texts are shown unchanged', async ({ browser }) => {
  const shop = await Shop.open();
  const api = await shop.api();
  await api.patch('/account', { branding: { locale: 'nl' } });
  const { number, email } = await shop.order();
  const polish = await browser.newContext({ locale: 'pl-PL' });
  const theirs = await polish.newPage();
  await theirs.goto(`/${shop.slug}`);
  await spoken(theirs, 'pl');
  await polish.close();

  const context = await browser.newContext({ locale: 'sw-KE' });
  const page = await context.newPage();
  await page.goto(`/${shop.slug}`);
  await spoken(page, 'nl');
  await page.locator('#order').fill(number);
  await page.locator('#proof').fill(email);
  await page.locator('form.lookup button').click();
  await spoken(page, 'nl');
  const reasons = page.locator('select').first().locator('option');
  await expect(reasons.nth(1)).toHaveText('Past niet');

  // A reason that exists only in English.
  const { data } = await api.get<{ data: { id: string; description: { en: string } }[] }>('/return-reasons');
  const { id } = data.find(({ description }) => description.en === 'Doesn’t fit')!;
  await api.patch(`/return-reasons/${id}`, { description: { en: 'Wrong size' } });
  await page.reload();
  await expect(reasons.nth(1)).toHaveText('Wrong size');
  await context.close();
});
