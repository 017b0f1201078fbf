import { remembered } from '../sessions/browser-storage.ts';

const hiding = remembered('tirelire.amounts');

/** Whether amounts are hidden on screen: remembered by this browser, for every tab. */
export function useHidden(): boolean {
  return hiding.useValue() !== null;
}

export function hideAmounts(hide: boolean): void {
  hiding.keep(hide ? 'hidden' : null);
}
