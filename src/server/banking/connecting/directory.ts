import { plainName } from '../../../shared/banks/names.ts';
import type { BankDirectory } from '../../../shared/contract/banks.ts';
import { BankSourceError } from '../../providers/banks/failures.ts';
import type { BankSource, ListedBank } from '../../providers/banks/port.ts';
import type { BankingDeps } from '../deps.ts';
import { findReadableLink } from '../source-links/queries.ts';

type Needed = Pick<BankingDeps, 'database' | 'vault' | 'bankSources' | 'log'>;
type Bank = BankDirectory['banks'][number];

/**
 * The banks of all sources in one list. One that several sources link stands there once, with a bank's
 * own access before any service, and the services in the order of the registry. The list of a source
 * that does not answer is left out.
 */
export async function readDirectory(
  deps: Needed,
  userId: string,
  country: string,
): Promise<BankDirectory> {
  const missing: string[] = [];
  const lists = await Promise.all(
    [...deps.bankSources].map(async ([source, bankSource]): Promise<Bank[]> => {
      if (!bankSource.listBanks)
        return bankSource.connect.kind === 'form' ? [itself(source, bankSource)] : [];
      try {
        const link = await findReadableLink(deps, userId, source);
        const banks = await bankSource.listBanks(country, link);
        return banks.map((bank) => bankOf(source, bank));
      } catch (error) {
        if (!(error instanceof BankSourceError)) throw error;
        deps.log.warn({ err: error, source }, 'a list of banks did not come');
        missing.push(bankSource.name);
        return [];
      }
    }),
  );
  const isDirect = (banks: Bank[]) => banks[0]?.ways[0]?.bank === null;
  const direct = lists.filter(isDirect).flat();
  const others = lists.filter((banks) => !isDirect(banks)).flat();
  const banks = merged([...direct, ...others]);
  const services = banks.slice(direct.length);
  services.sort((one, other) => one.name.localeCompare(other.name, 'fr'));
  return { banks: [...banks.slice(0, direct.length), ...services], missing };
}

/** A source without a list is a bank itself. */
function itself(source: string, { name }: BankSource): Bank {
  return { name, ways: [{ source, bank: null }] };
}

function bankOf(source: string, { id, name }: ListedBank): Bank {
  return { name, ways: [{ source, bank: id }] };
}

/** In the order of their first mention. Services write the accents and capitals of a name differently. */
function merged(all: Bank[]): Bank[] {
  const byName = new Map<string, Bank>();
  for (const { name, ways } of all) {
    const key = plainName(name);
    const known = byName.get(key);
    const added = ways.filter((way) => !known?.ways.some(({ source }) => source === way.source));
    if (known) known.ways.push(...added);
    else byName.set(key, { name, ways: [...ways] });
  }
  return [...byName.values()];
}
