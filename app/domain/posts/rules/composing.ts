import type { AccessRule } from "#app/domain/access/rules.ts";
import type { AccessChoice, AccessWay } from "#app/domain/posts/schema/composing.ts";
import { civilDate, DAY_MS, HOUR_MS, MINUTE_MS, timeOfDayMs } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * How long a deleted post can be brought back. Source: issue 4, "Posts"; domain rules say thirty
 * days.
 */
export const RESTORABLE_MS = 30 * DAY_MS;
export const PINS_MAX = 3;
/** A schedule further away is a slip of the keyboard. */
const FURTHEST_SCHEDULE_MS = 366 * DAY_MS;

/** The access rules that the answers of a composer stand for. */
export function rulesOfChoice(choice: AccessChoice): AccessRule[] {
  return choice.ways.flatMap((way) => rulesOfWay(way, choice));
}

function rulesOfWay(way: AccessWay, choice: AccessChoice): AccessRule[] {
  const rule = { planId: null, amountCents: null, opensAt: choice[`${way}OpensAt`] };
  if (way === "plans") return choice.planIds.map((planId) => ({ ...rule, kind: "plan", planId }));
  // A draft may wait for its amount: without one nothing is sold.
  if (way === "price") return [{ ...rule, kind: "price", amountCents: choice.price }];
  return [{ ...rule, kind: way }];
}

/**
 * What a composer shows of rules that were kept: the answers that `rulesOfChoice` would make them
 * from.
 */
export function choiceOfRules(rules: readonly AccessRule[]): AccessChoice {
  const opening = (kind: AccessRule["kind"]) =>
    rules.find((rule) => rule.kind === kind)?.opensAt ?? null;
  const kinds = new Set(rules.map((rule) => (rule.kind === "plan" ? "plans" : rule.kind)));
  return {
    ways: [...kinds],
    planIds: rules.flatMap((rule) => (rule.kind === "plan" && rule.planId ? [rule.planId] : [])),
    price: rules.find((rule) => rule.kind === "price")?.amountCents ?? null,
    publicOpensAt: opening("public"),
    followersOpensAt: opening("followers"),
    subscribersOpensAt: opening("subscribers"),
    plansOpensAt: opening("plan"),
    priceOpensAt: opening("price"),
  };
}

/**
 * Whether `at` may be when a post publishes itself, and if not, why. The minute that is running
 * still counts.
 */
export function scheduleProblem(at: Instant, now: Instant): "past" | "far" | null {
  if (at < now - MINUTE_MS) return "past";
  return at > now + FURTHEST_SCHEDULE_MS ? "far" : null;
}

/** `2026-11-27T17:00` in São Paulo, for a `datetime-local`; empty for null. */
export function civilMoment(at: Instant | null): string {
  if (at === null) return "";
  const { year, month, day } = civilDate(at);
  const minutes = Math.floor(timeOfDayMs(at) / MINUTE_MS);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)}T${two(Math.floor((minutes * MINUTE_MS) / HOUR_MS))}:${two(minutes % 60)}`;
}

export type PostState = "draft" | "scheduled" | "published";

/**
 * Who wrote what is kept: the version that the composer saw, or the same composer, whose last
 * answer may have been lost.
 */
export function canOverwrite(
  kept: { version: number; savedByTab: string },
  composer: { version: number; tab: string },
): boolean {
  return kept.version === composer.version || kept.savedByTab === composer.tab;
}
