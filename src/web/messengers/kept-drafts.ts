import { recall, remember } from '../sessions/tab-storage.ts';
import type { Draft } from './draft.ts';

interface Kept {
  owner: string;
  drafts: Record<string, Draft>;
}

/** Unsaved texts survive a reload and an expired session, for their own writer only. */
export function keptDraft(owner: string, messengerId: string): Draft {
  return keptBy(owner).drafts[messengerId] ?? {};
}

export function keepDraft(owner: string, messengerId: string, draft: Draft): void {
  const { drafts } = keptBy(owner);
  const { [messengerId]: _replaced, ...others } = drafts;
  const kept = Object.keys(draft).length > 0 ? { ...others, [messengerId]: draft } : others;
  remember('drafts', { owner, drafts: kept } satisfies Kept);
}

/** Only this module writes there: what has an owner has drafts. */
function keptBy(owner: string): Kept {
  const kept = recall('drafts') as Kept | null;
  return kept?.owner === owner ? kept : { owner, drafts: {} };
}
