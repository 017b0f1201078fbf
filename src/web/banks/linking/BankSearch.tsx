import { useEffect, useRef } from 'react';
import type { OfferedSource } from '../../../shared/contract/banks.ts';
import { QueryResult } from '../../api/QueryResult.tsx';
import { Avatar } from '../../design/Avatar.tsx';
import { Callout } from '../../design/Callout.tsx';
import { Field } from '../../design/Field.tsx';
import { SelectField } from '../../design/SelectField.tsx';
import { SheetChoice, SheetChoices } from '../../design/Sheet.tsx';
import { initialsOf } from '../bank-cards.ts';
import styles from './BankSearch.module.css';
import { type ListedBank, useDirectory } from './offers.ts';
import { searchBanks } from './search.ts';
import { WayChoice } from './WayList.tsx';

export interface Search {
  /** A part of the bank's name. */
  typed: string;
  country: string;
}

interface BankSearchProps {
  offers: OfferedSource[];
  search: Search;
  onSearch: (search: Search) => void;
  /** The source that was chosen, and the bank; null for a way that asks for no bank. */
  onChoose: (source: string, bank: ListedBank | null) => void;
}

/** One list of the banks of all sources, and last the file that every bank gives. */
export function BankSearch({ offers, search, onSearch, onChoose }: BankSearchProps) {
  const { typed, country } = search;
  const query = useDirectory(country);
  const files = offers.filter(({ connect }) => connect.kind === 'file');
  // It comes after its dialog, when the focus is on a button at the foot. A keyboard that is drawn on
  // the screen would hide the list.
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!matchMedia('(pointer: coarse)').matches) field.current?.focus();
  }, []);
  return (
    <>
      <div className={styles.search}>
        <Field
          ref={field}
          label="Nom de la banque"
          type="search"
          autoComplete="off"
          maxLength={100}
          value={typed}
          onChange={(event) => onSearch({ typed: event.currentTarget.value, country })}
        />
        <CountryChoice
          country={country}
          onChoose={(chosen) => onSearch({ typed, country: chosen })}
        />
      </div>
      <QueryResult
        query={query}
        failed="La liste des banques n'a pas pu être chargée."
        waiting={<p role="status">Chargement des banques…</p>}
      >
        {({ banks, missing }) => (
          <>
            <BankMatches banks={searchBanks(banks, typed)} {...{ typed, offers, onChoose }} />
            {missing.map((name) => (
              <Callout key={name} variant="quiet">
                {name}
                {'\u202f'}: la liste n'a pas pu être chargée, ses banques manquent ici.
              </Callout>
            ))}
          </>
        )}
      </QueryResult>
      {files.length > 0 && (
        <SheetChoices>
          {files.map((offer) => (
            <WayChoice
              key={offer.source}
              offer={offer}
              onChoose={() => onChoose(offer.source, null)}
            />
          ))}
        </SheetChoices>
      )}
    </>
  );
}

/** More of them are not looked through: the name is typed. */
const maxShown = { atFirst: 8, found: 30 };

interface BankMatchesProps extends Pick<BankSearchProps, 'offers' | 'onChoose'> {
  banks: ListedBank[];
  typed: string;
}

function BankMatches({ banks, typed, offers, onChoose }: BankMatchesProps) {
  const shown = banks.slice(0, typed === '' ? maxShown.atFirst : maxShown.found);
  const hidden = banks.length - shown.length;
  return (
    <>
      {shown.length > 0 && (
        <SheetChoices>
          {shown.map((bank) => {
            const [way] = bank.ways;
            const note = offers.find(({ source }) => source === way?.source)?.note;
            return (
              <SheetChoice
                key={bank.name}
                avatar={<Avatar>{initialsOf(bank.name)}</Avatar>}
                name={bank.name}
                {...(note && { note })}
                onChoose={() => way && onChoose(way.source, bank)}
              />
            );
          })}
        </SheetChoices>
      )}
      <p role="status" className="note">
        {typed !== '' && countOf(banks.length)}
        {hidden > 0 && ` Les ${shown.length} premières sont affichées\u202f: précisez le nom.`}
      </p>
    </>
  );
}

function countOf(count: number): string {
  if (count === 0) return 'Aucune banque de ce nom. Vous pouvez importer un relevé.';
  return count === 1 ? '1 banque.' : `${count} banques.`;
}

/** Where payment accounts can be read: the European Economic Area, and the United Kingdom. */
const codes =
  'AT BE BG CY CZ DE DK EE ES FI GB GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK';

const names = new Intl.DisplayNames('fr', { type: 'region' });

/** France first, the others by their French name. */
const countries: [code: string, name: string][] = [
  ['FR', 'France'],
  ...codes
    .split(' ')
    .map((code): [string, string] => [code, names.of(code) ?? code])
    .sort(([, one], [, other]) => one.localeCompare(other, 'fr')),
];

interface CountryChoiceProps {
  country: string;
  onChoose: (country: string) => void;
}

function CountryChoice({ country, onChoose }: CountryChoiceProps) {
  return (
    <SelectField
      label="Pays"
      value={country}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
      {countries.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
