import { and, eq, gt, isNull, lt, ne, or, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { ConditionalWrite, DbStatement, BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import {
  PageNotOpen,
  PlanArchived,
  PlanChanged,
  PlanNotActivatable,
  PlanNotFound,
  PriceInvalid,
  SeatsBelowTaken,
  TooManyPlans,
} from "./errors.ts";
import { creatorPlan, loadPlanActivationInput } from "./queries.server.ts";
import {
  activationProblem,
  MAXIMUM_ACTIVE_PLANS,
  MAXIMUM_OPEN_PLANS,
  priceProblem,
} from "./rules.ts";
import type { Plan, PlanInput, PlanPrice } from "./schema.ts";
import { UNDO_MS } from "#app/domain/time.ts";
import { planPrices, plans } from "#drizzle/schema/plans.ts";

/** The plan's creator, and the team member who acts; null when the creator acts. */
type PlanActor = { creatorId: string; actedBy?: string | null };

/**
 * Creates a draft, which only its creator sees. Refuses PageNotOpen without a page, a price out of
 * bounds, and more than 30 open plans.
 */
export async function createPlan(
  ctx: Context,
  { creatorId, actedBy = null, ...input }: PlanInput & PlanActor,
): Promise<{ planId: string }> {
  refuseBadPrices(input.prices);
  const activation = await loadPlanActivationInput(ctx, { creatorId });
  if (!activation.isCreator) throw new PageNotOpen();
  if (activation.openPlans >= MAXIMUM_OPEN_PLANS) throw new TooManyPlans(MAXIMUM_OPEN_PLANS);
  const planId = ctx.newId();
  const now = ctx.now();
  const open = sql`(SELECT COUNT(*) FROM plans AS others WHERE others.creator_id = ${creatorId} AND others.state <> 'archived')`;
  const withinLimit = and(
    eq(plans.id, planId),
    sql`${open} <= CAST(${MAXIMUM_OPEN_PLANS} AS INTEGER)`,
  );
  const writes = [
    ctx.db.insert(plans).values({
      id: planId,
      creatorId,
      ...textsOf(input),
      state: "draft",
      actedBy,
      createdAt: now,
      updatedAt: now,
    }),
    // Guards against plans created at the same moment.
    mustChangeOne(ctx.db.update(plans).set({ updatedAt: now }).where(withinLimit)),
    ...input.prices.map((price) => priceStatement(ctx, planId, price)),
  ];
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    throw error instanceof StaleWrite ? new TooManyPlans(MAXIMUM_OPEN_PLANS) : error;
  }
  return { planId };
}

/**
 * Changes a draft or active plan. A price is never edited: a new one is inserted and the old one
 * retired, so subscribers keep theirs. Refuses other creators' plans, archived ones, and a limit
 * below the seats taken.
 */
export async function updatePlan(
  ctx: Context,
  { creatorId, planId, actedBy = null, ...input }: PlanInput & PlanActor & { planId: string },
): Promise<void> {
  refuseBadPrices(input.prices);
  const plan = await ownPlan(ctx, { creatorId, planId });
  if (plan.state === "archived") throw new PlanArchived();
  if (input.seatsLimit !== null && input.seatsLimit < plan.seatsTaken)
    throw new SeatsBelowTaken(plan.seatsTaken);
  const retired = plan.prices.filter(
    (old) => !input.prices.some((price) => isSamePrice(old, price)),
  );
  const fresh = input.prices.filter((price) => !plan.prices.some((old) => isSamePrice(old, price)));
  await commitPlan(ctx, [
    mustChangeOne(
      ctx.db
        .update(plans)
        .set({ ...textsOf(input), actedBy, updatedAt: ctx.now() })
        .where(
          and(
            eq(plans.id, planId),
            ne(plans.state, "archived"),
            input.seatsLimit === null
              ? undefined
              : sql`${plans.seatsTaken} <= CAST(${input.seatsLimit} AS INTEGER)`,
          ),
        ),
    ),
    ...retired.map((price) => retireStatement(ctx, price.id)),
    ...fresh.map((price) => priceStatement(ctx, planId, price)),
  ]);
}

/**
 * Puts a draft on sale; does nothing if it already is. Refuses without submitted documents, under
 * 18, archived plans, and an eleventh active one.
 */
export async function activatePlan(
  ctx: Context,
  { creatorId, planId, actedBy = null }: PlanActor & { planId: string },
): Promise<void> {
  const plan = await ownPlan(ctx, { creatorId, planId });
  if (plan.state === "active") return;
  const documents = await documentsOfPerson(ctx, { personId: creatorId });
  const { activePlans } = await loadPlanActivationInput(ctx, { creatorId });
  const problem = activationProblem({ state: plan.state, documents, activePlans }, ctx.now());
  if (problem) throw new PlanNotActivatable(problem);
  await commitPlan(ctx, [
    mustChangeOne(
      ctx.db
        .update(plans)
        .set({ state: "active", actedBy, updatedAt: ctx.now() })
        .where(
          and(
            eq(plans.id, planId),
            eq(plans.state, "draft"),
            // When two tabs activate two plans at the limit, only one succeeds.
            sql`(SELECT COUNT(*) FROM plans AS others WHERE others.creator_id = ${creatorId} AND others.state = 'active') < CAST(${MAXIMUM_ACTIVE_PLANS} AS INTEGER)`,
          ),
        ),
    ),
  ]);
}

/**
 * Takes a plan off sale; its subscribers keep it. Does nothing if it is already archived. After the
 * ten minutes of `restorePlan` it stays so.
 */
export async function archivePlan(
  ctx: Context,
  { creatorId, planId, actedBy = null }: PlanActor & { planId: string },
): Promise<void> {
  const plan = await ownPlan(ctx, { creatorId, planId });
  if (plan.state === "archived") return;
  await commitPlan(ctx, [
    mustChangeOne(
      ctx.db
        .update(plans)
        .set({ state: "archived", actedBy, updatedAt: ctx.now() })
        .where(and(eq(plans.id, planId), ne(plans.state, "archived"))),
    ),
  ]);
}

/**
 * Takes an archiving back within ten minutes: the plan is on sale again, or a draft where it was
 * never on sale (`state`). Does nothing if the plan is not archived. Refuses PlanNotFound,
 * PlanArchived after ten minutes, what `activatePlan` refuses, and more than 30 open plans.
 */
export async function restorePlan(
  ctx: Context,
  {
    creatorId,
    planId,
    state,
    actedBy = null,
  }: PlanActor & { planId: string; state: "draft" | "active" },
): Promise<void> {
  const plan = await ownPlan(ctx, { creatorId, planId });
  if (plan.state !== "archived") return;
  const { activePlans, openPlans } = await loadPlanActivationInput(ctx, { creatorId });
  if (openPlans >= MAXIMUM_OPEN_PLANS) throw new TooManyPlans(MAXIMUM_OPEN_PLANS);
  if (state === "active") {
    const documents = await documentsOfPerson(ctx, { personId: creatorId });
    const problem = activationProblem({ state: "draft", documents, activePlans }, ctx.now());
    if (problem) throw new PlanNotActivatable(problem);
  }
  const others = sql`FROM plans AS others WHERE others.creator_id = ${creatorId} AND others.state`;
  const restored = await ctx.db
    .update(plans)
    .set({ state, actedBy, updatedAt: ctx.now() })
    .where(
      and(
        eq(plans.id, planId),
        eq(plans.state, "archived"),
        gt(plans.updatedAt, ctx.now() - UNDO_MS),
        sql`(SELECT COUNT(*) ${others} <> 'archived') < CAST(${MAXIMUM_OPEN_PLANS} AS INTEGER)`,
        state === "active"
          ? sql`(SELECT COUNT(*) ${others} = 'active') < CAST(${MAXIMUM_ACTIVE_PLANS} AS INTEGER)`
          : undefined,
      ),
    )
    .returning({ id: plans.id });
  if (restored.length === 0) throw new PlanArchived();
}

/**
 * Takes a seat of an active plan for a live charge or subscription; throws StaleWrite when it is
 * not sold or is full.
 */
export function holdSeatStatement(ctx: Context, { planId }: { planId: string }): ConditionalWrite {
  return mustChangeOne(
    ctx.db
      .update(plans)
      .set({ seatsTaken: sql`${plans.seatsTaken} + 1` })
      .where(
        and(
          eq(plans.id, planId),
          eq(plans.state, "active"),
          or(isNull(plans.seatsLimit), lt(plans.seatsTaken, plans.seatsLimit)),
        ),
      ),
  );
}

/** Releases a seat, whatever the state of the plan. */
export function releaseSeatStatement(ctx: Context, { planId }: { planId: string }): DbStatement {
  return ctx.db
    .update(plans)
    .set({ seatsTaken: sql`${plans.seatsTaken} - 1` })
    .where(and(eq(plans.id, planId), gt(plans.seatsTaken, 0)));
}

async function ownPlan(
  ctx: Context,
  { creatorId, planId }: { creatorId: string; planId: string },
): Promise<Plan> {
  const plan = await creatorPlan(ctx, { planId, creatorId });
  if (!plan) throw new PlanNotFound();
  return plan;
}

function refuseBadPrices(prices: PlanInput["prices"]): void {
  const problem = prices
    .map((price) => priceProblem(price.amountCents))
    .find((found) => found !== null);
  if (problem) throw new PriceInvalid(problem);
  if (prices.length === 0) throw new PriceInvalid("Informe o preço");
  if (new Set(prices.map((price) => price.interval)).size < prices.length) {
    throw new PriceInvalid("Um plano tem um preço só para cada período");
  }
}

function textsOf({
  name,
  description,
  benefits,
  seatsLimit,
  welcomeMessage,
  trialDays,
}: PlanInput) {
  return {
    name,
    description,
    benefits,
    seatsLimit,
    welcomeMessage,
    ...(trialDays === undefined ? {} : { trialDays }),
  };
}

function isSamePrice(old: PlanPrice, price: PlanInput["prices"][number]): boolean {
  return old.interval === price.interval && old.amountCents === price.amountCents;
}

function priceStatement(
  ctx: Context,
  planId: string,
  price: PlanInput["prices"][number],
): DbStatement {
  return ctx.db.insert(planPrices).values({
    id: ctx.newId(),
    planId,
    interval: price.interval,
    amountCents: price.amountCents,
    createdAt: ctx.now(),
  });
}

function retireStatement(ctx: Context, planPriceId: string): ConditionalWrite {
  return mustChangeOne(
    ctx.db
      .update(planPrices)
      .set({ retiredAt: ctx.now() })
      .where(and(eq(planPrices.id, planPriceId), isNull(planPrices.retiredAt))),
  );
}

async function commitPlan(ctx: Context, writes: BatchWrite[]): Promise<void> {
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    if (error instanceof StaleWrite || error instanceof UniqueViolation) throw new PlanChanged();
    throw error;
  }
}
