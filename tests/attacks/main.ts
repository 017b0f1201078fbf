/**
 * `npm run test:attack`: every attack of this folder on a server that it starts itself, on each database.
 *
 * `npm run test:attack -- https://tirelire.example.org --mine`: the harmless ones on an installation of
 * one's own. Exits 1 when one gets through.
 */
import { readdirSync } from 'node:fs';
import process from 'node:process';
import { bankOf } from '../browser/support/bank.ts';
import { chatOf } from '../browser/support/chat.ts';
import { startDemonstration } from '../browser/support/demonstration.ts';
import { engines } from '../support/engines.ts';
import { connect, signUp } from '../support/person.ts';
import { startPostgres } from '../support/postgres.ts';
import type { Attack, Target } from './attack.ts';

const warning = `These are attacks. Try them on an installation of your own alone: on anybody else's they are an
offence. Only the harmless ones are tried there; refused requests stand in its log, and its limits may
make this address wait. Once more with --mine behind it, and they begin:
`;

const [address, consent] = process.argv.slice(2);
const attacks = await readAttacks();
const failed = address ? await attackInstallation(address) : await attackOwnServers();
process.exit(failed > 0 ? 1 : 0);

async function readAttacks(): Promise<Attack[]> {
  const names = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.attack.ts'));
  return await Promise.all(
    names.sort().map(async (name) => (await import(`./${name}`)).default as Attack),
  );
}

async function attackInstallation(given: string): Promise<number> {
  const { origin: url } = new URL(given);
  if (consent !== '--mine') {
    process.stdout.write(`${warning}  npm run test:attack -- ${url} --mine\n`);
    return 1;
  }
  const own = () => {
    throw new Error('This attack is for a server of the command’s own.');
  };
  const harmless = attacks.filter((attack) => attack.harmless);
  return await tryAll(harmless, { url, visitor: connect(url, () => {}), own });
}

async function attackOwnServers(): Promise<number> {
  let failures = 0;
  for (const engine of engines) {
    process.stdout.write(`On the ${engine} database:\n`);
    const postgres = engine === 'postgres' ? await startPostgres() : null;
    const settingsOf = async () =>
      postgres && {
        DATABASE_URL: await postgres.createDatabase(),
        APP_SECRET: 'the secret of the attacks',
      };
    const demo = await startDemonstration({ ...(await settingsOf()) });
    const visitor = connect(demo.url, () => {});
    const own = {
      demo,
      ...{ bank: bankOf(demo), chat: chatOf(demo) },
      signUp: (details = {}) => signUp(visitor, details),
      startAnother: async (settings: Record<string, string>) =>
        startDemonstration({ ...(await settingsOf()), ...settings }),
    };
    failures += await tryAll(attacks, { url: demo.url, visitor, own: () => own });
    await demo.stop();
    await postgres?.close();
  }
  return failures;
}

/** One after the other, because some measure time. Returns how many got through. */
async function tryAll(tried: Attack[], target: Target): Promise<number> {
  let failures = 0;
  for (const { name, prepare, expect } of tried) {
    const begun = performance.now();
    const words = await prepare(target)
      .then((prepared) => expect(target, prepared))
      .then((seen) => `held         ${name}: ${seen}`)
      .catch((error: unknown) => {
        failures += 1;
        const [words] = String(error instanceof Error ? error.message : error).split('\n');
        return `GOT THROUGH  ${name}: ${words}`;
      });
    process.stdout.write(`  ${words} (${Math.round(performance.now() - begun)} ms)\n`);
  }
  process.stdout.write(`  ${tried.length - failures} of ${tried.length} held.\n`);
  return failures;
}
