import { existsSync } from 'node:fs';
import { defineConfig, devices } from '@playwright/test';

// The system's browser where there is one; undefined stands for the one that Playwright installs.
export const systemBrowser = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
].find((path) => existsSync(path));

const desktop = { viewport: { width: 1280, height: 900 } };
const phone = { ...devices['Pixel 7'], viewport: { width: 390, height: 844 }, screen: { width: 390, height: 844 } };
// Every page must work as a plain document. What cannot be told without scripting is tagged @scripting.
const plain = { grepInvert: /@scripting/ };
// What a program sees of the service is the same without scripting.
const answers = { testIgnore: /(headers|vendure)\.spec/ };
// With scripting everything is tried on a desk; on a phone what moves there. Pages as such are the same as in `phone-plain`.
const moving = { testMatch: /(journey|live|together|keyboard|embed|details|devices|photos|health)\.spec/ };
// Without scripting everything is tried on a phone; on a desk only what may look different there.
const wide = { testMatch: /(states|journey|keyboard|details|gift|brand)\.spec/ };

export default defineConfig({
  testDir: './tests',
  globalSetup: './tests/support/server.ts', // starts the program, sets RETOUR_URL
  fullyParallel: true,
  workers: '100%', // the default is half of the cores
  timeout: 180_000, // other builds may share the machine
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  retries: process.env.CI ? 1 : 0, // a machine that stalls for a moment; what passes only then is listed as flaky
  reporter: 'list',
  use: {
    baseURL: process.env.RETOUR_URL,
    // Not the server's own: what is formatted differently in the browser shows itself.
    locale: 'en-GB',
    timezoneId: 'Asia/Tokyo',
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
      ],
    },
  },
  projects: [
    { name: 'desktop', use: desktop },
    { name: 'phone', ...moving, use: phone },
    { name: 'desktop-plain', ...plain, ...wide, use: { ...desktop, javaScriptEnabled: false } },
    { name: 'phone-plain', ...plain, ...answers, use: { ...phone, javaScriptEnabled: false } },
    { name: 'engines', testDir: './engines' }, // Firefox and WebKit, which other drivers open
  ],
});
