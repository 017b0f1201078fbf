import { describe, expect, it, test } from 'vitest';
import { dayMs } from '../../../src/shared/calendar/durations.ts';
import { type AttentionKind, attentionKinds } from '../../../src/shared/message/attention-kinds.ts';
import type { MessageData, PreviousFigures } from '../../../src/shared/message/figures.ts';
import { renderMessage } from '../../../src/shared/message/render.ts';
import { account, connection, dataOf, now, plain, publicUrl } from './samples.ts';

const ago = (days: number) => new Date(now.getTime() - days * dayMs);
const inDays = (days: number) => new Date(now.getTime() + days * dayMs);

/** The lines that a message points out, with the label and the path of each link. */
function linesOf(data: MessageData, text = '{{total}}'): string[] {
  return renderMessage(text, data).flatMap((block) =>
    block.type === 'attention'
      ? block.lines.map(({ text: line, link }) => {
          const to = link && ` [${link.label}](${link.address.replace(publicUrl, '')})`;
          return plain(line.replace('⚠️ ', '')) + (to ?? '');
        })
      : [],
  );
}

describe('What a message points out', () => {
  it('is nothing where all is well', () => {
    expect(linesOf(dataOf([account()]))).toEqual([]);
  });

  it('is an account below zero', () => {
    const joint = account({ name: 'Compte joint', balanceMinor: -4_250 });
    expect(linesOf(dataOf([account(), joint]))).toEqual([
      'Compte joint (BNP Paribas) est à découvert de 42,50 €.',
    ]);
  });

  it.each([
    [
      'renew',
      'BNP Paribas est à reconnecter : ses soldes ne sont plus mis à jour. [Reconnecter](/renouveler/1)',
    ],
    [
      'credentials',
      'BNP Paribas est à reconnecter : ses soldes ne sont plus mis à jour. [Reconnecter](/renouveler/1)',
    ],
    [
      'unknown',
      'BNP Paribas est à reconnecter : certains soldes ne sont peut-être plus mis à jour. [Reconnecter](/renouveler/1)',
    ],
    [
      'confirm-accounts',
      'BNP Paribas attend une validation professionnelle. [Valider](/banque/validation-pro/1)',
    ],
  ] as const)('is a bank in the state %s, with the page that mends it', (state, line) => {
    expect(linesOf(dataOf([account()], { connections: [connection({ state })] }))).toEqual([line]);
  });

  it('leads home where a bank has no page of its own', () => {
    const connections = [connection({ state: 'credentials', hasPage: false })];
    expect(linesOf(dataOf([account()], { connections }))[0]).toMatch(/\[Reconnecter\]\(\/\)$/);
  });

  it('is a silent bank, as its card says it', () => {
    const accounts = [account({ updatedAt: ago(3) }), account({ updatedAt: null })];
    expect(linesOf(dataOf(accounts))).toEqual([
      'Les données de BNP Paribas ne sont peut-être plus à jour. Vérifiez ses paramètres dans Tirelire. [Vérifier](/)',
    ]);
  });

  it('is one old figure of a bank that gives others', () => {
    const accounts = [account(), account({ name: 'Livret', updatedAt: ago(4) })];
    expect(linesOf(dataOf(accounts))).toEqual([
      'Dernier solde connu de Livret (BNP Paribas) : il y a 4 jours.',
    ]);
  });

  it('is no old figure of an account of which none is known', () => {
    const titres = account({ name: 'Titres', balanceMinor: null, updatedAt: null });
    expect(linesOf(dataOf([account(), titres]))).toEqual([]);
  });

  it('is said of a bank once: waiting is not silence, and silence is no old figure', () => {
    const accounts = [account({ updatedAt: ago(9) })];
    expect(
      linesOf(dataOf(accounts, { connections: [connection({ state: 'renew' })] })),
    ).toHaveLength(1);
    expect(linesOf(dataOf(accounts))).toHaveLength(1);
    // Where banks are not to be spoken of, the figure still is.
    expect(linesOf(dataOf(accounts, { attention: ['age'] }))).toEqual([
      'Dernier solde connu de Compte courant (BNP Paribas) : il y a 9 jours.',
    ]);
  });

  it('is what its owner wants, and no more', () => {
    const accounts = [
      account({ balanceMinor: -1 }),
      account({ connectionId: 2, bank: { name: 'CIC' } }),
      account({ connectionId: 3, bank: { name: 'LCL' } }),
      account({ connectionId: 3, bank: { name: 'LCL' }, name: 'Vieux', updatedAt: ago(5) }),
    ];
    const connections = [
      connection(),
      connection({ id: 2, state: 'renew' }),
      connection({ id: 3, consentEndsAt: inDays(3) }),
    ];
    const begins: Record<AttentionKind, RegExp> = {
      overdraft: /^Compte courant/,
      connection: /^CIC/,
      consent: /^L'accès à LCL/,
      age: /^Dernier solde connu de Vieux/,
    };
    for (const kind of attentionKinds) {
      const lines = linesOf(dataOf(accounts, { connections, attention: [kind] }));
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(begins[kind]);
    }
    expect(linesOf(dataOf(accounts, { connections }))).toHaveLength(4);
    expect(linesOf(dataOf(accounts, { connections, attention: [] }))).toEqual([]);
  });

  it('names three of many, and counts the others', () => {
    const accounts = Array.from({ length: 9 }, () => account({ balanceMinor: -100 }));
    const lines = linesOf(dataOf(accounts));
    expect(lines).toHaveLength(4);
    expect(lines[3]).toBe('et 6 autres comptes à découvert');
  });

  it('names an account that comes by two sources once', () => {
    const both = { ibanFingerprint: 'same', balanceMinor: -100, updatedAt: ago(5) };
    const accounts = [account(both), account({ ...both, connectionId: 2, bank: { name: 'CIC' } })];
    expect(linesOf(dataOf(accounts, { attention: ['overdraft'] }))).toHaveLength(1);
    expect(linesOf(dataOf(accounts, { attention: ['age'] }))).toHaveLength(1);
  });

  it('counts the consents that end where there are many', () => {
    const ids = [1, 2, 3, 4, 5, 6];
    const accounts = ids.map((connectionId) =>
      account({ connectionId, bank: { name: `Banque ${connectionId}` } }),
    );
    const connections = ids.map((id) => connection({ id, consentEndsAt: inDays(3) }));
    const lines = linesOf(dataOf(accounts, { connections }));
    expect(lines).toHaveLength(4);
    expect(lines[3]).toBe('et 3 autres accès à renouveler');
  });

  it('is not said in a text without variables, nor in one that speaks of no bank', () => {
    const data = dataOf([account({ balanceMinor: -1 })]);
    expect(renderMessage('Bonjour', data)).toEqual([{ type: 'text', text: 'Bonjour' }]);
    expect(linesOf(data, '{{date}}')).toEqual([]);
    expect(linesOf(data, '{{banque}}')).toHaveLength(1);
  });

  it('stands after the total and before the list', () => {
    const data = dataOf([account({ balanceMinor: -1 })]);
    const types = renderMessage('Total {{total}}\n{{soldes}}\nFin', data).map(({ type }) => type);
    expect(types).toEqual(['text', 'attention', 'accounts', 'text', 'link']);
  });
});

