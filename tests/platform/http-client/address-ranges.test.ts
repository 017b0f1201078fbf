import { expect, test } from 'vitest';
import {
  addressRanges,
  isPrivateRange,
} from '../../../src/server/platform/http-client/address-ranges.ts';

test.each(
  `10.0.0.0/8 10.1.2.0/24 10.1.2.3/24 10.1.2.3/32 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10
  127.0.0.0/8 169.254.169.254/32 fc00::/7 fd00:1::/32 FD00::5/128 fe80::/10 ::1/128`.split(/\s+/),
)('%s is a private range', (range) => {
  expect(isPrivateRange(range)).toBe(true);
});

test.each(
  `10.1.2.3 10.1.2.0/33 10.1/16 010.1.2.0/24 0xa.1.2.0/24 10.1.2.0/ 10.1.2.0/a 10.1.2.0/24/8 /8
  0.0.0.0/0 10.0.0.0/7 172.0.0.0/8 192.0.0.0/8 8.8.8.0/24 224.0.0.0/4 255.255.255.255/32
  ::/0 2000::/3 fc00::/6 fe00::/8 fd00::/129 fd00::1::/64 [fd00::]/8 fe80::1%eth0/64 64:ff9b::/96
  2002:a00::/24 ::ffff:10.0.0.0/104 chat.exemple.lan/24`.split(/\s+/),
)('%s is not taken for a private range', (range) => {
  expect(isPrivateRange(range)).toBe(false);
});

test('a range contains its addresses in every writing, and no other', () => {
  const ranges = addressRanges(['10.1.2.3/24', 'fd00:1::/32']);
  for (const address of [
    '10.1.2.0',
    '10.1.2.255',
    '::ffff:10.1.2.9',
    '::ffff:a01:209',
    'fd00:1::9',
  ])
    expect(ranges.contain(address)).toBe(true);
  for (const address of [
    '10.1.1.255',
    '10.1.3.0',
    '::ffff:10.1.3.0',
    'fd00:2::',
    '::1',
    '127.0.0.1',
  ])
    expect(ranges.contain(address)).toBe(false);
  expect(addressRanges([]).contain('10.1.2.3')).toBe(false);
});
