import { describe, expect, it } from 'vitest';
import type { Alert } from '../../src/shared/contract/alerts.ts';
import {
  alertSentence,
  ownReadingSentence,
  pausedSentence,
  readingSentence,
  stateSentence,
} from '../../src/web/notifications/alerts/words.ts';
import { plain } from '../shared/message/samples.ts';
import { messenger } from './messenger.ts';

const alert: Alert = {
  id: '1',
  kind: 'below',
  account: { id: 1, name: 'Courant', bank: { name: 'CIC' }, currency_code: 'EUR' },
  ...{ currency_code: 'EUR', amount: 500, state: 'armed', rearmed: 525 },
  ...{ crossedDate: null, readEveryMinutes: 60 },
};
const paris = { zone: 'Europe/Paris', timeZone: '+0100' };
const now = new Date('2026-01-12T10:00:00Z');
const yesterday = '2026-01-11T09:30:00Z';

describe('an alert', () => {
  it('is named by what it watches', () => {
    expect(plain(alertSentence(alert))).toBe('Courant (CIC) : prévenir sous 500,00 €');
    const total = { ...alert, account: null };
    expect(plain(alertSentence(total))).toMatch(/^Total des comptes de la notification : /);
    const each = { ...total, kind: 'movement' as const, rearmed: null };
    expect(plain(alertSentence(each))).toBe(
      'Chaque compte de la notification : mouvement de plus de 500,00 €',
    );
  });

  it.each<[Partial<Alert>, string | null]>([
    [{}, null],
    [{ crossedDate: yesterday }, 'Dernière alerte hier à 10:30.'],
    [{ state: 'waiting' }, "En attente d'un premier solde."],
    [
      { state: 'unlisted', crossedDate: yesterday },
      "Sa banque ne le donne plus comme compte courant : rien n'est surveillé.",
    ],
    [
      { state: 'crossed' },
      'Déjà sous ce montant. Prochaine alerte possible une fois remonté à 525,00 €.',
    ],
    [
      { state: 'crossed', crossedDate: yesterday },
      'Passé sous ce montant hier à 10:30. Prochaine alerte possible une fois remonté à 525,00 €.',
    ],
  ])('with %j says %s', (differences, said) => {
    const sentence = stateSentence({ ...alert, ...differences }, now, paris);
    expect(sentence && plain(sentence)).toBe(said);
  });

  it('says how often its balances are read, and never more than is true', () => {
    const rare = { ...alert, readEveryMinutes: 300 };
    expect(readingSentence([], paris)).toMatch(/au moins une fois par heure.*heure de Paris/);
    expect(readingSentence([alert, rare], paris)).toMatch(/aussi souvent que/);
    expect(ownReadingSentence(alert)).toBeNull();
    expect(ownReadingSentence(rare)).toMatch(/toutes les 5 heures/);
    expect(ownReadingSentence({ ...alert, readEveryMinutes: null })).toMatch(
      /ouverture de Tirelire/,
    );
  });

  it('rests with its notification, which says so', () => {
    const ready = messenger({ slackChannel: 'C1' });
    expect(pausedSentence(ready)).toBeNull();
    expect(pausedSentence({ ...ready, slackChannel: null })).toMatch(/Choisissez/);
    for (const rest of [{ stopped: true }, { pausedUntil: '2026-02-01' }, { connected: false }]) {
      expect(pausedSentence({ ...ready, ...rest })).toMatch(/en pause/);
    }
  });
});
