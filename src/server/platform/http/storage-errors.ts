import { isReadOnlyError, isStorageFull } from '../database/storage-full.ts';
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
  if (engine === 'postgres' && isReadOnlyError(error)) return null;
  return new ApiError(storageErrors.Storage_Full, { cause: error, retryAfter: 60 });
}
