import serializers from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance } from 'fastify';

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
