/** Bounds of the contract that forms check as well, in a file that draws in no schema. */

/** In Unicode characters. */
export const maxMessageLength = 3000;

/** Of the name that people give to a channel whose chat does not tell it; in UTF-16 units, as a field counts. */
export const maxLabelLength = 80;

/** In the main unit of any currency. */
export const maxAlertAmount = 1_000_000_000_000;
