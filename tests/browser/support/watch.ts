import type { BrowserContext } from '@playwright/test';

/** Everything that went wrong in any tab, in words: errors of scripts, refused and failed requests. */
export function watchFaults(context: BrowserContext): string[] {
  const faults: string[] = [];
  context.on('console', (message) => {
    // The test browser's own word about a worker that it was told to block.
    if (message.text().includes('Service Worker registration blocked by Playwright')) return;
    if (['error', 'warning'].includes(message.type())) {
      faults.push(`console: ${message.text()} (${message.location().url})`);
    }
  });
  context.on('weberror', (error) => faults.push(`script: ${error.error().message}`));
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
  });
  context.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // A request under way when the person goes to another page is given up by the browser.
    if (reason !== 'net::ERR_ABORTED') faults.push(`${reason} ${request.url()}`);
  });
  return faults;
}
