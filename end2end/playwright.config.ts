import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, devices } from '@playwright/test';

// The system's browsers, if there are any; undefined means the one that Playwright installs.
const installed = (...paths: (string | undefined)[]) => paths.find((path) => path && existsSync(path));
/** A browser with profiles and their settings. */
export const wholeBrowser = installed(process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome');
/** The same engine without windows and profiles, which needs a third less processor time. */
export const systemBrowser = installed(process.env.CHROMIUM, '/usr/bin/chromium-headless-shell') ?? wholeBrowser;

const desktop = { viewport: { width: 1280, height: 900 } };
const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, screen: { width: 390, height: 844 } };
// Every page must work without scripting. Tests that need scripting have the tag @scripting.
const plain = { grepInvert: /@scripting/ };
// Programs see the same service with and without scripting.
const answers = { testIgnore: /(headers|vendure|shopify-snippet)\.spec/ };
// With scripting, all tests run on a desktop, and on a phone those of moving parts. The pages are the same as in `phone-plain`.
const moving = { testMatch: /(desk-(day|return|scan|screens)|journey|live|together|keyboard|embed|details|devices|photos|health)\.spec/ };
// Without scripting, all tests run on a phone, and on a desktop only those of pages that may look different.
const wide = { testMatch: /(desk-(returns|screens)|states|journey|keyboard|details|gift|brand)\.spec/ };

export default defineConfig({
  testDir: './tests',
  globalSetup: './tests/support/server.ts', // starts the program, sets RETOUR_URL
  fullyParallel: true,
  workers: Math.ceil(1.5 * availableParallelism()), // a page that waits leaves its core to another test
  timeout: 180_000, // other builds may share the machine
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  retries: process.env.CI ? 1 : 0, // CI machines may stall for a moment; a test that passes only then is listed as flaky
  reporter: 'list',
  use: {
    baseURL: process.env.RETOUR_URL,
    // Differs from the server's, so that formatting in the browser would show.
    locale: 'en-GB',
    timezoneId: 'Asia/Tokyo',
    // Drawing pages that fade into each other takes a quarter of the processor time. The journeys have motion.
    contextOptions: { reducedMotion: 'reduce' },
    trace: process.env.TRACE ? 'retain-on-failure' : 'off', // recording doubles the time
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: systemBrowser,
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Other tests keep the other cores busy, so more threads and processes only cost time.
        '--in-process-gpu',
        '--js-flags=--single-threaded',
      ],
    },
  },
  projects: [
    { name: 'desktop', use: desktop },
    { name: 'phone', ...moving, use: phone },
    { name: 'desktop-plain', ...plain, ...wide, use: { ...desktop, javaScriptEnabled: false } },
    { name: 'phone-plain', ...plain, ...answers, use: { ...phone, javaScriptEnabled: false } },
    // Firefox and WebKit, with other drivers.
    { name: 'engines', testDir: './engines' },
  ],
});
