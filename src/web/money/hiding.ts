import { storedText } from '../browser/local-storage.ts';

const hiding = storedText('tirelire.amounts');

/** Whether amounts are hidden on screen: remembered by this browser, for every tab. */
export function useHidden(): boolean {
  return hiding.useValue() !== null;
}

export function hideAmounts(hide: boolean): void {
  hiding.write(hide ? 'hidden' : null);
}
