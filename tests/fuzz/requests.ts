import fc, { type Arbitrary } from 'fast-check';
import { arbitraryOf, type JsonSchema, type Operation } from '../support/operations.ts';

export interface FuzzedRequest {
  operation: Operation;
  /** With a session, without one, or with a token that is none. */
  who: 'signed in' | 'signed out' | 'forged';
  path: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string>;
  body: string | null;
}

/**
 * Requests that nearly fit: the calls are those of the contract, their parts are right, nearly
 * right, somebody else's (`known`), or nothing that was ever meant.
 */
export function fuzzedRequests(operations: Operation[], known: string[]): Arbitrary<FuzzedRequest> {
  return fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      who: fc.oneof(
        { weight: 6, arbitrary: fc.constant('signed in' as const) },
        { weight: 1, arbitrary: fc.constant('signed out' as const) },
        { weight: 1, arbitrary: fc.constant('forged' as const) },
      ),
      path: valuesOf(operation, 'path', known),
      query: fc.oneof(
        valuesOf(operation, 'query', known).map((values) => Object.entries(values)),
        fc.array(fc.tuple(oddText, oddText), { maxLength: 4 }),
      ),
      headers: headersOf(operation),
      body: operation.method === 'GET' ? fc.constant(null) : bodyOf(operation, known),
    }),
  );
}

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.toWellFormed()),
  fc.constantFrom('', '0', '-1', '1e999', 'null', 'true', '../..', '%', "'--", '🐖', 'a\u0000b'),
  fc.constantFrom('<script>', '{{soldes}}', '__proto__', 'constructor', '\ud800', '9'.repeat(400)),
);

function valuesOf(operation: Operation, where: string, known: string[]) {
  const parts: Record<string, Arbitrary<string>> = {};
  for (const { name, schema = {} } of operation.parameters.filter((one) => one.in === where)) {
    const fitting = arbitraryOf(schema).map((value) => String(value).toWellFormed());
    parts[name] = fc.oneof(fitting, fc.constantFrom(...known), oddText).filter(isSendable);
  }
  return fc.record(parts, { requiredKeys: where === 'path' ? Object.keys(parts) : [] });
}

/** A dot alone is taken out of an address by whoever sends it, and half a character has no address. */
function isSendable(text: string): boolean {
  return text.isWellFormed() && !/^\.{0,2}$/.test(text);
}

function headersOf({ body }: Operation): Arbitrary<Record<string, string>> {
  const json = { 'content-type': 'application/json' };
  const odd = fc.constantFrom<Record<string, string>>(
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=latin1' },
    { ...json, 'content-encoding': 'gzip' },
    { ...json, accept: 'image/png', 'accept-language': 'x'.repeat(500) },
    { ...json, 'x-http-method-override': 'DELETE', 'x-forwarded-for': 'x, y' },
    { ...json, origin: 'https://evil.example', cookie: 'a=b' },
  );
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(body ? json : {}) },
    { weight: 1, arbitrary: odd },
  );
}

function bodyOf({ body }: Operation, known: string[]): Arbitrary<string | null> {
  if (!body) return fc.constantFrom(null, '{}', '[]', '', 'x');
  const fitting = arbitraryOf(body);
  const nearly = fc.tuple(fitting, fc.constantFrom(...namesOf(body)), anything(known));
  const nameless = fc.constantFrom('', '{', 'null', '[]', '"x"', '1e999', '\u0000', '[[[[[[[[[[');
  return fc.oneof(
    { weight: 4, arbitrary: fitting.map(asJson) },
    {
      weight: 4,
      arbitrary: nearly.map(([value, name, odd]) => asJson({ ...Object(value), [name]: odd })),
    },
    { weight: 1, arbitrary: fc.jsonValue().map(asJson) },
    { weight: 1, arbitrary: nameless },
  );
}

function anything(known: string[]): Arbitrary<unknown> {
  return fc.oneof(
    fc.constantFrom<unknown>(...known, null, -0, 1e308, 2 ** 53),
    oddText,
    fc.jsonValue(),
  );
}

function namesOf({ properties = {}, anyOf = [] }: JsonSchema): string[] {
  const inner = anyOf.flatMap((one) => Object.keys(one.properties ?? {}));
  return [...Object.keys(properties), ...inner, 'id', 'userId', 'toString'];
}

function asJson(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
