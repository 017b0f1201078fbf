import { Type } from 'typebox';
import { maxMessageLength } from './bounds.ts';
import { Nullable } from './shapes.ts';

/** PostgreSQL cannot store U+0000 in a text, so every free text refuses it. */
export const withoutNull = '^[^\\u0000]*$';

/**
 * One mailbox and nothing around it: a dot-atom of ASCII, then a domain of two labels or more. No quotes,
 * comments, lists, machines or routes (`%`, `!`), which mail programs read differently (RFC 5321 §4.1.2).
 */
export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern:
    "^(?=.{1,64}@)[A-Za-z0-9#$&'*+=?^_`{}~-]+(\\.[A-Za-z0-9#$&'*+=?^_`{}~-]+)*" +
    '@((?!-)[\\p{L}\\p{M}\\p{Nd}-]{1,63}(?<!-)\\.)+(?!-)(?!\\d+$)[\\p{L}\\p{M}\\p{Nd}-]{2,63}(?<!-)$',
});

/** The address of an account that may be older than the pattern above. */
export const KnownEmail = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@\\u0000]+@[^\\s@\\u0000]+$',
});

/** Of a person, a bank or an account: not of blanks and invisible characters alone. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000]*[^\\s\\p{Cc}\\p{Cf}][^\\u0000]*$',
});

export const MessageText = Type.String({
  minLength: 1,
  maxLength: maxMessageLength,
  pattern: withoutNull,
});

/** Dates travel as ISO 8601 in UTC. */
export const Moment = Type.String({ format: 'date-time' });
export const MomentOrNull = Nullable(Moment);

/** A password as it is typed. The policy for new passwords is checked elsewhere. */
export const TypedPassword = Type.String({ minLength: 1, maxLength: 1024 });

/** Six digits of an authenticator, or a recovery code, with or without its spaces and dashes. */
export const OneTimeCode = Type.String({ minLength: 1, maxLength: 64, pattern: withoutNull });

/** From a mailed link or a receipt: 256 random bits, base64url. */
export const OpaqueToken = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });
