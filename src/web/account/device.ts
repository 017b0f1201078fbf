/** "Firefox sur Windows", from what a browser calls itself; what is not known is not guessed. */
export function deviceWords(device: string | null): string {
  if (!device) return 'Appareil inconnu';
  const browser = found(browsers, device);
  const system = found(systems, device);
  if (browser && system) return `${browser} sur ${system}`;
  return browser ?? system ?? 'Un autre programme';
}

/** In this order: each of these also names itself as those below it. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const systems = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const;

function found(names: readonly (readonly [string, string])[], device: string): string | null {
  return names.find(([mark]) => device.includes(mark))?.[1] ?? null;
}
