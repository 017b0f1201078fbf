import { accountStates } from './account-states.ts';
import { homeStates } from './home-states.ts';
import { noticeStates } from './notice-states.ts';
import { openStates } from './open-states.ts';

export const states = [...openStates, ...homeStates, ...noticeStates, ...accountStates];
export const widths = [320, 768, 1280] as const;
/** Of the pictures that people look at. */
export const screenshotWidths = [320, 375, 768, 1280] as const;
export const schemes = ['light', 'dark'] as const;

export function heightOf(width: number): number {
  return width < 768 ? 700 : 900;
}

/** The pictures that are compared: what never shows a date, a name or an amount of the moment. */
export const references = [
  { state: 'login', width: 320, scheme: 'light' },
  { state: 'login', width: 1280, scheme: 'dark' },
  { state: 'signup', width: 768, scheme: 'light' },
  { state: 'forgotten', width: 320, scheme: 'dark' },
  { state: 'accessibility', width: 768, scheme: 'light' },
  { state: 'not-found', width: 320, scheme: 'dark' },
  // Last: they open a session, which every page shows.
  { state: 'home-empty', width: 320, scheme: 'light' },
  { state: 'home-empty', width: 1280, scheme: 'dark' },
] as const;
