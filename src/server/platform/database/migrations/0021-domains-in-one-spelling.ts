import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import { type Kysely, sql } from 'kysely';

/**
 * A domain with other letters than those of ASCII has two spellings, which were two addresses: the key
 * has that of the DNS from now on. A row whose new key another one has keeps its own.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const [key, next] of await keysToChange(database, 'users', 'email_key')) {
    await sql`update users set email_key = ${next} where email_key = ${key}
      and not exists (select from users where email_key = ${next})`.execute(database);
  }
  for (const [key, next] of await keysToChange(database, 'mailboxes', 'address_key')) {
    await changeMailboxes(database, key, next);
  }
}

async function keysToChange(
  database: Kysely<unknown>,
  table: string,
  column: string,
): Promise<[string, string][]> {
  const { rows } = await sql<{ key: string }>`select distinct ${sql.ref(column)} as key
    from ${sql.table(table)} where octet_length(${sql.ref(column)}) > length(${sql.ref(column)})
    order by key`.execute(database);
  return rows.flatMap(({ key }) => {
    const next = inAscii(key);
    return next === key ? [] : [[key, next] as [string, string]];
  });
}

function inAscii(key: string): string {
  const at = key.lastIndexOf('@') + 1;
  const domain = key.slice(at);
  const ascii = /^[\p{L}\p{M}\p{Nd}.-]+$/u.test(domain) ? domainToASCII(domain) : '';
  return key.slice(0, at) + (ascii || domain);
}

/** With the destination of each, which is named by its address. */
async function changeMailboxes(
  database: Kysely<unknown>,
  key: string,
  next: string,
): Promise<void> {
  await sql`with changed as (
      update mailboxes m set address_key = ${next} where address_key = ${key} and not exists (
        select from mailboxes other where other.user_id = m.user_id and other.chat = m.chat
          and other.address_key = ${next})
      returning user_id, chat, id
    )
    update destinations d set team_id = ${digestOf(next)} from changed c
    where d.user_id = c.user_id and d.chat = c.chat and d.channel_id = c.id
      and d.team_id = ${digestOf(key)} and not exists (
        select from destinations other where other.user_id = d.user_id and other.chat = d.chat
          and other.team_id = ${digestOf(next)})`.execute(database);
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 32);
}
