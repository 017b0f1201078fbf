import { describe, expect, it } from 'vitest';
import type { BankAccount } from '../../src/shared/contract/banks.ts';
import { parseSpans } from '../../src/shared/message/spans.ts';
import { completionAt, filterVariables } from '../../src/web/notifications/message/completion.ts';
import { messageAccounts } from '../../src/web/notifications/message/figures.ts';

describe('the menu of variables', () => {
  it('opens at two braces and knows what was written since', () => {
    expect(completionAt('Total {{', 8)).toEqual({ from: 6, to: 8, query: '' });
    expect(completionAt('Total {{tot', 11)).toEqual({ from: 6, to: 11, query: 'tot' });
  });

  it('replaces a variable that is being corrected, up to its end', () => {
    expect(completionAt('{{tatal}} ce matin', 4)).toEqual({ from: 0, to: 9, query: 'ta' });
  });

  it('stays closed outside of braces, after them, and on another line', () => {
    expect(completionAt('Total', 5)).toBeNull();
    expect(completionAt('{{total}} ', 10)).toBeNull();
    expect(completionAt('{{\n', 3)).toBeNull();
    expect(completionAt(`{{${'a'.repeat(500)}`, 502)).toBeNull();
  });

  it('finds an account without its accents or capitals, and first what begins so', () => {
    const variables = ['{{solde:Épargne}}', '{{total}}', '{{soldes}}'];
    expect(filterVariables(variables, 'epar')).toEqual(['{{solde:Épargne}}']);
    expect(filterVariables(variables, 'TO')).toEqual(['{{total}}']);
    expect(filterVariables(['{{solde:Total vie}}', '{{total}}'], 'to')[0]).toBe('{{total}}');
    expect(filterVariables(variables, '')).toEqual(variables);
    expect(filterVariables(variables, 'introuvable')).toEqual([]);
  });
});

describe('a text in the notation of Slack', () => {
  const text = (letters: string) => ({ kind: 'text', text: letters });

  it('is bold, italic and struck at the edges of words, one within the other', () => {
    expect(parseSpans('*gras* et _penché_ et ~non~')).toEqual([
      { kind: 'strong', children: [text('gras')] },
      text(' et '),
      { kind: 'em', children: [text('penché')] },
      text(' et '),
      { kind: 's', children: [text('non')] },
    ]);
    expect(parseSpans('*très _fort_*')).toEqual([
      { kind: 'strong', children: [text('très '), { kind: 'em', children: [text('fort')] }] },
    ]);
  });

  it('leaves signs within words and alone as they are', () => {
    for (const written of ['2*3*4', 'mon_compte_pro', 'a * b * c', '*seul', '**', ':inconnu:']) {
      expect(
        parseSpans(written)
          .map((piece) => ('text' in piece ? piece.text : '?'))
          .join(''),
      ).toBe(written);
    }
  });

  it('draws emoji, but neither in code nor in an address', () => {
    expect(parseSpans(':wave:')).toEqual([text('👋')]);
    expect(parseSpans('`:wave: *a*`')).toEqual([{ kind: 'code', text: ':wave: *a*' }]);
    expect(parseSpans('voir https://exemple.fr/a_b_c.')).toEqual([
      text('voir '),
      { kind: 'link', address: 'https://exemple.fr/a_b_c' },
      text('.'),
    ]);
  });

  it('quotes lines and keeps blocks of code whole', () => {
    expect(parseSpans('> *un*\n> deux\ntrois')).toEqual([
      {
        kind: 'quote',
        children: [{ kind: 'strong', children: [text('un')] }, text('\ndeux')],
      },
      text('trois'),
    ]);
    expect(parseSpans('```\n*a*\n> b\n```')).toEqual([{ kind: 'block', text: '*a*\n> b' }]);
  });
});

describe('the accounts of a message', () => {
  const account = (id: number, bank: string, balance: number | null): BankAccount => ({
    id,
    name: 'Compte',
    type: 'checking',
    balance,
    ...{ status: 0, state: 'ok', notice: null },
    currency_code: 'JPY',
    updated_at: null,
    item: { id: 10 - id },
    bank: { id: 1, name: bank },
  });

  it('are those of the page in minor units, in its order, with the chosen ones marked', () => {
    const accounts = [account(2, 'Zèbre', 12), account(1, 'Abeille', null)];
    const choice = { scope: 'chosen', chosen: [2], includesNew: true } as const;
    const found = messageAccounts(accounts, { ...choice, chosen: [...choice.chosen] });
    // The bank that was linked first comes first, whatever its name.
    expect(found.map(({ id, balanceMinor, covered }) => [id, balanceMinor, covered])).toEqual([
      [2, 12, true],
      [1, null, false],
    ]);
    const all = messageAccounts(accounts, { scope: 'all', chosen: [], includesNew: true });
    expect(all.every(({ covered }) => covered)).toBe(true);
  });
});
