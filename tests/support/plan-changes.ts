import { asc, eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { activatePlan, createPlan } from "#app/domain/plans/commands.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { startPlanChange } from "#app/domain/subscriptions/plan-changes/commands/start.server.ts";
import { schedulePlanChange } from "#app/domain/subscriptions/plan-changes/commands/schedule-change.server.ts";
import { planOfPrice } from "#app/domain/subscriptions/queries.server.ts";
import { planChangeOffer } from "#app/domain/subscriptions/plan-changes/queries/quote.server.ts";
import type {
  PlanChangeOffer,
  PlanChangeRequest,
} from "#app/domain/subscriptions/plan-changes/queries/quote.server.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { planChanges, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { testContext } from "./context.ts";
import type { World } from "./context.ts";
import { payAtBank, paidSubscription } from "./payments.ts";
import { createPerson, createSeller } from "./people.ts";
import type { Seller, TestPerson } from "./people.ts";

export type OtherPlan = { planId: string; prices: Record<Interval, string> };

/** Creates another active plan of a creator. Returns the id of each price by its interval. */
export async function otherPlan(
  ctx: Context,
  creatorId: string,
  {
    name = "Palco",
    seatsLimit = null,
    ...prices
  }: { name?: string; seatsLimit?: number | null } & Partial<Record<Interval, number>>,
): Promise<OtherPlan> {
  const sold = Object.entries(prices) as [Interval, number][];
  const { planId } = await createPlan(ctx, {
    creatorId,
    name,
    description: "",
    benefits: ["Tudo"],
    prices: sold.map(([interval, amountCents]) => ({ interval, amountCents })),
    seatsLimit,
    welcomeMessage: "",
  });
  await activatePlan(ctx, { creatorId, planId });
  const plan = await creatorPlan(ctx, { planId, creatorId });
  return {
    planId,
    prices: Object.fromEntries(
      plan?.prices.map(({ interval, id }) => [interval, id]) ?? [],
    ) as Record<Interval, string>,
  };
}

/** The offer of a plan change at this moment. Throws if there is none. */
export async function planChangeOfferNow(
  ctx: Context,
  wish: PlanChangeRequest,
): Promise<PlanChangeOffer> {
  const priced = await planOfPrice(ctx, wish);
  const offer = priced && (await planChangeOffer(ctx, { ...wish, ...priced }));
  if (!offer) throw new Error("nothing to change to");
  return offer;
}

/** Starts an upgrade by Pix, which waits for its payment. */
export async function openUpgrade(
  ctx: Context,
  wish: PlanChangeRequest,
): Promise<Charge & { providerChargeId: string }> {
  const { chargeId } = await startPlanChange(ctx, {
    ...wish,
    payerName: "Bruno",
    method: "pix",
    cardToken: null,
  });
  const charge = await chargeRow(ctx, { chargeId });
  if (!charge?.providerChargeId) throw new Error("the provider never got the charge");
  return { ...charge, providerChargeId: charge.providerChargeId };
}

/** Starts an upgrade by Pix, pays it and applies its webhook. */
export async function paidUpgrade(world: World, wish: PlanChangeRequest): Promise<Charge> {
  const code = await openUpgrade(world.ctx, wish);
  await payAtBank(world, code);
  await world.drain();
  return code;
}

/** Schedules a plan change for the next period, as its page quotes it. */
export async function scheduledPlanChange(ctx: Context, wish: PlanChangeRequest): Promise<void> {
  const { quote } = await planChangeOfferNow(ctx, wish);
  if (quote.happens !== "next_period") throw new Error("it would happen now");
  await schedulePlanChange(ctx, { ...wish, beginsAt: quote.beginsAt, nextCents: quote.nextCents });
}

export async function subscriptionOfId(ctx: Context, subscriptionId: string) {
  const [row] = await ctx.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId));
  if (!row) throw new Error("no subscription");
  return row;
}

export type PlanChangeScenario = {
  world: World;
  ana: Seller;
  bruno: TestPerson;
  subscriptionId: string;
  palco: OtherPlan;
  janela: OtherPlan;
};

/**
 * Creates a scenario: Bruno subscribes to Ana's plan Camarim for R$ 30,00 a month. Ana also sells
 * Palco (R$ 60,00 a month or R$ 600,00 a year) and Janela (R$ 9,00), with two seats each.
 */
export async function createPlanChangeScenario(): Promise<PlanChangeScenario> {
  const world = await testContext();
  const ana = await createSeller(world.ctx, { amountCents: 3_000 });
  const palco = await otherPlan(world.ctx, ana.id, {
    name: "Palco",
    monthly: 6_000,
    annual: 60_000,
    seatsLimit: 2,
  });
  const janela = await otherPlan(world.ctx, ana.id, {
    name: "Janela",
    monthly: 900,
    seatsLimit: 2,
  });
  const bruno = await createPerson(world.ctx, "Bruno");
  const subscriptionId = (await paidSubscription(world, bruno, ana)).purchaseId;
  return { world, ana, bruno, subscriptionId, palco, janela };
}

/** Commands and reads for the subscription of the current scenario. */
export function planChangeHelpers(stage: () => PlanChangeScenario) {
  const db = () => stage().world.ctx.db;
  const row = () => subscriptionOfId(stage().world.ctx, stage().subscriptionId);
  const chargesNow = () =>
    db()
      .select()
      .from(charges)
      .where(eq(charges.purchaseId, stage().subscriptionId))
      .orderBy(asc(charges.createdAt));
  async function wait(ms: number): Promise<void> {
    const { world } = stage();
    await world.advance(ms);
    await world.tick();
    await world.tick();
  }
  return {
    row,
    wait,
    chargesNow,
    memberIds: () => ({ fanId: stage().bruno.id, subscriptionId: stage().subscriptionId }),
    to: (planPriceId: string) => ({
      fanId: stage().bruno.id,
      subscriptionId: stage().subscriptionId,
      planPriceId,
    }),
    untilRenewal: async (ms: number) =>
      wait(((await row()).currentPeriodEndsAt ?? 0) - stage().world.ctx.now() + ms),
    renewal: async () =>
      (await chargesNow()).findLast(
        ({ periodStartsAt, status }) => periodStartsAt !== null && status === "awaiting_payment",
      ),
    statusOf: async (chargeId: string | undefined) =>
      (await chargeRow(stage().world.ctx, { chargeId: chargeId ?? "" }))?.status,
    states: async () =>
      (
        await db()
          .select()
          .from(planChanges)
          .where(eq(planChanges.subscriptionId, stage().subscriptionId))
          .orderBy(asc(planChanges.createdAt))
      ).map(({ state }) => state),
    notified: async (kind: string, personId = stage().bruno.id) =>
      (await db().select().from(notifications).where(eq(notifications.personId, personId)))
        .filter((one) => one.kind === kind)
        .map(({ body }) => body),
    /** Seats taken of Camarim, Palco and Janela. */
    seats: async () => {
      const { ana, palco, janela } = stage();
      const rows = await db().select().from(plans);
      return [ana, palco, janela].map(
        ({ planId }) => rows.find((plan) => plan.id === planId)?.seatsTaken,
      );
    },
    /** Everything paid for the subscription and not refunded, in centavos. */
    heldCents: async () =>
      (await chargesNow()).reduce(
        (sum, { succeededAt, amountCents, refundedCents }) =>
          sum + (succeededAt === null ? 0 : amountCents - refundedCents),
        0,
      ),
  };
}
