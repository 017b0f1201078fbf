import ipaddr from 'ipaddr.js';

/** Whether a host, as it stands in an address or alone, leads to this machine and to no other. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(name) ? ipaddr.process(name).range() === 'loopback' : name === 'localhost';
}
