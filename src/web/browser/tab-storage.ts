/** What this tab remembers across reloads and a new sign-in, all under one prefix. */
const prefix = 'tirelire.';

export function remember(name: string, value: unknown): void {
  attempt((storage) => storage.setItem(prefix + name, JSON.stringify(value)));
}

export function recall(name: string): unknown {
  return attempt((storage) => JSON.parse(storage.getItem(prefix + name) ?? 'null'));
}

export function forget(name: string): void {
  attempt((storage) => storage.removeItem(prefix + name));
}

export function forgetEverything(): void {
  attempt((storage) => storage.clear());
}

/** Null where the browser closes its storage, or it is full: the next reload finds nothing. */
function attempt<Result>(work: (storage: Storage) => Result): Result | null {
  try {
    return work(sessionStorage);
  } catch {
    return null;
  }
}
