import { expect, type Locator, type Page } from '@playwright/test';
import { sendForm } from './form';
import { readReceipt, type Receipt } from './money';
import { Shop, type Order } from './shop';

/** Reasons that every shop has. The party at fault pays the shipping. */
export const doesNotFit = 'Doesn’t fit';
export const isDamaged = 'Damaged or faulty';

/** A shop's pages, used like a shopper. */
export class Portal {
  readonly heading: Locator;
  readonly alert: Locator;
  readonly notice: Locator;
  readonly continue: Locator;
  /** The receipt beside the choice or the review. On a phone, the choice has the bottom bar instead. */
  readonly summary: Locator;
  readonly ways: Locator;
  readonly send: Locator;
  readonly number: Locator;

  constructor(
    readonly page: Page,
    readonly shop: Shop = Shop.demo,
  ) {
    const main = page.getByRole('main');
    this.heading = page.getByRole('heading', { level: 1 });
    this.alert = main.getByRole('alert');
    this.notice = main.locator('.notice');
    this.continue = page.getByRole('button', { name: 'Continue', exact: true });
    this.summary = page.getByRole('complementary', { name: 'Your refund' });
    this.ways = page.getByRole('group', { name: 'How would you like to return it?' });
    this.send = page.getByRole('button', { name: /^(Get my label|Continue to payment · .+|Get my code|Get my in-store code|Submit return|Request return|Keep it and get refunded)$/ });
    this.number = page.locator('.done-number .code');
  }

  /** The URL of one of the shop's pages. */
  at(path = ''): string {
    return `/${this.shop.slug}${path && `/${path}`}`;
  }

  async open(path = ''): Promise<void> {
    await this.page.goto(this.at(path));
  }

  async isAt(path: string | RegExp): Promise<void> {
    const end = typeof path === 'string' ? path : path.source;
    await expect(this.page).toHaveURL(new RegExp(`^https?://[^/]+/${this.shop.slug}${end && `/${end}`}([?#]|$)`));
    // Shoppers see a page only with its style sheet, so they never click what the style sheet hides.
    await this.page.waitForLoadState();
    await this.listens();
  }

  /** Waits for hydration, if the page has islands and scripting is on. */
  async listens(): Promise<void> {
    await expect(async () => {
      const waits = () => matchMedia('(scripting: enabled)').matches && !!document.querySelector('leptos-island') && !document.documentElement.hasAttribute('data-hydrated');
      expect(await this.page.evaluate(waits), 'islands are hydrated').toBe(false);
    }).toPass({ intervals: [20, 50, 100, 200], timeout: 60_000 });
  }

  /** Finds an order, starting at the shop's first page. */
  async find(order: Order): Promise<void> {
    await this.open();
    await this.type(order);
    await this.isAt('purchases');
  }

  /** Opens the purchases of an order. The look-up is sent without its page, which a browser takes long to show. */
  async prove({ number, email }: Order): Promise<void> {
    await sendForm(this.page, this.at('call/look-up'), { orderNumber: number, proof: email }, this.at('purchases'));
    await this.open('purchases');
    await this.isAt('purchases');
  }

  async type(order: Order): Promise<void> {
    await this.page.getByLabel('Order number').fill(order.number);
    await this.page.getByLabel('Email address').fill(order.email);
    await this.page.getByRole('button', { name: 'Find my order' }).click();
  }

  /** The row of a returnable item; by default the first one with that name. */
  row(name: string, index = 0): Row {
    return new Row(this.page, name, index);
  }

  /** Chooses items of an order, each with its reason, and continues to the review. */
  async choose(...names: string[]): Promise<void> {
    for (const name of names) {
      await this.row(name).choose();
      await this.row(name).because(doesNotFit);
    }
    await this.goOn();
  }

  async goOn(): Promise<void> {
    await this.page.waitForLoadState(); // the style sheet hides one of two buttons
    await this.continue.click();
    await this.isAt('review');
    await expect(this.heading).toHaveText('Review your return');
  }

  /** A shipping option. Its label covers the whole card. */
  way(name: string): Locator {
    return this.ways.locator('.card', { has: this.page.getByRole('radio', { name, exact: true }) });
  }

  async pick(name: string): Promise<void> {
    await this.way(name).locator('label').click();
    await expect(this.way(name).getByRole('radio')).toBeChecked();
  }

  receipt(): Promise<Receipt> {
    return readReceipt(this.page.locator('.receipt:visible').first());
  }

  /** Submits the review. Returns the number of the return. */
  async submit(): Promise<string> {
    await this.send.click();
    await this.isAt(/returns\/[0-9a-f-]{36}/);
    await expect(this.number).toHaveText(/^R-[0-9A-HJKMNP-TV-Z]{8}$/);
    return this.number.innerText();
  }

  /** The whole journey to a return of these items. */
  async return(order: Order, ...names: string[]): Promise<string> {
    await this.find(order);
    await this.choose(...names);
    return this.submit();
  }

  async cancel(): Promise<void> {
    await this.page.getByText('Cancel this return').click();
    await this.page.getByRole('button', { name: 'Cancel my return' }).click();
    await expect(this.heading).toHaveText('This return is cancelled');
  }
}

/** A line of an order, and its fields once it is chosen. */
export class Row {
  readonly root: Locator;
  readonly tick: Locator;
  readonly quantity: Locator;
  readonly reason: Locator;
  readonly comment: Locator;

  constructor(
    page: Page,
    name: string,
    index: number,
  ) {
    const tick = page.getByRole('checkbox', { name, exact: true });
    this.root = page.getByRole('listitem').filter({ has: tick }).nth(index);
    this.tick = this.root.getByRole('checkbox', { name, exact: true });
    this.quantity = this.root.getByLabel('How many?');
    // A few reasons are chips, many are a list.
    const why = { name: 'Why are you returning it?' };
    this.reason = this.root.getByRole('radiogroup', why).or(this.root.getByRole('combobox', why));
    this.comment = this.root.getByLabel('Add a note');
  }

  /** Clicks the row: its label covers all of it. */
  async press(): Promise<void> {
    await this.root.locator('label.item-name').click();
  }

  async choose(): Promise<void> {
    if (!(await this.tick.isChecked())) await this.press();
    await expect(this.reason).toBeVisible();
  }

  /** Selects a reason: by its words, or by its position from 1. */
  async because(reason: string | { index: number }): Promise<void> {
    const chips = this.reason.locator('.chip');
    if (await chips.count()) {
      await (typeof reason === 'string' ? chips.filter({ hasText: reason }) : chips.nth(reason.index - 1)).click();
    } else {
      await this.reason.selectOption(reason);
    }
  }

  /** Adds a note; the field is collapsed until then. */
  async note(text: string): Promise<void> {
    if (!(await this.comment.isVisible())) await this.root.getByText('Add a note').first().click();
    await this.comment.fill(text);
  }

  /** Selects the new item of an exchange. */
  get exchangeFor(): Locator {
    return this.root.getByLabel('Exchange for');
  }

  resolution(name: RegExp): Locator {
    return this.root.getByRole('radio', { name });
  }
}
