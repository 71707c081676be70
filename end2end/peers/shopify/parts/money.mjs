// Amounts are integers in minor units, such as cents.
const digits = new Map();

/** Returns how many decimals a currency has: 2 for EUR, 0 for JPY. */
export function digitsOf(currency) {
  if (!digits.has(currency)) {
    digits.set(currency, new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits);
  }
  return digits.get(currency);
}

/** Reads "12.50" as 1250. Fails if the text has more decimals than the currency. */
export function parse(text, currency) {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(text));
  if (!found) throw new Error(`expected an amount such as "12.50", not ${JSON.stringify(text)}`);
  const places = digitsOf(currency);
  const fraction = (found[3] ?? '').replace(/0+$/, '');
  if (fraction.length > places) throw new Error(`${currency} has ${places} decimals, but the amount is ${text}`);
  return Number(found[1] + found[2] + fraction.padEnd(places, '0'));
}

/** Writes 1250 as "12.50", as Shopify's scalar Money does. */
export function text(minor, currency) {
  const places = digitsOf(currency);
  const figures = String(Math.abs(minor)).padStart(places + 1, '0');
  const sign = minor < 0 ? '-' : '';
  return places ? `${sign}${figures.slice(0, -places)}.${figures.slice(-places)}` : sign + figures;
}

/** Writes 1250 as "12.5" and 1200 as "12.0", as Shopify's scalar Decimal does in MoneyV2. */
export const decimalText = (minor, currency) => {
  const written = text(minor, currency);
  return written.includes('.') ? written.replace(/(\.\d+?)0+$/, '$1') : `${written}.0`;
};

/** A fraction from a decimal text: "0.19" is 19/100. */
export function fraction(decimal) {
  const [whole, part = ''] = String(decimal).split('.');
  return { top: BigInt(whole + part), bottom: 10n ** BigInt(part.length) };
}

/** Multiplies by top/bottom and rounds half up. */
export function scale(minor, top, bottom) {
  const product = BigInt(minor) * BigInt(top) * 2n + BigInt(bottom);
  const divisor = BigInt(bottom) * 2n;
  const rounded = product / divisor - (product % divisor < 0n ? 1n : 0n);
  return Number(rounded);
}

/** Splits an amount by weights without losing a cent: each share ends at the rounded running total. */
export function split(amount, weights) {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (whole === 0) return weights.map(() => 0);
  let before = 0, given = 0;
  return weights.map((weight) => {
    before += weight;
    const until = scale(amount, before, whole);
    const share = until - given;
    given = until;
    return share;
  });
}

/** Returns the share of `count` units of an amount for `quantity` units, after `earlier` units had theirs. */
export function shareOf(amount, quantity, earlier, count) {
  return scale(amount, earlier + count, quantity) - scale(amount, earlier, quantity);
}

/** Shop and presentment currency of an order. `rate` is the price of one unit of shop currency in presentment currency. */
export class Currencies {
  constructor(shop, presentment = shop, rate = '1') {
    Object.assign(this, { shop, presentment, rate: fraction(rate) });
  }

  /** Converts presentment minor units into shop minor units. */
  toShop(minor) {
    if (this.shop === this.presentment) return minor;
    const places = 10n ** BigInt(Math.abs(digitsOf(this.shop) - digitsOf(this.presentment)));
    const more = digitsOf(this.shop) >= digitsOf(this.presentment);
    return scale(minor, this.rate.bottom * (more ? places : 1n), this.rate.top * (more ? 1n : places));
  }

  /** A MoneyBag. */
  bag(minor) {
    return { shopMoney: v2(this.toShop(minor), this.shop), presentmentMoney: v2(minor, this.presentment) };
  }

  /** A Money scalar, which is in shop currency. */
  money(minor) {
    return text(this.toShop(minor), this.shop);
  }
}

/** A MoneyV2. */
export const v2 = (minor, currencyCode) => ({ __typename: 'MoneyV2', amount: decimalText(minor, currencyCode), currencyCode });
