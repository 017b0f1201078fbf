/** SQLSTATE: a write in a database that is read-only (disk.ts), or a full disk. */
export function isStorageFull(error: unknown): error is { code: string } {
  if (typeof error !== 'object' || error === null || !('code' in error)) return false;
  return error.code === readOnly || error.code === '53100';
}

export function isReadOnlyError({ code }: { code: string }): boolean {
  return code === readOnly;
}

const readOnly = '25006';
