import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { isHiddenByAge, personIdByKey } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { canSell } from "#app/domain/documents/rules.ts";
import { publicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { PublicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { hasFreeSeat } from "#app/domain/plans/rules.ts";
import { intervals } from "#app/domain/plans/schema.ts";
import type { Interval, Plan, PlanPrice, PlanState } from "#app/domain/plans/schema.ts";
import { documents } from "#drizzle/schema/documents.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { planPrices, plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { vacationUntilSql } from "./queries/vacations.server.ts";

/** More than anyone may have open; a limit on what one page reads. */
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

/** The statement behind `plansOfCreator`; `plansFromRows` reads what it gives. */
export function plansOfCreatorStatement(
  ctx: Context,
  { creatorId, states }: { creatorId: string; states: PlanState[] },
) {
  return planRows(ctx, and(eq(plans.creatorId, creatorId), inArray(plans.state, states)));
}

/**
 * The active plans of a page, named by its username or its person's id; `plansFromRows` reads what
 * it gives.
 */
export function plansOfSpaceStatement(ctx: Context, { creatorKey }: { creatorKey: string }) {
  return planRows(
    ctx,
    and(eq(plans.creatorId, personIdByKey(creatorKey)), eq(plans.state, "active")),
  );
}

/** Plans of rows that hold one price each; cheapest first. */
export function plansFromRows(rows: PlanRow[]): Plan[] {
  const byId = new Map<string, Plan>();
  for (const { priceId, interval, amountCents, ...plan } of rows) {
    const known = byId.get(plan.id) ?? { ...plan, prices: [] };
    if (priceId !== null && interval !== null && amountCents !== null)
      known.prices.push({ id: priceId, interval, amountCents });
    byId.set(plan.id, known);
  }
  const found = [...byId.values()];
  for (const plan of found)
    plan.prices.sort((a, b) => intervals.indexOf(a.interval) - intervals.indexOf(b.interval));
  return found.sort((a, b) => (a.prices[0]?.amountCents ?? 0) - (b.prices[0]?.amountCents ?? 0));
}

/** Plans of one creator in any of `states`, each with the prices it sells at now; cheapest first. */
export async function plansOfCreator(
  ctx: Context,
  input: { creatorId: string; states: PlanState[] },
): Promise<Plan[]> {
  return plansFromRows(await plansOfCreatorStatement(ctx, input));
}

/** One's own plan in any state, or null. */
export async function creatorPlan(
  ctx: Context,
  { planId, creatorId }: { planId: string; creatorId: string },
): Promise<Plan | null> {
  const [plan] = plansFromRows(
    await planRows(ctx, and(eq(plans.id, planId), eq(plans.creatorId, creatorId))),
  );
  return plan ?? null;
}

/**
 * Who of the creator's team changed a plan last, by name; null when the creator did. For the team's
 * own eyes.
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
 * What a plan needs to be decided on: itself, how many others sell, and whether its person has a
 * space.
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
  /** The price of the interval asked for, or the first. */
  price: PlanPrice;
  creator: { id: string; name: string; username: string; avatarMediaId: string | null };
  /** Who sells, as Decreto 7.962/2013 asks; null while no documents were sent. */
  seller: PublicSeller | null;
  /** Whether it may be bought now, and if not, why. */
  availability: "open" | "not_sold" | "full" | "away";
  /** Until when who sells is away; null when they are not. */
  awayUntil: Instant | null;
};

/**
 * What the checkout shows of a plan, or null for a plan that does not exist, is a draft, or has no
 * price. Archived plans are shown as not sold; so are those whose seller may not sell. Null too for
 * a `buyerId` whose age closes the page to them.
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
