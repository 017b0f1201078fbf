import type { Hour } from '../../shared/contract/messengers.ts';
import { placeWords } from '../time/calendar.ts';

/** Says beforehand that a change takes this browser's zone, when that is another than the stored one. */
export function zoneNote(stored: Hour, hour: Hour, browser: string): string {
  if (hour.zone === browser || stored.zone === browser) return capital(placeWords(hour));
  const taken = placeWords({ zone: browser, timeZone: '' });
  return `${capital(placeWords(stored))}. Si vous changez l'heure, elle passera à l'${taken}.`;
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
