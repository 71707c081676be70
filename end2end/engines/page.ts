import { expect } from '@playwright/test';

/** As long as Playwright's own assertions wait in these tests. */
export const patience = 20_000;

/**
 * A page, or a frame in one, in a browser that Playwright does not drive. What a driver has to do for itself is abstract;
 * all else is made of that, so that every browser is asked the same.
 */
export abstract class Page {
  /** Goes to an address and waits until it is loaded. */
  abstract goto(url: string): Promise<void>;
  /** The value of an expression there. The driver evaluates it, so it also works where pages may not run scripts. */
  abstract run<T>(expression: string): Promise<T>;
  /** The cookies that this page's address is sent. */
  abstract cookies(): Promise<string>;
  /** A frame of this page, at whatever address it is. */
  abstract frame(selector: string): Promise<Page>;
  /** The tab that this page has opened. */
  abstract opened(): Promise<Page>;
  /** A real click on the nth element. */
  protected abstract pressAt(selector: string, index: number): Promise<void>;
  /** Real key strokes in a field. */
  protected abstract typeInto(selector: string, text: string): Promise<void>;
  /** Selects an option by its value. */
  protected abstract select(selector: string, value: string): Promise<void>;

  /** Waits until an expression holds. A page that is being replaced may throw in between. */
  async until(condition: string): Promise<void> {
    const holds = async () => expect(await this.run<boolean>(condition), condition).toBe(true);
    await expect(holds).toPass({ timeout: patience, intervals: [50, 100, 200] });
  }

  /** Waits for a page of the portal with its style sheet, which hides one of two buttons; for a frame until it has its height. */
  async isAt(path: RegExp): Promise<void> {
    await this.until(`${path}.test(location.pathname) && document.readyState === 'complete'`);
    const fits = `document.documentElement.matches('.fitted') && Math.abs(document.body.getBoundingClientRect().height - innerHeight) < 2`;
    await this.until(`parent === window || (${fits})`);
  }

  async shows(selector: string): Promise<void> {
    await this.until(`${shown(selector)} >= 0`);
  }

  async hides(selector: string): Promise<void> {
    await this.until(`${shown(selector)} < 0`);
  }

  /** Clicks the first of these elements that is shown. */
  async press(selector: string): Promise<void> {
    await this.shows(selector);
    await this.pressAt(selector, await this.run(shown(selector)));
  }

  async type(selector: string, text: string): Promise<void> {
    await this.shows(selector);
    await this.typeInto(selector, text);
    expect(await this.run(`document.querySelector(${quoted(selector)}).value`)).toBe(text);
  }

  /** Chooses the first option that has a value. */
  async choose(selector: string): Promise<void> {
    await this.shows(selector);
    const value = await this.run<string>(`document.querySelector(${quoted(`${selector} option:not([value=""])`)}).value`);
    await this.select(selector, value);
    expect(await this.run(`document.querySelector(${quoted(selector)}).value`)).toBe(value);
  }
}

/** The position of the first element that is shown, or -1. */
function shown(selector: string): string {
  const isShown = `element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0`;
  return `[...document.querySelectorAll(${quoted(selector)})].findIndex((element) => ${isShown})`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A browser that Playwright does not drive. */
export interface Engine {
  /** Why it cannot be tested on this machine; undefined where it can. */
  missing: string | undefined;
  /** Whether it keeps cookies of the portal in a page of another site. */
  keepsCookiesInFrames: boolean;
  /** Opens a browser with an empty profile, and closes it afterwards. */
  open(scripting: boolean, use: (page: Page) => Promise<void>): Promise<void>;
}
