import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedCall } from '../../../platform/http/signed-route.ts';
import { readJson } from '../../../platform/http-client/json.ts';
import { isRecord, readText } from '../json-fields.ts';
import type { WebhookEvent } from '../port.ts';

/**
 * A webhook of Bridge (docs.bridgeapi.io/docs/secure-your-webhooks): the HMAC-SHA256 of the raw
 * body in hexadecimal, one value per secret that is valid during a rotation. Null when none of them
 * is made with one of `secrets`. Nothing dates a signature, so a webhook only says where to look.
 */
export function readWebhook(call: SignedCall, secrets: string[]): WebhookEvent | null {
  if (!isSigned(call, secrets)) return null;
  const event = readJson(call.body.toString('utf8'));
  const content = isRecord(event) && isRecord(event.content) ? event.content : {};
  const concernsData = isRecord(event) && /^(item|user)\./.test(readText(event.type) ?? '');
  const user = readText(content.user_uuid) ?? '';
  return { changedUser: concernsData && /^[\w-]{1,128}$/.test(user) ? user : null };
}

const header = 'bridgeapi-signature';
/** Two during a rotation; a header that holds more is not read to its end. */
const maxSignatures = 8;

function isSigned({ headers, body }: SignedCall, secrets: string[]): boolean {
  const given = [headers[header]].flat().join(',').split(',', maxSignatures);
  const signatures = given.flatMap((one) => {
    const hex = /^\s*v1=([0-9a-fA-F]{64})\s*$/.exec(one)?.[1];
    return hex ? [Buffer.from(hex, 'hex')] : [];
  });
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(body).digest();
    return signatures.some((signature) => timingSafeEqual(signature, expected));
  });
}
