import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isHiddenByAge, personIdByKey } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { canSell } from "#app/domain/documents/rules.ts";
import { publicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { PublicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { hasFreeSeat } from "./rules.ts";
import { intervals } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { Plan, PlanPrice, PlanState } from "./schema.ts";
import { documents } from "#drizzle/schema/documents.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { planPrices, plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { vacationUntilSql } from "#app/domain/plans/queries/vacations.server.ts";

/** More rows than anyone may have open; limits what one page reads. */
const MAXIMUM_ROWS = 500;

const planColumns = {
  id: plans.id,
  creatorId: plans.creatorId,
  name: plans.name,
  description: plans.description,
  benefits: plans.benefits,
  state: plans.state,
  seatsLimit: plans.seatsLimit,
  seatsTaken: plans.seatsTaken,
  welcomeMessage: plans.welcomeMessage,
  trialDays: plans.trialDays,
  createdAt: plans.createdAt,
};

const priceColumns = {
  priceId: planPrices.id,
  interval: planPrices.interval,
  amountCents: planPrices.amountCents,
};

type PlanRow = Omit<Plan, "prices"> & {
  priceId: string | null;
  interval: Interval | null;
  amountCents: Cents | null;
};

function planRows(ctx: Context, condition: SQL | undefined) {
  return ctx.db
    .select({ ...planColumns, ...priceColumns })
    .from(plans)
    .leftJoin(planPrices, and(eq(planPrices.planId, plans.id), isNull(planPrices.retiredAt)))
    .where(condition)
    .orderBy(asc(plans.createdAt), asc(plans.id))
    .limit(MAXIMUM_ROWS);
}

/** The statement of `plansOfCreator`; `plansFromRows` reads its rows. */
export function plansOfCreatorStatement(
  ctx: Context,
  { creatorId, states }: { creatorId: string; states: PlanState[] },
) {
  return planRows(ctx, and(eq(plans.creatorId, creatorId), inArray(plans.state, states)));
}

/**
 * The statement of the active plans of a page, by its username or its creator's id; `plansFromRows`
 * reads its rows.
 */
export function plansOfSpaceStatement(ctx: Context, { creatorKey }: { creatorKey: string }) {
  return planRows(
    ctx,
    and(eq(plans.creatorId, personIdByKey(creatorKey)), eq(plans.state, "active")),
  );
}

/** Builds plans from rows that hold one price each; cheapest first. */
export function plansFromRows(rows: PlanRow[]): Plan[] {
  const byId = new Map<string, Plan>();
  for (const { priceId, interval, amountCents, ...plan } of rows) {
    const withPrices = byId.get(plan.id) ?? { ...plan, prices: [] };
    if (priceId !== null && interval !== null && amountCents !== null)
      withPrices.prices.push({ id: priceId, interval, amountCents });
    byId.set(plan.id, withPrices);
  }
  const found = [...byId.values()];
  for (const plan of found)
    plan.prices.sort((a, b) => intervals.indexOf(a.interval) - intervals.indexOf(b.interval));
  return found.sort((a, b) => (a.prices[0]?.amountCents ?? 0) - (b.prices[0]?.amountCents ?? 0));
}

/** A creator's plans in any of `states`, each with its current prices; cheapest first. */
export async function plansOfCreator(
  ctx: Context,
  input: { creatorId: string; states: PlanState[] },
): Promise<Plan[]> {
  return plansFromRows(await plansOfCreatorStatement(ctx, input));
}

/** A creator's own plan in any state, or null. */
export async function creatorPlan(
  ctx: Context,
  { planId, creatorId }: { planId: string; creatorId: string },
): Promise<Plan | null> {
  const [plan] = plansFromRows(
    await planRows(ctx, and(eq(plans.id, planId), eq(plans.creatorId, creatorId))),
  );
  return plan ?? null;
}

/** The statement of what a plan promises and writes to new subscribers, in whatever state it is. */
export function planTextsStatement(ctx: Context, { planId }: { planId: string }) {
  return ctx.db
    .select({ benefits: plans.benefits, welcomeMessage: plans.welcomeMessage })
    .from(plans)
    .where(eq(plans.id, planId))
    .limit(1);
}

/**
 * The name of the team member who last changed a plan; null when the creator did. Only the team
 * sees it.
 */
export async function planLastChangedBy(
  ctx: Context,
  { planId, creatorId }: { planId: string; creatorId: string },
): Promise<string | null> {
  const row = await ctx.db
    .select({ name: profiles.name })
    .from(plans)
    .innerJoin(profiles, eq(profiles.personId, plans.actedBy))
    .where(and(eq(plans.id, planId), eq(plans.creatorId, creatorId)))
    .get();
  return row?.name ?? null;
}

/**
 * Loads what decides about a new or activated plan: how many plans the creator has open and active,
 * and whether they have a page.
 */
export async function loadPlanActivationInput(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<{ isCreator: boolean; activePlans: number; openPlans: number }> {
  const [[profile], [counts]] = await ctx.db.batch([
    ctx.db
      .select({ isCreator: profiles.isCreator })
      .from(profiles)
      .where(eq(profiles.personId, creatorId))
      .limit(1),
    ctx.db
      .select({
        activePlans: sql<number>`COALESCE(SUM(${plans.state} = 'active'), 0)`,
        openPlans: sql<number>`COALESCE(SUM(${plans.state} <> 'archived'), 0)`,
      })
      .from(plans)
      .where(eq(plans.creatorId, creatorId)),
  ]);
  return {
    isCreator: profile?.isCreator ?? false,
    activePlans: counts?.activePlans ?? 0,
    openPlans: counts?.openPlans ?? 0,
  };
}

export type PlanOffer = {
  plan: Plan;
  prices: PlanPrice[];
  /** The price of the requested interval, or else the first. */
  price: PlanPrice;
  creator: { id: string; name: string; username: string; avatarMediaId: string | null };
  /** The seller, as Decreto 7.962/2013 requires; null until documents are submitted. */
  seller: PublicSeller | null;
  /** Whether it may be bought now, and if not, why. */
  availability: "open" | "not_sold" | "full" | "away";
  /** When the seller's vacation ends; null when they are not on vacation. */
  awayUntil: Instant | null;
};

/**
 * What the checkout shows of a plan; null when it does not exist, is a draft, or has no price.
 * Archived plans, and those of a seller who may not sell, are shown as not sold. Also null for a
 * `buyerId` whose age closes the page to them.
 */
export async function planOffer(
  ctx: Context,
  { planId, interval, buyerId }: { planId: string; interval?: string | null; buyerId?: string },
): Promise<PlanOffer | null> {
  const [rows, [seller]] = await ctx.db.batch([
    planRows(ctx, eq(plans.id, planId)),
    ctx.db
      .select({
        id: profiles.personId,
        name: profiles.name,
        username: profiles.username,
        avatarMediaId: profiles.avatarMediaId,
        bannedAt: people.bannedAt,
        leavingAt: people.leavingAt,
        status: documents.status,
        submittedAt: documents.submittedAt,
        sellerName: documents.sellerName,
        taxKind: documents.taxKind,
        taxId: documents.taxId,
        awayUntil: vacationUntilSql(sql`${plans.creatorId}`, ctx.now()).as("away_until"),
      })
      .from(plans)
      .innerJoin(profiles, eq(profiles.personId, plans.creatorId))
      .innerJoin(people, eq(people.id, plans.creatorId))
      .leftJoin(documents, eq(documents.personId, plans.creatorId))
      .where(
        and(
          eq(plans.id, planId),
          buyerId === undefined
            ? undefined
            : sql`NOT ${isHiddenByAge(buyerId, sql`${plans.creatorId}`, ctx.settings.adultSpaces)}`,
        ),
      )
      .limit(1),
  ]);
  const [plan] = plansFromRows(rows);
  const price = plan?.prices.find((one) => one.interval === interval) ?? plan?.prices[0];
  if (!plan || !price || !seller || plan.state === "draft") return null;
  const { status, submittedAt, awayUntil } = seller;
  const sells = canSell(
    status !== null && submittedAt !== null ? { status, submittedAt } : null,
    ctx.now(),
  );
  return {
    plan,
    prices: plan.prices,
    price,
    creator: {
      id: seller.id,
      name: seller.name,
      username: seller.username,
      avatarMediaId: seller.avatarMediaId,
    },
    seller: publicSeller(seller),
    availability:
      plan.state !== "active" || !sells || seller.bannedAt !== null || seller.leavingAt !== null
        ? "not_sold"
        : awayUntil !== null
          ? "away"
          : hasFreeSeat(plan)
            ? "open"
            : "full",
    awayUntil,
  };
}
