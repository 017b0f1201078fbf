/**
 * Which of the addresses a request came through are believed to be proxies: the nearest ones, as many
 * as there are. What stands further out in X-Forwarded-* may have been written by whoever asks, to be
 * somebody else for every guess.
 */
export function nearestProxies(count: number): (address: string, hop: number) => boolean {
  return (_address, hop) => hop < count;
}
