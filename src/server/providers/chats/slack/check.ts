import type { HttpClient } from '../../../platform/http-client/http-client.ts';
import { NetworkError } from '../../../platform/http-client/network-error.ts';
import type { ServiceCheck } from '../../service-check.ts';
import { type CodeClass, classOf } from './codes.ts';
import type { SlackConfiguration } from './configuration.ts';

/**
 * Exchanges a code that nobody was given: Slack looks at the application's id and secret first
 * (docs.slack.dev/reference/methods/oauth.v2.access), and then finds no such code.
 */
export async function check(
  httpClient: HttpClient,
  configuration: SlackConfiguration,
): Promise<ServiceCheck> {
  const { apiUrl, scope, clientId, clientSecret } = configuration;
  const method = scope === 'bot' ? 'oauth.access' : 'oauth.v2.access';
  try {
    const { status, body } = await httpClient.request({
      method: 'POST',
      url: `${apiUrl}${method}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(
        new URLSearchParams({ client_id: clientId, client_secret: clientSecret, code: 'none' }),
      ),
      timeoutMs: 10_000,
    });
    const code = /"error"\s*:\s*"([a-z_]{1,80})"/.exec(body)?.[1];
    if (status >= 500 || !code) return { end: 'unavailable', cause: `http_${status}` };
    if (ownTroubles.has(classOf(code))) return { end: 'unavailable', cause: code };
    return codesAfterCredentials.has(code) ? { end: 'accepted' } : { end: 'refused', code };
  } catch (error) {
    if (error instanceof NetworkError) return { end: 'unavailable', cause: error.message };
    throw error;
  }
}

/** Slack's, which say nothing about ours: too many asked, or it is down. */
const ownTroubles = new Set<CodeClass>(['transient', 'ambiguous']);

const codesAfterCredentials = new Set(['invalid_code', 'code_already_used', 'bad_redirect_uri']);
