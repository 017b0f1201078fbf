import type { HttpClient } from '../../../../src/server/platform/http-client/http-client.ts';
import { BankSourceError } from '../../../../src/server/providers/banks/failures.ts';
import type { BankSource } from '../../../../src/server/providers/banks/port.ts';
import type { ExampleAccount } from './standin.ts';

/** What a new source costs: this adapter, its definition, a line in the registry, and its stand-in. */
export function createExampleSource(apiUrl: string, httpClient: HttpClient): BankSource {
  return {
    name: 'Example',
    note: 'accès direct',
    credentials: 'person',
    connect: {
      kind: 'form',
      steps: [],
      fields: [
        { name: 'key', label: 'Clé d’accès', secret: true, pattern: '\\S+', help: 'Un mot.' },
      ],
      isDemonstration: true,
      page: null,
      async check({ key = '' }) {
        await ask(apiUrl, httpClient, key);
        return () => key;
      },
      countAccesses: () => 1,
    },
    policy: { atPageLoad: true, beforeMessage: { withinMs: 3_600_000, freshForMs: 60_000 } },
    async read({ secret }) {
      const { bankName, accounts } = await ask(apiUrl, httpClient, secret ?? '');
      const bank = { id: null, name: bankName };
      const dates = { lastSuccessfulRefresh: null, authenticationExpiresAt: null };
      return {
        connections: [{ id: bankName, state: 'ok', code: null, description: null, bank, ...dates }],
        accounts: accounts.map(({ ref, label, cents, at }) => ({
          ...{ id: ref, connectionId: bankName, name: label, type: 'checking', bank },
          balance: { minor: cents, currency: 'EUR', kind: 'booked', asOf: new Date(at) },
        })),
      };
    },
    // One key opens one institution: nothing remains of it.
    removeConnection: async () => null,
  };
}

async function ask(
  apiUrl: string,
  httpClient: HttpClient,
  key: string,
): Promise<{ bankName: string; accounts: ExampleAccount[] }> {
  const request = { method: 'GET', url: `${apiUrl}/accounts`, timeoutMs: 5_000 } as const;
  const answer = await httpClient
    .request({ ...request, headers: { 'x-key': key } })
    .catch((cause: unknown) => {
      throw new BankSourceError('unavailable', 'The bank did not answer', { cause });
    });
  if (answer.status === 401) {
    const sentence = 'La banque refuse cette clé.';
    throw new BankSourceError('credentials', 'The bank answered 401', { sentence });
  }
  return JSON.parse(answer.body);
}
