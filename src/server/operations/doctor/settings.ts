import type { AppConfiguration } from '../../providers/configuration.ts';
import { type Finding, warning } from './finding.ts';

/** What may be left out and is missed one day. */
export function checkSettings(configuration: AppConfiguration): Finding[] {
  const { mail, operatorEmails, operatorName, publicUrl, trustProxy } = configuration;
  return [
    missing(
      !mail,
      'SMTP_URL',
      'Aucun courrier ne part : ni lien de mot de passe, ni avis d’échec.',
      'Renseignez SMTP_URL et MAIL_FROM. Sans eux : npm run user -- reset-link <e-mail>.',
    ),
    missing(
      operatorEmails.length === 0,
      'OPERATOR_EMAILS',
      'Personne n’est averti des pannes, et la page d’exploitation n’a pas de lecteur.',
      'Donnez au moins une adresse.',
    ),
    missing(
      !operatorName,
      'OPERATOR_NAME',
      'Les mentions légales ne nomment pas l’exploitant.',
      'Donnez le nom de la personne ou de la société.',
    ),
    ...[...configuration.bankSources, ...configuration.chats].flatMap(({ warnings }) =>
      warnings.map(({ variable, words, mend }) => warning(variable, words, mend)),
    ),
    missing(
      publicUrl.startsWith('https://') && !trustProxy,
      'TRUST_PROXY',
      'Derrière un proxy, toutes les personnes semblent avoir une même adresse.',
      'Mettez TRUST_PROXY=1 si le proxy écrit lui-même X-Forwarded-For.',
    ),
  ].flat();
}

function missing(isMissing: boolean, about: string, words: string, mend: string): Finding[] {
  return isMissing ? [warning(about, words, mend)] : [];
}
