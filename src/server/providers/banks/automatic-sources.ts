import type { BankSource } from './port.ts';

/** Whether anything but a person brings new figures of a source: those of a file are never watched. */
export function isAutomaticSource(source: BankSource | undefined): boolean {
  if (!source) return false;
  const { policy, webhook } = source;
  return policy.atPageLoad || policy.beforeMessage !== null || webhook !== undefined;
}
