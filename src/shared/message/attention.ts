import { endingIn, remindedBeforeMs } from '../banks/consents.ts';
import { isAwaited, isOldFigure } from '../banks/states.ts';
import { dayMs } from '../calendar/durations.ts';
import { dayNumber } from '../calendar/wall-clock.ts';
import type { AttentionLine, MessageLink } from '../contract/messages.ts';
import { amountText } from './amounts.ts';
import { ageInMessage } from './days.ts';
import { duplicatesIn } from './duplicates.ts';
import type { MessageAccount, MessageConnection, MessageData, PreviousFigures } from './figures.ts';
import { bankNameOf, nameOf } from './names.ts';
import { neutralize } from './neutralize.ts';
import { bankList } from './values.ts';
import { isWaiting } from './waiting.ts';

/** Of one kind. The others are counted. */
const maxLines = 3;

/**
 * What its owner wants pointed out about these accounts and their banks, the worst first. Each bank has one
 * line at most: one that waits for its owner is not also called silent, and the old figures of a silent
 * bank are not listed.
 */
export function attentionLines(accounts: MessageAccount[], data: MessageData): AttentionLine[] {
  if (accounts.length === 0) return [];
  const { attention, now } = data;
  const wants = new Set(attention);
  const { originalOf } = duplicatesIn(accounts);
  const overdrawn = accounts.filter(
    (account) =>
      account.balanceMinor !== null && account.balanceMinor < 0 && !originalOf.has(account),
  );
  const byConnection = Map.groupBy(accounts, ({ connectionId }) => connectionId);
  const banks = data.connections.flatMap((connection) => {
    const ofConnection = byConnection.get(connection.id);
    return ofConnection ? [{ connection, accounts: ofConnection }] : [];
  });
  const waiting = banks.filter(({ connection }) => isWaiting(connection));
  const others = banks.filter(({ connection }) => !isWaiting(connection));
  const silent = others.filter(({ connection: { state }, accounts: ofConnection }) =>
    ofConnection.every(
      ({ updatedAt }) => !isAwaited(state, updatedAt) && isOldFigure(updatedAt, now),
    ),
  );
  const ending = others.filter((bank) => isEndingSoon(bank, data));
  const told = wants.has('connection') ? [...waiting, ...silent] : [];
  const old = banks
    .filter((bank) => !told.includes(bank))
    .flatMap(({ connection: { state }, accounts: ofConnection }) =>
      ofConnection.filter(
        (account) =>
          account.balanceMinor !== null &&
          !isAwaited(state, account.updatedAt) &&
          isOldFigure(account.updatedAt, now) &&
          !originalOf.has(account),
      ),
    );
  return [
    ...(wants.has('overdraft') ? counted(overdrawn, overdraftLine, 'comptes à découvert') : []),
    ...(wants.has('connection')
      ? [
          ...counted(waiting, (bank) => waitingLine(bank, data), 'banques à reconnecter'),
          ...silentLine(silent, data),
        ]
      : []),
    ...(wants.has('consent')
      ? counted(ending, (bank) => consentLine(bank, data), 'accès à renouveler')
      : []),
    ...(wants.has('age')
      ? counted(old, (account) => ageLine(account, data), 'soldes de plus de deux jours')
      : []),
  ];
}

interface Bank {
  connection: MessageConnection;
  accounts: MessageAccount[];
}

const warningSign = '⚠️ ';

/** A line for each of the first, and one that counts the others: "et 4 autres comptes à découvert". */
function counted<One>(
  all: readonly One[],
  lineOf: (one: One) => AttentionLine,
  words: string,
): AttentionLine[] {
  const shown = all.length > maxLines + 1 ? all.slice(0, maxLines) : all;
  const rest = all.length - shown.length;
  const more = { text: `${warningSign}et ${rest} autres ${words}`, link: null };
  return [...shown.map(lineOf), ...(rest > 0 ? [more] : [])];
}

