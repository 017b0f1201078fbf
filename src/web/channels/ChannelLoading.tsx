import type { UseQueryResult } from '@tanstack/react-query';
import type { Channel } from '../../shared/contract/messengers.ts';
import { failureText } from '../api/failure.ts';
import { Retry } from '../design/Retry.tsx';
import styles from './ChannelField.module.css';

export function ChannelLoading({ query }: { query: UseQueryResult<Channel[]> }) {
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
    </p>
  );
}
