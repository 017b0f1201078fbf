import { describe, expect, it, test } from 'vitest';
import { balancesOf } from '../../../src/server/notifications/messages/queries.ts';
import type { PreviousFigures } from '../../../src/shared/message/figures.ts';
import { renderMessage } from '../../../src/shared/message/render.ts';
import { account, dataOf, said, saidOf } from './samples.ts';

describe('The change', () => {
  const since = (
    day: string,
    before: PreviousFigures['balances'],
    accounts = [account({ id: 1 })],
  ) => said('{{variation}}', dataOf(accounts, { previous: { day, balances: before } }));

  test.each([
    ['2026-11-20', 111_456, '+120,00 € depuis hier'],
    ['2026-11-20', 123_756, '−3,00 € depuis hier'],
    ['2026-11-20', 123_456, 'sans changement depuis hier'],
    ['2026-11-19', 123_356, '+1,00 € depuis jeudi'],
    ['2026-11-15', 123_356, '+1,00 € depuis dimanche'],
    ['2026-11-14', 123_356, '+1,00 € depuis le 14 novembre'],
    ['2026-03-01', 123_356, '+1,00 € depuis le 1er mars'],
    ['2025-12-31', 123_356, '+1,00 € depuis le 31 décembre 2025'],
    ['2026-11-21', 123_356, '+1,00 € depuis le dernier envoi'],
  ])('since %s, from %i: %s', (day, before, words) => {
    expect(since(day, { 1: [before, 'EUR'] })).toBe(words);
  });

  it('counts only what has a balance on both days, in the same currency', () => {
    const accounts = [
      account({ id: 1 }),
      account({ id: 2 }),
      account({ id: 3, balanceMinor: null }),
      account({ id: 4, currency: 'USD' }),
      account({ id: 5, covered: false }),
    ];
    const before: Record<string, [number, string]> = {
      ...{ 1: [123_356, 'EUR'], 3: [5, 'EUR'], 4: [5, 'EUR'], 5: [5, 'EUR'] },
    };
    expect(since('2026-11-20', before, accounts)).toBe(
      '+1,00 € depuis hier, sur 1 compte sur 4 (nouveau : Compte courant ; retiré : Compte courant)',
    );
    expect(since('2026-11-20', { 3: [5, 'EUR'] }, [account({ id: 3, balanceMinor: null })])).toBe(
      'aucun solde comparable depuis hier',
    );
  });

  it('names what was added or is gone since, and counts it where there are many', () => {
    const before: Record<string, [number, string]> = { 1: [122_456, 'EUR'] };
    const [first, second, third] = ['Livret', 'PEL', 'Projet'].map((name, index) =>
      account({ id: 10 + index, name }),
    );
    const known = account({ id: 1 });
    expect(
      since(
        '2026-11-20',
        before,
        [known, first, second].flatMap((one) => one ?? []),
      ),
    ).toBe('+10,00 € depuis hier, sur 1 compte sur 3 (nouveaux : Livret et PEL)');
    expect(
      since(
        '2026-11-20',
        before,
        [known, first, second, third].flatMap((one) => one ?? []),
      ),
    ).toBe('+10,00 € depuis hier, sur 1 compte sur 4 (3 comptes nouveaux)');
    const left = account({ id: 5, name: 'Joint', covered: false });
    expect(since('2026-11-20', { ...before, 5: [9, 'EUR'] }, [known, left])).toBe(
      '+10,00 € depuis hier (retiré : Joint)',
    );
    expect(since('2026-11-20', { ...before, 77: [9, 'EUR'] }, [known])).toBe(
      '+10,00 € depuis hier (1 compte retiré)',
    );
    const previous: PreviousFigures = {
      ...{ day: '2026-11-20', balances: { ...before, 77: [9, 'EUR'], 78: [9, 'EUR'] } },
      unlisted: { 77: 'TVA' },
    };
    expect(said('{{variation}}', dataOf([known], { previous }))).toBe(
      '+10,00 € depuis hier (2 comptes retirés)',
    );
    previous.unlisted = { 77: 'TVA', 78: ' \n' };
    expect(said('{{variation}}', dataOf([known], { previous }))).toBe(
      '+10,00 € depuis hier (retirés : TVA et Compte sans nom)',
    );
  });

  it('knows an account that had no balance in the last message', () => {
    const before = balancesOf({
      accounts: [
        account({ id: 1, balanceMinor: 122_456 }),
        account({ id: 2, name: 'Titres', balanceMinor: null }),
        account({ id: 3, name: 'Joint', balanceMinor: null }),
      ],
    });
    expect(
      since('2026-11-20', before, [account({ id: 1 }), account({ id: 2, name: 'Titres' })]),
    ).toBe('+10,00 € depuis hier, sur 1 compte sur 2 (1 compte retiré)');
  });

  it('goes on when the source of an account is another one', () => {
    const both = balancesOf({
      accounts: [
        account({ id: 1, ibanFingerprint: 'same', balanceMinor: 122_456 }),
        account({
          id: 2,
          connectionId: 2,
          ibanFingerprint: 'same',
          balanceMinor: 0,
          updatedAt: null,
        }),
      ],
    });
    expect(since('2026-11-20', both, [account({ id: 2 })])).toBe('+10,00 € depuis hier');
    expect(since('2026-11-20', both, [account({ id: 3, name: 'Livret' })])).toBe(
      'aucun solde comparable depuis hier (nouveau : Livret ; 1 compte retiré)',
    );
  });

  it('is never a fall of a negative amount', () => {
    const fell = since('2026-11-20', { 1: [123_756, 'EUR'] });
    expect(fell).not.toMatch(/baisse|hausse|-/);
  });

  it('names each currency', () => {
    const accounts = [account({ id: 1 }), account({ id: 2, currency: 'USD', balanceMinor: 0 })];
    expect(since('2026-11-20', { 1: [0, 'EUR'], 2: [1000, 'USD'] }, accounts)).toBe(
      '+1 234,56 € et −10,00 $US depuis hier',
    );
  });

  it('says why it waits for a message to compare with', () => {
    const words = "évolution visible dès le prochain envoi (soldes d'hier inconnus)";
    expect(saidOf('{{variation}}', account())).toBe(words);
    const yesterday = { day: '2026-11-20', isBeforeFirst: true, balances: {} };
    expect(said('{{variation}}', dataOf([account()], { previous: yesterday }))).toBe(words);
  });

  it('is before the first message the one since yesterday, of the accounts known then', () => {
    const previous = {
      ...{ day: '2026-11-20', isBeforeFirst: true },
      balances: { 1: [122_456, 'EUR'] } as PreviousFigures['balances'],
    };
    const accounts = [account({ id: 1 }), account({ id: 2, name: 'Livret' })];
    const data = dataOf(accounts, { previous, attention: [] });
    expect(said('{{variation}}', data)).toBe('+10,00 € depuis hier, sur 1 compte sur 2');
    expect(said('{{soldes}}', data)).toContain(
      'Compte courant : 1 234,56 € · +10,00 € depuis hier',
    );
    expect(said('{{soldes}}', data)).not.toContain('nouveau');
    // Where that day is today's in the notification's zone.
    const evening = { now: new Date('2026-11-20T23:30:00Z'), previous };
    const localZone = { zone: 'America/Martinique', offsetMinutes: null };
    expect(said('{{variation}}', dataOf(accounts, { ...evening, localZone }))).toMatch(
      /^\+10,00 € depuis hier,/,
    );
    const unknown = dataOf(accounts.slice(1), { previous, attention: [] });
    expect(renderMessage('{{soldes}}', unknown)[0]).toMatchObject({ since: null });
    // An account that is counted through another source keeps its yesterday.
    const twice = [
      account({ id: 3, ibanFingerprint: 'same' }),
      account({ id: 1, connectionId: 2, ibanFingerprint: 'same', updatedAt: null }),
    ];
    const counted = dataOf(twice, { previous, attention: [] });
    expect(renderMessage('{{soldes}}', counted)[0]).toMatchObject({ since: 'Depuis hier' });
    expect(said('{{variation}}', counted)).toBe('+10,00 € depuis hier');
  });

  it('leaves out before the first message a figure that is itself of yesterday', () => {
    const balances: PreviousFigures['balances'] = { 1: [122_456, 'EUR'], 2: [123_456, 'EUR'] };
    const previous = { day: '2026-11-20', isBeforeFirst: true, balances };
    const unrenewed = account({ id: 2, updatedAt: new Date('2026-11-20T22:59:59.999Z') });
    const both = dataOf([account({ id: 1 }), unrenewed], { previous, attention: [] });
    expect(said('{{variation}}', both)).toBe('+10,00 € depuis hier, sur 1 compte sur 2');
    expect(said('{{soldes}}', both)).not.toContain('0,00 € depuis hier · hier');
    const alone = dataOf([unrenewed], { previous, attention: [] });
    expect(said('{{variation}}', alone)).toContain("soldes d'hier inconnus");
    expect(renderMessage('{{soldes}}', alone)[0]).toMatchObject({ since: null });
  });

  describe('from a figure that was old already when the last message told it', () => {
    const givenAt = Date.parse('2026-11-16T06:00:00Z');
    const previous = (...ids: number[]) => ({
      ...{ day: '2026-11-20', toldAt: Date.parse('2026-11-20T08:00:00Z') },
      balances: Object.fromEntries(
        [1, 2].map((id) => [
          id,
          [122_456, 'EUR', null, ids.includes(id) ? givenAt : Date.parse('2026-11-20T06:00:00Z')],
        ]),
      ) as PreviousFigures['balances'],
    });
    const accounts = [
      account({ id: 1 }),
      account({ id: 2, name: 'Livret', bank: { name: 'LCL' }, connectionId: 2 }),
    ];

    it('is since the day of that figure', () => {
      const data = dataOf(accounts, { previous: previous(1, 2), attention: [] });
      expect(said('{{variation}}', data)).toBe('+20,00 € depuis lundi');
      expect(renderMessage('{{soldes}}', data)[0]).toMatchObject({ since: 'Depuis lundi' });
      expect(said('{{soldes}}', data)).not.toContain('écart');
    });

    it('says which accounts it is longer of, where their bank has others or none is of yesterday', () => {
      const beside = account({ id: 1, bank: { name: 'LCL' } });
      const one = dataOf([beside, ...accounts.slice(1)], { previous: previous(2), attention: [] });
      expect(said('{{variation}}', one)).toBe('+20,00 € depuis hier (depuis lundi pour Livret)');
      const before = previous(1, 2);
      before.balances[2] = [122_456, 'EUR', null, Date.parse('2026-11-15T06:00:00Z')];
      expect(said('{{variation}}', dataOf(accounts, { previous: before }))).toBe(
        '+20,00 € depuis lundi pour BNP Paribas et depuis dimanche pour LCL',
      );
    });

    it('says which banks it is longer of', () => {
      const data = dataOf(accounts, { previous: previous(2), attention: [] });
      expect(said('{{variation}}', data)).toBe('+20,00 € depuis hier (depuis lundi pour LCL)');
      const list = said('{{soldes}}', data);
      expect(list).toContain('Compte courant : 1 234,56 € · +10,00 € depuis hier · 07:12');
      expect(list).toContain('Livret : 1 234,56 € · +10,00 € · 07:12, écart depuis lundi');
    });

    it('is since the last message where nothing newer came, or it was not old then', () => {
      const old = account({ id: 1, balanceMinor: 122_456, updatedAt: new Date(givenAt) });
      const unrenewed = dataOf([old, account({ id: 2 })], { previous: previous(1) });
      expect(said('{{variation}}', unrenewed)).toBe('+10,00 € depuis hier, sur 1 compte sur 2');
      const recent = dataOf(accounts, { previous: previous() });
      expect(said('{{variation}}', recent)).toBe('+20,00 € depuis hier');
    });
  });

  it('has nothing to say where no account is left', () => {
    expect(said('{{total}}, {{variation}}', dataOf([]))).toBe('aucun compte, rien à comparer');
    const before: PreviousFigures['balances'] = { 1: [122_456, 'EUR'] };
    expect(since('2026-11-20', before, [])).toBe('rien à comparer');
  });

  it('says nothing of a figure that the last message said already, and that is no newer', () => {
    const given = new Date('2026-11-20T06:00:00Z');
    const told = (minor: number): PreviousFigures['balances'][string] => {
      return [minor, 'EUR', null, given.getTime()];
    };
    const silent = account({ id: 2, updatedAt: given });
    const balances = { 1: told(122_456), 2: told(123_456) };
    expect(since('2026-11-20', balances, [account({ id: 1 }), silent])).toBe(
      '+10,00 € depuis hier, sur 1 compte sur 2',
    );
    expect(since('2026-11-19', balances, [silent])).toBe(
      'aucun solde plus récent depuis jeudi (1 compte retiré)',
    );
    const unknown = { 2: told(123_456), 3: [null, 'EUR'] } as PreviousFigures['balances'];
    expect(since('2026-11-20', unknown, [silent, account({ id: 3 })])).toBe(
      'aucun solde comparable depuis hier',
    );
    // Of another source, whose figure is days older.
    const older = account({ id: 2, updatedAt: new Date('2026-11-01T06:00:00Z'), balanceMinor: 5 });
    expect(since('2026-11-20', { 2: told(123_456) }, [older])).toBe(
      'aucun solde plus récent depuis hier',
    );
    // The bank gave the same amount anew, or corrected one of the same moment.
    expect(since('2026-11-20', { 2: told(123_456) }, [account({ id: 2 })])).toBe(
      'sans changement depuis hier',
    );
    expect(since('2026-11-20', { 2: told(123_356) }, [silent])).toBe('+1,00 € depuis hier');
    const previous = { day: '2026-11-20', balances: { 2: told(123_456) } };
    const list = dataOf([silent], { previous, attention: [] });
    expect(renderMessage('{{soldes}}', list)[0]).toMatchObject({
      since: null,
      banks: [{ lines: [{ change: null }] }],
    });
  });
});
