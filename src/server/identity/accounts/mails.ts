import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import { mailBody } from '../../platform/mail/mail-body.ts';
import type { Platform } from '../../platform/platform.ts';
import { queueMail } from '../mails/outbox.ts';

/** The mails about an account, in French and plain text. The outbox replaces `[lien]` by the link. */
export const confirmationMail = {
  subject: 'Confirmez votre adresse email',
  body: mailBody(
    "Quelqu'un a indiqué cette adresse pour un compte Tirelire. Si c'est vous, ouvrez ce lien dans les trois jours et confirmez-la\u202f:",
    '[lien]',
    "Si vous n'avez rien demandé, ne confirmez rien et ignorez cet email.",
  ),
};

export const resetMail = {
  subject: 'Choisissez un nouveau mot de passe',
  body: mailBody(
    "Pour choisir un nouveau mot de passe, ouvrez ce lien dans les trente minutes. Il ne sert qu'une fois\u202f:",
    '[lien]',
    "Si vous n'avez rien demandé, ignorez cet email\u202f: votre mot de passe reste le même.",
  ),
};

const alarm =
  "Si ce n'est pas vous, choisissez tout de suite un nouveau mot de passe avec «\u202fMot de passe oublié\u202f» sur la page de connexion.";

export const emailChangeMail = {
  subject: "Changement d'adresse email demandé",
  body: mailBody(
    "Une autre adresse email vient d'être demandée pour votre compte Tirelire. Elle remplacera celle-ci quand elle aura été confirmée.",
    alarm,
  ),
};

const changes = {
  password: "Le mot de passe de votre compte Tirelire vient d'être changé.",
  'second-factor-on':
    "La validation en deux étapes vient d'être activée sur votre compte Tirelire.",
  'second-factor-off':
    "La validation en deux étapes vient d'être désactivée sur votre compte Tirelire.",
  'recovery-codes':
    "Les codes de secours de votre compte Tirelire viennent d'être remplacés. Les anciens ne servent plus.",
  'settings-off':
    'Par sécurité, les notifications créées sur votre compte Tirelire avant que cette adresse soit confirmée sont en pause, et leurs messageries sont à reconnecter. Ne reprenez que celles que vous reconnaissez.',
} as const;

export type SecurityMailDeps = Pick<Platform, 'queue' | 'randomness' | 'vault' | 'clock'>;

/** Tells the owner about every change, because another person may have made it. */
export async function queueSecurityMail(
  deps: SecurityMailDeps,
  transaction: Transaction<Schema>,
  userId: string,
  change: keyof typeof changes,
): Promise<void> {
  await queueMail(deps, transaction, {
    userId,
    cause: `${change} ${deps.randomness.uuid()}`,
    now: deps.clock.now(),
    subject: 'La sécurité de votre compte a changé',
    body: mailBody(changes[change], alarm),
  });
}
