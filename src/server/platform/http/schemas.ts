import serializers from '@fastify/fast-json-stringify-compiler';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';

/**
 * Bodies are taken as they are (a "9" is not a 9) and lose the properties their schema does not
 * know; addresses and queries are text by nature, so there numbers are read from it.
 */
export function compileValidators(app: FastifyInstance): void {
  const body = addFormats.default(new Ajv({ ...common, removeAdditional: true }));
  const address = addFormats.default(
    new Ajv({ ...common, coerceTypes: 'array', useDefaults: true }),
  );
  app.setValidatorCompiler<object>(({ schema, httpPart }) =>
    httpPart === 'body' ? body.compile(schema) : finite(address.compile(schema)),
  );
}

/** Read from text, 1e999 is an integer to Ajv, and its bounds are not looked at. */
function finite(validate: ValidateFunction) {
  return (values: unknown) => {
    if (!validate(values)) return { error: validate.errors ?? [] };
    const endless = Object.entries(Object(values)).find(
      ([, value]) => typeof value === 'number' && !Number.isFinite(value),
    );
    if (!endless) return true;
    const message = 'must be a finite number';
    return { error: [{ ...nowhere, instancePath: `/${endless[0]}`, message }] };
  };
}

const nowhere = { keyword: 'type', schemaPath: '', params: {} };

/** The schemas are our own, and typed: checking them against the standard's would slow each start. */
const common = { allErrors: true, meta: false, validateSchema: false } as const;

/**
 * Fastify's own serializers, one for all answers of the same properties: every route repeats the
 * same refusals with words of its own, and compiling each anew would slow every start.
 */
export function shareSerializers(app: FastifyInstance): void {
  const compile = serializers.SerializerSelector()();
  const known = new WeakMap<object, ReturnType<typeof compile>>();
  app.setSerializerCompiler<{ properties?: object }>(({ schema, method, url, httpStatus = '' }) => {
    const key = schema.properties ?? schema;
    const serialize = known.get(key) ?? compile({ schema, method, url, httpStatus });
    known.set(key, serialize);
    return serialize;
  });
}
