import { describe, expect, it } from 'vitest';
import type { MessageAccount, MessageData } from '../../../src/shared/message/figures.ts';
import type {
  MessageTransaction,
  MessageTransactions,
} from '../../../src/shared/message/transactions.ts';
import { transactionsText } from '../../../src/shared/message/transactions-text.ts';
import { account, connection, dataOf, plain, said as saidIn } from './samples.ts';

const transaction = (minor: number, difference: Partial<MessageTransaction> = {}) => ({
  ...{ accountId: 1, day: '2026-11-21', minor, currency: 'EUR', label: 'Dupont' },
  ...difference,
});
const said = (
  transactions: MessageTransaction[] | null,
  choice: 'off' | 'sums' | 'lines' = 'sums',
  {
    isRead = true,
    failed = [],
    unable = [],
    unread = 0,
    since,
  }: Partial<Omit<MessageTransactions, 'transactions'>> = {},
) => {
  const given = transactions && { transactions, isRead, failed, unable, unread, since };
  return plain(transactionsText(given, choice, dataOf([account({ id: 1 })])));
};

describe('Transactions in a message', () => {
  it('are a count and two sums', () => {
    const five = [100_000, 20_000, -30_000, -4_000, -50].map((minor) => transaction(minor));
    expect(said(five)).toBe('5 opérations : +1 200,00 €, −340,50 €');
    expect(said([transaction(-100)])).toBe('1 opération : −1,00 €');
    expect(said([transaction(100), transaction(-100, { currency: 'USD' })])).toBe(
      '2 opérations : +1,00 €, −1,00 $US',
    );
  });

  it('say how far back they go where others were told by no message', () => {
    const since = '2026-03-01';
    expect(said([transaction(-100)], 'sums', { since })).toBe(
      '1 opération : −1,00 € (depuis le 1er mars)',
    );
    expect(said([], 'sums', { since, failed: ['BNP'] })).toBe(
      'aucune opération sur les comptes lus (depuis le 1er mars ; sans BNP, qui ne répond pas)',
    );
    expect(said([], 'sums', { since, isRead: false })).toBe(
      'aucune opération (depuis le 1er mars)',
    );
  });

  it('of nothing are told as such', () => {
    expect(said([transaction(0)])).toBe('1 opération : 0,00 €');
    expect(said([transaction(0), transaction(0, { currency: 'JPY' })])).toBe(
      '2 opérations : 0,00 €, 0 JPY',
    );
    expect(said([transaction(0), transaction(-100)])).toBe('2 opérations : −1,00 €');
  });

  it('have labels without the characters that turn or hide text', () => {
    const labels = ['\u202eabc', '\u200b\u2066', 'a\u0007b\u2028c', ' \ufeff '];
    const lines = labels.map(
      (label) => said([transaction(100, { label })], 'lines').split('\n')[1],
    );
    expect(lines).toEqual(
      ['abc', 'sans libellé', 'a b c', 'sans libellé'].map((label) => `• +1,00 €  ${label}`),
    );
  });

  it('are named where their owner wants it, the five largest', () => {
    const seven = [1, -700, 300, -200, 600, 500, -400].map((minor) =>
      transaction(minor, { label: `Libellé ${minor}` }),
    );
    expect(said(seven, 'lines').split('\n')).toEqual([
      '7 opérations : +14,01 €, −13,00 €',
      '• −7,00 €  Libellé -700',
      '• +6,00 €  Libellé 600',
      '• +5,00 €  Libellé 500',
      '• −4,00 €  Libellé -400',
      '• +3,00 €  Libellé 300',
      'et 2 autres',
    ]);
    const long = transaction(-1, { label: `*Virement*\n<!channel> ${'x'.repeat(90)}` });
    const [, line = ''] = said([long], 'lines').split('\n');
    expect(line.length).toBeLessThan(60);
    expect(line).not.toMatch(/\*|<!channel>/);
  });

  it('are larger by their amounts, however many decimals their currencies have', () => {
    const given = [
      transaction(5_000, { currency: 'KWD', label: '5 KWD' }),
      transaction(4_900, { label: '49 €' }),
      transaction(5_000, { currency: 'JPY', label: '5 000 JPY' }),
      transaction(6_000, { label: '60 €' }),
    ];
    const labels = said(given, 'lines').split('\n').slice(1);
    expect(labels.map((line) => line.split('  ')[1])).toEqual([
      ...['5 000 JPY', '60 €', '49 €', '5 KWD'],
    ]);
  });

  it('are those of the accounts that the notification covers', () => {
    expect(said([transaction(100), transaction(900, { accountId: 2 })])).toBe(
      '1 opération : +1,00 €',
    );
  });

  it('say what was not read, and never that there are none then', () => {
    expect(said([])).toBe('aucune opération');
    expect(said(null)).toBe('opérations non lues');
    expect(said([], 'sums', { isRead: false, failed: ['LCL'] })).toBe(
      'opérations non lues : LCL ne répond pas',
    );
    expect(said([], 'sums', { isRead: false, unable: ['Caisse'] })).toBe(
      'opérations non lues : Caisse ne les communique pas',
    );
    expect(said([], 'sums', { failed: ['LCL'] })).toBe(
      'aucune opération sur les comptes lus (sans LCL, qui ne répond pas)',
    );
    expect(said([], 'sums', { unread: 1 })).toBe(
      "aucune opération sur les comptes lus (sans un compte, qui n'a pas encore été lu)",
    );
    expect(said([], 'sums', { unable: ['Caisse'] })).toBe(
      'aucune opération (sans Caisse, qui ne les communique pas)',
    );
    expect(said([transaction(5)], 'sums', { unread: 2 })).toBe(
      "1 opération : +0,05 € (sans 2 comptes, qui n'ont pas encore été lus)",
    );
    expect(said([transaction(5)], 'sums', { failed: ['LCL'], unable: ['Mon relevé'] })).toBe(
      '1 opération : +0,05 € (sans LCL, qui ne répond pas ; sans Mon relevé, qui ne les communique pas)',
    );
  });

  it('say of a bank that waits for its owner what is to be done, and not that it is silent', () => {
    const states = ['credentials', 'renew', 'unreachable', 'confirm-accounts'] as const;
    const banks = ['Qonto', 'Fortuneo', 'LCL', 'Shine'];
    const accounts = banks.map((name, at) => account({ connectionId: at + 1, bank: { name } }));
    const connections = states.map((state, at) => connection({ id: at + 1, state }));
    const told = (failed: string[], isRead: boolean) =>
      saidIn(
        '{{operations}}',
        dataOf(accounts, {
          ...{ connections, transactionsChoice: 'sums' },
          transactions: { transactions: [], isRead, failed, unable: [] },
        }),
      );
    expect(told(['Qonto', 'LCL'], true)).toBe(
      'opérations non lues : Qonto et Fortuneo sont à reconnecter ; LCL ne répond pas ; Shine est à valider',
    );
    expect(told(banks, false)).toBe(
      'opérations non lues : Qonto et Fortuneo sont à reconnecter ; LCL ne répond pas ; Shine est à valider',
    );
  });

  describe('of a bank whose service goes on answering in its place', () => {
    const [silent, other] = [
      account({ connectionId: 1, bank: { name: 'Littoral' } }),
      account({ connectionId: 2, bank: { name: 'Qonto' } }),
    ];
    const told = (
      accounts: MessageAccount[],
      difference: Partial<MessageData>,
      transactions: MessageTransaction[] = [],
    ) =>
      saidIn(
        '{{operations}}',
        dataOf(accounts, {
          transactionsChoice: 'sums',
          transactions: { transactions, isRead: true, failed: [], unable: [] },
          ...difference,
        }),
      );
    const waits = [connection({ id: 1, state: 'renew' }), connection({ id: 2 })];

    it('are not called none, where it waits for its owner', () => {
      expect(told([silent], { connections: waits })).toBe(
        'opérations non lues : Littoral est à reconnecter',
      );
      expect(told([silent, other], { connections: waits })).toBe(
        'aucune opération sur les comptes lus (sans Littoral, à reconnecter)',
      );
      const booked = [transaction(-100, { accountId: other.id })];
      expect(told([silent, other], { connections: waits }, booked)).toBe(
        '1 opération : −1,00 € (sans Littoral, à reconnecter)',
      );
      const its = [transaction(-100, { accountId: silent.id })];
      expect(told([silent, other], { connections: waits }, its)).toBe('1 opération : −1,00 €');
    });

    it('are not called none, where one of two accesses waits', () => {
      const second = { ...other, bank: silent.bank };
      expect(told([silent, second], { connections: waits })).toBe(
        'aucune opération sur les comptes lus (sans Littoral, à reconnecter)',
      );
    });

    it('are those of its accounts, where one of them brought some', () => {
      const beside = account({ connectionId: 1, bank: silent.bank });
      const its = [transaction(-100, { accountId: beside.id })];
      expect(told([silent, beside], { connections: waits }, its)).toBe('1 opération : −1,00 €');
    });

    it('are not called none, where its source has no access and its owner has nothing to do', () => {
      const connections = [connection({ id: 1, state: 'suspended' })];
      expect(told([silent], { connections })).toBe('opérations non lues : Littoral ne répond pas');
    });

    it('go by the accounts that were read, whatever the names of their banks', () => {
      const namesake = { ...other, bank: silent.bank };
      const read = (difference: object) => ({
        transactions: { transactions: [], isRead: true, failed: [], unable: [], ...difference },
      });
      const one = { read: [namesake.id] };
      expect(told([silent, namesake], read({ ...one, failed: ['Littoral'] }))).toBe(
        'aucune opération sur les comptes lus (sans Littoral, qui ne répond pas)',
      );
      expect(told([silent, namesake], read({ ...one, unable: ['Littoral'] }))).toBe(
        'aucune opération (sans Littoral, qui ne les communique pas)',
      );
      const cutOff = { connections: waits, ...read({ read: [silent.id], unable: ['Qonto'] }) };
      expect(told([silent, other], cutOff)).toBe(
        'opérations non lues : Littoral est à reconnecter ; Qonto ne les communique pas',
      );
    });

    it('have the reason of the accounts that are covered, where a bank of the same name waits', () => {
      const elsewhere = { ...silent, id: 99, connectionId: 1, covered: false };
      const here = { ...other, bank: silent.bank };
      const transactions = { transactions: [], isRead: false, failed: ['Littoral'], unable: [] };
      expect(told([elsewhere, here], { connections: waits, transactions })).toBe(
        'opérations non lues : Littoral ne répond pas',
      );
    });

    it('are known where the account is read through another source', () => {
      const through = [silent, other].map((one) => ({ ...one, ibanFingerprint: 'same' }));
      const readOf = (id: number) => ({
        transactions: { transactions: [], isRead: true, read: [id], failed: [], unable: [] },
      });
      expect(told(through, { connections: waits, ...readOf(other.id) })).toBe('aucune opération');
      expect(told(through, { connections: waits, ...readOf(silent.id) })).toBe(
        'opérations non lues : Littoral est à reconnecter',
      );
    });
  });

  it('are not said unless their owner switched them on', () => {
    expect(said([transaction(100)], 'off')).toBe('opérations non affichées');
  });
});
