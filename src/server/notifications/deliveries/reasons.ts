import type { Pause } from '../../../shared/contract/messengers.ts';

/** Why a delivery did not arrive, in French, and the one action that mends it when the user can. */
export interface Reason {
  /** A whole sentence, or two: what happened, and what to do. */
  sentence: string;
  action: Pause['action'];
}

/**
 * The words for a code of the chat (its documentation lists them) or for one of ours. A code that
 * is not known here is shown as our fault, which it is.
 */
export function reasonOf(code: string): Reason {
  // No answer at all, whatever the cause: refused, no name, no time left.
  if (code.startsWith('network_')) return slackDown;
  return reasons[code] ?? unknown;
}

const unknown: Reason = {
  sentence:
    "Le message n'a pas pu être envoyé à cause d'une erreur de notre côté. Nous réessaierons demain.",
  action: 'resume',
};

const reconnect: Reason = {
  sentence: "Slack n'accepte plus notre accès à cet espace. Reconnectez Slack.",
  action: 'reconnect',
};

const permission: Reason = {
  sentence:
    "Cet espace Slack ne nous permet pas d'envoyer ce message. Demandez à son administrateur d'autoriser l'application, puis reprenez les envois.",
  action: 'resume',
};

const readOnly: Reason = {
  sentence: "Notre bot n'a pas le droit d'écrire dans ce channel. Choisissez-en un autre.",
  action: 'choose-channel',
};

const slackDown: Reason = {
  sentence: "Slack ne répondait pas. Nous avons réessayé jusqu'à ce qu'il soit trop tard.",
  action: 'resume',
};

const unconfirmed: Reason = {
  sentence: "Slack n'a pas confirmé l'envoi. Le message est peut-être arrivé.",
  action: 'resume',
};

const reasons: Record<string, Reason> = {
  account_inactive: {
    sentence: 'Le bot a été retiré de cet espace Slack. Reconnectez Slack.',
    action: 'reconnect',
  },
  token_revoked: reconnect,
  token_expired: reconnect,
  invalid_auth: reconnect,
  not_authed: reconnect,
  two_factor_setup_required: reconnect,
  token_unreadable: reconnect,
  missing_scope: {
    sentence: 'Il manque une autorisation à notre bot dans cet espace. Reconnectez Slack.',
    action: 'reconnect',
  },
  not_allowed_token_type: reconnect,
  no_permission: permission,
  access_denied: permission,
  team_access_not_granted: permission,
  accesslimited: permission,
  app_access_restricted: permission,
  enterprise_is_restricted: permission,
  ekm_access_denied: permission,
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
  restricted_action: readOnly,
  restricted_action_read_only_channel: readOnly,
  restricted_action_thread_only_channel: readOnly,
  restricted_action_non_threadable_channel: readOnly,
  restricted_action_thread_locked: readOnly,
  channel_is_limited_access: readOnly,
  messages_tab_disabled: readOnly,
  ratelimited: {
    sentence: 'Slack limite le nombre de messages de cet espace pour le moment.',
    action: 'resume',
  },
  service_unavailable: slackDown,
  request_timeout: slackDown,
  unreachable: slackDown,
  service_stopped: {
    sentence: "Le service était arrêté à l'heure prévue.",
    action: 'resume',
  },
  restored: {
    sentence:
      "Le service a été restauré depuis une sauvegarde. Ce message est peut-être arrivé\u202f: il n'est pas envoyé une seconde fois.",
    action: 'resume',
  },
  too_late: slackDown,
  answer_lost: {
    sentence:
      "Slack n'a pas confirmé l'envoi, même après un second essai. Le message est peut-être arrivé.",
    action: 'resume',
  },
  unconfirmed,
  test_answer_lost: unconfirmed,
  test_cancelled: {
    sentence: "Slack n'a pas répondu à temps. Le test est annulé.",
    action: 'resume',
  },
  paused: {
    sentence: 'La notification était en pause.',
    action: 'resume',
  },
};
