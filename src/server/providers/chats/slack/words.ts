import { chatErrors } from '../errors.ts';
import type { Reason } from '../posting.ts';
import { type CodeClass, codesOf } from './codes.ts';

export const name = 'Slack';

const own = chatErrors('Slack', {
  notConnected: "Aucun espace de travail Slack n'est relié. Reliez-en un d'abord.",
  linkInvalid: "Cette autorisation Slack n'est plus valable. Recommencez.",
  refused: 'Slack a refusé cette opération.',
  unavailable: 'Slack ne répond pas pour le moment. Réessayez dans un instant.',
});

/** A published name: it stays. */
export const errors = {
  ...own,
  linkInvalid: { ...own.linkInvalid, code: 'Slack_Handle_Invalid' },
};

export const unrevoked =
  "L'accès à Slack n'a pas pu être retiré\u202f: retirez l'application Tirelire de votre espace de travail.";

export const words = {
  destination: (teamName: string) => `l'espace de travail Slack «\u202f${teamName}\u202f»`,
  reconnect: "Slack n'accepte plus notre accès à cet espace de travail. Reconnectez Slack.",
};

const reconnect: Reason = { sentence: words.reconnect, action: 'reconnect' };

const permission: Reason = {
  sentence:
    "Cet espace de travail Slack ne nous permet pas d'envoyer ce message. Demandez à son administrateur d'autoriser l'application, puis reprenez les envois.",
  action: 'resume',
};

const readOnly: Reason = {
  sentence: "Notre bot n'a pas le droit d'écrire dans ce channel. Choisissez-en un autre.",
  action: 'choose-channel',
};

const down: Reason = {
  sentence: "Slack ne répondait pas. Nous avons réessayé jusqu'à ce qu'il soit trop tard.",
  sentenceOfTest: 'Slack ne répond pas pour le moment. Réessayez dans quelques minutes.',
  action: 'resume',
};

const limited: Reason = {
  sentence: 'Slack limite le nombre de messages de cet espace de travail pour le moment.',
  action: 'resume',
};

const migrating: Reason = {
  sentence:
    "Cet espace de travail Slack est en cours de rattachement à une organisation\u202f: Slack n'y a accepté aucun message pendant ce temps.",
  action: 'resume',
};

const everyCode = (name: CodeClass, reason: Reason) =>
  Object.fromEntries(codesOf(name).map((code) => [code, reason]));

/** For the codes of codes.ts after which the user can act, or knows why. */
export const reasons: Readonly<Record<string, Reason>> = {
  ...everyCode('installation', reconnect),
  account_inactive: {
    sentence: 'Le bot a été retiré de cet espace de travail Slack. Reconnectez Slack.',
    action: 'reconnect',
  },
  ...everyCode('permission', permission),
  missing_scope: {
    sentence:
      'Il manque une autorisation à notre bot dans cet espace de travail. Reconnectez Slack.',
    action: 'reconnect',
  },
  not_allowed_token_type: reconnect,
  ...everyCode('channel', readOnly),
  channel_not_found: {
    sentence:
      "Ce channel n'existe plus, ou il est privé et notre bot n'y est pas invité. Invitez-y le bot, ou choisissez un autre channel.",
    action: 'choose-channel',
  },
  not_in_channel: {
    sentence:
      "Notre bot n'est pas dans ce channel. Invitez-y le bot, ou choisissez un autre channel.",
    action: 'choose-channel',
  },
  is_archived: {
    sentence: 'Ce channel est archivé. Choisissez-en un autre.',
    action: 'choose-channel',
  },
  ratelimited: limited,
  rate_limited: limited,
  message_limit_exceeded: {
    sentence:
      'Cet espace de travail Slack a atteint le nombre de messages que sa formule autorise.',
    action: 'resume',
  },
  org_login_required: migrating,
  team_added_to_org: migrating,
  service_unavailable: down,
  request_timeout: down,
};
