/** By which `requestFocus` finds the first steps. */
export const FIRST_STEPS = 'first steps';
