import { defineConfig } from '@playwright/test';
import { wholeBrowser } from '../playwright.config';

// `make lighthouse`: not part of the tests, because it takes minutes and measures time.
export default defineConfig({
  testDir: '.',
  globalSetup: '../tests/support/server.ts',
  outputDir: '../test-results/lighthouse',
  workers: 1,
  timeout: 600_000,
  reporter: 'line',
  use: { launchOptions: { executablePath: wholeBrowser } },
});
