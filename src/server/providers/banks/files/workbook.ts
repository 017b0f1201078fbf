import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { strFromU8, unzipSync } from 'fflate';
import { isCode } from './currency.ts';
import { StatementError } from './statement.ts';
import { list, record, refuseDefinitions } from './xml.ts';

/** A sheet of a workbook, in the order in which a spreadsheet shows them. */
export interface Sheet {
  name: string;
  /** The name of its part in the archive. */
  part: string;
  isHidden: boolean;
}

/** What the parts of an Office Open XML workbook (ECMA-376, part 1, clause 18) say about its cells. */
export interface Workbook {
  sheets: Sheet[];
  /** Days count from 1904 instead of 1900. */
  is1904: boolean;
  /** The texts that cells name by their index. */
  texts: string[];
  /** What cells show of their numbers, by the number of their style. */
  styles: NumberStyle[];
  /** The text of a part of the archive. */
  part(name: string): string;
}

interface NumberStyle {
  isDate: boolean;
  /** The code or sign that stands beside the number; null for none, and for that of the euro. */
  currency: string | null;
}

/**
 * Opens an XLSX file. Each part is unpacked up to a limit that stands before it is, whatever the archive
 * says of its size; no document type is taken. Throws `StatementError`.
 */
export function openWorkbook(bytes: Uint8Array): Workbook {
  const part = (name: string) => unpack(bytes, name) ?? refuse(damaged);
  const book = record(parseXml(unpack(bytes, 'xl/workbook.xml') ?? refuse(notOne)).workbook);
  const targets = targetsOf(part('xl/_rels/workbook.xml.rels'));
  const sheets = list(record(book.sheets).sheet).flatMap((raw) => {
    const { '@name': name, '@id': id, '@state': state } = record(raw);
    const target = targets.get(String(id));
    return target
      ? [{ name: String(name), part: target, isHidden: /hidden/i.test(`${state}`) }]
      : [];
  });
  return {
    ...{ sheets, part },
    is1904: /^(1|true)$/.test(String(record(book.workbookPr)['@date1904'])),
    texts: textsOf(unpack(bytes, 'xl/sharedStrings.xml')),
    styles: stylesOf(unpack(bytes, 'xl/styles.xml')),
  };
}

const notOne =
  "Cette archive n'est pas un classeur Excel (.xlsx). Si elle contient un relevé, décompressez-la d'abord.";
const damaged =
  'Ce classeur est abîmé. Enregistrez-le de nouveau dans un tableur, ou exportez en CSV.';

function refuse(sentence: string): never {
  throw new StatementError(sentence);
}

/** A whole sheet as text, and half of the memory that the reading thread has. */
const maxUnpacked = 24 * 1024 * 1024;

/** Null when the archive has no such part. */
function unpack(bytes: Uint8Array, wanted: string): string | null {
  let found: Uint8Array | undefined;
  try {
    const parts = unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (name !== wanted) return false;
        if (originalSize > maxUnpacked) refuse('Ce classeur est trop grand. Exportez-le en CSV.');
        return true;
      },
    });
    found = parts[wanted];
  } catch (error) {
    if (error instanceof StatementError) throw error;
    refuse(damaged);
  }
  if (!found) return null;
  const text = strFromU8(found);
  refuseDefinitions(text, 'Ce classeur');
  // A part that is longer than the archive says it is was cut, and no longer ends as it must.
  if (XMLValidator.validate(text) !== true) refuse(damaged);
  return text;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  htmlEntities: true,
  isArray: (name) => arrays.has(name),
});
const arrays = new Set(['sheet', 'Relationship', 'numFmt', 'xf', 'r', 't', 'c']);

/** An element with its children; arrays where an element may be repeated. */
function parseXml(text: string): Record<string, unknown> {
  return record(parser.parse(text));
}

/** The elements of a name that stand in no other of that name, one after the other: a sheet is long. */
export function* elements(text: string, name: string): Generator<Record<string, unknown>> {
  const pattern = new RegExp(
    `<((?:[\\w.-]+:)?${name})(?=[\\s/>])(?:[^>]*/>|[^>]*>[\\s\\S]*?</\\1\\s*>)`,
    'g',
  );
  for (const [whole] of text.matchAll(pattern)) yield record(parseXml(whole)[name]);
}

function targetsOf(text: string): Map<string, string> {
  const relations = list(record(parseXml(text).Relationships).Relationship).map(record);
  return new Map(
    relations.flatMap(({ '@Id': id, '@Target': target, '@TargetMode': mode }) =>
      mode === 'External' ? [] : [[String(id), partNamed(String(target))]],
    ),
  );
}

/** "worksheets/sheet1.xml", "../xl/worksheets/sheet1.xml", "/xl/worksheets/sheet1.xml". */
function partNamed(target: string): string {
  return URL.canParse(target, 'file:///xl/')
    ? decodeURIComponent(new URL(target, 'file:///xl/').pathname.slice(1))
    : '';
}

function textsOf(text: string | null): string[] {
  return text === null ? [] : [...elements(text, 'si')].map(stringOf);
}

/** The text of a cell's string, whose parts may each have a look of their own. */
export function stringOf({ t, r }: Record<string, unknown>): string {
  const runs = list(r).flatMap((run) => list(record(run).t));
  const text = [...list(t), ...runs].map(textOf).join('');
  // A character that XML cannot hold is written "_x000D_".
  return text.replace(/_x[0-9A-Fa-f]{4}_/g, ' ').trim();
}

export function textOf(node: unknown): string {
  const text = typeof node === 'object' && node !== null ? record(node)['#text'] : node;
  return text === undefined || text === null ? '' : String(text);
}

function stylesOf(text: string | null): NumberStyle[] {
  if (text === null) return [];
  const sheet = record(parseXml(text).styleSheet);
  const formats = list(record(sheet.numFmts).numFmt).map(record);
  const codes = new Map(
    formats.map(({ '@numFmtId': id, '@formatCode': code }) => [Number(id), String(code)]),
  );
  return list(record(sheet.cellXfs).xf).map((raw) => {
    const id = Number(record(raw)['@numFmtId']);
    const code = codes.get(id);
    return code === undefined
      ? { isDate: isBuiltInDate(id), currency: null }
      : { isDate: isDateFormat(code), currency: currencyShown(code) };
  });
}

/** Numbers of formats that need no definition (ECMA-376, part 1, clause 18.8.30). */
function isBuiltInDate(id: number): boolean {
  return (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
}

/** A format with a day or a year; what stands in quotes, brackets or behind a backslash is text. */
function isDateFormat(code: string): boolean {
  return /[dy]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''));
}

/** `#,##0.00 [$MAD]`, `0.00" CHF"`, and the signs of the dollar and the pound where their country is told. */
function currencyShown(code: string): string | null {
  const [, sign, text] =
    /\[\$([A-Z]{3}|F ?CF[AP]|\$(?=-409\])|£(?=-809\]))(?:-[^\]]*)?\]|"\s*([A-Z]{3})\s*"/.exec(
      code,
    ) ?? [];
  const shown = sign ?? text ?? '';
  return isCode(shown) || /^[$£]$/.test(shown) ? shown : null;
}
