/** An amount as it is typed in French or in English: "1 234,56", "-200 €"; null for anything else. */
export function parseAmount(text: string): number | null {
  const bare = text
    .replaceAll(/[\s€]/gu, '')
    .replace(/^\u2212/, '-')
    .replace(',', '.');
  return /^-?\d{1,12}(\.\d+)?$/.test(bare) ? Number(bare) : null;
}
