import { expect, it, vi } from 'vitest';

it('a page whose server takes the connection and never answers is opened from its copy', async () => {
  const listeners = new Map<string, (event: unknown) => void>();
  const copy = new Response('copy');
  vi.stubGlobal('self', { addEventListener: listeners.set.bind(listeners) });
  vi.stubGlobal('__SHELL__', { version: '1', files: [] });
  vi.stubGlobal('location', { origin: 'https://tirelire.exemple.fr' });
  vi.stubGlobal('caches', { match: async () => copy });
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  vi.useFakeTimers();
  try {
    await import('../../src/web/application/offline/worker.ts');
    const answered = vi.fn();
    listeners.get('fetch')?.({
      request: { method: 'GET', mode: 'navigate', url: 'https://tirelire.exemple.fr/profil' },
      respondWith: (response: Promise<Response>) => response.then(answered),
    });
    await vi.advanceTimersByTimeAsync(9_000);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(answered).toHaveBeenCalledWith(copy);
  } finally {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  }
});
