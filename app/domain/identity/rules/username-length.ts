/** A username's shortest and longest length, in characters. Source: product spec, "Username". */
export const USERNAME_MIN = 3;
export const USERNAME_MAX = 256;
