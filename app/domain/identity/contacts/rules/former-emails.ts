/**
 * How long an e-mail that somebody left is told of what happens to their money. Source: issue 6, "a
 * change tells the old address"; docs/decisions/money/verify-who-owns-a-pix-key.md.
 */
export const FORMER_EMAIL_DAYS = 30;
