import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Answer } from './person.ts';

interface Operation {
  responses?: Record<string, { content?: Record<string, { schema?: object }> }>;
}
type Document = { paths?: Record<string, Record<string, Operation> | undefined> };

/**
 * What of the recorded answers openapi.json does not say, a sentence each: an undocumented status,
 * a body unlike its schema, or a property that is not in it.
 */
export function undocumented(document: object, answers: Answer[]): string[] {
  const faults = answers.flatMap((answer) => faultOf(document as Document, answer));
  return [...new Set(faults)];
}

function faultOf(document: Document, answer: Answer): string[] {
  const pathname = `/api${answer.path}`.split('?', 1)[0] ?? '';
  const operation = findOperation(document, answer.method, pathname);
  const name = `${answer.method} ${pathname} → ${answer.status}`;
  if (!operation) return isExpectedUnknown(pathname, answer) ? [] : [`${name}: no such operation`];
  const response = operation.responses?.[answer.status];
  if (!response) return [`${name}: this status`];
  const schema = response.content?.['application/json']?.schema;
  if (!schema)
    return answer.body === '' || typeof answer.body === 'string' ? [] : [`${name}: a body`];
  const validate = validatorOf(schema);
  if (validate(answer.body)) return [];
  return (validate.errors ?? []).map(
    (error) => `${name}: ${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

const ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
/** By the text of the schema: the applications of one process describe themselves alike. */
const validators = new Map<string, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(closed(schema) as object);
  validators.set(text, validate);
  return validate;
}

/** The address as written wins over one with a parameter. */
function findOperation(document: Document, method: string, pathname: string): Operation | null {
  const paths = Object.keys(document.paths ?? {});
  const path =
    paths.find((candidate) => candidate === pathname) ??
    paths
      .filter((candidate) => pattern(candidate).test(pathname))
      .find((candidate) => document.paths?.[candidate]?.[method.toLowerCase()]);
  return (path && document.paths?.[path]?.[method.toLowerCase()]) || null;
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);
}

/** The document itself, its page, and what is answered before any route is found. */
function isExpectedUnknown(pathname: string, { status }: Answer): boolean {
  return /^\/api\/(openapi\.json|docs)/.test(pathname) || status === 404 || status === 400;
}

/** The same schema, with no property beyond those it names. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, part]) => [name, closed(part)]),
  );
  return 'properties' in inner ? { ...inner, additionalProperties: false } : inner;
}
