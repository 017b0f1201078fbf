import type { GuardedClient } from '../../../platform/http-client/guarded-client.ts';
import type { HttpClient, IncomingResponse } from '../../../platform/http-client/http-client.ts';
import {
  digestOf,
  isRedirect,
  limited,
  ofOneChannel,
  permanent,
  postJson,
  postWithPlainFallback,
  printable,
  readAddress,
  readObject,
  readSecondsHeader,
  redirected,
  resultOfStatus,
} from '../json-posting.ts';
import { ChatProviderError, type FormLinking } from '../port.ts';
import type { OutgoingMessage, PostResult } from '../posting.ts';
import { bodyOf } from './card.ts';
import { unseen } from './words.ts';

/**
 * A workflow with the trigger "When a Teams webhook request is received":
 * learn.microsoft.com/connectors/teams/#microsoft-teams-webhook. Its address is the secret, kept and
 * called letter for letter.
 */
export function workflowLinking(client: GuardedClient): FormLinking {
  return {
    way: 'address',
    steps: [
      'Dans Teams, ouvrez le menu «\u202f⋯\u202f» du canal, puis «\u202fFlux de travail\u202f».',
      "Choisissez le modèle «\u202fEnvoyer des alertes webhook à un canal\u202f», gardez l'équipe et le canal, et ajoutez le flux.",
      "Copiez l'adresse qui s'affiche et collez-la ici.",
    ],
    fields: [
      {
        name: 'address',
        label: 'Adresse du flux',
        secret: true,
        pattern: '\\s*https?://\\S+\\s*',
        help: 'Elle contient /workflows/ et se termine par une longue signature.',
      },
      {
        name: 'label',
        label: 'Nom du canal',
        secret: false,
        pattern: '.*\\S.*',
        help: 'Teams ne nous dit pas le nom du canal\u202f: écrivez celui que vous voulez voir ici.',
      },
    ],
    unseen,
    async link({ address, label = '' }) {
      const url = readAddress('teams', address);
      if (retired.test(url.hostname)) throw new ChatProviderError('teams', 'address', 'retired');
      if (!client.allows(url)) throw new ChatProviderError('teams', 'refused-host', 'not_allowed');
      if (!isWorkflow(url)) throw new ChatProviderError('teams', 'address', 'no_workflow');
      const teamId = digestOf(url.host + url.pathname.replace(/\/$/, ''));
      return { secret: url.href, teamId, ...ofOneChannel(label), scope: 'workflow' };
    },
  };
}

/** Of Office 365 connectors. */
const retired = /(^|\.)(webhook\.office\.com|outlook\.office(365)?\.com)$/;

function isWorkflow({ pathname, searchParams, hash }: URL): boolean {
  return (
    /^(\/powerautomate\/automations\/direct(\/cu\/\d+)?)?\/workflows\/[0-9a-f]{32}\/triggers\/manual\/paths\/invoke\/?$/.test(
      pathname,
    ) &&
    hash === '' &&
    searchParams.has('sig') &&
    [...searchParams.keys()].every((name) => parameters.has(name))
  );
}

const parameters = new Set(['api-version', 'sp', 'sv', 'sig']);

export async function postToWorkflow(
  client: HttpClient,
  secret: string,
  { text, blocks = [] }: OutgoingMessage,
): Promise<PostResult> {
  return await postWithPlainFallback(
    (isDrawn) => postJson(client, secret, bodyOf(text, isDrawn ? blocks : []), classify),
    blocks.length > 0,
    refusedBodies,
  );
}

const refusedBodies: ReadonlySet<string> = new Set(['refused_413', 'TriggerInputSchemaMismatch']);

/** 202 says that the workflow was started: it posts later or never, and we are not told which. */
function classify(answer: IncomingResponse): PostResult {
  const { status } = answer;
  if (status === 202 || (status === 200 && !isPage(answer))) {
    return { end: 'posted', receipt: null, certainty: 'accepted' };
  }
  if (status === 429) return limited('team', readSecondsHeader(answer, 'retry-after') ?? 30);
  if (isRedirect(status)) return redirected;
  const error = readObject(answer.body)?.error as Record<string, unknown> | undefined;
  const code = printable(error?.code);
  // The text alone is tried after a 413, whatever its code is called.
  const isTold = code !== '' && status < 500 && status !== 408 && status !== 413;
  if (!isTold) return resultOfStatus(answer);
  if (code === 'WorkflowTriggerIsNotEnabled') {
    const isDeleted = String(error?.message).includes("'Deleted'");
    return isDeleted ? permanent('installation', 'flow_gone') : permanent('permission', 'flow_off');
  }
  if (code === 'DirectApiAuthorizationRequired') return permanent('permission', 'flow_closed');
  if (status === 404) return permanent('installation', 'flow_gone');
  if (status === 401 || status === 403) return permanent('installation', 'signature_wrong');
  return { end: 'fault', code };
}

/** Somebody's words in place of the workflow's answer. */
function isPage({ headers, body }: IncomingResponse): boolean {
  return String(headers['content-type']).includes('html') || /^\s*</.test(body);
}
