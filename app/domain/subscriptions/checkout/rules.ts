export const OPEN_CHECKOUTS_LIMIT = 5;

/**
 * Declined cards that one person may have in an hour. Enough for old cards, too few to test stolen
 * ones.
 */
export const DECLINES_LIMIT = 10;
