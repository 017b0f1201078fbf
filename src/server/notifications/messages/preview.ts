import type { MessagePreview, PreviewRequest } from '../../../shared/contract/messages.ts';
import { checkMessage } from '../../../shared/message/check.ts';
import { renderMessage, textOf } from '../../../shared/message/render.ts';
import { ApiError, httpErrors } from '../../platform/http/api-error.ts';
import type { Platform } from '../../platform/platform.ts';
import { chosenIds } from '../messengers/account-choice.ts';
import { findMessenger } from '../messengers/queries.ts';
import { readData } from './data.ts';

/** What a text would say if it were sent now, from what is stored; what keeps it from being saved. */
export async function previewMessage(
  { database, clock }: Pick<Platform, 'database' | 'clock'>,
  ownerId: string,
  messengerId: string,
  { message, accounts }: PreviewRequest,
): Promise<MessagePreview> {
  const row = await findMessenger({ database }, ownerId, messengerId);
  if (!row) throw new ApiError(httpErrors.Not_Found);
  const chosen = accounts ? await chosenIds(database.sql, ownerId, accounts) : null;
  // The change is read for any text: the page fills in by itself what is typed next.
  const asked = { userId: ownerId, messengerId: row.id, text: '{{variation}}', chosen };
  const [data = nothing] = await readData(database.sql, [asked]);
  const { previous } = data;
  const isLiteral = message === row.message && !row.variables;
  if (isLiteral || !message.includes('{{')) {
    return { text: message, blocks: [{ type: 'text', text: message }], faults: [], previous };
  }
  const place = { zone: row.zone, offsetMinutes: row.offset_minutes };
  const blocks = renderMessage(message, { ...data, place, now: clock.now() });
  const faults = checkMessage(message, data.accounts);
  return { text: textOf(blocks), blocks, faults, previous };
}

const nothing = { accounts: [], items: [], previous: null };
