import { strToU8, zipSync } from 'fflate';

/** A cell: a text that is shared, a number, a date as its serial number, or the XML of another one. */
export type Cell = string | number | null | { date: number } | { xml: string };

interface WorkbookSheet {
  name: string;
  rows: Cell[][];
  isHidden?: boolean;
}

/**
 * An XLSX file as spreadsheets write it (ECMA-376, part 1): texts shared, dates as numbers with a style.
 * `parts` replaces or adds parts of the archive.
 */
export function workbook(
  sheets: WorkbookSheet[],
  { is1904 = false, parts = {} }: { is1904?: boolean; parts?: Record<string, string> } = {},
): Uint8Array {
  const texts: string[] = [];
  const written = sheets.map(({ rows }) => sheetXml(rows, texts));
  const own: Record<string, string> = {
    'xl/workbook.xml': `<workbook xmlns:r="r"><workbookPr date1904="${Number(is1904)}"/><sheets>${sheets
      .map(
        ({ name, isHidden }, at) =>
          `<sheet name="${escaped(name)}" sheetId="${at + 1}"${isHidden ? ' state="hidden"' : ''} r:id="rId${at + 1}"/>`,
      )
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets
      .map((_, at) => `<Relationship Id="rId${at + 1}" Target="worksheets/sheet${at + 1}.xml"/>`)
      .join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet><numFmts count="1"><numFmt numFmtId="164" formatCode="[$-40C]dd\\-mmm\\-yy"/></numFmts>
      <cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
    'xl/sharedStrings.xml': `<sst>${texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
  };
  written.forEach((xml, at) => {
    own[`xl/worksheets/sheet${at + 1}.xml`] = xml;
  });
  const all = Object.entries({ ...own, ...parts });
  return zipSync(Object.fromEntries(all.map(([name, xml]) => [name, strToU8(xml)])));
}

function sheetXml(rows: Cell[][], texts: string[]): string {
  const lines = rows.map((cells, row) => {
    const xml = cells.map((cell, column) => cellXml(cell, `${letter(column)}${row + 1}`, texts));
    return `<row r="${row + 1}">${xml.join('')}</row>`;
  });
  return `<worksheet><sheetData>${lines.join('')}</sheetData></worksheet>`;
}

function cellXml(cell: Cell, at: string, texts: string[]): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'string') return `<c r="${at}" t="s"><v>${texts.push(cell) - 1}</v></c>`;
  if ('date' in cell) return `<c r="${at}" s="1"><v>${cell.date}</v></c>`;
  return cell.xml.replace('AT', at);
}

function letter(column: number): string {
  return String.fromCharCode(65 + column);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
