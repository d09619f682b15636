/** Holds the choice about measurement: whether a visitor allows it. Without it nothing was chosen. */
export const MEASUREMENT_COOKIE = "coreto-measurement";
export const MEASUREMENT_REFUSED = "no";
