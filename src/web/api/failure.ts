import { errorText, noticeTexts } from '../../shared/errors/texts.ts';
import { showToast } from '../design/toasts/toasts.ts';

/** The server answered with an error. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** What is wrong with which field of the body. */
  readonly details: Detail[];

  constructor(status: number, code: string, message: string, details: Detail[] = []) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

interface Detail {
  /** As a JSON pointer: "/password". */
  path: string;
  /** A French sentence. */
  message: string;
}

/** What the server says of the fields that it was sent. */
export function detailsOf(failure: unknown): Detail[] {
  return failure instanceof ApiError ? failure.details : none;
}

const none: Detail[] = [];

/** Ended or deleted, perhaps from another device. */
export function isGone(failure: unknown): boolean {
  return failure instanceof ApiError && failure.status === 404;
}

/**
 * The server answers and cannot reach its data, or is starting: nothing is wrong with what was asked,
 * and asking again later helps.
 */
export function isTransient(failure: unknown): boolean {
  return failure instanceof ApiError && transientCodes.has(failure.code);
}

const transientCodes = new Set(['Database_Unavailable', 'Not_Ready']);

/** What could not be loaded, and that it comes by itself where it does. */
export function loadingFailure(text: string, failure: unknown): string {
  return isTransient(failure)
    ? `${text} Nos serveurs sont momentanément indisponibles, nous réessayons pour vous.`
    : text;
}

/** A notice in the server's own words, unless they stand beside the field of the code already. */
export function showFailure(failure: unknown): void {
  if (isWrongCode(failure)) return;
  showToast('error', failureText(failure));
}

/** A code is missing or wrong: every form shows that under its field for the code. */
export function isWrongCode(failure: unknown): boolean {
  return detailsOf(failure).some(({ path }) => path === '/otp');
}

/** Specification §8: the unknown-error notice, with the server's own explanation under it. */
export function showUnknownError(failure: unknown): void {
  showToast('error', noticeTexts.unknownError, failureDetail(failure));
}

/** What a person reads when the server's own words are the best explanation. */
export function failureText(failure: unknown): string {
  return failure instanceof ApiError ? errorText(failure.message) : noticeTexts.unknownError;
}

/** The server's explanation beside a general notice; null when it has none worth reading. */
export function failureDetail(failure: unknown): string | null {
  if (!(failure instanceof ApiError) || failure.status === 500) return null;
  // What is wrong with a field says more than that something is.
  return errorText(failure.details[0]?.message ?? failure.message);
}
