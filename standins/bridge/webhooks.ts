import { createHmac } from 'node:crypto';
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

/** docs.bridgeapi.io/docs/secure-your-webhooks: the raw body, upper-case hex, one per secret. */
function signatureOf(secrets: string[], body: string): string {
  return secrets
    .map((secret) => createHmac('sha256', secret).update(body).digest('hex').toUpperCase())
    .map((hex) => `v1=${hex}`)
    .join(',');
}

async function deliver(webhook: { url: string; secrets: string[] }, body: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const response = await fetch(webhook.url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'bridgeapi-signature': signatureOf(webhook.secrets, body),
        },
        body,
        signal: AbortSignal.timeout(5_000),
      });
      await response.arrayBuffer();
      if (response.status === 200) return;
    } catch {
      // Not reached: tried again, like a refusal.
    }
  }
}
