import type { JsonSchema, Operation } from '../support/operations.ts';
import type { FuzzedRequest } from './requests.ts';

/** Texts that an expression or a loop may take too long for; each is cut to what a field takes. */
const texts = [
  `${'\u2057'.repeat(1023)}a`,
  `${'!'.repeat(1023)}a`,
  `a${'\u0301\u0316'.repeat(1500)}`,
  '{{solde:x}}'.repeat(272),
  '{{soldes}}'.repeat(300),
  '*a _b ~c http://. '.repeat(170),
];

/** Values that fit nothing, of about as many bytes as a body may have. */
const values = [
  Array(250_000).fill(9),
  Array(120_000).fill({}),
  Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`name${at}`, at])),
  'x'.repeat(900_000),
];

/** For every call that takes a body: one full of such texts, and those with such a value for a name. */
export function heavyRequests(operations: Operation[], id: string): FuzzedRequest[] {
  return operations.flatMap((operation) => {
    const { properties = {} } = operation.body ?? {};
    const names = Object.entries(properties);
    const withTexts = texts.map((text) =>
      names.map(([name, schema]) => [name, fitting(schema, text)]),
    );
    const withValues = names.flatMap(([name]) => values.map((value) => [[name, value]]));
    return names.length === 0
      ? []
      : [...withTexts, ...withValues].map((entries) => ({
          ...{ operation, who: 'signed in' as const, query: [] },
          path: Object.fromEntries(operation.parameters.map((one) => [one.name, id])),
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(Object.fromEntries(entries)),
        }));
  });
}

function fitting(schema: JsonSchema, text: string): unknown {
  const [only] = schema.const === undefined ? (schema.enum ?? []) : [schema.const];
  if (only !== undefined) return only;
  if (schema.type === 'object') {
    const parts = Object.entries(schema.properties ?? {});
    return Object.fromEntries(parts.map(([name, part]) => [name, fitting(part, text)]));
  }
  if (schema.pattern?.includes('@')) return 'ana@exemple.fr';
  return schema.type === 'string' ? text.slice(0, schema.maxLength ?? text.length) : undefined;
}
