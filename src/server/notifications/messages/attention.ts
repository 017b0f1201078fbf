import { type AttentionKind, attentionKinds } from '../../../shared/message/attention-kinds.ts';

/** What a stored mask stands for: a bit for each kind, the first being 1. */
export function attentionIn(mask: number): AttentionKind[] {
  return attentionKinds.filter((_kind, index) => mask & (1 << index));
}

export function maskOfAttention(kinds: readonly AttentionKind[]): number {
  return attentionKinds.reduce(
    (mask, kind, index) => (kinds.includes(kind) ? mask | (1 << index) : mask),
    0,
  );
}
