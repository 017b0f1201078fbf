import serializers from '@fastify/fast-json-stringify-compiler';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';

/**
 * Values in bodies are not converted ("9" is not 9), and properties that the schema does not name are
 * removed. Path parameters and queries are always text, so numbers are read from them.
 */
export function compileValidators(app: FastifyInstance): void {
  app.setValidatorCompiler<object>(({ schema, httpPart }) =>
    httpPart === 'body'
      ? whenNeeded(() => faultsOf(body.compile(schema)))
      : whenNeeded(() => finite(address.compile(schema))),
  );
}

/** Compiling all schemas would add a tenth of a second to each start: each waits for its first use. */
function whenNeeded<Value, Result>(
  compile: () => (value: Value) => Result,
): (value: Value) => Result {
  let compiled: ReturnType<typeof compile> | null = null;
  return (value) => {
    compiled ??= compile();
    return compiled(value);
  };
}

function faultsOf(validate: ValidateFunction) {
  return (value: unknown) => validate(value) || { error: validate.errors ?? [] };
}

/** Ajv reads the text 1e999 as an integer and does not check its bounds. */
function finite(validate: ValidateFunction) {
  return (values: unknown) => {
    if (!validate(values)) return { error: validate.errors ?? [] };
    const endless = Object.entries(Object(values)).find(
      ([, value]) => typeof value === 'number' && !Number.isFinite(value),
    );
    if (!endless) return true;
    return { error: [{ ...nowhere, instancePath: `/${endless[0]}` }] };
  };
}

const nowhere = { keyword: 'type', schemaPath: '', params: {} };

/**
 * Validation ends at the first error: a mebibyte of wrong values has hundreds of thousands. The schemas
 * are typed: validating them against the meta-schema would only slow each start.
 */
const common = { allErrors: false, meta: false, validateSchema: false } as const;

// They keep what they compiled: a second application of the process, as in tests, compiles nothing again.
const body = addFormats.default(new Ajv({ ...common, removeAdditional: true }));
const address = addFormats.default(new Ajv({ ...common, coerceTypes: 'array', useDefaults: true }));

/**
 * Fastify's serializers, one for all answers with the same properties: every route declares the same
 * error body with a description of its own, and compiling each one would slow every start.
 */
export function shareSerializers(app: FastifyInstance): void {
  app.setSerializerCompiler<{ properties?: object }>(({ schema, method, url, httpStatus = '' }) => {
    const key = schema.properties ?? schema;
    const serialize =
      known.get(key) ?? whenNeeded(() => compile({ schema, method, url, httpStatus }));
    known.set(key, serialize);
    return serialize;
  });
}

const compile = serializers.SerializerSelector()();
const known = new WeakMap<object, ReturnType<typeof compile>>();
