/** The IBAN of 23 digits of a French bank, branch and account. Its check digits are right. */
export function frenchIban(digits: string): string {
  const remainder = BigInt(`${digits}152700`) % 97n;
  return `FR${String(98n - remainder).padStart(2, '0')}${digits}`;
}