describe('The end of a consent', () => {
  const said = (
    endsInDays: number,
    previousDaysAgo: number | null,
    told: PreviousFigures['balances'] = { 1: [0, 'EUR'] },
  ) => {
    const previous =
      previousDaysAgo === null
        ? null
        : { day: ago(previousDaysAgo).toISOString().slice(0, 10), balances: told };
    const connections = [connection({ consentEndsAt: inDays(endsInDays) })];
    return linesOf(dataOf([account({ id: 1 })], { connections, previous }));
  };

  it('is said in the first message, which is compared with yesterday', () => {
    const connections = [connection({ consentEndsAt: inDays(10) })];
    const previous = {
      ...{ day: ago(1).toISOString().slice(0, 10), isBeforeFirst: true },
      balances: { 1: [0, 'EUR'] } as PreviousFigures['balances'],
    };
    expect(linesOf(dataOf([account({ id: 1 })], { connections, previous }))).toHaveLength(1);
  });

  it('is said though a message went out in its last days, which did not cover the bank yet', () => {
    expect(said(10, 1)).toEqual([]);
    expect(said(10, 1, {})).toHaveLength(1);
  });

  it('is said with the page that renews it', () => {
    expect(said(3, 1)).toEqual([
      "L'accès à BNP Paribas se termine dans 3 jours. [Renouveler](/renouveler/1)",
    ]);
    expect(said(0.2, null)[0]).toMatch(/se termine aujourd'hui\. /);
  });

  it('is said once at 14 days and once at 3, however often messages go out', () => {
    for (const every of [1, 2, 3, 7]) {
      const told = [];
      let before: number | null = null;
      for (let left = 21; left > 0; left -= every) {
        if (said(left, before === null ? null : before - left).length > 0) told.push(left);
        before = left;
      }
      expect(told.filter((left) => left > 3)).toHaveLength(1);
      expect(told.filter((left) => left <= 3).length).toBeLessThanOrEqual(1);
      if (every <= 3) expect(told.filter((left) => left <= 3)).toHaveLength(1);
    }
  });

  it('is over once it has ended: the bank then waits for its person', () => {
    expect(said(-0.1, 1)).toEqual([]);
    expect(said(15, 1)).toEqual([]);
  });
});

test('the way back ends a message that says figures, and no other', () => {
  const data = dataOf([account()]);
  const last = (text: string) => renderMessage(text, data).at(-1);
  for (const text of ['{{soldes}}', '{{total}}', '{{variation}}', '{{solde:Compte courant}}']) {
    expect(last(text)).toEqual({
      ...{ type: 'link', label: 'Ouvrir Tirelire' },
      address: `${publicUrl}/`,
    });
  }
  expect(last('Le {{date}}')).toMatchObject({ type: 'text' });
  expect(last('Bonjour')).toEqual({ type: 'text', text: 'Bonjour' });
});
