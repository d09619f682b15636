import type { Cents } from "#app/domain/money.ts";
import { methodSchema } from "#app/domain/payments/schema.ts";
import { monthlyPriceCents } from "#app/domain/plans/rules.ts";
import type { Interval } from "#app/domain/plans/schema.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";

/**
 * The states that a list of subscribers shows, in its order: a checkout that was never paid is
 * nobody's subscription.
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

/** How somebody subscribes: by what they pay with, or because somebody else gave it. */
const audienceMethods = [...methodSchema.options, "comp", "gift"] as const;
export type AudienceMethod = (typeof audienceMethods)[number];

/**
 * What of a creator's subscribers is looked for. `words` are folded, and all of them are in the
 * name or username.
 */
export type AudienceFilter = {
  status: AudienceState | null;
  planId: string | null;
  method: AudienceMethod | null;
  words: string[];
};

const SEARCH_MAX = 60;
const WORDS_MAX = 5;
const PLAN_ID = /^[0-9a-z-]{1,64}$/;

/**
 * What the address of the list asks for, and the fields as they are shown; what cannot be read asks
 * for nothing.
 */
export function parseAudienceFilter(search: URLSearchParams): {
  filter: AudienceFilter;
  values: Record<"status" | "plan" | "method" | "search", string>;
} {
  const text = (name: string): string => search.get(name)?.trim() ?? "";
  const status = audienceStates.find((state) => state === text("status")) ?? null;
  const method = audienceMethods.find((one) => one === text("method")) ?? null;
  const planId = PLAN_ID.test(text("plan")) ? text("plan") : null;
  const typed = text("search").slice(0, SEARCH_MAX);
  const words = folded(typed.replace(/^@/, ""))
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, WORDS_MAX);
  return {
    filter: { status, planId, method, words },
    values: { status: status ?? "", plan: planId ?? "", method: method ?? "", search: typed },
  };
}

export const isAudienceFiltered = ({ status, planId, method, words }: AudienceFilter): boolean =>
  status !== null || planId !== null || method !== null || words.length > 0;

/**
 * What a subscription is worth a month, in centavos: only what is paid and renews by itself counts.
 * Its SQL twin is in the triggers of `audience_totals`.
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

/**
 * Letters that stand for a plain one in Brazilian names, capital and small; marks that stand alone
 * go.
 */
export const ACCENTED: readonly [plain: string, accented: string][] = [
  ["a", "áàâãäÁÀÂÃÄ"],
  ["e", "éèêëÉÈÊË"],
  ["i", "íìîïÍÌÎÏ"],
  ["o", "óòôõöÓÒÔÕÖ"],
  ["u", "úùûüÚÙÛÜ"],
  ["c", "çÇ"],
  ["n", "ñÑ"],
  ["", "\u{300}\u{301}\u{302}\u{303}\u{308}\u{327}"],
];

/**
 * A name as it is searched: "José" and "JOSE" are one. Nothing else is folded, so that the database
 * can do the same.
 */
function folded(text: string): string {
  const plain = new Map(
    ACCENTED.flatMap(([to, from]) => [...from].map((letter) => [letter, to] as const)),
  );
  return [...text]
    .map(
      (letter) => plain.get(letter) ?? letter.replace(/[A-Z]/, (capital) => capital.toLowerCase()),
    )
    .join("");
}
