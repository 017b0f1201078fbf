import { beforeAll, describe, expect, it } from 'vitest';
import {
  changeOf,
  faultsOf,
  firstResumption,
  noFaults,
  patchDraft,
  proposedMessage,
  unsavedChanges,
  unsavedChoices,
  valuesOf,
  withLinkedAccounts,
} from '../../src/web/notifications/draft.ts';
import { zoneNote } from '../../src/web/notifications/schedule-words.ts';
import { loadCities } from '../../src/web/time/calendar.ts';
import { messenger } from './messenger.ts';

const saved = messenger();
const now = new Date('2026-11-21T11:00:00Z');
const linked = (...ids: number[]) => ids.map((id) => ({ id }));

describe('saving a notification', () => {
  it('sends the text alone when only the text was changed', () => {
    expect(changeOf(saved, { message: 'Bonsoir' })).toEqual({ message: 'Bonsoir' });
  });

  it('sends the channel by its id alone when only the channel was changed', () => {
    const draft = { slackChannel: 'C2', slackChannelName: 'tresorerie' };
    expect(changeOf(saved, draft)).toEqual({ slackChannel: 'C2' });
  });

  it('sends the whole hour with its zone once the picker was touched', () => {
    const hour = { hours: 7, minutes: 45, timeZone: '+0100', zone: 'Europe/Paris' } as const;
    expect(changeOf(saved, { hour })).toEqual({ hour });
  });

  it('sends no hour when the picker came back to where it was', () => {
    const hour = { ...saved.hour, timeZone: '+0200' };
    expect(changeOf(saved, { hour, message: 'Bonsoir' })).toEqual({ message: 'Bonsoir' });
  });

  it('tells which accounts were on screen with a choice among them', () => {
    const accounts = { scope: 'chosen' as const, chosen: [1], includesNew: true };
    const change = { accounts: { ...accounts, shown: [1, 2] } };
    const draft = { accounts, shown: [1, 2, 3] };
    expect(changeOf(saved, draft, linked(1, 2))).toEqual(change);
    expect(changeOf(saved, { message: 'Bonsoir', shown: [1] }, linked(1, 2))).toEqual({
      message: 'Bonsoir',
    });
  });

  it('confirms text and channel when nothing was changed', () => {
    expect(changeOf(saved, {})).toEqual({ message: 'Bonjour', slackChannel: 'C1' });
  });
});

describe('a draft', () => {
  it('covers what is saved and follows it elsewhere', () => {
    const values = valuesOf(messenger({ message: 'Changé ailleurs' }), { slackChannel: 'C2' });
    expect(values).toMatchObject({ message: 'Changé ailleurs', slackChannel: 'C2' });
  });

  it('forgets what was saved meanwhile and keeps what was typed since', () => {
    const draft = { message: 'Bonsoir à tous', slackChannel: 'C2', slackChannelName: 'tresorerie' };
    const after = messenger({ message: 'Bonsoir', slackChannel: 'C2' });
    expect(unsavedChanges(after, draft)).toEqual({ message: 'Bonsoir à tous' });
  });

  it('drops the accounts that left with their bank', () => {
    const accounts = { scope: 'chosen' as const, chosen: [1, 2], includesNew: false };
    expect(withLinkedAccounts({ accounts }, linked(2, 3)).accounts?.chosen).toEqual([2]);
    expect(withLinkedAccounts({ message: 'Bonsoir' }, [])).toEqual({ message: 'Bonsoir' });
  });

  it('chooses the accounts that came since, where it includes new ones', () => {
    const accounts = { scope: 'chosen' as const, chosen: [5], includesNew: true };
    const begun = withLinkedAccounts({ accounts }, linked(4, 5));
    expect(begun).toEqual({ accounts, shown: [4, 5] });
    expect(withLinkedAccounts(begun, linked(4, 5))).toBe(begun);
    const after = { accounts: { ...accounts, chosen: [3, 5] }, shown: [4, 5, 3] };
    expect(withLinkedAccounts(begun, linked(3, 4, 5))).toEqual(after);
    const others = { ...begun, accounts: { ...accounts, includesNew: false } };
    expect(withLinkedAccounts(others, linked(3, 4, 5)).accounts?.chosen).toEqual([5]);
    const all = { ...begun, accounts: { ...accounts, scope: 'all' as const, chosen: [] } };
    expect(withLinkedAccounts(all, linked(3, 4, 5)).accounts?.chosen).toEqual([]);
  });

  it('leaves out an account that was shown, went and came back', () => {
    const accounts = { scope: 'chosen' as const, chosen: [5], includesNew: true };
    const without = withLinkedAccounts({ accounts, shown: [4, 5] }, linked(5));
    expect(withLinkedAccounts(without, linked(4, 5)).accounts?.chosen).toEqual([5]);
  });

  it('keeps the old text that was typed again while another is being saved', () => {
    const typed = patchDraft(saved, { message: 'Bonsoir' }, { message: 'Bonjour' }, true);
    expect(unsavedChanges(messenger({ message: 'Bonsoir' }), typed)).toEqual({
      message: 'Bonjour',
    });
    expect(unsavedChanges(saved, typed)).toEqual({});
    expect(patchDraft(saved, { message: 'Bonsoir' }, { message: 'Bonjour' }, false)).toEqual({});
  });
});

