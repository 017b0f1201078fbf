import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export interface AddressRanges {
  /** For an address of either family, without brackets; false for what is no address. */
  contain(address: string): boolean;
}

/** Ranges in CIDR notation. One of IPv4 also holds for its form mapped into IPv6. */
export function addressRanges(ranges: readonly string[]): AddressRanges {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), familyOf(address));
  }
  return { contain: (address) => list.check(address, familyOf(address)) };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Whether a text is a range in CIDR notation that lies in a private network as a whole. */
export function isPrivateRange(text: string): boolean {
  // The library also takes short, octal and zoned forms, which `BlockList` does not.
  const family = text.includes('%') ? 0 : isIP(text.split('/', 1)[0] ?? '');
  if (family === 0 || !ipaddr.isValidCIDR(text)) return false;
  const { IPv4, IPv6 } = ipaddr;
  const version = family === 6 ? IPv6 : IPv4;
  const ends = [version.networkAddressFromCIDR(text), version.broadcastAddressFromCIDR(text)];
  // No range whose ends lie in private networks contains a public address.
  return ends.every((end) => privateNetworks.has(end.range()));
}

/** RFC 1918, 3927, 4193, 4291 and 6598, in the words of the library. */
const privateNetworks: ReadonlySet<string> = new Set([
  ...['private', 'carrierGradeNat', 'linkLocal', 'loopback', 'uniqueLocal'],
]);
