/** What the umbrella scope of classic apps stands for here. */
const umbrella = [
  'chat:write',
  'chat:write.public',
  'channels:read',
  'channels:history',
  'groups:read',
  'groups:history',
  'team:read',
];

export function holds(scope: string, needed: string): boolean {
  const held = scope.split(',');
  return held.includes(needed) || (held.includes('bot') && umbrella.includes(needed));
}

/** Scopes only grow: what was granted once stays until the token is revoked. */
export function addScopes(held: string, granted: string): string {
  const all = [...held.split(','), ...granted.split(',')].filter((scope) => scope !== '');
  return [...new Set(all)].join(',');
}
