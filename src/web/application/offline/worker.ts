/**
 * The service worker: keeps the page and its files, so that the application opens without a network.
 * It never touches the API: no bank data is kept.
 */

/** Filled in by the build: the files of this version and their common name. */
declare const __SHELL__: { version: string; files: string[] };

/** What this file uses of a service worker's scope (w3.org/TR/service-workers). */
interface WorkerScope {
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void;
}
interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

const { version, files } = __SHELL__;
const cachePrefix = 'tirelire-';
const kept = cachePrefix + version;
const page = '/';
const worker = self as unknown as WorkerScope;

worker.addEventListener('install', (event) => event.waitUntil(keepFiles()));
worker.addEventListener('activate', (event) => event.waitUntil(forgetOtherVersions()));
worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== location.origin || pathname.startsWith('/api/')) return;
  if (mode === 'navigate') event.respondWith(newestPage(event.request));
  else if (files.includes(pathname)) event.respondWith(keptFile(event.request, pathname));
});

async function keepFiles(): Promise<void> {
  const cache = await caches.open(kept);
  await cache.addAll([new Request(page, { cache: 'reload' }), ...files]);
}

/** A tab that is still open on an older version keeps its files until it is closed. */
async function forgetOtherVersions(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(cachePrefix) && name !== kept);
  await Promise.all(old.map((name) => caches.delete(name)));
}

/** The server's page when it answers in time, so that a new version is seen at once. */
async function newestPage(request: Request): Promise<Response> {
  const newest = fetch(request);
  try {
    return await Promise.race([newest, endOfPatience()]);
  } catch {
    return (await caches.match(page, { cacheName: kept })) ?? newest;
  }
}

const patienceMs = 10_000;

function endOfPatience(): Promise<never> {
  return new Promise((_resolve, reject) => setTimeout(reject, patienceMs));
}

async function keptFile(request: Request, pathname: string): Promise<Response> {
  return (await caches.match(pathname, { cacheName: kept })) ?? fetch(request);
}
