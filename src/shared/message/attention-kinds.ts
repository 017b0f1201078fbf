/**
 * What a message can point out beside its text. `overdraft`: an account below zero. `connection`: a bank
 * that waits for its person, or is silent. `consent`: an access that ends in 14 or 3 days. `age`: one
 * figure older than two days.
 */
export const attentionKinds = ['overdraft', 'connection', 'consent', 'age'] as const;
export type AttentionKind = (typeof attentionKinds)[number];
