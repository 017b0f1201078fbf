import { localStorageText } from '../browser/local-storage.ts';

const hiding = localStorageText('tirelire.amounts');

/** Whether amounts are hidden on screen: remembered by this browser until a sign-out, for every tab. */
export function useAmountsHidden(): boolean {
  return hiding.useValue() !== null;
}

export function setAmountsHidden(hide: boolean): void {
  hiding.write(hide ? 'hidden' : null);
}
