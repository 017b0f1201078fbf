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
  app.setValidatorCompiler<object>(
    ({ schema, httpPart }): ValidateFunction =>
      (httpPart === 'body' ? body : address).compile(schema),
  );
}

/** The schemas are our own, and typed: checking them against the standard's would slow each start. */
const common = { allErrors: true, meta: false, validateSchema: false } as const;
