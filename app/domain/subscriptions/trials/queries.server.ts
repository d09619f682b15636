import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, not, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { isAnnounced } from "#app/domain/outbox.server.ts";
import type { Plan } from "#app/domain/plans/schema.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { trialEndFrom } from "#app/domain/subscriptions/trials/rules/trial.ts";
import type { Instant } from "#app/domain/time.ts";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { planPrices, plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions, trialSetups } from "#drizzle/schema/subscriptions.ts";

/**
 * The trial of a plan for one member, if it started now. `asksTaxId`: the member has given no CPF
 * or CNPJ, without which no trial starts.
 */
export type OfferedTrial = { days: number; endsAt: Instant; asksTaxId: boolean };

const STARTED = [isNotNull(subscriptions.startedAt), isNull(subscriptions.compEndsAt)];

/**
 * The trial of a plan for this member; null when the plan has none, or the member ever subscribed
 * to the page. Comps do not count. Other accounts are not checked here (`hadTrialElsewhere`): an
 * offer must not reveal who else subscribes.
 */
export async function offeredTrial(
  ctx: Context,
  {
    memberId,
    plan: { creatorId, trialDays },
  }: { memberId: string; plan: Pick<Plan, "creatorId" | "trialDays"> },
): Promise<OfferedTrial | null> {
  if (trialDays === 0) return null;
  const [before, details] = await ctx.db.batch([
    ctx.db
      .select({ id: subscriptions.id })
      .from(subscriptions)
      .where(
        and(eq(subscriptions.creatorId, creatorId), eq(subscriptions.fanId, memberId), ...STARTED),
      )
      .limit(1),
    ctx.db
      .select({ personId: billingDetails.personId })
      .from(billingDetails)
      .where(eq(billingDetails.personId, memberId))
      .limit(1),
  ]);
  return before.length > 0
    ? null
    : {
        days: trialDays,
        endsAt: trialEndFrom(ctx.now(), trialDays),
        asksTaxId: details.length === 0,
      };
}

/**
 * Whether this member's CPF or CNPJ had a trial on this page before, or subscribed to it, under any
 * account.
 */
export async function hadTrialElsewhere(
  ctx: Context,
  { memberId, creatorId }: { memberId: string; creatorId: string },
): Promise<boolean> {
  const [ownTrial] = await ctx.db.all<{
    had: number;
  }>(sql`SELECT EXISTS (SELECT 1 FROM trial_uses used WHERE used.creator_id = ${creatorId} AND used.tax_id = own_details.tax_id)
      OR EXISTS (SELECT 1 FROM billing_details other JOIN subscriptions theirs ON theirs.fan_id = other.person_id AND theirs.creator_id = ${creatorId} WHERE other.tax_id = own_details.tax_id AND theirs.started_at IS NOT NULL AND theirs.comp_ends_at IS NULL) AS had
    FROM billing_details own_details WHERE own_details.person_id = ${memberId}`);
  return ownTrial?.had === 1;
}

export type TrialSetup = typeof trialSetups.$inferSelect;

export const OPEN_SETUPS = ["created", "requires_action"] as const;

/** The whole row, for commands, with the names of both sides. */
export async function trialSetupRow(
  ctx: Context,
  { setupId }: { setupId: string },
): Promise<
  | (TrialSetup & {
      personName: string;
      creatorUsername: string;
      creatorName: string;
      planName: string;
    })
  | null
> {
  const [row] = await ctx.db
    .select({
      setup: trialSetups,
      personName:
        sql<string>`(SELECT own_details.name FROM profiles own_details WHERE own_details.person_id = ${trialSetups.personId})`.as(
          "person_name",
        ),
      creatorUsername: profiles.username,
      creatorName: profiles.name,
      planName: plans.name,
    })
    .from(trialSetups)
    .innerJoin(planPrices, eq(planPrices.id, trialSetups.planPriceId))
    .innerJoin(plans, eq(plans.id, planPrices.planId))
    .innerJoin(profiles, eq(profiles.personId, plans.creatorId))
    .where(eq(trialSetups.id, setupId))
    .limit(1);
  if (!row) return null;
  const { setup, ...names } = row;
  return { ...setup, ...names };
}

