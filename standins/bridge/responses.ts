import { type Answer, json } from '../service/responses.ts';

export function answer(status: number, value: unknown): Answer {
  return json(status, value, { 'cache-control': 'no-cache, no-store' });
}

/** A refusal in the shape of all official v3 examples; `more` may name the wrong `property`. */
export function refusal(
  status: number,
  code: string,
  message: string,
  more: Record<string, unknown> = {},
): Answer {
  return answer(status, { errors: [{ code, message, ...more }] });
}

/** The page "basics" of the documentation prints the inner object of a refusal alone. */
export function withoutEnvelope(refused: Answer): Answer {
  const { errors } = JSON.parse(refused.body) as { errors: unknown[] };
  return json(refused.status, errors[0], { 'content-type': 'application/json; charset=utf-8' });
}

/** v3 leaves null fields out. */
export function withoutNulls<Row extends object>(row: Row): Row & Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row &
    Record<string, unknown>;
}
