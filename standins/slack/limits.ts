/** Token buckets in real time, as Slack counts: per method, per team, and per channel for posts. */
export interface Limits {
  /** Null when the call may go on, else the seconds to wait. */
  take(method: string, team: string, channel: string | null): number | null;
}

interface Bucket {
  left: number;
  at: number;
}

const rates: Record<string, { perSecond: number; burst: number }> = {
  'chat.postMessage': { perSecond: 1, burst: 4 },
  'conversations.list': { perSecond: 20 / 60, burst: 25 },
};
const otherRate = { perSecond: 50 / 60, burst: 60 };

export function createLimits(now: () => number = () => performance.now() / 1000): Limits {
  const buckets = new Map<string, Bucket>();
  return {
    take(method, team, channel) {
      const rate = rates[method] ?? otherRate;
      const key = `${method} ${team} ${method === 'chat.postMessage' ? channel : ''}`;
      const bucket = buckets.get(key) ?? { left: rate.burst, at: now() };
      bucket.left = Math.min(rate.burst, bucket.left + (now() - bucket.at) * rate.perSecond);
      bucket.at = now();
      buckets.set(key, bucket);
      if (bucket.left < 1) return Math.max(1, Math.ceil((1 - bucket.left) / rate.perSecond));
      bucket.left -= 1;
      return null;
    },
  };
}
