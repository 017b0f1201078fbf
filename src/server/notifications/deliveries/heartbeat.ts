import type { Logger } from 'pino';
import type { HttpClient } from '../../platform/http-client/http-client.ts';
import type { Heartbeat } from '../deps.ts';

interface HeartbeatOptions {
  /** Asked with GET, as services that watch scheduled work expect it; null for no watcher. */
  url: string | null;
  httpClient: HttpClient;
  log: Logger;
}

export function createHeartbeat({ url, httpClient, log }: HeartbeatOptions): Heartbeat {
  if (!url) return { beat() {} };
  let calling = false;
  let again = false;
  const call = async (): Promise<void> => {
    calling = true;
    do {
      again = false;
      try {
        const { status } = await httpClient.request({ method: 'GET', url, timeoutMs: 10_000 });
        if (status >= 300) log.warn({ status }, 'the heartbeat was not taken');
      } catch (error) {
        log.warn({ err: error }, 'the heartbeat is lost');
      }
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
