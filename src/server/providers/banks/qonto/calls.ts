import type { Clock } from '../../../platform/clock.ts';
import type { HttpClient, IncomingResponse } from '../../../platform/http-client/http-client.ts';
import { readJson } from '../../../platform/http-client/json.ts';
import { type BankFailure, BankSourceError } from '../failures.ts';
import { readRetryAfter } from '../json-fields.ts';

/** What a person copies from Qonto: docs.qonto.com, "API key". */
export interface QontoKey {
  /** The organisation's slug. */
  login: string;
  secretKey: string;
}

export interface QontoDeps {
  httpClient: HttpClient;
  clock: Clock;
  apiUrl: string;
}

/**
 * The organisation of a key with its accounts, as Qonto answered it. One call, which also checks the
 * key. Throws `BankSourceError` for everything else; neither it nor a log ever holds the key.
 */
export function askOrganization(deps: QontoDeps, key: QontoKey): Promise<unknown> {
  return ask(deps, key, '/v2/organization');
}

/** One page of the transactions of an account that were settled since a moment, the newest first. */
export function askTransactions(
  deps: QontoDeps,
  key: QontoKey,
  { accountId, since, page }: { accountId: string; since: Date; page: number },
): Promise<unknown> {
  const query = new URLSearchParams({
    bank_account_id: accountId,
    'status[]': 'completed',
    settled_at_from: since.toISOString(),
    sort_by: 'settled_at:desc',
    page: String(page),
    per_page: '100',
  });
  return ask(deps, key, '/v2/transactions', query);
}

async function ask(
  { httpClient, clock, apiUrl }: QontoDeps,
  { login, secretKey }: QontoKey,
  path: string,
  query?: URLSearchParams,
): Promise<unknown> {
  const answer = await httpClient
    .request({
      method: 'GET',
      url: `${apiUrl}${path}${query ? `?${query}` : ''}`,
      // Both values as they are: neither `Basic` nor Base64.
      headers: { authorization: `${login}:${secretKey}`, accept: 'application/json' },
      timeoutMs: 12_000,
      maxBytes: 4 * 1024 * 1024,
    })
    .catch((cause: unknown) => {
      throw new BankSourceError('unavailable', `Qonto did not answer to GET ${path}`, { cause });
    });
  const body = readJson(answer.body);
  if (answer.status === 200 && body !== undefined) return body;
  throw refusalOf(answer, body !== undefined, path, clock.now());
}

/** docs.qonto.com, "errors": a page of something on the way is no answer of Qonto. */
function refusalOf(
  { status, headers }: IncomingResponse,
  isJson: boolean,
  path: string,
  now: Date,
): BankSourceError {
  const isOwn = status >= 400 && status < 500 && (isJson || status === 429);
  const [kind, sentence]: Meaning = isOwn ? (meanings.get(status) ?? ['refused']) : ['unavailable'];
  return new BankSourceError(kind, `Qonto answered ${status} to GET ${path}`, {
    retryAfterSeconds: readRetryAfter(headers, now),
    ...(sentence && { sentence }),
  });
}

type Meaning = readonly [BankFailure, string?];

const meanings = new Map<number, Meaning>([
  [
    401,
    [
      'credentials',
      'Qonto refuse cet identifiant ou cette clé. Recopiez-les depuis Qonto, sans espace autour.',
    ],
  ],
  [403, ['credentials', 'Qonto refuse à cette clé le droit de lire les comptes.']],
  [429, ['limited']],
]);
