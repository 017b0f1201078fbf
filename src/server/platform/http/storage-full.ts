import { ApiError, defineErrors } from './api-error.ts';

export const storageErrors = defineErrors({
  Storage_Full: {
    statusCode: 507,
    message:
      "Le disque du serveur est presque plein\u202f: rien ne peut être enregistré pour l'instant. Ce qui l'est déjà reste lisible. Réessayez plus tard.",
  },
});

/**
 * The answer to a write that the database refused for want of room; null for any other error. A
 * PostgreSQL server is read-only for other reasons: one that stands by, or a setting of its operator.
 */
export function storageErrorOf(error: unknown, engine: 'embedded' | 'postgres'): ApiError | null {
  if (!isStorageFull(error)) return null;
  if (engine === 'postgres' && error.code === readOnly) return null;
  return new ApiError(storageErrors.Storage_Full, { cause: error, retryAfter: 60 });
}

/** SQLSTATE: a write in a database that is read-only (platform/database/disk.ts), or a full disk. */
export function isStorageFull(error: unknown): error is { code: string } {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return error.code === readOnly || error.code === '53100';
}

const readOnly = '25006';
