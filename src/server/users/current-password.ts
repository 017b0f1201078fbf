import { attempt } from '../attempts/attempt.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Parts } from '../parts.ts';

/** Who asks, and from where. */
export interface Asker {
  ownerId: string;
  address: string;
}

/** Asked again before what a borrowed session must not do. Throws Account_Password_Invalid. */
export async function confirmPassword(
  parts: Parts,
  { ownerId, address }: Asker,
  password: string,
): Promise<void> {
  await attempt(parts, 'current-password', { account: ownerId, address }, async () => {
    const user = await parts.database.sql
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', ownerId)
      .where('email', '<>', '')
      .executeTakeFirst();
    if (!user) throw new Refusal('User_Not_Found');
    const matches = await parts.passwords.verify(user.password_hash, password);
    if (!matches) throw new Refusal('Account_Password_Invalid');
  });
}
