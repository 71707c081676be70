import { defineConfig } from '@playwright/test';
import { systemBrowser } from '../playwright.config';

// `make lighthouse`: apart from the tests, since it takes minutes and measures time.
export default defineConfig({
  testDir: '.',
  globalSetup: '../tests/support/server.ts',
  outputDir: '../test-results/lighthouse',
  workers: 1,
  timeout: 600_000,
  reporter: 'line',
  use: { launchOptions: { executablePath: systemBrowser } },
});