function overdraftLine(account: MessageAccount): AttentionLine {
  const missing = amountText(-(account.balanceMinor ?? 0), account.currency);
  return { text: `${warningSign}${named(account)} est à découvert de ${missing}.`, link: null };
}

function waitingLine({ connection, accounts }: Bank, data: MessageData): AttentionLine {
  const bank = bankOf(accounts);
  if (connection.state === 'confirm-accounts') {
    const address = `${data.publicUrl}/banque/validation-pro/${connection.id}`;
    const link = { label: 'Valider', address };
    return { text: `${warningSign}${bank} attend une validation professionnelle.`, link };
  }
  const what =
    connection.state === 'unknown'
      ? 'certains soldes ne sont peut-être plus mis à jour'
      : 'ses soldes ne sont plus mis à jour';
  const text = `${warningSign}${bank} est à reconnecter\u202f: ${what}.`;
  return { text, link: renewal('Reconnecter', connection, data) };
}

/** As the cards of these banks say it on the screen. */
function silentLine(banks: Bank[], { publicUrl }: MessageData): AttentionLine[] {
  const given = banks.flatMap(({ accounts }) => accounts.map(bankNameOf));
  const names = [...new Set(given)].map(neutralize);
  if (names.length === 0) return [];
  const their = names.length === 1 ? 'ses' : 'leurs';
  const text = `${warningSign}Les données de ${bankList(names)} ne sont peut-être plus à jour. Vérifiez ${their} paramètres dans Tirelire.`;
  return [{ text, link: { label: 'Vérifier', address: `${publicUrl}/` } }];
}

/**
 * Said 14 and 3 days before the end, once each: in the first message of these days and of the three last,
 * which no delivered message has been sent in before.
 */
function isEndingSoon({ connection, accounts }: Bank, data: MessageData): boolean {
  const { consentEndsAt: end } = connection;
  const { now, localZone, previous } = data;
  if (!end || end <= now) return false;
  const lastDay = dayNumber(end, localZone);
  const span = spans.find((days) => lastDay - dayNumber(now, localZone) <= days);
  if (span === undefined) return false;
  if (!previous || previous.isBeforeFirst) return true;
  const isTold = lastDay - Date.parse(previous.day) / dayMs <= span;
  return !isTold || !wasTold(accounts, previous);
}

/** A bank that the previous message did not cover yet was not spoken of in it. */
function wasTold(accounts: MessageAccount[], previous: PreviousFigures): boolean {
  const kept = accounts.filter(({ covered, balanceMinor }) => covered && balanceMinor !== null);
  return kept.length === 0 || kept.some(({ id }) => previous.balances[String(id)]);
}

function consentLine({ connection, accounts }: Bank, data: MessageData): AttentionLine {
  const { now, localZone } = data;
  const end = connection.consentEndsAt ?? now;
  const text = `${warningSign}L'accès à ${bankOf(accounts)} se termine ${endingIn(end, now, localZone)}.`;
  return { text, link: renewal('Renouveler', connection, data) };
}

/** In days, the shortest first. */
const spans = Object.values(remindedBeforeMs)
  .map((ms) => ms / dayMs)
  .sort((one, other) => one - other);

/** What a form opens is renewed on the home page. */
function renewal(
  label: string,
  { id, hasPage }: MessageConnection,
  { publicUrl }: MessageData,
): MessageLink {
  return { label, address: hasPage ? `${publicUrl}/renouveler/${id}` : `${publicUrl}/` };
}

function ageLine(account: MessageAccount, { now, localZone }: MessageData): AttentionLine {
  const age = ageInMessage(account.updatedAt, now, localZone);
  const text = `${warningSign}Dernier solde connu de ${named(account)}\u202f: ${age}.`;
  return { text, link: null };
}

function named(account: MessageAccount): string {
  return `${neutralize(nameOf(account))} (${neutralize(bankNameOf(account))})`;
}

function bankOf([account]: MessageAccount[]): string {
  return account ? neutralize(bankNameOf(account)) : '';
}
