import { alertTexts } from '../../shared/errors/texts.ts';
import { showToast } from '../toasts/toasts.ts';
import { failureDetail, ServerRefusal } from './failure.ts';

/** Specification §8: the unknown-error notice, with the server's own explanation under it. */
export function showFailure(failure: unknown): void {
  if (failure instanceof ServerRefusal && failure.status === 401) return;
  showToast('error', alertTexts.unknownError, failureDetail(failure));
}
