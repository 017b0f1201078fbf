import { useRef } from 'react';
import { useTrends } from '../balances/queries.ts';
import { Retry } from '../design/Retry.tsx';
import { CardSkeleton, Cards, Section } from '../design/Section.tsx';
import { FirstSteps } from '../home/FirstSteps.tsx';
import { loadingState } from '../home/loading-state.ts';
import { AddBank } from './AddBank.tsx';
import { BankCard } from './BankCard.tsx';
import { bankCards } from './bank-cards.ts';
import { useBankData } from './queries.ts';
import { Total } from './Total.tsx';

export function Banks() {
  const banks = useBanks();
  const heading = useRef<HTMLHeadingElement>(null);
  const isEmpty = banks.cards?.length === 0;
  return (
    <Section
      title="Banques"
      state={banks.state}
      actions={!isEmpty && (banks.cards || banks.failed) && <AddBank />}
      headingRef={heading}
    >
      {banks.failed && (
        <Retry
          text={`Vos banques n'ont pas pu être ${banks.cards ? 'actualisées' : 'chargées'}.`}
          busy={banks.retrying}
          onRetry={banks.retry}
        />
      )}
      {!banks.cards && !banks.failed && <CardSkeleton label="Chargement de vos banques…" />}
      {isEmpty && <FirstSteps action={<AddBank />} />}
      {banks.cards && banks.cards.length > 0 && (
        <>
          <Total accounts={banks.cards.flatMap(({ accounts }) => accounts)} />
          <Cards even>
            {banks.cards.map((card) => (
              <BankCard
                key={card.item.id}
                card={card}
                trends={banks.trends}
                onDeleted={() => heading.current?.focus()}
              />
            ))}
          </Cards>
        </>
      )}
    </Section>
  );
}

function useBanks() {
  const reading = useBankData();
  const { data } = reading;
  return {
    state: loadingState([reading]),
    cards: data ? bankCards(data.items, data.accounts) : null,
    trends: useTrends(reading.dataUpdatedAt),
    failed: reading.isError,
    retrying: reading.isFetching,
    retry: () => void reading.refetch(),
  };
}
