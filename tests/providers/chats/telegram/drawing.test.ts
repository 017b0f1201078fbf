import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  capacity,
  plainHtml,
  plainText,
  richMessage,
} from '../../../../src/server/providers/chats/telegram/drawing.ts';
import type { MessageBlock } from '../../../../src/shared/contract/messages.ts';
import { countMentions, textContent } from '../../../../standins/telegram/methods.ts';
import { accountsOf, anyText, manyAccounts, names } from '../messages.ts';

const without = (text: string) => text.replace(/[\u2060\s]/g, '');
const richLetters = (blocks: MessageBlock[]) => textContent(richMessage(blocks));
const plainOf = (blocks: MessageBlock[]) =>
  (plainHtml(blocks) ?? '')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

describe('a message in Telegram', () => {
  it('is a table whose amounts stand at the right', () => {
    const table = accountsOf([
      ['Banque A', 'Compte courant', '1\u202f234,56\u00a0€'],
      ['Banque B', 'Livret', '−3,00\u00a0€'],
    ]);
    const [drawn] = richMessage([table]).blocks;
    expect(drawn).toMatchObject({
      type: 'table',
      cells: [
        [
          { text: 'Compte', is_header: true },
          { text: 'Solde', align: 'right' },
          { text: 'Mise à jour', align: 'left' },
        ],
        [{ text: { type: 'bold', text: 'Banque A' } }, { text: '' }, { text: '' }],
        [{ text: 'Compte courant' }, { align: 'right' }, { text: '07:12' }],
        [{ text: { type: 'bold', text: 'Banque B' } }, { text: '' }, { text: '' }],
        [{ text: 'Livret' }, { text: '−3,00\u00a0€', align: 'right' }, { text: '07:12' }],
      ],
    });
  });

  it('keeps the styles of its author in both forms', () => {
    const blocks: MessageBlock[] = [
      { type: 'text', text: '*gras* _penché_ ~barré~ `code` https://exemple.fr/\n> cité' },
    ];
    expect(JSON.stringify(richMessage(blocks))).toMatch(
      /"bold".*"italic".*"strikethrough".*"code".*"url".*│ /,
    );
    expect(plainHtml(blocks)).toBe(
      '<b>gras</b> <i>penché</i> <s>barré</s> <code>code</code> <a href="https://exemple.fr/">https://exemple.fr/</a>\n<blockquote>cité</blockquote>',
    );
  });

  it('calls nobody, whatever is typed and however a bank names an account', () => {
    const live = '@ana @all tg://user?id=1 <a href="tg://user?id=1">x</a> /start #x ＠ana @_a';
    fc.assert(
      fc.property(anyText(live), names, (text, [bank, account]) => {
        const list = accountsOf([[bank, account, '1,00\u00a0€']]);
        const blocks: MessageBlock[] = [{ type: 'text', text }, list];
        const html = plainHtml(blocks) ?? plainText(blocks);
        // Code is searched too: other programs than Telegram's own may not spare it.
        const bare = html.replace(/<[^>]*>/g, '');
        expect(countMentions({ body: { rich_message: richMessage(blocks) } })).toBe(0);
        expect(countMentions({ body: { text: html, parse_mode: 'HTML' } })).toBe(0);
        expect(countMentions({ body: { text: bare } })).toBe(0);
        expect(countMentions({ body: { text: plainText(blocks) } })).toBe(0);
        expect(
          [...html.matchAll(/<a href="([^"]*)"/g)].every(([, to]) => /^https?:/.test(to ?? '')),
        ).toBe(true);
        // What is drawn is what was typed, but for the signs of the known styles.
        const signs = /[*_~`>│]/g;
        const letters = (drawn: string) => without(drawn).replace(signs, '');
        const given = text.replace(/:[a-z0-9_+-]+:/g, '');
        const seen = letters(richLetters([{ type: 'text', text: given }]));
        expect(seen).toBe(letters(given));
        expect(letters(plainOf([{ type: 'text', text: given }]))).toBe(letters(given));
      }),
    );
  });

  it('is HTML that Telegram takes, whatever is typed', () => {
    fc.assert(
      fc.property(anyText('<b> </b> &lt; &copy; <script> "'), (text) => {
        const html = plainHtml([{ type: 'text', text }]) ?? '';
        expect(
          html.replace(/<\/?(b|i|s|code|pre|blockquote)>|<a href="[^"<>]*">|<\/a>/g, ''),
        ).not.toMatch(/[<>]|&(?!lt;|gt;|amp;|quot;)/);
      }),
    );
  });

  it.each([1, 50, 400, 3000])('of %i accounts stays below the limits', (count) => {
    const { blocks, text } = manyAccounts(capacity, count);
    const { blocks: drawn } = richMessage(blocks) as { blocks: { cells?: unknown[] }[] };
    const all = drawn.reduce((sum, { cells = [] }) => sum + cells.length, drawn.length);
    expect(all).toBeLessThanOrEqual(500);
    expect(textContent(drawn).length).toBeLessThanOrEqual(32_768);
    if (count > 400) expect(text).toMatch(/et \d+ autres comptes/);
    const html = plainHtml(blocks);
    if (html === null) {
      expect(plainText(blocks).length).toBeLessThanOrEqual(4096);
      expect(plainText(blocks)).toContain('(message coupé)');
    } else {
      expect(html).toContain('<pre>');
    }
  });
});
