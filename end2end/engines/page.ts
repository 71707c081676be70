import { expect } from '@playwright/test';

/** The same timeout as Playwright's assertions in these tests. */
export const patience = 20_000;

/**
 * A page, or a frame in one, in a browser that Playwright does not drive. Methods that depend on the driver are abstract;
 * all others use them, so that every browser is tested in the same way.
 */
export abstract class Page {
  /** Opens a URL and waits until the page is loaded. */
  abstract goto(url: string): Promise<void>;
  /** The value of an expression in the page. The driver evaluates it, so it also works while scripts are off. */
  abstract run<T>(expression: string): Promise<T>;
  /** The cookies that are sent to this page's URL. */
  abstract cookies(): Promise<string>;
  /** A frame of this page. */
  abstract frame(selector: string): Promise<Page>;
  /** The tab that this page opened. */
  abstract opened(): Promise<Page>;
  /** A real click on the nth element. */
  protected abstract pressAt(selector: string, index: number): Promise<void>;
  /** Real key strokes in a field. */
  protected abstract typeInto(selector: string, text: string): Promise<void>;
  /** Selects an option by its value. */
  protected abstract select(selector: string, value: string): Promise<void>;

  /** Waits until an expression is true. It may throw while the page is replaced. */
  async until(condition: string): Promise<void> {
    const holds = async () => expect(await this.run<boolean>(condition), condition).toBe(true);
    await expect(holds).toPass({ timeout: patience, intervals: [50, 100, 200] });
  }

  /** Waits for a page of the portal with its style sheet, which hides one of two buttons. */
  async isAt(path: RegExp): Promise<void> {
    await this.until(`${path}.test(location.pathname) && document.readyState === 'complete'`);
    await this.fits();
  }

  /** Waits until the page around a frame has given it the height of its content: until then, elements move. */
  private async fits(): Promise<void> {
    const fits = `document.documentElement.matches('.fitted') && Math.abs(document.body.getBoundingClientRect().height - innerHeight) < 2`;
    await this.until(`parent === window || (${fits})`);
  }

  async shows(selector: string): Promise<void> {
    await this.until(`${shown(selector)} >= 0`);
  }

  async hides(selector: string): Promise<void> {
    await this.until(`${shown(selector)} < 0`);
  }

  /** Clicks the first visible one of these elements. */
  async press(selector: string): Promise<void> {
    await this.shows(selector);
    await this.fits();
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

/** The index of the first visible element, or -1. */
function shown(selector: string): string {
  const isShown = `element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0`;
  return `[...document.querySelectorAll(${quoted(selector)})].findIndex((element) => ${isShown})`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A browser that Playwright does not drive. */
export interface Engine {
  /** Why it cannot be tested on this machine; undefined if it can. */
  missing: string | undefined;
  /** Whether it keeps cookies of the portal in a page of another site. */
  keepsCookiesInFrames: boolean;
  /** Opens a browser with an empty profile, and closes it afterwards. */
  open(scripting: boolean, use: (page: Page) => Promise<void>): Promise<void>;
}
