import type { UseQueryResult } from '@tanstack/react-query';
import { failureText } from '../api/failure.ts';
import { Retry } from '../design/Retry.tsx';
import styles from './ChannelField.module.css';
import type { ChannelListing } from './queries.ts';

export function ChannelLoading({ query }: { query: UseQueryResult<ChannelListing> }) {
  if (query.isError) {
    return (
      <Retry
        text={`Les channels n'ont pas pu être chargés. ${failureText(query.error)}`}
        busy={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  return (
    <p role="status" className={styles.loading}>
      {query.isLoading && 'Chargement des channels…'}
      {query.data?.complete === false && INCOMPLETE}
    </p>
  );
}

const INCOMPLETE = "Liste incomplète\u202f: Slack n'a pas donné tous les channels.";
