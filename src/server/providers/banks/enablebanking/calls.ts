import type { Clock } from '../../../platform/clock.ts';
import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import { readJson } from '../../../platform/http-client/json.ts';
import { type BankFailure, BankSourceError } from '../failures.ts';
import { isRecord, readRetryAfter } from '../json-fields.ts';
import { type Application, createSigner } from './keys.ts';

export interface EnableBankingDeps {
  httpClient: HttpClient;
  clock: Clock;
  /** Without a slash at its end. */
  apiUrl: string;
}

interface EnableBankingCall {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: object;
  /** Of the person who is present; none for scheduled work. */
  psuHeaders?: Record<string, string>;
  timeoutMs?: number;
}

export type Caller = (
  application: Application,
  call: EnableBankingCall,
) => Promise<Record<string, unknown>>;

/** An error that Enable Banking answered, with its own code ('' when it gave none). */
export class EnableBankingRefusal extends BankSourceError {
  readonly code: string;
  /** It says that the person's consent is over. */
  readonly endsConsent: boolean;

  constructor(kind: BankFailure, { code, words, detail, ...options }: RefusalOptions) {
    super(kind, words, options);
    this.code = code;
    this.endsConsent = ends.has(code) || (code === 'ASPSP_ERROR' && isRefusedByBank(detail));
  }
}

interface RefusalOptions {
  code: string;
  words: string;
  detail: unknown;
  retryAfterSeconds: number | undefined;
  sentence?: string;
}

const ends = new Set([
  ...['EXPIRED_SESSION', 'CLOSED_SESSION', 'REVOKED_SESSION', 'SESSION_DOES_NOT_EXIST'],
  ...['WRONG_SESSION_STATUS', 'AUTHORIZATION_NOT_PROVIDED'],
]);

/** A bank's own 401 or 403, which Enable Banking wraps in an error of the bank. */
function isRefusedByBank(detail: unknown): boolean {
  if (!isRecord(detail)) return false;
  const { error_name: name, error_data: data } = detail;
  const [code, status] = isRecord(data) ? [data.code, data.status] : [];
  const isStatus = [code, status].some((one) => /^40[13]$/.test(String(one)));
  return isStatus || /unauthori[sz]ed|forbidden|consent/i.test(String(name));
}

/**
 * Speaks HTTP with Enable Banking (enablebanking.com/docs/api/reference). Throws `BankSourceError` for
 * everything but a yes; neither it nor a log ever holds a key or a token.
 */
export function createCaller({ httpClient, clock, apiUrl }: EnableBankingDeps): Caller {
  const sign = createSigner(clock);
  return async (application, { method, path, body, psuHeaders, timeoutMs = 20_000 }) => {
    const route = `${method} ${path.replace(/\?.*/, '').replace(/(?<=\/(sessions|accounts)\/)[^/]+/, '{id}')}`;
    const answer = await httpClient
      .request({
        ...{ method, url: `${apiUrl}${path}`, timeoutMs, maxBytes: 8 * 1024 * 1024 },
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${sign(application)}`,
          ...(body && { 'content-type': 'application/json' }),
          ...psuHeaders,
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      .catch((cause: unknown) => {
        const words = `Enable Banking did not answer to ${route}`;
        throw new BankSourceError('unavailable', words, { cause });
      });
    const { status, headers } = answer;
    const told = readJson(answer.body);
    if (status >= 200 && status < 300 && isRecord(told)) return told;
    const code = isRecord(told) ? String(told.error ?? '').slice(0, 100) : '';
    throw new EnableBankingRefusal(kindOf(status, told, code), {
      ...{ code, words: `Enable Banking answered ${status} ${code} to ${route}` },
      detail: isRecord(told) ? told.detail : null,
      retryAfterSeconds: readRetryAfter(headers, clock.now()),
      ...sentenceOf(status, told, code),
    });
  };
}

/** A page of something on the way is no answer of Enable Banking, whatever its status. */
function kindOf(status: number, body: unknown, code: string): BankFailure {
  if (status === 429 || code === 'ASPSP_RATE_LIMIT_EXCEEDED') return 'limited';
  if (!isRecord(body) || status < 400 || status >= 500 || status === 408) return 'unavailable';
  if (bankFailures.has(code)) return 'unavailable';
  if (isOfApplication(status, code)) return 'credentials';
  return 'refused';
}

/** The bank, not Enable Banking, did not answer as it should. */
const bankFailures = new Set(['ASPSP_ERROR', 'ASPSP_TIMEOUT']);

/** Codes of 401 and 403 that speak of a consent or of an account, not of the application. */
const ofConsent = /SESSION|^ASPSP_|^ACCESS_DENIED$|^ACCOUNT_|_ACCOUNT_|AUTHORIZATION|PSU_/;

function isOfApplication(status: number, code: string): boolean {
  return (status === 401 || status === 403) && !ofConsent.test(code);
}

function sentenceOf(status: number, body: unknown, code: string): { sentence?: string } {
  if (!isRecord(body) || !isOfApplication(status, code)) return {};
  const isInactive = /not active/i.test(String(body.message));
  return { sentence: isInactive ? sentences.inactive : sentences.refused };
}

export const sentences = {
  refused:
    "Enable Banking refuse cet identifiant d'application ou cette clé. Vérifiez qu'ils vont ensemble.",
  inactive:
    "Cette application n'est pas encore active. Dans votre espace Enable Banking, activez-la en y reliant vos comptes, puis recommencez.",
};
