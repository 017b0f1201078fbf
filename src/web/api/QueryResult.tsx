import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RetryCallout } from '../design/RetryCallout.tsx';
import { loadingFailure } from './failure.ts';

interface QueryResultProps<Answer> {
  query: Pick<
    UseQueryResult<Answer>,
    'data' | 'error' | 'isError' | 'errorUpdateCount' | 'isFetching' | 'refetch'
  >;
  /** What is said when the last try failed; an earlier answer stays below it. */
  failed: string;
  /** Stands there until the first answer. */
  waiting: ReactNode;
  children: (data: Answer) => ReactNode;
}

/** The answer of a query, the wait for it, and what went wrong with it. */
export function QueryResult<Answer>({
  query,
  failed,
  waiting,
  children,
}: QueryResultProps<Answer>) {
  const { data, error } = query;
  const text = loadingFailure(failed, error);
  const hasFailed = isFailed(query);
  return (
    <>
      {hasFailed && <RetryCallout text={text} query={query} />}
      {data === undefined ? !hasFailed && waiting : children(data)}
    </>
  );
}

/** The last try failed, even while another is under way: its button keeps the focus. */
function isFailed({
  data,
  isError,
  errorUpdateCount,
}: Pick<UseQueryResult, 'data' | 'isError' | 'errorUpdateCount'>): boolean {
  return isError || (data === undefined && errorUpdateCount > 0);
}
