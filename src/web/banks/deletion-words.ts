import type { BankAccount } from '../../shared/contract/banks.ts';
import type { Messenger } from '../../shared/contract/messengers.ts';
import { accountsNamed } from '../../shared/message/names.ts';
import { parseMessage } from '../../shared/message/variables.ts';
import { isAlsoElsewhere } from './totals.ts';

/**
 * What the messages will say without these accounts. A text stays as it is where it names one of them, unless
 * that account also comes through another bank.
 */
export function messagesWithout(
  deleted: readonly BankAccount[],
  all: readonly BankAccount[],
  messengers: readonly Messenger[],
): string {
  const exception = isAlsoElsewhere(deleted, all)
    ? ", sauf d'un compte relié aussi ailleurs, qui peut garder ses alertes"
    : '';
  const lost = new Set(
    deleted.filter((account) => !isAlsoElsewhere([account], all)).map(({ id }) => id),
  );
  const naming = messengers.filter(({ message }) =>
    parseMessage(message).some(
      (part) =>
        part.kind === 'account' && accountsNamed(part.account, all).some(({ id }) => lost.has(id)),
    ),
  );
  if (naming.length === 0) return `Vos messages n'en parleront plus${exception}.`;
  return `Les listes et les totaux de vos messages n'en parleront plus${exception}. ${warning(naming)}`;
}

function warning(naming: readonly Messenger[]): string {
  const places = new Set(
    naming.map(({ slackChannelName, slackTeamName }) => slackChannelName ?? slackTeamName),
  );
  const where = places.size > maxPlaces ? '' : ` (${[...places].join(', ')})`;
  return naming.length === 1
    ? `Mais le texte d'une notification${where} nomme un compte que vous supprimez\u202f: changez ce texte, sinon il dira «\u202fcompte introuvable\u202f».`
    : `Mais les textes de ${naming.length} notifications${where} nomment un compte que vous supprimez\u202f: changez ces textes, sinon ils diront «\u202fcompte introuvable\u202f».`;
}

const maxPlaces = 3;
