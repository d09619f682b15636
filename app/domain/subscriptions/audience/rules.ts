import { foldName } from "#app/lib/fold-name.ts";
import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import type { Cents } from "#app/domain/money.ts";
import { monthlyPriceCents } from "#app/domain/plans/rules.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";

/**
 * The states in a list of subscribers, in its order. A checkout that was never paid is not a
 * subscription.
 */
export const audienceStates = [
  "active",
  "trialing",
  "upcoming",
  "past_due",
  "requires_action",
  "paused",
  "canceled",
  "expired",
] as const satisfies readonly SubscriptionStatus[];
export type AudienceState = (typeof audienceStates)[number];

/** How a fan subscribes: by a payment method, or through a comp or gift. */
const audienceMethods = [...PAYMENT_METHODS, "comp", "gift"] as const;
export type AudienceMethod = (typeof audienceMethods)[number];

/**
 * The filter of a creator's subscribers. `terms` are folded, and all of them must be in the name or
 * username.
 */
export type AudienceFilter = {
  status: AudienceState | null;
  planId: string | null;
  method: AudienceMethod | null;
  terms: string[];
};

const SEARCH_MAX = 60;
const TERMS_MAX = 5;
const PLAN_ID = /^[0-9a-z-]{1,64}$/;

/** Parses the list's URL into a filter and the field values shown. Invalid values are ignored. */
export function parseAudienceFilter(search: URLSearchParams): {
  filter: AudienceFilter;
  values: Record<"status" | "plan" | "method" | "search", string>;
} {
  const text = (name: string): string => search.get(name)?.trim() ?? "";
  const status = audienceStates.find((state) => state === text("status")) ?? null;
  const method = audienceMethods.find((one) => one === text("method")) ?? null;
  const planId = PLAN_ID.test(text("plan")) ? text("plan") : null;
  const typed = text("search").slice(0, SEARCH_MAX);
  const terms = foldName(typed.replace(/^@/, ""))
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, TERMS_MAX);
  return {
    filter: { status, planId, method, terms },
    values: { status: status ?? "", plan: planId ?? "", method: method ?? "", search: typed },
  };
}

export const isAudienceFiltered = ({ status, planId, method, terms }: AudienceFilter): boolean =>
  status !== null || planId !== null || method !== null || terms.length > 0;

/**
 * The monthly value of a subscription, in centavos: only paid ones that renew count. The triggers
 * of `audience_totals` do the same in SQL.
 */
export function monthlyValueCents({
  status,
  amountCents,
  interval,
}: {
  status: SubscriptionStatus;
  amountCents: Cents;
  interval: Interval;
}): Cents {
  return status === "active" ? monthlyPriceCents(amountCents, interval) : 0;
}
