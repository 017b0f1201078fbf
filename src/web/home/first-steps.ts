/** By which `requestFocus` finds the first steps. */
export const firstStepsFocus = 'first steps';
