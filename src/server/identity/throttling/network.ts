import ipaddr from 'ipaddr.js';

/**
 * The network of one subscriber: an IPv4 address, or the first 64 bits of an IPv6 address (RFC 6177),
 * of which a subscriber could use another for each try.
 */
export function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const ip = ipaddr.IPv6.parse(address);
  if (ip.isIPv4MappedAddress()) return ip.toIPv4Address().toString();
  const groups = ip.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(':')}::/64`;
}
