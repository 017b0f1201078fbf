import { createHmac } from 'node:crypto';
import { postWebhook } from '../service/webhooks.ts';
import type { CompleteOptions } from './options.ts';

export interface Webhooks {
  send(type: string, content: Record<string, unknown>): void;
  /** Resolves when everything sent so far was delivered or given up. */
  settled(): Promise<void>;
}

/** One delivery per event, in order; tried again on anything but a 200. */
export function createWebhooks(options: CompleteOptions): Webhooks {
  let queue = Promise.resolve();
  return {
    send(type, content) {
      const { webhook } = options;
      if (!webhook) return;
      const body = JSON.stringify({ content, timestamp: options.clock.now().getTime(), type });
      queue = queue.then(() => deliver(webhook, body));
    },
    settled: () => queue,
  };
}

async function deliver(webhook: { url: string; secrets: string[] }, body: string): Promise<void> {
  const headers = { 'bridgeapi-signature': signatureOf(webhook.secrets, body) };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if ((await postWebhook(webhook.url, body, headers, 5_000)) === 200) return;
  }
}

/** docs.bridgeapi.io/docs/secure-your-webhooks: the raw body, upper-case hex, one per secret. */
function signatureOf(secrets: string[], body: string): string {
  return secrets
    .map((secret) => createHmac('sha256', secret).update(body).digest('hex').toUpperCase())
    .map((hex) => `v1=${hex}`)
    .join(',');
}
