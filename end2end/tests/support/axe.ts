import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { expect, type Page, type TestInfo } from '@playwright/test';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

// Rules about colours, whose results differ between light and dark mode.
const ofColours = ['color-contrast', 'link-in-text-block'];

/** The problems that axe finds on the page; there must be none. `leaveOut` skips long lists. */
export async function violations(page: Page, leaveOut?: string, only?: 'colours'): Promise<string[]> {
  await page.waitForLoadState(); // without its styles, the page has other sizes and colours
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(
    async ({ runOnly, leaveOut }) => {
      // While scripts are off, no timer fires, not even for axe.
      if (matchMedia('(scripting: none)').matches) {
        Object.assign(window, { setTimeout: (work: () => void) => void Promise.resolve().then(work) });
      }
      // The bottom bar and the desk's head cover different elements at different scroll positions.
      const bars = document.querySelectorAll<HTMLElement>('.bar, .desk-head');
      for (const bar of bars) bar.style.setProperty('position', 'static');
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const context = leaveOut ? { exclude: [leaveOut] } : document;
      // Axe describes only the elements that fail.
      const found = await axe.run(context, { preload: false, runOnly, resultTypes: ['violations'] });
      for (const bar of bars) bar.style.removeProperty('position');
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join('  ')}`);
    },
    { runOnly: only ? { type: 'rule' as const, values: ofColours } : { type: 'tag' as const, values: rules }, leaveOut },
  );
}

/** Elements that leave a window of 320 px, are cut off at its edge, or are covered by the button of the bar. */
async function overflow(page: Page, leaveOut = 'none'): Promise<string[]> {
  return page.evaluate((leaveOut) => {
    const width = document.documentElement.clientWidth;
    const hidden = `.visually-hidden, .skip, details:not([open]) > :not(summary), ${leaveOut}`;
    const all = [...document.body.querySelectorAll('*')];
    const shown = all.filter((element) => !element.closest(hidden) && element.checkVisibility());
    const boxes = shown.map((element) => ({ element, box: element.getBoundingClientRect() }));
    const button = boxes.find(({ element }) => element.matches('.bar-in > .button'))?.box;
    const isUnder = (box: DOMRect) => button && (document.dir === 'rtl' ? box.left < button.right : box.right > button.left);
    const isCut = ({ element, box }: (typeof boxes)[number]) =>
      box.width > 0 && (box.right > width + 1 || box.left < -1 || (element.matches('.bar-sum *') && !element.closest('.bar-sheet') && isUnder(box)));
    return boxes.filter(isCut).map(({ element }) => element.outerHTML.slice(0, 120));
  }, leaveOut);
}

/** Covered elements of the sticky summary on a desktop. Lines of a long summary may scroll under the total. */
async function covered(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const stay = document.querySelector('.stay');
    if (!stay || !matchMedia('(min-width: 64rem)').matches || stay.scrollHeight > stay.clientHeight) return [];
    const parts = [...document.querySelectorAll('.stay .receipt > :not(dl)')].filter((part) => part.checkVisibility());
    const isCovered = (part: Element) => {
      const { left, right, top, height } = part.getBoundingClientRect();
      const above = [0.2, 0.5, 0.8].map((share) => document.elementFromPoint((left + right) / 2, top + height * share));
      return above.some((other) => other && !part.contains(other));
    };
    return parts.filter(isCovered).map(({ outerHTML }) => outerHTML.slice(0, 120));
  });
}

/**
 * Checks a page: with axe in light and dark mode, and on the narrowest phone. Saves pictures of
 * the whole page in artefacts/<project>/.
 */
export async function look(page: Page, info: TestInfo, name: string, leaveOut?: string): Promise<void> {
  const size = page.viewportSize()!;
  for (const colorScheme of ['light', 'dark'] as const) {
    // Without motion, no element is half faded.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await picture(page, info, `${name}-${colorScheme}`);
    const only = colorScheme === 'dark' ? 'colours' : undefined; // other rules have the same result in both modes
    expect.soft(await violations(page, leaveOut, only), `axe, ${name}, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect.soft(await covered(page), `covered, ${name}`).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect.soft(await overflow(page, leaveOut), `320 px, ${name}`).toEqual([]);
  if (info.project.name.startsWith('phone')) await picture(page, info, `${name}-320`);
  await page.setViewportSize(size);
}

/**
 * The whole page as on one long screen, with the bottom bar at the end. The pictures are not compared; they are for people to
 * look at. `PICTURES=no` skips them, as in hosted CI.
 */
export async function picture(page: Page, info: TestInfo, name: string): Promise<void> {
  if (process.env.PICTURES === 'no') return;
  const path = resolve(__dirname, '../../artefacts', info.project.name, `${name}.png`);
  await mkdir(dirname(path), { recursive: true });
  const size = page.viewportSize()!;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  // More rows of a long list are of no use.
  await page.setViewportSize({ width: size.width, height: Math.max(size.height, Math.min(height, 5000)) });
  await page.screenshot({ path });
  await page.setViewportSize(size);
}
