/**
 * How many days a replaced e-mail is notified of what happens to its owner's money. Source: issue
 * 6, "a change tells the old address"; docs/decisions/money/verify-who-owns-a-pix-key.md.
 */
export const FORMER_EMAIL_DAYS = 30;
