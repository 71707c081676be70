import { defineConfig } from '@playwright/test';
import { systemBrowser } from '../playwright.config';

// `make sheet`: not part of the tests, because a person has to look at the result.
export default defineConfig({
  testDir: '.',
  globalSetup: '../tests/support/server.ts',
  outputDir: '../test-results/sheet',
  timeout: 600_000,
  reporter: 'line',
  use: { baseURL: process.env.RETOUR_URL, launchOptions: { executablePath: systemBrowser } },
});
