import { defineConfig, type LaunchOptions } from '@playwright/test';
import type { DemoDatabase } from './tests/browser/support/demonstration.ts';
import { findChromium, findWindowlessChromium } from './tests/runner/programs.ts';

/** Parts of the browser that no page of ours needs. */
const unused = [
  // Playwright's own list, which a second one replaces.
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'SpareRendererForSitePerProcess',
  'ThirdPartyStoragePartitioning',
  // Pages behind the address bar, drawn for every new window: a quarter of all the work.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
];

function launched(executablePath: string | null): LaunchOptions {
  return {
    executablePath: executablePath ?? '',
    // Pop-ups are blocked here as they are for people.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A process for each page, and one in reserve, is a seventh of all the work.
      '--disable-site-isolation-trials',
      '--renderer-process-limit=1',
      // No page lives long enough to win back what the second compilation of its code costs: a tenth.
      '--js-flags=--no-opt --no-maglev',
      `--disable-features=${unused.join()}`,
    ],
  };
}

/** Of the window around a page: what blocks pop-ups, and offers to install what works offline. */
const wholeBrowser = ['bank-pages', 'offline', 'references'].map((name) => `**/${name}.test.ts`);

const movingClock = ['journey', 'message', 'pauses', 'alerts'].map((name) => `**/${name}.test.ts`);

/** Chromium reaches nothing but this machine, and keeps nothing of what it did. */
export default defineConfig<object, { demoDatabase: DemoDatabase }>({
  testDir: 'tests/browser',
  outputDir: 'test-results',
  globalSetup: './tests/runner/database-of-run.ts',
  // They wait for one another's servers: five keep two cores busy, where four left an eighth idle.
  workers: 5,
  // Nothing that passes waits for them: they are for a machine that is busy with other work.
  timeout: 240_000,
  expect: {
    timeout: 30_000,
    toHaveScreenshot: {
      maxDiffPixelRatio: 0.01,
      pathTemplate: 'tests/screens/references/{arg}{ext}',
    },
  },
  forbidOnly: true,
  projects: [
    // They move the clock by days. One after another, they share a demonstration: no other file
    // may live by it. First, because they take longest.
    {
      name: 'moving clock',
      testMatch: movingClock,
      workers: 1,
      use: { demoDatabase: 'embedded' },
    },
    {
      name: 'whole browser',
      testMatch: wholeBrowser,
      workers: 1,
      use: { launchOptions: launched(findChromium()) },
    },
    { name: 'pages', testIgnore: [...movingClock, ...wholeBrowser] },
  ],
  reporter: [['line'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    locale: 'fr-FR',
    timezoneId: 'Europe/Paris',
    // Recording every test costs a tenth of the time: `--trace on` where one is looked into.
    trace: 'off',
    // A new window for each test is a fifth of the time; `support/test.ts` resets what this leaves.
    reuseContext: true,
    // Frames of moving things are a seventh of all the work. Files that are about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    // It would answer before a test's own routes could; the one test of it lets it work.
    serviceWorkers: 'block',
    launchOptions: launched(findWindowlessChromium()),
  },
});
