import type { Alert } from '../../../shared/contract/alerts.ts';
import type { Messenger } from '../../../shared/contract/messengers.ts';
import { amountText } from '../../../shared/message/amounts.ts';
import { toMinor } from '../../../shared/money/minor-units.ts';
import { dayAndTime, type HourZone, zoneWords } from '../../time/calendar.ts';

/** "Compte courant (BNP Paribas) : prévenir sous 500,00 €". */
export function alertSentence({ kind, account, amount, currency_code }: Alert): string {
  const written = alertAmountText(amount, currency_code);
  const subject = account ? `${account.name} (${account.bank.name})` : subjectOfAll[kind];
  return `${subject}\u202f: ${kindWords[kind].toLowerCase()} ${written}`;
}

export const kindWords = {
  below: 'Prévenir sous',
  movement: 'Mouvement de plus de',
} as const satisfies Record<Alert['kind'], string>;

/** What the choice of all accounts is called. */
export const subjectOfAll = {
  below: 'Total des comptes de la notification',
  movement: 'Chaque compte de la notification',
} as const satisfies Record<Alert['kind'], string>;

/** What became of it, and when it tells again; null when there is nothing to say. */
export function stateSentence(alert: Alert, now: Date, hourZone: HourZone): string | null {
  const { state, rearmed, crossedDate, currency_code } = alert;
  const when = crossedDate && dayAndTime(new Date(crossedDate), now, hourZone);
  if (state === 'unlisted')
    return "Sa banque ne le donne plus comme compte courant\u202f: rien n'est surveillé.";
  if (state === 'waiting') return "En attente d'un premier solde.";
  if (state === 'armed') return when && `Dernière alerte ${when}.`;
  const again =
    rearmed === null
      ? ''
      : ` Prochaine alerte possible une fois remonté à ${alertAmountText(rearmed, currency_code)}.`;
  return `${when ? `Passé sous ce montant ${when}.` : 'Déjà sous ce montant.'}${again}`;
}

/** How often the balances are read, for all alerts of a notification. */
export function readingSentence(alerts: readonly Alert[], hourZone: HourZone): string {
  const isHourly = alerts.every(({ readEveryMinutes }) => readEveryMinutes === hourly);
  const hours = `de 07:00 à 22:00, ${zoneWords(hourZone)}`;
  return isHourly
    ? `Les soldes sont lus au moins une fois par heure, ${hours}\u202f; certaines banques n'en donnent de nouveaux que quelques fois par jour.`
    : `Les soldes sont lus ${hours}, aussi souvent que chaque banque le permet.`;
}

/** Of one alert, where it is not the rule. */
export function ownReadingSentence({ state, readEveryMinutes: every }: Alert): string | null {
  if (state === 'unlisted' || every === hourly) return null;
  if (every === null) {
    return "Soldes lus à l'ouverture de Tirelire, avant chaque message, et quand la banque en annonce de nouveaux.";
  }
  const hours = Math.round(every / 60);
  return hours > 1
    ? `Soldes lus au moins toutes les ${hours} heures.`
    : `Soldes lus au moins toutes les ${every} minutes.`;
}

const hourly = 60;

/** Why nothing is told at the moment; null while alerts are. */
export function pausedSentence(messenger: Messenger): string | null {
  const { slackChannel, connected, pause, stopped, pausedUntil } = messenger;
  if (slackChannel === null) return "Choisissez d'abord où cette notification est envoyée.";
  if (connected && !pause && !stopped && pausedUntil === null) return null;
  return 'Cette notification est en pause, ses alertes aussi. À la reprise, un solde encore sous son seuil sera signalé.';
}

function alertAmountText(amount: number, currency: string): string {
  return amountText(toMinor(amount, currency) ?? 0, currency);
}
