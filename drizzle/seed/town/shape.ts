import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { CreatorCategory } from "#app/domain/profiles/rules/categories.ts";
import type { Face } from "#drizzle/seed/pictures/faces.ts";

/**
 * Who may see a post of the seed. `plan2` opens with the second plan and those above it; `early` is
 * for subscribers first and for everyone five days later; `submitPayment` is bought alone.
 */
export type Opening = "public" | "followers" | "subscribers" | "plan2" | "plan3" | "early" | "paid";

export type SeedPost = {
  title: string;
  teaser: string;
  paragraphs: string[];
  opening: Opening;
  scene: string | null;
};

/** One post, newest first in its creator's list. `scene` names a drawing of the creator's hand. */
export function post(
  opening: Opening,
  scene: string | null,
  title: string,
  teaser: string,
  ...paragraphs: string[]
): SeedPost {
  return { opening, scene, title, teaser, paragraphs };
}

type SeedPlan = {
  name: string;
  description: string;
  benefits: string[];
  prices: { interval: Interval; amountCents: number }[];
  seatsLimit: number | null;
  welcomeMessage: string;
};

export type SeedCreator = {
  username: string;
  name: string;
  /** As in the documents. */
  fullName: string;
  birthDate: string;
  craft: string;
  category: CreatorCategory;
  city: string;
  bio: string;
  face: Face;
  plans: SeedPlan[];
  /** What a post costs alone, for those that are sold so. */
  paidCents: number;
  /** True when no plan opens those: only buying does. */
  sellsAlone?: boolean;
  /** `match` picks its posts by title; without one they are taken evenly. */
  collections: {
    title: string;
    description: string;
    size: number;
    match?: RegExp;
    priceCents?: number;
  }[];
  /** `weekday` (0 is Sunday) moves it to the first such day from there. */
  event: { title: string; place: string; inDays: number; hour: number; weekday?: number };
  posts: SeedPost[];
};
