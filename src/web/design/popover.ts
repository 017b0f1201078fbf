/** Specification §9. */
export const POPOVER_GAP = 12;
export const POPOVER_COLLISION_PADDING = 16;
