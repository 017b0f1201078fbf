import { type ComponentType, Fragment, type ReactNode, useRef } from 'react';
import type { BankAccount } from '../../shared/contract/banks.ts';
import { configuration } from '../api/configuration.ts';
import { loadingFailure } from '../api/failure.ts';
import { useFreshLink } from '../api/fresh-link.ts';
import { loadingState } from '../api/loading-state.ts';
import { ActionLink, ActionRoom } from '../design/ActionLink.tsx';
import type { Look } from '../design/Button.tsx';
import { DialogButton } from '../design/DialogButton.tsx';
import { IconButton } from '../design/IconButton.tsx';
import { Retry } from '../design/Retry.tsx';
import { CardSkeleton, Cards, Section } from '../design/Section.tsx';
import { Amount } from '../money/Amount.tsx';
import { hideAmounts, useHidden } from '../money/hiding.ts';
import { useNow } from '../time/clock.ts';
import { relativeDate } from '../time/relative.ts';
import { BankCard } from './BankCard.tsx';
import styles from './Banks.module.css';
import { bankCards } from './bank-cards.ts';
import { linkBank } from './linking/link-bank.ts';
import { useBankData, useTrends } from './queries.ts';
import { totalsOf } from './totals.ts';

interface BanksProps {
  /** Stands there until a bank is linked, around the link that adds one. */
  FirstSteps: ComponentType<{ action: ReactNode }>;
}

export function Banks({ FirstSteps }: BanksProps) {
  const query = useBankData();
  const { data, error, isError } = query;
  const trends = useTrends(query.dataUpdatedAt);
  const heading = useRef<HTMLHeadingElement>(null);
  const cards = data ? bankCards(data.items, data.accounts) : null;
  const isEmpty = cards?.length === 0;
  return (
    <Section
      title="Banques"
      state={loadingState([query])}
      actions={!isEmpty && (cards || isError) && <WaysToAdd keepsRoom={cards !== null} />}
      headingRef={heading}
    >
      {isError && (
        <Retry
          text={loadingFailure(
            `Vos banques n'ont pas pu être ${cards ? 'actualisées' : 'chargées'}.`,
            error,
          )}
          query={query}
          over={cards !== null}
        />
      )}
      {!cards && !isError && <CardSkeleton label="Chargement de vos banques…" />}
      {isEmpty && <FirstSteps action={<WaysToAdd keepsRoom isNext />} />}
      {cards && cards.length > 0 && (
        <>
          <Total accounts={cards.flatMap(({ accounts }) => accounts)} />
          <Cards even>
            {cards.map((card) => (
              <BankCard
                key={card.item.id}
                card={card}
                trends={trends}
                onDeleted={() => heading.current?.focus()}
              />
            ))}
          </Cards>
        </>
      )}
    </Section>
  );
}

const label = 'Ajouter une banque';
const none: { source: string | undefined } = { source: undefined };

interface AddBankProps {
  /** Its place is kept until it comes, and when it does not: what stands below would move. */
  keepsRoom: boolean;
  /** It is the next step: the one solid button on the page. */
  isNext?: boolean;
}

/**
 * The direct link to the installation's service (specification §2), and beside it the ways that people
 * open themselves; without the first, these are what "Ajouter une banque" means.
 */
function WaysToAdd({ keepsRoom, isNext = false }: AddBankProps) {
  const { hasBankPage, hasBankForms } = configuration;
  const look = isNext ? 'primary' : 'secondary';
  return (
    <>
      {hasBankPage && <AddBank keepsRoom={keepsRoom} look={look} />}
      {hasBankForms && (
        <DialogButton
          label={hasBankPage ? 'Autre banque ou relevé' : label}
          look={hasBankPage ? 'plain' : look}
          part={linkBank}
          more={none}
        />
      )}
    </>
  );
}

/** Shown only when an address was obtained (specification §2). */
function AddBank({ keepsRoom, look }: Pick<AddBankProps, 'keepsRoom'> & { look: Look }) {
  const { address, follow } = useFreshLink('/bridge/items/connect');
  if (!address) return keepsRoom && <ActionRoom label={label} look={look} />;
  return (
    <ActionLink look={look} target={address} onClick={follow}>
      {label}
    </ActionLink>
  );
}

/** What the accounts hold together, as of when, and the button that hides every amount. */
function Total({ accounts }: { accounts: BankAccount[] }) {
  const now = useNow();
  const totals = totalsOf(accounts);
  if (!totals) return null;
  const { sums, missing, oldest } = totals;
  return (
    <div className={styles.total}>
      <p className={styles.sums}>
        <span className="note">Total{'\u202f'}: </span>
        {sums.map((sum, index) => (
          <Fragment key={sum.currency}>
            {index > 0 && ', '}
            <strong>
              <Amount {...sum} />
            </strong>
          </Fragment>
        ))}
      </p>
      <HidingButton />
      <p className={`note ${styles.age}`}>
        Solde le plus ancien{'\u202f'}: {oldest ? relativeDate(oldest, now) : 'date inconnue'}
        {missing > 0 && ', sans les soldes non communiqués'}
      </p>
    </div>
  );
}

function HidingButton() {
  const hidden = useHidden();
  return (
    <IconButton
      icon={hidden ? 'closedEye' : 'eye'}
      title={hidden ? 'Afficher les montants' : 'Masquer les montants'}
      onClick={() => hideAmounts(!hidden)}
    />
  );
}
