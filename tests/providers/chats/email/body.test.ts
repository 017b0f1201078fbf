import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capacity, htmlBody, textBody } from '../../../../src/server/providers/chats/email/body.ts';
import { textOf } from '../../../../src/shared/message/render.ts';
import { accountsOf, anyText, manyAccounts, names } from '../messages.ts';

const footer = { home: 'https://exemple.fr/', unsubscribe: 'https://exemple.fr/fin#jeton=x' };

const letters = (html: string) =>
  html
    .replace(/<br>\n/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

describe('a mail', () => {
  const table = accountsOf([
    ['Banque A', 'Compte < courant', '1\u202f234,56\u00a0€'],
    ['Banque B', 'Livret', '−3,00\u00a0€'],
  ]);

  it('draws the accounts as a table that a screen reader follows', () => {
    const html = htmlBody([table], footer);
    expect(html).toContain('<html lang="fr">');
    expect(html.match(/<th scope="col"/g)).toHaveLength(2);
    expect(html.match(/<tr>/g)).toHaveLength(5);
    expect(html).toContain('text-align:right;white-space:nowrap">1\u202f234,56\u00a0€</td>');
    expect(html).toContain('Compte &lt; courant');
  });

  it('has three columns at most, for phones: the age of a figure stands below its account', () => {
    const [bank] = table.banks;
    const [line] = bank?.lines ?? [];
    if (!bank || !line) throw new Error('no line');
    const old = { ...line, change: '+1\u202f012\u202f345,67\u00a0€', isOld: true };
    const block = { ...table, since: 'Depuis hier', banks: [{ ...bank, lines: [old] }] };
    const html = htmlBody([block], footer);
    expect(html.match(/<th scope="col"/g)).toHaveLength(3);
    expect(html).toMatch(
      new RegExp(`Compte &lt; courant<div style="[^"]*background:#fff7e6">⚠️ ${old.age}</div></td>`),
    );
  });

  it('names a colour of text only on a ground of its own: a mail program may draw it on a dark one', () => {
    const html = htmlBody([table, { type: 'context', text: 'Soldes du jour' }], footer);
    const styles = [...html.matchAll(/style="([^"]*)"/g)].map(([, style]) => style ?? '');
    const colored = styles.filter((style) => /(^|;)color:#/.test(style));
    expect(colored.length).toBeGreaterThan(0);
    for (const style of colored) expect(style).toContain('background:');
  });

  it('says everything in its plain text too, with ordinary spaces', () => {
    const text = textBody([table], footer);
    expect(text).toContain('1 234,56 €');
    expect(text).not.toMatch(/[\u202f\u00a0]/);
    for (const address of Object.values(footer)) expect(text).toContain(address);
  });

  it('draws emoji in its plain text too, and leaves all else as it was typed', () => {
    const typed =
      ':sunny: *Bonjour* _à_ ~tous~ `:sunny:`\n> :sunny: ici\n```\n:sunny:\n```\nhttps://exemple.fr/:sunny:/';
    const text = textBody([{ type: 'text', text: typed }], footer);
    expect(text).toContain(
      '☀️ *Bonjour* _à_ ~tous~ `:sunny:`\n> ☀️ ici\n```\n:sunny:\n```\nhttps://exemple.fr/:sunny:/\n\n',
    );
  });

  it('loads nothing from elsewhere and runs nothing', () => {
    const html = htmlBody([table, { type: 'text', text: '<script>x</script>' }], footer);
    expect(html).not.toMatch(/<script|<form|<link|<style|url\(/);
    expect([...html.matchAll(/src="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      'cid:logo@tirelire',
    ]);
  });

  it('holds nothing that acts, whatever is typed and however a bank names an account', () => {
    const live = '<script> </td> "onload= javascript:alert(1) data:text/html <img @all <a href=x>';
    fc.assert(
      fc.property(anyText(live), names, (text, [bank, account]) => {
        const list = accountsOf([[bank, account, '1,00\u00a0€']]);
        const html = htmlBody([{ type: 'text', text }, list], footer);
        const tags = [...html.matchAll(/<\/?([a-z0-9!]+)/gi)].map(([, name]) =>
          name?.toLowerCase(),
        );
        const known =
          '!doctype html head meta body div p img a strong em s code pre blockquote br table thead tbody tr th td';
        expect(tags.filter((tag) => !known.split(' ').includes(tag ?? ''))).toEqual([]);
        const targets = [...html.matchAll(/<a href="([^"]*)"/g)].map(([, address]) => address);
        expect(targets.filter((address) => !/^https?:/.test(address ?? ''))).toEqual([]);
        // The names stand there as they are, and the plain text says all of it.
        for (const { name, lines } of list.banks) {
          expect(letters(html)).toContain(name);
          expect(letters(html)).toContain(lines[0]?.name);
        }
        const plain = textBody([{ type: 'text', text }, list], footer);
        expect(plain).toContain(textOf([list]).replace(/[\u202f\u00a0]/g, ' '));
      }),
    );
  });

  it.each([1, 50, 400, 5000])('of %i accounts is not cut by a mail program', (count) => {
    const { blocks, text } = manyAccounts(capacity, count);
    const html = htmlBody(blocks, footer);
    expect(Buffer.byteLength(html)).toBeLessThan(90_000);
    const banks = html.match(/font-weight:600;background[^>]*>Banque/g)?.length ?? 0;
    const shown = (html.match(/<tr>/g)?.length ?? 0) - 1 - banks;
    expect(banks).toBe(Math.min(count, 7));
    if (count > 400) expect(text).toContain(`et ${count - shown} autres comptes`);
    else expect(shown).toBeLessThanOrEqual(count);
  });
});
