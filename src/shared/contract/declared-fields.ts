import { type Static, Type } from 'typebox';

/** What a service says of a field of the form by which a person links it, beside its name. */
export const declaredField = {
  /** French: what stands above it. */
  label: Type.String(),
  /** Not to be shown while it is typed. */
  secret: Type.Boolean(),
  /** The source of a regular expression that the whole value matches. */
  pattern: Type.String(),
  /** French: what the value looks like, or where it is found. */
  help: Type.String(),
};

export const DeclaredField = Type.Object({
  name: Type.String(),
  ...declaredField,
  /** The ends of names of files that hold it: one can be chosen instead of pasting it. */
  file: Type.Optional(Type.String()),
});
export type DeclaredField = Static<typeof DeclaredField>;
