import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ExampleAccount {
  ref: string;
  label: string;
  cents: number;
  /** ISO 8601. */
  at: string;
}

/** A service of balances that nobody has: a person's key opens the accounts of one institution. */
export async function startExampleStandin() {
  const keys = new Map<string, ExampleAccount[]>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const key = request.headers['x-key'];
    asked.push(`${request.method} ${request.url}`);
    const accounts = typeof key === 'string' ? keys.get(key) : undefined;
    response.writeHead(accounts ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(accounts ? { bankName: 'Banque des Alpes', accounts } : {}));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
