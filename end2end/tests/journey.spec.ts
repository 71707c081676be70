import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { doesNotFit, isDamaged } from './support/portal';
import { minorIn, sum } from './support/money';
import { expect, Portal, Shop, test } from './support/test';

test.use({ contextOptions: { reducedMotion: 'no-preference' } }); // pages fade into each other, as in most browsers

test('a shopper returns two items, gets the label, and cancels the return', async ({ page, portal, order }) => {
  await portal.open();
  await expect(portal.heading).toHaveText('Start a return');
  await expect(page.getByRole('main')).toContainText('Free in store, by post from £3.95');
  await portal.type(order);

  await expect(portal.heading).toHaveText('Select items');
  await expect(page.getByRole('heading', { name: `Order ${order.number}` })).toBeVisible();
  await portal.row('Linen shirt').choose();
  await portal.row('Linen shirt').because(doesNotFit);
  await portal.row('Linen shirt').note('Half a size <larger> & it is perfect.\nThank you!');
  await portal.row('Stoneware mug').choose();
  await portal.row('Stoneware mug').quantity.fill('3');
  await portal.row('Stoneware mug').because('Other');
  await portal.goOn();

  // One mug of the four cost a penny more, and it is returned first.
  const goods = 5900 + 3751;
  const back = page.getByRole('region', { name: 'You’re returning' });
  await expect(back.getByRole('listitem')).toHaveCount(2);
  await expect(back).toContainText('Refund · qty 3 of 4');
  await expect(back).toContainText(doesNotFit);
  await expect(back.getByRole('blockquote')).toHaveText(/Half a size <larger> & it is perfect\.\s+Thank you!/);
  await expect(portal.ways.getByRole('radio')).toHaveCount(3);
  for (const [way, price, button] of [
    ['Show a code', 495, 'Get my code'],
    ['Bring it to our store', 0, 'Get my in-store code'],
    ['Print a label', 395, 'Get my label'],
  ] as const) {
    const card = portal.way(way);
    expect(minorIn(await card.getByText(/^You’ll get .* back$/).innerText())).toBe(goods - price);
    await portal.pick(way);
    await expect(portal.send).toHaveText(button);
    const receipt = await portal.receipt();
    expect(receipt.lines.map(([what]) => what)).toEqual(['Linen shirt', '3 × Stoneware mug', 'Return shipping']);
    expect(receipt.lines.map(([, amount]) => amount)).toEqual([5900, 3751, price ? -price : 0]);
    expect(receipt.total).toBe(sum(receipt));
    expect(receipt.total).toBe(goods - price);
  }

  const number = await portal.submit();
  await expect(portal.heading).toHaveText('Your return is ready to send');
  await expect(page.getByRole('region', { name: 'What to do now' }).getByRole('heading', { level: 3 })).toHaveText([
    'Get your label',
    'Pack it',
    /^Drop it off by \w+day \d+ \w+( \d{4})?$/,
  ]);
  const timeline = page.getByRole('region', { name: 'What happens next' }).getByRole('listitem');
  await expect(timeline).toHaveText([/Drop off your parcel/, /Your parcel will arrive/, /You’ll get £92\.56 back/]);
  await expect(timeline.first()).toHaveAttribute('aria-current', 'step');
  const history = page.getByRole('region', { name: 'History' }).getByRole('listitem');
  await expect(history).toHaveText([/Label created.*, \d\d:\d\d$/, /Return requested.*, \d\d:\d\d$/]);
  expect(await portal.receipt()).toMatchObject({ total: goods - 395, credit: 0 });
  // A printed label needs no code.
  await expect(page.getByRole('img', { name: `Code for return ${number}` })).toHaveCount(0);

  const [label] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download my label (PDF)' }).click(),
  ]);
  expect((await readFile(await label.path())).subarray(0, 5).toString()).toBe('%PDF-');
  expect(label.suggestedFilename()).toMatch(/\.pdf$/);

  await page.getByRole('link', { name: 'My returns' }).click();
  await expect(portal.heading).toHaveText('My returns');
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1);
  await expect(page.getByRole('main')).toContainText('Label ready');
  await expect(page.getByRole('main').getByRole('link', { name: 'Linen shirt and Stoneware mug' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('listitem')).toContainText('£92.56');
  await page.getByRole('link', { name: 'Return another item' }).click();
  await expect(page.getByRole('main')).toContainText('1 of 4 returnable');
  await expect(portal.row('Linen shirt').tick).toHaveCount(0);
  await page.getByRole('link', { name: `return ${number}` }).click();
  await portal.isAt(/returns\/.+/);

  await portal.cancel();
  await expect(page.getByRole('link', { name: /Download my label/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Start a new return' }).click();
  await expect(page.getByRole('main')).toContainText('4 of 4 returnable');
  await expect(portal.row('Linen shirt').tick).toBeVisible();
});

test('a mug of the demo order #1001 is returned', async ({ page, portal }) => {
  // As `retour demo` prints it, with and without "#".
  await portal.find({ number: '#1001', email: 'ADA@example.com' });
  await portal.row('Stoneware mug').choose();
  await portal.row('Stoneware mug').because(isDamaged);
  await portal.goOn();
  // If the shop is at fault, the return is free.
  await portal.pick('Print a label');
  expect(await portal.receipt()).toMatchObject({ total: 1250 });
  const number = await portal.submit();
  await page.getByRole('link', { name: 'My returns' }).click();
  await page.getByRole('listitem').filter({ hasText: number }).getByRole('link').click();
  await portal.cancel();
});

test('without a printer there is a code to show, in light and dark mode', async ({ page, portal, order }, info) => {
  await portal.find(order);
  await portal.choose('Canvas tote');
  await portal.pick('Show a code');
  const number = await portal.submit();
  const steps = page.getByRole('region', { name: 'What to do now' }).getByRole('heading', { level: 3 });
  await expect(steps.first()).toHaveText('Show your code');
  await expect(page.getByRole('link', { name: /Download my label/ })).toHaveCount(0);
  const code = page.getByRole('figure').filter({ has: page.getByRole('img', { name: `Code for return ${number}` }) });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const path = info.outputPath(`code-${colorScheme}.png`);
    await code.screenshot({ path });
    // As a scanner reads it.
    expect((await promisify(execFile)('zbarimg', ['--quiet', '--raw', path])).stdout.trim()).toBe(number);
  }
});

test('a return to the store needs no shipment', async ({ page, portal, order }) => {
  await portal.find(order);
  await portal.choose('Linen shirt');
  await portal.pick('Bring it to our store');
  await portal.submit();
  await expect(portal.heading).toHaveText('Your return is ready to drop off in store');
  await expect(page.getByRole('main')).toContainText('14 Harbour Yard, Edinburgh');
  await expect(page.getByRole('link', { name: /Download my label/ })).toHaveCount(0);
  expect(await portal.receipt()).toMatchObject({ total: 5900 });
});

test('store credit is offered beside the refund, with its bonus', async ({ portal, order }) => {
  await portal.find(order);
  await portal.row('Linen shirt').choose();
  await portal.row('Linen shirt').because(doesNotFit);
  await portal.row('Canvas tote').choose();
  await portal.row('Canvas tote').because(doesNotFit);
  await portal.row('Canvas tote').resolution(/Store credit/).check();
  await portal.goOn();
  await portal.pick('Print a label');
  const receipt = await portal.receipt();
  // One tote at £19, plus 10 %; shipping is deducted from the refund only.
  expect(receipt).toMatchObject({ total: 5900 - 395, credit: 2090, called: 'To your original payment method' });
  expect(sum(receipt)).toBe(receipt.total + receipt.credit);
  await portal.submit();
  expect(await portal.receipt()).toMatchObject({ total: 5900 - 395, credit: 2090 });
});

test('an item is exchanged for another product of the shop', async ({ page, portal, order }) => {
  await portal.find(order);
  const shirt = portal.row('Linen shirt');
  await shirt.choose();
  await shirt.because(doesNotFit);
  await expect(shirt.exchangeFor).toBeHidden();
  // The mugs cannot be exchanged.
  await portal.row('Stoneware mug').choose();
  await expect(portal.row('Stoneware mug').resolution(/^Store credit/)).toBeVisible();
  await expect(portal.row('Stoneware mug').resolution(/^Exchange/)).toHaveCount(0);
  await portal.row('Stoneware mug').press();
  await shirt.resolution(/^Exchange/).check();
  await expect(shirt.exchangeFor).toBeVisible();
  await portal.continue.click();
  await expect(page.getByRole('alert').getByRole('link')).toHaveText(/Select a replacement/);
  await portal.row('Linen shirt').exchangeFor.selectOption('Size L');
  await portal.goOn();
  await expect(page.getByRole('main')).toContainText('Exchange for Size L');
  await expect(portal.way('Print a label')).toContainText('Free');
  await portal.pick('Print a label');
  const receipt = { lines: [['Linen shirt → Size L', 0], ['Return shipping', 0]], total: 0, called: 'Exchange' };
  expect(await portal.receipt()).toMatchObject(receipt);
  await portal.submit();
  await expect(page.getByRole('main')).toContainText('Exchange for Size L');
  expect(await portal.receipt()).toMatchObject(receipt);
});

test('a full return refunds the shipping too', async ({ page, scripting }) => {
  const portal = new Portal(page, await Shop.open());
  const order = await portal.shop.order([{ product: 'Socks', quantity: 3, total: 1000 }, { product: 'Hat', total: 2500 }], { shippingPaid: 495 });
  await portal.find(order);
  await portal.row('Socks').choose();
  await portal.row('Socks').quantity.fill('3');
  await portal.row('Socks').because(doesNotFit);
  const estimate = page.locator('.bar-figure, .stay .receipt-total dd').filter({ visible: true }).first();
  if (scripting) await expect(estimate).toHaveText('£10.00');
  await portal.row('Hat').choose();
  if (scripting) await expect(estimate).toHaveText('£39.95'); // as much as the review will show
  await portal.row('Hat').because(doesNotFit);
  await portal.goOn();
  const receipt = await portal.receipt();
  expect(receipt.lines).toContainEqual(['Original shipping', 495]);
  expect(receipt.total).toBe(3995);
  expect(sum(receipt)).toBe(3995);
  await portal.submit();
});

test('items that cannot be returned say why', async ({ page, portal, order }) => {
  await portal.find(order);
  const row = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name });
  await expect(row('Gift card')).toContainText('Final sale, not returnable');
  await expect(row('Desk lamp')).toContainText('Not shipped yet');
  await expect(row('Gift card').getByRole('checkbox')).toHaveCount(0);
  const late = await Shop.demo.order([{ product: 'Oak board', total: 4200 }], { daysAgo: 61 });
  await portal.find(late);
  await expect(portal.heading).toHaveText('Nothing in this order can be returned right now');
  await expect(row('Oak board')).toContainText(/The 30-day return window closed on \w+day \d+ \w+/);
});

