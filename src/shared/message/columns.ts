import type { AccountLine, AccountsBlock } from '../contract/messages.ts';
import { leftToRightAfter } from './neutralize.ts';

/** About as many columns as a phone shows of a text of one width before its lines wrap. */
const width = 36;
const maxNameWidth = 22;
/** A name that is cut further says nothing: longer figures make the lines longer. */
const minNameWidth = 14;

/**
 * The list of accounts as lines for a text of one width: each bank above its accounts, with the age of
 * its figures where they have one; amounts and changes end in one column. A currency that they all have
 * is said once, above them. Changes stand beside the amounts, or below them where these are long. An
 * account whose figure is of another age has it on a line of its own.
 */
export function columnLines({ banks, since }: AccountsBlock): string[] {
  const all = banks.flatMap(({ lines, subtotal }) => [...lines, ...sumsIn(subtotal)]);
  const unit = commonUnit(all);
  const bare = (text: string) =>
    spaced(unit && text.endsWith(unit) ? text.slice(0, -unit.length) : text);
  const amounts = widest(all.map(({ amount }) => bare(amount)));
  const changes = since ? widest(all.map(({ change }) => bare(change ?? ''))) : 0;
  const beside = 2 + amounts + (changes > 0 ? 2 + changes : 0);
  // Where a phone would wrap them, changes stand below their amounts.
  const isBelow = changes > 0 && minNameWidth + beside > width;
  const figures = isBelow ? Math.max(amounts, changes) : amounts;
  const right = isBelow ? 2 + figures : beside;
  const names = banks.flatMap(({ lines }) =>
    lines.map(({ name }) => shortened(name, maxNameWidth)),
  );
  const free = isBelow ? minNameWidth : width - right;
  const room = Math.min(maxNameWidth, Math.max(minNameWidth, free));
  const sums = banks.some(({ subtotal }) => subtotal) ? [together] : [];
  const left = Math.min(room, widest([...names, ...sums]));
  const line = (name: string, { amount, change, isOverdrawn }: Figure) => {
    const held = `${padEnd(shortened(name, left), left)}  ${padStart(bare(amount), figures)}`;
    const mark = isOverdrawn ? ' ⚠️' : '';
    if (isBelow) return [held + mark, ...(change ? [padStart(bare(change), left + right)] : [])];
    const moved = changes > 0 ? `  ${padStart(bare(change ?? ''), changes)}` : '';
    return [(held + moved).trimEnd() + mark];
  };
  const heading = [unit && `en ${unit.trim()}`, changes > 0 && since?.toLowerCase()].filter(
    Boolean,
  );
  return [
    ...(heading.length > 0 ? [padStart(heading.join(', '), left + right)] : []),
    ...banks.flatMap(({ name: bank, lines, subtotal }) => {
      const age = commonAge(lines);
      return [
        age === null ? shortened(bank, width) : `${shortened(bank, maxNameWidth)} · ${age}`,
        ...lines.flatMap((one) => [
          ...line(one.name, one),
          ...(age === null ? [`  ${withSign(one)}`] : []),
        ]),
        ...sumsIn(subtotal).flatMap((sum, index) => line(index === 0 ? together : '', sum)),
      ];
    }),
  ];
}

/** What ends every amount, with its space: "\u00a0€". Empty where they are of several currencies. */
function commonUnit(figures: Figure[]): string {
  const units = new Set(
    figures.flatMap(({ amount }) => (/\d/.test(amount) ? [unitOf(amount)] : [])),
  );
  return units.size === 1 ? ([...units][0] ?? '') : '';
}

function unitOf(amount: string): string {
  return /[ \u00a0]\D*$/.exec(amount)?.[0] ?? '';
}

const together = 'Ensemble';

type Figure = Pick<AccountLine, 'amount' | 'change' | 'isOverdrawn'>;

/** A figure for each currency of a subtotal: beside each other they would widen all lines. */
function sumsIn(subtotal: Figure | null): Figure[] {
  if (!subtotal) return [];
  const [changes, amounts] = [subtotal.change ?? '', subtotal.amount].map((text) =>
    text.split(/(?:, | et )(?=[−+\d])/),
  );
  if (!changes || !amounts || amounts.length === 1) return [subtotal];
  return amounts.map((amount) => ({
    amount,
    change: changes.find((change) => unitOf(change) === unitOf(amount)) ?? null,
    isOverdrawn: amount.startsWith('−'),
  }));
}

/** Null where the figures of a bank are not all of one age. */
function commonAge(lines: AccountLine[]): string | null {
  const ages = new Set(lines.map(withSign));
  return ages.size === 1 ? ([...ages][0] ?? null) : null;
}

function withSign({ age, isOld }: Pick<AccountLine, 'age' | 'isOld'>): string {
  return isOld ? `⚠️ ${spaced(age)}` : spaced(age);
}

function widest(texts: string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}

/** Many fonts of one width lack the narrow and the unbreakable space and draw another width. */
function spaced(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ');
}

function shortened(text: string, most: number): string {
  const whole = spaced(text.replace(/\s*\n\s*/g, ' '));
  if (widthOf(whole) <= most) return whole;
  let cut = '';
  for (const { segment } of segments.segment(whole)) {
    if (widthOf(cut + segment) > most - 1) break;
    cut += segment;
  }
  return leftToRightAfter(`${cut}…`);
}

const segments = new Intl.Segmenter('fr', { granularity: 'grapheme' });

function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - widthOf(text))) + text;
}

/** Columns on the screen: none for marks and joiners, two for wide letters and emoji. */
function widthOf(text: string): number {
  // Most texts hold no other letters than these, each of one column.
  if (/^[ -~À-ÿ€−…]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segments.segment(text)) {
    if (/^[\p{M}\p{Cf}\p{Cc}]*$/u.test(segment)) continue;
    columns += wide.test(segment) ? 2 : 1;
  }
  return columns;
}

const wide =
  /\p{Emoji_Presentation}|\ufe0f|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;
