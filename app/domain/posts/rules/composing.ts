import type { AccessRule } from "#app/domain/access/rules.ts";
import type { AccessChoice, AccessWay } from "#app/domain/posts/schema/composing.ts";
import { TITLE_MAX } from "#app/domain/posts/schema.ts";
import { civilDate, DAY_MS, HOUR_MS, MINUTE_MS, timeOfDayMs } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How long a deleted post can be restored. Source: issue 4, "Posts"; domain rules: thirty days. */
export const RESTORABLE_MS = 30 * DAY_MS;
export const PINS_MAX = 3;
/** A schedule further away is a typing error. */
const FURTHEST_SCHEDULE_MS = 366 * DAY_MS;

/** Returns the access rules of a composer's answers. */
export function rulesOfChoice(choice: AccessChoice): AccessRule[] {
  return choice.ways.flatMap((way) => rulesOfWay(way, choice));
}

function rulesOfWay(way: AccessWay, choice: AccessChoice): AccessRule[] {
  const rule = { planId: null, amountCents: null, opensAt: choice[`${way}OpensAt`] };
  if (way === "plans") return choice.planIds.map((planId) => ({ ...rule, kind: "plan", planId }));
  // A draft can be saved without its amount. It sells nothing then.
  if (way === "price") return [{ ...rule, kind: "price", amountCents: choice.price }];
  return [{ ...rule, kind: way }];
}

/** Returns the composer's answers for stored rules: the inverse of `rulesOfChoice`. */
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

/** Returns why `at` cannot be a publication time, or null. The current minute is allowed. */
export function scheduleProblem(at: Instant, now: Instant): "past" | "far" | null {
  if (at < now - MINUTE_MS) return "past";
  return at > now + FURTHEST_SCHEDULE_MS ? "far" : null;
}

/** Formats a time in São Paulo for `datetime-local`: `2026-11-27T17:00`. Empty for null. */
export function civilMoment(at: Instant | null): string {
  if (at === null) return "";
  const { year, month, day } = civilDate(at);
  const minutes = Math.floor(timeOfDayMs(at) / MINUTE_MS);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)}T${two(Math.floor((minutes * MINUTE_MS) / HOUR_MS))}:${two(minutes % 60)}`;
}

const OTHER_VERSION = " (outra versão)";

/** Returns the title of the draft that a version becomes which its author did not choose. */
export function otherVersionTitle(title: string): string {
  if (title.endsWith(OTHER_VERSION)) return title;
  const room = TITLE_MAX - OTHER_VERSION.length;
  return `${title.length > room ? title.slice(0, room).trimEnd() : title || "Sem título"}${OTHER_VERSION}`;
}

export type PostState = "draft" | "scheduled" | "published";

/**
 * Returns whether a composer can replace the stored version. It saw that version, or it wrote it
 * itself and the response was lost.
 */
export function canOverwrite(
  stored: { version: number; savedByTab: string },
  composer: { version: number; tab: string },
): boolean {
  return stored.version === composer.version || stored.savedByTab === composer.tab;
}
