import { refusal } from './responses.ts';

/** Requests of the last `spanMs`, per name. docs.bridgeapi.io/docs/basics, "rate limits". */
export interface Limits {
  /** False when this request is one too many. */
  take(kind: 'user' | 'token' | 'application', name: string, now: Date): boolean;
}

const allowed = {
  user: { count: 60, spanMs: 60_000 },
  token: { count: 10, spanMs: 60_000 },
  application: { count: 2_000, spanMs: 300_000 },
} as const;

export function createLimits(): Limits {
  const moments = new Map<string, number[]>();
  return {
    take(kind, name, now) {
      const { count, spanMs } = allowed[kind];
      const key = `${kind} ${name}`;
      const recent = (moments.get(key) ?? []).filter((at) => now.getTime() - at < spanMs);
      const isAllowed = recent.length < count;
      if (isAllowed) recent.push(now.getTime());
      moments.set(key, recent);
      return isAllowed;
    },
  };
}

export const tooMany = refusal(429, 'too_many_requests', 'Too many requests.');
