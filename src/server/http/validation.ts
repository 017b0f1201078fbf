import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';

/**
 * Bodies are taken as they are (a "9" is not a 9) and lose the properties their schema does not
 * know; addresses and queries are text by nature, so there numbers are read from it.
 */
export function compileValidators(app: FastifyInstance): void {
  const body = addFormats.default(new Ajv({ allErrors: true, removeAdditional: true }));
  const address = addFormats.default(
    new Ajv({ allErrors: true, coerceTypes: 'array', useDefaults: true }),
  );
  app.setValidatorCompiler<object>(
    ({ schema, httpPart }): ValidateFunction =>
      (httpPart === 'body' ? body : address).compile(schema),
  );
}
