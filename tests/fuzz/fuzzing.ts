import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { startWorker } from '../../src/server/app/worker.ts';
import { addVictim, type Victim } from '../attacks/victim.ts';
import { type Application, startApplication } from '../support/application.ts';
import { addressOf, operationsOf } from '../support/operations.ts';
import type { Answer, Client } from '../support/person.ts';
import { heavyRequests } from './heavy.ts';
import { type FuzzedRequest, fuzzedRequests } from './requests.ts';
import { delayedBy } from './slowness.ts';

export interface FuzzReport {
  requests: number;
  /** How many answers had each status. */
  statuses: Record<string, number>;
  /** The longest that /healthz had to wait for one request. */
  slowestMs: number;
  /** The most bytes of an answer. */
  largest: number;
  /** Each answer that should not have been, in words. */
  faults: string[];
}

/**
 * Sends so many requests as Basile, who has an account of his own, and as nobody, and then those that
 * cost most. No answer may be a fault of ours, unlike the contract, large, or hold anything of Ana's;
 * none may keep others waiting; and nothing of hers may change.
 */
export async function fuzz({
  requests,
  seed,
}: {
  requests: number;
  seed: number;
}): Promise<FuzzReport> {
  const app = await startApplication();
  const worker = await startWorker(app.services);
  const ana = await addVictim(app, 'T0FONTAINE');
  const before = await ana.snapshot();
  const report = await send(app, ana, { requests, seed });
  if (!isDeepStrictEqual(await ana.snapshot(), before))
    report.faults.push('something of Ana’s changed');
  await worker.stop();
  await app.close().catch((error: Error) => report.faults.push(error.message));
  return report;
}

async function send(
  app: Application,
  ana: Victim,
  { requests, seed }: { requests: number; seed: number },
): Promise<FuzzReport> {
  let basile = await addVictim(app, 'T0LENOIR');
  const operations = operationsOf((await app.visitor.get('/openapi.json')).body);
  const { details } = basile.person;
  const known = [...ana.ids, ...basile.ids, details.password, details.email];
  const report: FuzzReport = { requests, statuses: {}, slowestMs: 0, largest: 0, faults: [] };
  const samples = [
    ...fc.sample(fuzzedRequests(operations, known), { numRuns: requests, seed }),
    ...heavyRequests(operations, basile.ids[0] ?? ''),
  ];
  // What he was allowed to write himself, such as an id of hers as his first name, may come back.
  const written: string[] = [];
  for (const [index, request] of samples.entries()) {
    if (index % 20 === 0) await forgetCounts(app);
    const sent = () => sendOne(app, basile.person, request);
    const { result: answer, delayMs } = await delayedBy(app, sent);
    const size = Number(answer.headers.get('content-length'));
    report.slowestMs = Math.max(report.slowestMs, Math.round(delayMs));
    report.largest = Math.max(report.largest, size);
    report.statuses[answer.status] = (report.statuses[answer.status] ?? 0) + 1;
    const marks = ana.marks.filter((mark) => !written.includes(mark));
    report.faults.push(...faultsOf(request, answer, marks));
    report.faults.push(...costsOf(request, delayMs, size));
    if (answer.status < 300) written.push(...marks.filter((mark) => request.body?.includes(mark)));
    if (answer.status === 401 && request.who === 'signed in') basile = await revive(app, basile);
  }
  return report;
}

/** What is counted would soon let nothing through that could go wrong. */
async function forgetCounts({ services }: Application): Promise<void> {
  await services.database.sql.deleteFrom('attempts').execute();
  await services.database.sql.deleteFrom('bank_calls').execute();
}

function sendOne(app: Application, basile: Client, request: FuzzedRequest): Promise<Answer> {
  const { operation, who, path, query, headers, body } = request;
  const client = {
    'signed in': basile,
    'signed out': app.visitor,
    forged: app.visitor.as('x'.repeat(43)),
  };
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : '';
  const address = addressOf(operation, path) + search;
  return client[who].send(operation.method, address, { headers, body });
}

/** How long one request may keep /healthz waiting, in milliseconds, and how large an answer may be. */
const most = { delayMs: 150, bytes: 1_000_000 };

function costsOf({ operation, body }: FuzzedRequest, delayMs: number, bytes: number): string[] {
  const what = `${operation.method} ${operation.path} ${body?.slice(0, 200)}`;
  return [
    ...(delayMs > most.delayMs ? [`slow (${Math.round(delayMs)} ms): ${what}`] : []),
    ...(bytes > most.bytes ? [`large (${bytes} bytes): ${what}`] : []),
  ];
}

/** `marks` are texts that only Ana has. */
function faultsOf(request: FuzzedRequest, answer: Answer, marks: string[]): string[] {
  const { operation, path, query, body } = request;
  const sent = JSON.stringify([path, query, body]);
  const said = JSON.stringify([answer.body, [...answer.headers]]);
  const leaks = marks.filter((mark) => said.includes(mark) && !sent.includes(mark));
  const what = `${operation.method} ${operation.path} ${sent} → ${answer.status} ${said.slice(0, 300)}`;
  return [
    ...(answer.status >= 500 ? [`a fault: ${what}`] : []),
    ...(leaks.length > 0 ? [`something of Ana’s (${leaks}): ${what}`] : []),
  ];
}

/** He may have signed out, or deleted his account: he signs in again, or another comes in his place. */
async function revive(app: Application, { person, ...rest }: Victim): Promise<Victim> {
  if ((await person.get('/users/me')).status === 200) return { person, ...rest };
  const { email, password } = person.details;
  const { status, body } = await app.visitor.post('/accounts/login', { email, password });
  if (status !== 200) return await addVictim(app, 'T0LENOIR');
  return { ...rest, person: { ...person, ...app.visitor.as(body.token), token: body.token } };
}
