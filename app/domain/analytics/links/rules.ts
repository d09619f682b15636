import type { Cents } from "#app/domain/money.ts";

/** What every page's invitation link is called (`INVITATION_SLUG`). */
export const INVITATION_NAME = "Convite";

const LONGEST_SLUG = 40;

/** Returns a slug for a link's name: "Bio do Instagram" is `bio-do-instagram`. May be empty. */
export function slugOfName(name: string): string {
  return name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST_SLUG)
    .replaceAll(/^-+|-+$/g, "");
}

/** What came from a link in a range. */
export type LinkCounts = {
  visitors: number;
  views: number;
  follows: number;
  /** First payments of subscriptions. */
  starts: number;
  /** Paid posts, collections, messages, tickets, tips and gifts. */
  sales: number;
  netCents: Cents;
};
