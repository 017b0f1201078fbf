import {
  type ComponentType,
  memo,
  type ReactNode,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react';
import { configuration } from '../api/configuration.ts';
import { loadingFailure } from '../api/failure.ts';
import { loadingState } from '../api/loading-state.ts';
import { ProviderLink } from '../api/ProviderLink.tsx';
import { Button } from '../design/Button.tsx';
import { Callout } from '../design/Callout.tsx';
import { useDialog } from '../design/DialogButton.tsx';
import { RetryCallout } from '../design/RetryCallout.tsx';
import { useRecordedHeights } from '../design/recorded-heights.ts';
import { useRequestedFocus } from '../design/requested-focus.ts';
import { anchorOf, CardSkeleton, Cards, Section } from '../design/Section.tsx';
import { beginHomeLoad } from '../session/query-client.tsx';
import { BankCard } from './BankCard.tsx';
import { bankCards, banksFocusName, type FilteredCard, filterCards } from './bank-cards.ts';
import { linkBankDialog, newBank } from './linking/link-bank-dialog.ts';
import { useBalanceHistories, useBankData } from './queries.ts';
import { Shortcuts } from './Shortcuts.tsx';
import type { Histories } from './totals.ts';
import { Treasury } from './treasury/Treasury.tsx';

interface BanksProps {
  /** Stands there until a bank is linked, around the link that adds one. */
  FirstSteps: ComponentType<{ action: ReactNode }>;
  /** The title of the section that follows. */
  next: string;
  /** Whether nothing there waits for the person: the first bank is then what comes next. */
  isNext: boolean;
}

const banksTitle = 'Banques';
/** From so many on, the page is long enough for a bar of shortcuts… */
const banksWithShortcuts = 3;
/** …and so many are too many to look through. */
const banksWithFilter = 6;

export function Banks({ FirstSteps, next, isNext }: BanksProps) {
  const query = useBankData();
  const { error } = query;
  // Drawn in slices between which the page answers to presses, however many there are.
  const data = useDeferredValue(query.data);
  // A failure is told once what was read before it is drawn, over which it then stands.
  const isError = query.isError && (data !== undefined || query.data === undefined);
  const readAt = query.dataUpdatedAt;
  const trends = useDeferredValue(useBalanceHistories(readAt, 30).histories);
  const heading = useRef<HTMLHeadingElement>(null);
  useRequestedFocus(banksFocusName, heading, 'nearest');
  const [filter, setFilter] = useState('');
  const find = (words: string) => {
    setFilter(words);
    // Its field is in view wherever the page was scrolled to; what it finds is not.
    document.getElementById(anchorOf(banksTitle))?.scrollIntoView();
  };
  const drawn = useRecordedHeights(banksTitle);
  const cards = useMemo(() => (data ? bankCards(data.connections, data.accounts) : null), [data]);
  const isEmpty = cards?.length === 0;
  const count = cards?.length ?? drawn?.length ?? 0;
  const isLong = count >= banksWithShortcuts;
  // Of what is remembered, only that it is long: the rest of it may not have been drawn.
  const hasShortcuts = useFirst(cards ? isLong : isLong || null);
  // Stored banks are some of them, until the first reading is over.
  const isRead = useFirst((cards && !query.isFetching && data === query.data) || null);
  const canFilter = count >= banksWithFilter;
  const words = canFilter ? filter.trim() : '';
  const shown = useMemo(() => cards && filterCards(cards, words), [cards, words]);
  // Out of the section, which is drawn anew: what was typed stays.
  const form = useDialog(linkBankDialog, newBank);
  return (
    <>
      <Treasury cards={cards} readAt={readAt} isLoading={!isError} />
      {hasShortcuts && count > 1 && (
        <Shortcuts
          sections={[banksTitle, next]}
          filter={canFilter ? filter : null}
          onFilter={find}
        />
      )}
      <Section
        // Where nothing is remembered, its place is known with its content: it is drawn anew there.
        key={String(cards !== null || drawn !== null)}
        title={banksTitle}
        state={loadingState([query])}
        actions={!isEmpty && (cards || isError || drawn) && <WaysToAdd button={form.button} />}
        headingRef={heading}
        isPartial={cards !== null && !drawn && !isRead}
        isFiltered={words !== ''}
      >
        {isError && (
          <RetryCallout
            text={loadingFailure(
              `Vos banques n'ont pas pu être ${cards ? 'actualisées' : 'chargées'}.`,
              error,
            )}
            query={query}
            onRetry={beginHomeLoad}
            isFloating={cards !== null}
          />
        )}
        {!cards && !isError && <CardSkeleton label="Chargement de vos banques…" />}
        {isEmpty && <FirstSteps action={<WaysToAdd button={form.button} isNext={isNext} />} />}
        {cards && shown && (
          <FilterResult
            filter={words}
            shown={shown.length}
            all={cards.length}
            onClear={() => setFilter('')}
          />
        )}
        {shown && shown.length > 0 && (
          <BankList shown={shown} whole={words !== ''} trends={trends} />
        )}
      </Section>
      {form.dialog}
    </>
  );
}

/**
 * The first answer that is known stays until the page is opened again: what comes between two parts
 * later pushes away what is on screen, as the third of three banks that are read one after another.
 */
function useFirst<Answer>(answer: Answer | null): Answer | null {
  const [first, setFirst] = useState(answer);
  if (first === null && answer !== null) setFirst(answer);
  return first ?? answer;
}

interface BankListProps {
  shown: FilteredCard[];
  whole: boolean;
  trends: Histories | undefined;
}

/** Drawn again only for what it shows: the queries above answer many times while the page loads. */
const BankList = memo(function BankList({ shown, whole, trends }: BankListProps) {
  return (
    <Cards even>
      {shown.map((card) => (
        <BankCard key={card.connection.id} card={card} whole={whole} trends={trends} />
      ))}
    </Cards>
  );
});

interface FilterResultProps {
  filter: string;
  shown: number;
  all: number;
  onClear: () => void;
}

/** How many banks the filter leaves, and the way back to all of them. */
function FilterResult({ filter, shown, all, onClear }: FilterResultProps) {
  return (
    <div role="status">
      {filter !== '' && (
        <Callout variant="quiet" action={<Button onClick={onClear}>Tout afficher</Button>}>
          {shown === 0
            ? `Aucune banque et aucun compte ne s'appelle «\u202f${filter}\u202f».`
            : `${shown} ${shown > 1 ? 'banques' : 'banque'} sur ${all}.`}
        </Callout>
      )}
    </div>
  );
}

const label = 'Ajouter une banque';

interface WaysToAddProps {
  /** Makes a button open the dialog that links a bank by a form. */
  button: ReturnType<typeof useDialog>['button'];
  /** It is the next step: the one solid button on the page. */
  isNext?: boolean;
}

/**
 * The direct link to the installation's service (specification §2), and beside it the ways that people
 * open themselves; without the first, these are what "Ajouter une banque" means.
 */
function WaysToAdd({ button, isNext = false }: WaysToAddProps) {
  const { hasBankPage, hasBankForms } = configuration;
  const variant = isNext ? 'primary' : 'secondary';
  return (
    <>
      {hasBankPage && (
        <ProviderLink path="/bridge/items/connect" variant={variant}>
          {label}
        </ProviderLink>
      )}
      {hasBankForms && (
        <Button variant={hasBankPage ? 'plain' : variant} {...button}>
          {hasBankPage ? 'Autre banque ou relevé' : label}
        </Button>
      )}
    </>
  );
}