test('the same product on several lines: each line is separate', async ({ page, portal }) => {
  const twice = await Shop.demo.order([{ product: 'Candle', total: 900 }, { product: 'Candle', quantity: 2, total: 1500 }]);
  await portal.find(twice);
  await portal.row('Candle', 1).choose();
  await portal.row('Candle', 1).quantity.fill('2');
  await portal.row('Candle', 1).because(isDamaged);
  await portal.goOn();
  await expect(page.getByRole('region', { name: 'You’re returning' }).getByRole('listitem')).toHaveCount(1);
  expect(await portal.receipt()).toMatchObject({ lines: [['2 × Candle', 1500], ['Return shipping', 0]] });
});

test('long and odd names, thousands of units, and a currency without decimals', async ({ page }) => {
  const names = ['Hand-finished stonewashed European linen duvet cover with coconut-shell buttons, super king size', '<b>Bold</b> & "quoted"', 'قميص كتان 👕'];
  const portal = new Portal(page, await Shop.open({}, 'JPY'));
  const order = await portal.shop.order(names.map((product) => ({ product, quantity: 4800, total: 9_600_001 })));
  await portal.find(order);
  await expect(page.getByRole('main')).toContainText('4,800 of 4,800 returnable');
  for (const name of names) await expect(portal.row(name).tick).toBeVisible();
  await portal.row(names[1]).choose();
  await portal.row(names[1]).quantity.fill('1200');
  await portal.row(names[1]).because(isDamaged);
  await portal.goOn();
  expect(await portal.receipt()).toMatchObject({ lines: [[`1,200 × ${names[1]}`, 2_400_001], ['Return shipping', 0]], total: 2_400_001 });
  await expect(page.getByRole('main')).toContainText('Refund · qty 1,200 of 4,800');
  await portal.submit();
});
