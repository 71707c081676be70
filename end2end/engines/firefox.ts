// Firefox, driven by Puppeteer over WebDriver BiDi, which Firefox supports natively.
import { existsSync } from 'node:fs';
import { expect } from '@playwright/test';
import puppeteer, { type Browser, type ElementHandle, type Frame, type Page as Tab } from 'puppeteer-core';
import { Page, patience, type Engine } from './page';

const program = [process.env.FIREFOX ?? '', '/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));

export const firefox: Engine = {
  missing: program ? undefined : 'Firefox is not installed (Debian: firefox-esr)',
  keepsCookiesInFrames: true,
  async open(scripting, use) {
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: program,
      defaultViewport: { width: 1280, height: 900 },
      extraPrefsFirefox: { 'javascript.enabled': scripting, 'intl.accept_languages': 'en-GB' },
    });
    try {
      const tab = await browser.newPage();
      await use(new FirefoxPage(browser, tab, tab.mainFrame()));
    } finally {
      await browser.close();
    }
  },
};

class FirefoxPage extends Page {
  constructor(
    private readonly browser: Browser,
    private readonly tab: Tab,
    private readonly place: Frame,
  ) {
    super();
  }

  async goto(url: string): Promise<void> {
    await this.place.goto(url);
  }

  run<T>(expression: string): Promise<T> {
    return this.place.evaluate(expression) as Promise<T>;
  }

  async cookies(): Promise<string> {
    const cookies = await this.tab.cookies(this.place.url());
    return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  async frame(selector: string): Promise<Page> {
    const element = await this.place.$(selector);
    const frame = await element?.contentFrame();
    if (!frame) throw new Error(`no frame ${selector}`);
    return new FirefoxPage(this.browser, this.tab, frame);
  }

  async opened(): Promise<Page> {
    let tab: Tab | undefined;
    const before = this.tab;
    await expect(async () => {
      tab = (await this.browser.pages()).find((one) => one !== before && one.url().startsWith('http'));
      expect(tab).toBeDefined();
    }).toPass({ timeout: patience });
    return new FirefoxPage(this.browser, tab!, tab!.mainFrame());
  }

  protected async pressAt(selector: string, index: number): Promise<void> {
    const handle = await this.place.evaluateHandle((all, index) => document.querySelectorAll(all)[index], selector, index);
    const element = handle.asElement() as ElementHandle<Element>;
    // Puppeteer's click is not used: its scrolling relies on an observer, which never fires while scripts are off. It also does not
    // wait for the page around a frame, which scrolls in another process.
    await element.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }));
    await this.moveOnto(element);
    await this.tab.mouse.down();
    await this.tab.mouse.up();
  }

  /** Moves the mouse until it is over the element. */
  private async moveOnto(element: ElementHandle<Element>): Promise<void> {
    let nudge = 0;
    const isBelow = async () => {
      const { x, y, width, height } = (await element.boundingBox())!;
      await this.tab.mouse.move(x + width / 2 + (nudge++ % 2), y + height / 2);
      expect(await element.evaluate((element) => element.matches(':hover'))).toBe(true);
    };
    await expect(isBelow).toPass({ timeout: patience, intervals: [50] });
  }

  protected async typeInto(selector: string, text: string): Promise<void> {
    await this.place.type(selector, text);
  }

  protected async select(selector: string, value: string): Promise<void> {
    await this.place.select(selector, value);
  }
}
