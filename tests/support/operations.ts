import fc, { type Arbitrary } from 'fast-check';
import { Email } from '../../src/shared/contract/texts.ts';

/** JSON Schema as our own contract writes it; anything else makes `arbitraryOf` fail. */
export interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: JsonSchema;
}

/** One call that the API describes. */
export interface Operation {
  method: string;
  /** As documented: `/api/messengers/{id}`. */
  path: string;
  needsSession: boolean;
  parameters: Parameter[];
  body: JsonSchema | null;
}

interface Described {
  security?: unknown;
  parameters?: Parameter[];
  requestBody?: { content?: Record<string, { schema?: JsonSchema }> };
}

/** Every call that openapi.json describes: a test that goes through them covers what is added there. */
export function operationsOf(document: {
  paths: Record<string, Record<string, Described>>;
}): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase(),
      path,
      needsSession: described.security !== undefined,
      parameters: described.parameters ?? [],
      body: bodyOf(described),
    })),
  );
}

/** A signed body is read as bytes: it is described without a schema. */
function bodyOf({ requestBody }: Described): JsonSchema | null {
  const schema = requestBody?.content?.['application/json']?.schema ?? {};
  return Object.keys(schema).length > 0 ? schema : null;
}

/** The address under /api, with its parameters filled in by name. */
export function addressOf({ path }: Operation, values: Record<string, string>): string {
  return path
    .replace(/^\/api/, '')
    .replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''));
}

/** Values that fit a schema. */
export function arbitraryOf(schema: JsonSchema): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(arbitraryOf));
  switch (schema.type) {
    case 'object':
      return objectOf(schema);
    case 'array': {
      const { items = {}, minItems: minLength = 0, maxItems = 5 } = schema;
      return fc.array(arbitraryOf(items), { minLength, maxLength: Math.min(maxItems, 5) });
    }
    case 'string':
      return textOf(schema);
    case 'integer':
      return fc.integer(rangeOf(schema));
    case 'number':
      return fc.double({ ...rangeOf(schema), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

function objectOf({ properties = {}, required = [] }: JsonSchema): Arbitrary<unknown> {
  const parts: Record<string, Arbitrary<unknown>> = {};
  for (const [name, part] of Object.entries(properties)) parts[name] = arbitraryOf(part);
  return fc.record(parts, { requiredKeys: required.filter((name) => name in parts) });
}

function rangeOf({ minimum = -1e6, maximum = 1e6 }: JsonSchema): { min: number; max: number } {
  return { min: minimum, max: maximum };
}

function textOf({ pattern, format, minLength = 0, maxLength = 60 }: JsonSchema): Arbitrary<string> {
  const longest = Math.min(maxLength, Math.max(minLength, 60));
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((d) => d.toISOString());
  if (pattern && pattern === (Email as JsonSchema).pattern) {
    return fc.emailAddress().filter((text) => new RegExp(pattern, 'u').test(text));
  }
  // Whatever a pattern is made of, without the lookaheads and classes that no generator knows.
  if (pattern) return fc.stringMatching(new RegExp(pattern)).filter((t) => t.length >= minLength);
  return fc.string({ minLength, maxLength: longest, unit: 'grapheme' });
}
