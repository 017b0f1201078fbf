import type { MutationState, QueryStatus } from '@tanstack/react-query';
import type { LoadingState } from '../design/Section.tsx';

interface Reading {
  status: QueryStatus;
  fetchStatus: 'fetching' | 'paused' | 'idle';
}

type Writing = Pick<MutationState, 'status' | 'submittedAt'>;

/**
 * Specification §3 and §4: the state of a list while it is read, and while one of its members is
 * written. The Error of a writing lasts until the list was read again. Times in milliseconds since
 * the epoch.
 */
export function loadingState(
  readings: readonly Reading[],
  writing?: Writing,
  readAt = 0,
): LoadingState {
  if (writing?.status === 'pending') return 'Loading';
  if (writing?.status === 'error' && writing.submittedAt > readAt) return 'Error';
  if (readings.some((reading) => reading.status === 'error')) return 'Error';
  if (readings.every((reading) => reading.status === 'success')) return 'Loaded';
  if (readings.some((reading) => reading.fetchStatus === 'fetching')) return 'Loading';
  return 'Init';
}
