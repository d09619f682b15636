import { and, eq, gt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { unusedCents } from "#app/domain/subscriptions/rules.ts";
import type { PriceConsent } from "#app/domain/subscriptions/schema/price-consents.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargePeriods } from "#drizzle/schema/payments.ts";
import { afterEndStatement, coveringStatement, MOST_CHARGES, openDisputeStatement, unusedAfterEnd } from "./closing.server.ts";
import type { Covering } from "./closing.server.ts";
import { appliedConsentsStatement, consentsOf } from "./price-consents.server.ts";
import { lastStretchesStatement } from "./renewals.server.ts";

/** What decides, beside its facts, what becomes of a subscription when the money of one of its charges goes back, or comes back for good. */
export type EndedFacts = {
  /** What it is paid for, the last first. */
  stretches: readonly { chargeId: string; startsAt: Instant; endsAt: Instant }[];
  /** The charge covers days that are to come. */
  isCovering: boolean;
  /** A payment of it is being fought over. */
  isDisputed: boolean;
  /** Every payment that covers days that are to come. */
  covering: readonly Covering[];
  /** The prices that were agreed to and hold. */
  consents: readonly PriceConsent[];
  /** Of the charge, what pays for days after the end that another payment brought (centavos). */
  afterEndCents: Cents;
};

type Of = { subscriptionId: SQL<string>; chargeId: SQL<string>; now: SQL<Instant> };

/** The statements of `endedFacts`, for a batch; `endedFactsOf` reads what they give. They may be built once. */
export const endedFactsStatements = ({ db }: Pick<Context, "db">, { subscriptionId, chargeId, now }: Of) =>
  [
    lastStretchesStatement({ db }, { subscriptionId }),
    db
      .select({ id: chargePeriods.id })
      .from(chargePeriods)
      .where(and(eq(chargePeriods.chargeId, chargeId), eq(chargePeriods.subscriptionId, subscriptionId), gt(chargePeriods.endsAt, now)))
      .limit(1),
    openDisputeStatement({ db }, { subscriptionId }),
    coveringStatement({ db }, { of: { subscriptionId }, at: now, afterChargeId: "", limit: MOST_CHARGES }),
    appliedConsentsStatement({ db }, { subscriptionId }),
    afterEndStatement({ db }, { chargeId }),
  ] as const;

type Rows<Statements> = { readonly [Index in keyof Statements]: Awaited<Statements[Index]> };

export const endedFactsOf = ([stretches, covers, disputes, covering, consents, afterEnd]: Rows<ReturnType<typeof endedFactsStatements>>): EndedFacts => ({
  stretches,
  isCovering: covers.length > 0,
  isDisputed: disputes.length > 0,
  covering,
  consents: consentsOf(consents),
  afterEndCents: unusedAfterEnd(afterEnd),
});

type Charged = { subscriptionId: string; chargeId: string };

/** In one round trip. */
export async function endedFacts(ctx: Context, { subscriptionId, chargeId }: Charged): Promise<EndedFacts> {
  return endedFactsOf(await ctx.db.batch(endedFactsStatements(ctx, { subscriptionId: sql`${subscriptionId}`, chargeId: sql`${chargeId}`, now: sql`${ctx.now()}` })));
}

/** A payment, and what of it is given back (centavos). */
export type Unused = { covering: Covering; amountCents: Cents };

/** The unused days of every payment of a subscription but one; payments with nothing left are left out. */
export const unusedBeside = ({ covering }: EndedFacts, chargeId: string, at: Instant): Unused[] =>
  covering.filter((one) => one.chargeId !== chargeId).map((one) => ({ covering: one, amountCents: unusedCents(one, at) })).filter(({ amountCents }) => amountCents > 0);

/**
 * Where what a subscription is paid for would end without this charge, when nothing of what the charge covers began and it is the last that is
 * covered; null otherwise. `startsAt` is where the stretch before it begins.
 */
function endWithout({ stretches }: EndedFacts, { endsAt, chargeId, now }: { endsAt: Instant | null; chargeId: string; now: Instant }): { startsAt: Instant; endsAt: Instant } | null {
  const before = stretches.findIndex((stretch) => stretch.chargeId !== chargeId);
  const [last, first, kept] = [stretches[0], stretches[before - 1], stretches[before]];
  if (!last || !first || !kept || first.startsAt <= now || last.endsAt !== endsAt) return null;
  return { startsAt: kept.startsAt, endsAt: first.startsAt };
}

/**
 * What the whole refund of one payment of a subscription does to it now: nothing when it goes on, because that payment covers only what is
 * over, or the bank fights over another of its payments; the period is taken back where it is the last that is to come (`endWithout`); else it ends, and
 * the unused days of its other payments go back too.
 */
export function endedByRefund(facts: EndedFacts, { endsAt, chargeId, now }: { endsAt: Instant | null; chargeId: string; now: Instant }): { kind: "nothing" } | { kind: "period"; kept: { startsAt: Instant; endsAt: Instant } } | { kind: "subscription"; unused: Unused[] } {
  const kept = endWithout(facts, { endsAt, chargeId, now });
  if (kept) return { kind: "period", kept };
  if (!facts.isCovering || facts.isDisputed) return { kind: "nothing" };
  return { kind: "subscription", unused: unusedBeside(facts, chargeId, now) };
}
