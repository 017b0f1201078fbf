import { describe, expect, it } from 'vitest';
import { noticeOf, searchWithout } from '../../src/web/application/notices.ts';
import { isExternal, isWebAddress } from '../../src/web/design/navigation.ts';
import { handleIn } from '../../src/web/notifications/linking/handle.ts';

describe('the token in an address', () => {
  it('is taken when it is a handle of ours', () => {
    expect(handleIn('?token=tirelire-slack-abc&x=1')).toBe('tirelire-slack-abc');
    expect(handleIn('?token=tirelire-discord-abc')).toBe('tirelire-discord-abc');
  });

  it.each(['', '?token=', '?token=xoxb-1-2', '?token=tirelire-slack-', '?other=tirelire-slack-a'])(
    'is no handle in "%s"',
    (search) => {
      expect(handleIn(search)).toBeNull();
    },
  );

  it('leaves the address without taking its neighbours along', () => {
    expect(searchWithout('?token=a&x=1', 'token')).toBe('?x=1');
    expect(searchWithout('?token=a', 'token')).toBe('');
  });
});

describe('a notice in an address', () => {
  it.each([
    ['bank-added', 'La banque est reliée'],
    ['bank-pending', 'La banque est presque reliée'],
    ['bank-cancelled', 'Ajout interrompu\u202f: la banque'],
    ['bank-failed', "La banque n'a pas pu être reliée."],
    ['bank-limit', "Vous avez déjà 50 banques, c'est le maximum."],
    ['chat-cancelled', "Ajout interrompu\u202f: la messagerie n'est pas reliée."],
    ['chat-failed', "La messagerie n'a pas pu être reliée."],
    ['chat-expired', "Cette autorisation n'est plus valable."],
    ['slack-cancelled', "L'ajout à Slack a été abandonné."],
    ['slack-failed', "Tirelire n'a pas pu être ajoutée à Slack."],
    ['slack-expired', "Cette autorisation n'est plus valable."],
    ['slack-organisation', "L'installation pour toute une organisation n'est pas prise en charge."],
  ])('has words for the way of coming back %s', (code, text) => {
    expect(noticeOf(code)?.text).toContain(text);
  });

  it('cannot put words of its own on the page', () => {
    expect(noticeOf('Votre compte est bloqué')).toBeNull();
    expect(noticeOf('constructor')).toBeNull();
  });
});

describe('a target', () => {
  it('leaves the app when it starts with http', () => {
    expect(isExternal('https://example.org')).toBe(true);
    expect(isExternal('/login')).toBe(false);
  });

  it('given by a server is followed only on the web', () => {
    expect(isWebAddress('https://example.org/x')).toBe(true);
    expect(isWebAddress('javascript:alert(1)')).toBe(false);
    expect(isWebAddress('data:text/html,x')).toBe(false);
  });
});