describe('a message that was never written', () => {
  const fresh = messenger({ message: '', slackChannel: null, slackChannelName: null });

  it('is proposed with the total first, and is no change of its owner', () => {
    expect(valuesOf(fresh, {}).message).toBe(proposedMessage);
    expect(proposedMessage.indexOf('{{total}}')).toBeLessThan(
      proposedMessage.indexOf('{{soldes}}'),
    );
    expect(unsavedChanges(fresh, {})).toEqual({});
    expect(unsavedChanges(fresh, { message: proposedMessage })).toEqual({});
  });

  it('is saved with the first change, or alone', () => {
    expect(changeOf(fresh, { slackChannel: 'C2' })).toEqual({
      message: proposedMessage,
      slackChannel: 'C2',
    });
    expect(changeOf({ ...fresh, slackChannel: 'C1' }, {})).toEqual({ message: proposedMessage });
  });

  it('stays empty once its owner has emptied it', () => {
    const draft = unsavedChanges(fresh, { message: '' });
    expect(draft).toEqual({ message: '' });
    expect(valuesOf(fresh, draft).message).toBe('');
  });
});

describe('what a preview and a test say beside the text', () => {
  it('is what was changed on screen alone', () => {
    expect(unsavedChoices(saved, valuesOf(saved, {}))).toEqual({});
    const draft = { attention: ['overdraft' as const], operations: 'sums' as const };
    expect(unsavedChoices(saved, valuesOf(saved, draft))).toEqual(draft);
  });
});

describe('a notification is incomplete', () => {
  it('without a channel, without a text, or with blanks for a text', () => {
    expect(faultsOf(messenger({ slackChannel: null }), now).channel).not.toBeNull();
    expect(faultsOf(messenger({ message: '' }), now).message).not.toBeNull();
    expect(faultsOf(messenger({ message: ' \n ' }), now).message).not.toBeNull();
    expect(faultsOf(saved, now)).toEqual(noFaults);
  });

  it('beyond 3000 characters, an emoji counting for one', () => {
    expect(faultsOf(messenger({ message: '👋'.repeat(3000) }), now).message).toBeNull();
    expect(faultsOf(messenger({ message: '👋'.repeat(3001) }), now).message).toContain('3001');
  });
});

describe('a pause', () => {
  const until = (pausedUntil: string, zone = 'Europe/Paris', timeZone = '+0100') =>
    faultsOf(messenger({ pausedUntil, hour: { ...saved.hour, zone, timeZone } }), now).pause;

  it('ends on a day to come', () => {
    expect(until('2026-11-22')).toBeNull();
    expect(until('2026-11-21')).toBe(
      'Choisissez un jour à venir, à partir du dimanche 22 novembre.',
    );
    expect(until('2020-01-01')).not.toBeNull();
  });

  it("counts its days on the notification's own calendar", () => {
    expect(firstResumption({ zone: 'Pacific/Kiritimati', timeZone: '+1400' }, now)).toBe(
      '2026-11-23',
    );
    expect(until('2026-11-22', 'Pacific/Kiritimati', '+1400')).not.toBeNull();
    expect(until('2026-11-22', 'Pacific/Pago_Pago', '-1100')).toBeNull();
  });
});

describe('the hour field', () => {
  beforeAll(() => loadCities(['Pacific/Noumea']));

  it('warns beforehand when a change would take another zone', () => {
    const stored = { ...saved.hour, zone: 'Pacific/Noumea', timeZone: '+1100' };
    expect(zoneNote(stored, stored, 'Europe/Paris')).toBe(
      "Heure de Nouméa. Si vous changez l'heure, l'envoi suivra celle de votre appareil\u202f: heure de Paris.",
    );
  });

  it('only names the zone when it is the same, or once it was taken', () => {
    const stored = { ...saved.hour, zone: 'Pacific/Noumea', timeZone: '+1100' };
    expect(zoneNote(saved.hour, saved.hour, 'Europe/Paris')).toBe('Heure de Paris');
    expect(zoneNote(stored, saved.hour, 'Europe/Paris')).toBe('Heure de Paris');
  });
});
