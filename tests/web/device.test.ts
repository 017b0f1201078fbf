import { expect, test } from 'vitest';
import { deviceWords } from '../../src/web/account/device.ts';
import { durationWords, pluralize } from '../../src/web/operations/words.ts';

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox sur Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140 Safari/537.36',
    'Chrome sur Windows',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/140 Safari/537.36 Edg/140', 'Edge sur Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1', 'Safari sur iPhone'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/140 Mobile Safari/537.36', 'Chrome sur Android'],
  ['curl/8.5.0', 'Un autre programme'],
  [null, 'Appareil inconnu'],
])('%s is shown as %s', (device, words) => {
  expect(deviceWords(device)).toBe(words);
});

test.each([
  [0.4, '0,4\u202fs'],
  [59.94, '59,9\u202fs'],
  [59.97, '1\u202fmin\u202f00\u202fs'],
  [3_599.8, '1\u202fh\u202f00'],
  [125, '2\u202fmin\u202f05\u202fs'],
  [3_900, '1\u202fh\u202f05'],
])('%d seconds are told as %s', (seconds, words) => {
  expect(durationWords(seconds)).toBe(words);
});

test.each([
  [0, '0 envoi'],
  [1, '1 envoi'],
  [1240, '1\u202f240 envois'],
])('%d of them are %s', (count, words) => {
  expect(pluralize(count, 'envoi')).toBe(words);
});
