/**
 * Alternates between the forms that a service's documentation leaves open: a date with or without
 * its zone, a last page told by null or by a missing field. Off, it always takes the first form.
 */
export interface Variations {
  isOn: boolean;
  /** The next of `forms`, in turn, for this point. */
  pick<Form>(point: string, forms: readonly [Form, ...Form[]]): Form;
}

export function createVariations(isOn: boolean): Variations {
  const counts = new Map<string, number>();
  return {
    isOn,
    pick(point, forms) {
      if (!isOn) return forms[0];
      const count = counts.get(point) ?? 0;
      counts.set(point, count + 1);
      return forms[count % forms.length] ?? forms[0];
    },
  };
}
