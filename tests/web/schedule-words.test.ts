import { describe, expect, it } from 'vitest';
import type { Messenger } from '../../src/shared/contract/messengers.ts';
import { changeOf, unsavedChanges } from '../../src/web/notifications/draft.ts';
import {
  firstSendingWords,
  followingDays,
  scheduleLegend,
  scheduleSentence,
} from '../../src/web/notifications/schedule-words.ts';
import { messenger } from './messenger.ts';

const { hour } = messenger();

describe('when a message is sent', () => {
  it('keeps the sentence of old while it is every day', () => {
    expect(scheduleLegend([1, 2, 3, 4, 5, 6, 7])).toBe('Tous les jours de la semaine à');
  });

  it('names the chosen days as people do', () => {
    expect(scheduleLegend([1, 2, 3, 4, 5])).toBe('du lundi au vendredi à');
    expect(scheduleLegend([1, 3, 7])).toBe('les lundis, mercredis et dimanches à');
    expect(scheduleLegend([6, 7])).toBe('les samedis et dimanches à');
    expect(scheduleLegend([2])).toBe('le mardi à');
  });

  it('is one plain sentence with the holidays that it skips', () => {
    expect(scheduleSentence(messenger({ slackChannelName: 'trésorerie' }))).toBe(
      'tous les jours à 09:00 dans #trésorerie',
    );
    expect(scheduleSentence(messenger({ slackChannel: null, slackChannelName: null }))).toBe(
      'tous les jours à 09:00',
    );
    const phrase = { channels: 'one', placePhrase: 'par email à ana@exemple.org' } as const;
    expect(scheduleSentence(messenger({ slackChannelName: 'ana@exemple.org', ...phrase }))).toBe(
      'tous les jours à 09:00 par email à ana@exemple.org',
    );
    expect(scheduleSentence(messenger({ days: [1], holidays: 'alsace-moselle' }))).toBe(
      'le lundi à 09:00 dans #general, sauf les jours fériés (Alsace-Moselle)',
    );
  });

  it('is told of the first message, with where it goes', () => {
    const now = new Date('2026-11-21T08:00:00Z');
    expect(firstSendingWords(messenger({ slackChannelName: 'trésorerie' }), now)).toBe(
      'Premier message demain à 09:00 dans #trésorerie',
    );
    const mail = { channels: 'one', placePhrase: 'par email à ana@exemple.org' } as const;
    expect(firstSendingWords(messenger(mail), now)).toBe(
      'Premier message demain à 09:00 par email à ana@exemple.org',
    );
    expect(firstSendingWords(messenger({ nextDate: null }), now)).toBeNull();
    const lastDelivery: Messenger['lastDelivery'] = {
      ...{ id: 'd1', dueDate: '2026-11-20T08:00:00Z', sentDate: null, lateSeconds: null },
      ...{ kind: 'daily', outcome: 'delivered', resends: 0, reason: null, channelName: null },
    };
    // It has sent elsewhere before its channel went.
    expect(firstSendingWords(messenger({ lastDelivery }), now)).toBeNull();
    const failed = messenger({ lastDelivery: { ...lastDelivery, outcome: 'failed' } });
    expect(firstSendingWords(failed, now)).toContain('Premier message demain');
  });

  it('lists the next days with each month once, where the notification lives', () => {
    const dates = ['2026-11-29T08:00:00Z', '2026-11-30T08:00:00Z', '2026-12-01T08:00:00Z'];
    expect(followingDays(dates, hour)).toBe('dimanche 29, lundi 30 novembre et mardi 1er décembre');
    expect(followingDays(['2026-11-29T23:30:00Z'], hour)).toBe('lundi 30 novembre');
  });
});

describe('saving when and about what', () => {
  it('sends each setting that was changed, and none that came back to where it was', () => {
    const saved = messenger({ days: [1, 2], pausedUntil: null });
    const accounts = { scope: 'chosen', chosen: [4], includesNew: false } as const;
    const draft = { days: [1, 2], stopped: true, accounts: { ...accounts, chosen: [4] } };
    expect(changeOf(saved, draft)).toEqual({ stopped: true, accounts });
    expect(unsavedChanges(saved, { pausedUntil: null })).toEqual({});
    expect(changeOf(messenger({ pausedUntil: '2026-12-01' }), { pausedUntil: null })).toEqual({
      pausedUntil: null,
    });
  });
});
