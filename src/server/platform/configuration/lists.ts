/** `a, b` as ['a', 'b']: how a variable holds several values. */
export function listOf(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
}
