import type { RateLimitedAction } from "#app/domain/rate-limits/schema.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { isAccountClosing } from "#app/domain/identity/queries.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { CompMessage } from "#app/domain/subscriptions/schema/outbox/comps.ts";
import { holdSeatStatement } from "#app/domain/plans/commands.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { hasFreeSeat } from "#app/domain/plans/rules.ts";
import type { Plan, PlanPrice } from "#app/domain/plans/schema.ts";
import {
  ensureFollowingStatement,
  requireUnblockedStatement,
} from "#app/domain/profiles/commands.server.ts";
import { followTarget, personByUsername } from "#app/domain/profiles/queries.server.ts";
import { SubscriptionNotFound } from "#app/domain/subscriptions/errors.ts";
import {
  CompPlanFull,
  CompPlanNotSold,
  CannotCompYourself,
  FanNotFound,
  FanNotReachable,
  FanAlreadySubscribed,
  LeavingCreatorCannotComp,
  TooManyComps,
  TooManyCompsToday,
} from "./errors.ts";
import { liveSubscription, liveSubscriptions } from "#app/domain/subscriptions/queries.server.ts";
import { activeComp, activeCompsCount } from "./queries.server.ts";
import type { Comp } from "./queries.server.ts";
import { compEndsAt, COMPS_A_DAY, LIVE_COMPS_MAX } from "./rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { endNowStatements } from "#app/domain/subscriptions/endings/commands/end.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";

/** `givenBy` is the person on the creator's side who granted it; `months` is null for no end. */
export type NewComp = {
  creatorId: string;
  creatorName: string;
  givenBy: string;
  username: string;
  planId: string;
  months: number | null;
};

/**
 * Grants somebody a plan without charge. Nothing enters the ledger, and no renewal can ever charge
 * it (a trigger refuses the charge). It holds a seat like any subscription. Refuses FanNotFound,
 * CannotCompYourself, FanNotReachable, LeavingCreatorCannotComp, CompPlanNotSold, CompPlanFull,
 * FanAlreadySubscribed, TooManyComps, TooManyCompsToday.
 */
export async function grantComp(
  ctx: Context,
  given: NewComp,
): Promise<{ fanName: string; endsAt: Instant }> {
  const { creatorId, planId } = given;
  const fan = await fanFor(ctx, given);
  const { plan, price } = await planFor(ctx, given);
  const now = ctx.now();
  const endsAt = compEndsAt(now, given.months);
  const subscriptionId = ctx.newId();
  try {
    await commit(ctx.db, [
      requireUnblockedStatement(ctx, { personId: fan.id, otherId: creatorId }),
      ctx.db.insert(subscriptions).values({
        id: subscriptionId,
        fanId: fan.id,
        creatorId,
        planId,
        planPriceId: price.id,
        interval: price.interval,
        amountCents: 0,
        method: "pix",
        status: "active",
        startedAt: now,
        currentPeriodStartsAt: now,
        accessUntil: endsAt,
        compEndsAt: endsAt,
        compedBy: given.givenBy,
        holdsSeat: true,
        createdAt: now,
        updatedAt: now,
      }),
      withinCompsStatement(ctx, { subscriptionId, creatorId }),
      holdSeatStatement(ctx, { planId }),
      ...rateLimitStatements(ctx, compsOf(given)),
      announce<CompMessage>(ctx, givenKey(subscriptionId), {
        type: "comp.given",
        subscriptionId,
        fanId: fan.id,
        creatorName: given.creatorName,
        planName: plan.name,
        endsAt,
      }),
    ]);
  } catch (error) {
    if (error instanceof UniqueViolation) throw new FanAlreadySubscribed();
    if (error instanceof StaleWrite) throw await whyNot(ctx, given);
    throw error;
  }
  await deliverNotification(ctx, givenKey(subscriptionId));
  return { fanName: fan.name, endsAt };
}

const compsOf = ({ creatorId }: Pick<NewComp, "creatorId">): RateLimitedAction => ({
  act: "comp",
  personId: creatorId,
  limits: [COMPS_A_DAY],
});

const givenKey = (subscriptionId: string) => `comp:${subscriptionId}:given`;
const endedKey = (subscriptionId: string) => `comp:${subscriptionId}:ended`;
const deliverNotification = (ctx: Context, outboxId: string) =>
  ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });

