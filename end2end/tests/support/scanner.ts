import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';

/** What scanners send for FNC1 inside of a code: group separator, as a keyboard types it. */
export const FNC1 = '\u001d';

/** A scanner that is plugged in as a keyboard: it waits for nothing between two keys, and ends with Enter. */
export async function wedge(page: Page, code: string): Promise<void> {
  // Without scripting, only the focused field takes the code. Chromium focuses it when it first paints the page.
  const isPlain = await page.evaluate(() => matchMedia('(scripting: none)').matches);
  if (isPlain) await expect(page.locator('input:focus')).toBeVisible();
  await burst(page, code);
}

/** Types a code and Enter at once, whatever the page does. */
export async function burst(page: Page, code: string): Promise<void> {
  const parts = code.split(FNC1);
  for (const [index, part] of parts.entries()) {
    if (index > 0) await page.keyboard.press('Control+]');
    const keys = index === parts.length - 1 ? [...part, 'Enter'] : [...part];
    await Promise.all(keys.map((key) => page.keyboard.press(key)));
  }
}

/**
 * Sends the keys of codes to whatever has the focus, with no time between them. They type nothing: only the page's scripts hear them. Real keys
 * come too slowly for a scanner while the machine is busy. For the same reason, all keys have the time of the first one.
 */
export async function elsewhere(page: Page, codes: string | string[], end: 'Enter' | 'Tab' = 'Enter'): Promise<void> {
  await page.evaluate((keys) => {
    const target = document.activeElement ?? document.body;
    const at = performance.now();
    for (const key of keys) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      target.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value: at }));
    }
  }, [codes].flat().flatMap((code) => [...code.replaceAll(FNC1, ''), end]));
}

/** Holds the next look-up of a code back, as a slow network does. Returns what lets it go. */
export async function holdLookUp(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  let isFirst = true;
  await page.route('**/desk/call/scan', async (route) => {
    if (isFirst) {
      isFirst = false;
      await held;
    }
    await route.continue().catch(() => undefined); // the next look-up has replaced it
  });
  return release;
}
