/** Specification §9: a target that starts with http leaves the app, any other stays in it. */
export function isExternal(target: string): boolean {
  return target.startsWith('http');
}

/** Whether an address given by a server may be followed: never `javascript:` nor `data:`. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address);
}
