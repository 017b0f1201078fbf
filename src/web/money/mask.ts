/** What stands in the place of a hidden amount. */
export const mask = '••••';