async function fanFor(
  ctx: Context,
  { username, creatorId, givenBy }: NewComp,
): Promise<{ id: string; name: string }> {
  const fan = await personByUsername(ctx, { username });
  if (!fan) throw new FanNotFound();
  if (fan.id === creatorId || fan.id === givenBy) throw new CannotCompYourself();
  const target = await followTarget(ctx, { followerId: creatorId, creatorId: fan.id });
  if (!target || target.isBlocked) throw new FanNotReachable();
  if (await isAccountClosing(ctx, { personId: creatorId })) throw new LeavingCreatorCannotComp();
  if (await liveSubscription(ctx, { fanId: fan.id, creatorId })) throw new FanAlreadySubscribed();
  return fan;
}

async function planFor(
  ctx: Context,
  { planId, creatorId }: NewComp,
): Promise<{ plan: Plan; price: PlanPrice }> {
  const plan = await creatorPlan(ctx, { planId, creatorId });
  const price = plan?.prices[0];
  if (!plan || !price || plan.state !== "active") throw new CompPlanNotSold();
  if (!hasFreeSeat(plan)) throw new CompPlanFull();
  return { plan, price };
}

/** The guard statement that refuses a comp over the limit, counted in its own batch. */
function withinCompsStatement(
  ctx: Context,
  { subscriptionId, creatorId }: { subscriptionId: string; creatorId: string },
): BatchWrite {
  const living = sql`(SELECT COUNT(*) FROM subscriptions living WHERE living.creator_id = ${creatorId} AND living.comp_ends_at IS NOT NULL AND living.status = 'active')`;
  return mustChangeOne(
    ctx.db
      .update(subscriptions)
      .set({ updatedAt: ctx.now() })
      .where(
        and(
          eq(subscriptions.id, subscriptionId),
          sql`${living} <= CAST(${LIVE_COMPS_MAX} AS INTEGER)`,
        ),
      ),
  );
}

async function whyNot(ctx: Context, given: NewComp): Promise<Error> {
  // Throws if a block, or anything else between the two, appeared meanwhile.
  await fanFor(ctx, given);
  if ((await activeCompsCount(ctx, given)) >= LIVE_COMPS_MAX) return new TooManyComps();
  const plan = await creatorPlan(ctx, given);
  if (plan?.state !== "active") return new CompPlanNotSold();
  return hasFreeSeat(plan)
    ? new TooManyCompsToday(await rateLimitResetAt(ctx, compsOf(given)))
    : new CompPlanFull();
}

/**
 * Ends a comp at once, by its creator, which notifies the fan, or by its fan. Refuses
 * SubscriptionNotFound, also for another's comp or a paid subscription.
 */
export async function endComp(
  ctx: Context,
  { subscriptionId, by }: { subscriptionId: string; by: { creatorId: string } | { fanId: string } },
): Promise<Comp> {
  const ended = await retryOnConflict(async () => {
    const comp = await activeComp(ctx, { subscriptionId });
    const isTheirs =
      "creatorId" in by ? comp?.creatorId === by.creatorId : comp?.fanId === by.fanId;
    if (!comp || !isTheirs) throw new SubscriptionNotFound();
    await commit(
      ctx.db,
      "creatorId" in by ? notificationStatements(ctx, comp) : endedStatements(ctx, comp),
    );
    return comp;
  });
  if ("creatorId" in by) await deliverNotification(ctx, endedKey(subscriptionId));
  return ended;
}

/** Ends a comp whose time is over. Does nothing when it is not over or already ended. */
export async function expireComp(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<void> {
  const over = await retryOnConflict(async () => {
    const comp = await activeComp(ctx, { subscriptionId });
    if (!comp || comp.compEndsAt > ctx.now()) return null;
    await commit(ctx.db, notificationStatements(ctx, comp));
    return comp;
  });
  if (!over) return;
  await deliverNotification(ctx, endedKey(subscriptionId));
  // The paid upcoming subscription starts at the same moment.
  const next = (await liveSubscriptions(ctx, over)).find(({ status }) => status === "upcoming");
  if (next) await advanceSubscription(ctx, { subscriptionId: next.id });
}

function notificationStatements(ctx: Context, comp: Comp): BatchWrite[] {
  const { id, fanId, planName, creatorName, creatorUsername } = comp;
  return [
    ...endedStatements(ctx, comp),
    announce<CompMessage>(ctx, endedKey(id), {
      type: "comp.ended",
      subscriptionId: id,
      fanId,
      creatorName,
      creatorUsername,
      planName,
    }),
  ];
}

/** The fan keeps following after the end. Source: issue 4, "Comments, likes, follows". */
const endedStatements = (ctx: Context, comp: Comp): BatchWrite[] => [
  ...endNowStatements(ctx, comp),
  ensureFollowingStatement(ctx, { followerId: comp.fanId, creatorId: comp.creatorId }),
];
