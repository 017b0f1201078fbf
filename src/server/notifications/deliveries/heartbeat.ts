import type { Logger } from 'pino';
import type { HttpClient } from '../../platform/http-client/http-client.ts';

/** Tells a watcher outside that planning works: silence at an hour with sendings is the alarm. */
export interface Heartbeat {
  /** Returns at once, whatever becomes of the call. Those that come during a call are one more. */
  beat(): void;
}

/** `url` is asked with GET, as services that watch scheduled work expect it; null for no watcher. */
export function createHeartbeat({
  url,
  httpClient,
  log,
}: {
  url: string | null;
  httpClient: HttpClient;
  log: Logger;
}): Heartbeat {
  if (!url) return { beat() {} };
  let calling = false;
  let again = false;
  const call = async (): Promise<void> => {
    calling = true;
    do {
      again = false;
      await ask(url, httpClient, log);
    } while (again);
    calling = false;
  };
  return {
    beat() {
      again = calling;
      if (!calling) void call();
    },
  };
}

async function ask(url: string, httpClient: HttpClient, log: Logger): Promise<void> {
  try {
    const { status } = await httpClient.request({ method: 'GET', url, timeoutMs: 10_000 });
    if (status >= 300) log.warn({ status }, 'the heartbeat was not taken');
  } catch (error) {
    log.warn({ failure: error instanceof Error ? error.message : error }, 'the heartbeat is lost');
  }
}
