import type { Locator } from '@playwright/test';

/** Minor units of an amount as people read it: `−£1,234.50` is -123450, `Free` and `No charge` are 0. */
export function minor(text: string): number {
  if (['Free', 'No charge'].includes(text.trim())) return 0;
  const amount = /^(\u2212|\+)?\D*([\d,.]+)$/.exec(text.trim());
  if (!amount) throw new Error(`no amount: “${text}”`);
  return Number(amount[2].replace(/\D/g, '')) * (amount[1] === '\u2212' ? -1 : 1);
}

/** The amount in a sentence: “You’ll get £5.00 back” is 500. */
export function minorIn(sentence: string): number {
  const amount = /\u2212?[^\d\s\u2212]+[\d,.]*\d/.exec(sentence);
  if (!amount) throw new Error(`no amount in “${sentence}”`);
  return minor(amount[0]);
}

export interface Receipt {
  /** The lines with their amounts. */
  lines: [string, number][];
  total: number;
  /** The amount as store credit, beside the refund. */
  credit: number;
  /** The name of the total. */
  called: string;
}

/** Reads the visible receipt. A line with a range counts with its first amount. */
export async function readReceipt(scope: Locator): Promise<Receipt> {
  const rows = await scope.locator('dl > div:visible').evaluateAll((divs) =>
    divs.map((div) => ({
      what: div.querySelector('dt')!.firstChild!.textContent!.trim(),
      amount: div.querySelector('dd')!.textContent!.trim().split('–')[0],
      kind: div.className,
    })),
  );
  const last = rows.find((row) => row.kind === 'receipt-total');
  const also = rows.find((row) => row.kind === 'receipt-also');
  const lines = rows.filter((row) => ['', 'receipt-payable'].includes(row.kind)).map((row): [string, number] => [row.what, minor(row.amount)]);
  const total = last ? minor(last.amount) : NaN; // on a phone, the bar is the total
  return { lines, total, credit: also ? minor(also.amount) : 0, called: last?.what ?? '' };
}

/** The sum of a receipt's lines. */
export function sum(receipt: Receipt): number {
  return receipt.lines.reduce((total, [, amount]) => total + amount, 0);
}
