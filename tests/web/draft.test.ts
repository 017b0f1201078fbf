import { describe, expect, it } from 'vitest';
import {
  changeOf,
  faultsOf,
  PROPOSAL,
  unsaved,
  unsavedChoices,
  valuesOf,
} from '../../src/web/notifications/draft.ts';
import { zoneNote } from '../../src/web/notifications/rhythm.ts';
import { messenger } from './messenger.ts';

const saved = messenger();

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
    expect(unsaved(after, draft)).toEqual({ message: 'Bonsoir à tous' });
  });
});

describe('a message that was never written', () => {
  const fresh = messenger({ message: '', slackChannel: null, slackChannelName: null });

  it('is proposed with the total first, and is no change of its owner', () => {
    expect(valuesOf(fresh, {}).message).toBe(PROPOSAL);
    expect(PROPOSAL.indexOf('{{total}}')).toBeLessThan(PROPOSAL.indexOf('{{soldes}}'));
    expect(unsaved(fresh, {})).toEqual({});
    expect(unsaved(fresh, { message: PROPOSAL })).toEqual({});
  });

  it('is saved with the first change, or alone', () => {
    expect(changeOf(fresh, { slackChannel: 'C2' })).toEqual({
      message: PROPOSAL,
      slackChannel: 'C2',
    });
    expect(changeOf({ ...fresh, slackChannel: 'C1' }, {})).toEqual({ message: PROPOSAL });
  });

  it('stays empty once its owner has emptied it', () => {
    const draft = unsaved(fresh, { message: '' });
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
    expect(faultsOf(messenger({ slackChannel: null })).channel).not.toBeNull();
    expect(faultsOf(messenger({ message: '' })).message).not.toBeNull();
    expect(faultsOf(messenger({ message: ' \n ' })).message).not.toBeNull();
    expect(faultsOf(saved)).toEqual({ channel: null, message: null });
  });

  it('beyond 3000 characters, an emoji counting for one', () => {
    expect(faultsOf(messenger({ message: '👋'.repeat(3000) })).message).toBeNull();
    expect(faultsOf(messenger({ message: '👋'.repeat(3001) })).message).toContain('3001');
  });
});

describe('the hour field', () => {
  it('warns beforehand when a change would take another zone', () => {
    const stored = { ...saved.hour, zone: 'Pacific/Noumea', timeZone: '+1100' };
    expect(zoneNote(stored, stored, 'Europe/Paris')).toBe(
      "Heure de Nouméa. Si vous changez l'heure, elle passera à l'heure de Paris.",
    );
  });

  it('only names the zone when it is the same, or once it was taken', () => {
    const stored = { ...saved.hour, zone: 'Pacific/Noumea', timeZone: '+1100' };
    expect(zoneNote(saved.hour, saved.hour, 'Europe/Paris')).toBe('Heure de Paris');
    expect(zoneNote(stored, saved.hour, 'Europe/Paris')).toBe('Heure de Paris');
  });
});
