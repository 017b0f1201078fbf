import { expect, it } from 'vitest';
import type { BankAccount } from '../../src/shared/contract/banks.ts';
import { messagesWithout } from '../../src/web/banks/deletion-words.ts';
import { messenger } from './messenger.ts';

const account = (id: number, name: string, iban_print?: string) =>
  ({
    ...{ id, name, item: { id: id < 10 ? 1 : 2 }, bank: { id: 1, name: 'Banque du Port' } },
    ...{ balance: 1, currency_code: 'EUR', updated_at: null },
    ...(iban_print && { iban_print }),
  }) as BankAccount;
const [current, savings, other] = [account(1, 'Courant'), account(2, 'Livret'), account(10, 'Pro')];
const all = [current, savings, other];
const says = (message: string, slackChannelName: string | null = 'general') =>
  messenger({ message, slackChannelName });

it('a deletion takes accounts out of the messages that name none of them', () => {
  const messengers = [
    says('{{soldes}} et {{solde:Pro}}'),
    says('{{solde:Parti}}'),
    says('Courant'),
  ];
  expect(messagesWithout([current, savings], all, messengers)).toBe(
    "Vos messages n'en parleront plus.",
  );
});

it('a text that names one of them is told with its channel', () => {
  const messengers = [says('{{ Solde : banque du port/courant }}, {{total}}'), says('{{soldes}}')];
  expect(messagesWithout([current, savings], all, messengers)).toMatch(
    /^Les listes et les totaux de vos messages n'en parleront plus\. Mais le texte d'une notification \(general\) nomme un compte/,
  );
});

it('several texts are counted, and named while they are few', () => {
  const texts = [says('{{solde:Courant}}'), says('{{solde:Livret}}', null)];
  const one = messagesWithout([current, savings], all, texts);
  expect(one).toContain('les textes de 2 notifications (general, Atelier) nomment');
  const many = ['a', 'b', 'c', 'd'].map((channel) => says('{{solde:Courant}}', channel));
  expect(messagesWithout([current], all, many)).toContain('les textes de 4 notifications nomment');
});

it('the name of an account that another bank has too goes on there', () => {
  const [here, there] = [account(1, 'Courant', 'fr76'), account(10, 'Joint', 'fr76')];
  expect(messagesWithout([here], [here, there], [says('{{solde:Courant}}')])).toBe(
    "Vos messages n'en parleront plus, sauf d'un compte relié aussi ailleurs, qui peut garder ses alertes.",
  );
});
