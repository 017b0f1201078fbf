import { StatementError } from './statement.ts';

/**
 * Refuses a text that defines entities or a document type: a parser that follows them can be made to
 * read other files and to fill its memory. `subject` begins the sentence: "Ce fichier".
 */
export function refuseDefinitions(text: string, subject: string): void {
  if (!/<!(DOCTYPE|ENTITY)/i.test(text)) return;
  throw new StatementError(
    `${subject} contient des définitions (DOCTYPE) qui ne sont pas acceptées.`,
  );
}

/** A parsed element's children by name; empty for what is none. */
export function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The elements of a name that may be repeated; empty where there is none. */
export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
