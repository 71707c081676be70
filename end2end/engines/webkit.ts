// WebKitGTK's MiniBrowser, driven by Selenium over WebDriver. It needs a display, so it gets a virtual one.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { expect } from '@playwright/test';
import { Builder, By, Capabilities, type WebDriver, type WebElement } from 'selenium-webdriver';
import { end, freePort } from '../tests/support/server';
import { Page, patience, type Engine } from './page';

const programs = ['/usr/bin/WebKitWebDriver', '/usr/bin/Xvfb'];
const missing = programs.filter((path) => !existsSync(path));

export const webkit: Engine = {
  missing: missing.length ? `${missing.join(' and ')} missing (Debian: webkit2gtk-driver, xvfb)` : undefined,
  keepsCookiesInFrames: false,
  async open(scripting, use) {
    await display((name) =>
      service(name, async (address) => {
        const args = ['--automation', `--enable-javascript=${scripting}`];
        const capabilities = new Capabilities({ browserName: 'MiniBrowser', 'webkitgtk:browserOptions': { args } });
        const driver = await new Builder().usingServer(address).withCapabilities(capabilities).build();
        try {
          await driver.manage().window().setRect({ width: 1280, height: 1000 });
          await use(new WebKitPage(driver, await driver.getWindowHandle()));
        } finally {
          await driver.quit();
        }
      }),
    );
  },
};

/** A virtual screen. */
async function display(use: (name: string) => Promise<void>): Promise<void> {
  // Xvfb chooses a free display number and prints it.
  const args = ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'];
  const server = spawn('/usr/bin/Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  try {
    const [number] = await Promise.race([once(server.stdio[3] as Readable, 'data'), once(server, 'exit').then(() => ended('Xvfb'))]);
    await use(`:${String(number).trim()}`);
  } finally {
    await end(server);
  }
}

/** The WebDriver server, which starts the browser. */
async function service(display: string, use: (address: string) => Promise<void>): Promise<void> {
  const port = await freePort();
  const env = {
    ...process.env,
    DISPLAY: display,
    GDK_BACKEND: 'x11',
    NO_AT_BRIDGE: '1', // there is no accessibility bus
    WEBKIT_DISABLE_COMPOSITING_MODE: '1', // there is no graphics card
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', // its sandbox does not start in containers, and it opens only our own pages
  };
  const server = spawn('/usr/bin/WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' });
  const address = `http://127.0.0.1:${port}`;
  try {
    await ready(`${address}/status`, server);
    await use(address);
  } finally {
    await end(server);
  }
}

async function ready(status: string, server: ChildProcess): Promise<void> {
  await expect(async () => {
    if (server.exitCode === null) expect((await fetch(status)).ok).toBe(true);
  }).toPass({ timeout: patience, intervals: [50, 100] });
  if (server.exitCode !== null) ended('WebKitWebDriver');
}

function ended(program: string): never {
  throw new Error(`${program} has ended`);
}

class WebKitPage extends Page {
  constructor(
    private readonly driver: WebDriver,
    private readonly handle: string,
    private readonly within?: string,
  ) {
    super();
  }

  /** The driver has one current frame at a time. */
  private async enter(): Promise<WebDriver> {
    await this.driver.switchTo().window(this.handle);
    await this.driver.switchTo().defaultContent();
    if (this.within) await this.driver.switchTo().frame(await this.driver.findElement(By.css(this.within)));
    return this.driver;
  }

  async goto(url: string): Promise<void> {
    await (await this.enter()).get(url);
  }

  async run<T>(expression: string): Promise<T> {
    return (await this.enter()).executeScript<T>(`return ${expression}`);
  }

  async cookies(): Promise<string> {
    const cookies = await (await this.enter()).manage().getCookies();
    return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  async frame(selector: string): Promise<Page> {
    return new WebKitPage(this.driver, this.handle, selector);
  }

  async opened(): Promise<Page> {
    let handle: string | undefined;
    await expect(async () => {
      handle = (await this.driver.getAllWindowHandles()).find((one) => one !== this.handle);
      expect(handle).toBeDefined();
    }).toPass({ timeout: patience });
    return new WebKitPage(this.driver, handle!);
  }

  protected async pressAt(selector: string, index: number): Promise<void> {
    await this.patiently(async () => (await this.find(selector, index)).click());
  }

  /** Repeats what WebKit's driver refuses because the element is not laid out yet. What it refuses has no effect. */
  private async patiently(act: () => Promise<void>): Promise<void> {
    const end = Date.now() + patience;
    for (;;) {
      try {
        return await act();
      } catch (error) {
        if ((error as Error).name !== 'ElementNotInteractableError' || Date.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  protected async typeInto(selector: string, text: string): Promise<void> {
    const field = await this.find(selector);
    await this.patiently(() => field.click()); // without a click, no field in a cross-origin frame gets the focus
    await field.sendKeys(text);
  }

  protected async select(selector: string, value: string): Promise<void> {
    await (await this.find(`${selector} option[value="${value}"]`)).click();
  }

  /** An element that can be clicked. The driver scrolls within a frame, but does not scroll the page around it. */
  private async find(selector: string, index = 0): Promise<WebElement> {
    if (this.within) {
      const top = await this.run<number>(`document.querySelectorAll(${JSON.stringify(selector)})[${index}].getBoundingClientRect().top`);
      await this.driver.switchTo().defaultContent();
      const frame = `document.querySelector(${JSON.stringify(this.within)}).getBoundingClientRect().top`;
      await this.driver.executeScript(`scrollBy({ top: ${frame} + ${top} - innerHeight / 2, behavior: 'instant' })`);
    }
    return (await (await this.enter()).findElements(By.css(selector)))[index];
  }
}