/** Counts a member's cards that wait for their bank at `now`. */
export async function openSetupsCount(
  ctx: Context,
  { personId, now }: { personId: string; now: Instant },
): Promise<number> {
  return await ctx.db.$count(
    trialSetups,
    and(
      eq(trialSetups.personId, personId),
      inArray(trialSetups.status, [...OPEN_SETUPS]),
      gt(trialSetups.expiresAt, now),
    ),
  );
}

export type TrialSetupView = Pick<
  TrialSetup,
  | "id"
  | "status"
  | "nextActionUrl"
  | "failureCode"
  | "trialDays"
  | "amountCents"
  | "coupon"
  | "subscriptionId"
> & {
  planId: string;
  planName: string;
  interval: (typeof planPrices.$inferSelect)["interval"];
  creatorName: string;
  creatorUsername: string;
};

/** What a member sees of a card that is being saved; null for anyone else. */
export async function memberTrialSetup(
  ctx: Context,
  { memberId, setupId }: { memberId: string; setupId: string },
): Promise<TrialSetupView | null> {
  const { id, status, nextActionUrl, failureCode, trialDays, amountCents, coupon, subscriptionId } =
    trialSetups;
  const [row] = await ctx.db
    .select({
      id,
      status,
      nextActionUrl,
      failureCode,
      trialDays,
      amountCents,
      coupon,
      subscriptionId,
      planId: planPrices.planId,
      planName: plans.name,
      interval: planPrices.interval,
      creatorName: profiles.name,
      creatorUsername: profiles.username,
    })
    .from(trialSetups)
    .innerJoin(planPrices, eq(planPrices.id, trialSetups.planPriceId))
    .innerJoin(plans, eq(plans.id, planPrices.planId))
    .innerJoin(profiles, eq(profiles.personId, plans.creatorId))
    .where(and(eq(trialSetups.id, setupId), eq(trialSetups.personId, memberId)))
    .limit(1);
  return row ?? null;
}

/** Cards that wait for their bank and were not asked about since `askedBefore`, the longest first. */
export async function trialSetupsToReconcile(
  ctx: Context,
  { askedBefore, limit }: { askedBefore: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: trialSetups.id })
    .from(trialSetups)
    .where(
      and(
        inArray(trialSetups.status, [...OPEN_SETUPS]),
        lt(trialSetups.askedAt, askedBefore),
        isRetryDue(ctx, trialSetups.id),
      ),
    )
    .orderBy(asc(trialSetups.askedAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Cards that have waited for their owner's bank since before `since`, with no reminder sent yet,
 * oldest first.
 */
export async function trialSetupsAwaitingConfirmation(
  ctx: Context,
  { now, since, limit }: { now: Instant; since: Instant; limit: number },
): Promise<string[]> {
  // The same text as `trialConfirmationReminderKey`.
  const isNotified = isAnnounced(sql`'trial_setup:' || ${trialSetups.id} || ':to_confirm'`);
  const rows = await ctx.db
    .select({ id: trialSetups.id })
    .from(trialSetups)
    .where(
      and(
        sql`status IN ('created', 'requires_action')`,
        eq(trialSetups.status, "requires_action"),
        lte(trialSetups.createdAt, since),
        gt(trialSetups.expiresAt, now),
        not(isNotified),
        isRetryDue(ctx, trialSetups.id),
      ),
    )
    .orderBy(asc(trialSetups.askedAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Cards that started no trial and that the provider still stores. */
export async function trialCardsToForget(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: trialSetups.id })
    .from(trialSetups)
    .where(
      and(
        sql`status IN ('failed', 'expired') AND provider_method_id IS NOT NULL`,
        isRetryDue(ctx, trialSetups.id),
      ),
    )
    .orderBy(asc(trialSetups.askedAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}
