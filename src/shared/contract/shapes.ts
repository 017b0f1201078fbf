import { type TLiteral, type TProperties, type TSchema, type TUnion, Type } from 'typebox';

/** The body of a request. Properties that it does not name are removed. */
export function Payload<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

export function OneOf<Values extends (string | number)[]>(
  ...values: Values
): TUnion<{ [Index in keyof Values]: TLiteral<Values[Index]> }> {
  // TypeScript does not see that the list of literals is as long as the list of values.
  return Type.Union(values.map((value) => Type.Literal(value))) as never;
}
