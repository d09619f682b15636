import { and, asc, eq } from "drizzle-orm";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { returnFromVacation, startVacation } from "#app/domain/plans/commands/vacations.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { chargePeriods, charges } from "#drizzle/schema/payments.ts";
import type { World } from "./context.ts";
import { cardToken } from "./payments.ts";
import type { Seller, TestPerson } from "./people.ts";

/** Matches a time to the minute, because the clock advances while a test runs. */
export const closeTo = (at: number) => ({
  asymmetricMatch: (other: unknown) =>
    typeof other === "number" && Math.abs(other - at) < MINUTE_MS,
  toAsymmetricMatcher: () => `about ${at}`,
});

/** Commands and reads for the vacations of `seller` and their subscriptions. */
export function vacationHelpers(of: () => { world: World; seller: Seller }) {
  const ctx = () => of().world.ctx;
  const chargesOf = (subscriptionId: string) =>
    ctx()
      .db.select()
      .from(charges)
      .where(eq(charges.purchaseId, subscriptionId))
      .orderBy(asc(charges.createdAt));
  return {
    chargesOf,
    row: async (
      subscriptionId: string,
    ): Promise<Subscription & { currentPeriodEndsAt: number; accessUntil: number }> => {
      const found = await subscriptionRow(ctx(), { subscriptionId });
      if (!found || found.currentPeriodEndsAt === null || found.accessUntil === null)
        throw new Error("no subscription");
      return {
        ...found,
        currentPeriodEndsAt: found.currentPeriodEndsAt,
        accessUntil: found.accessUntil,
      };
    },
    open: async (subscriptionId: string) =>
      (await chargesOf(subscriptionId)).filter(({ status }) => status === "awaiting_payment"),
    coveredMs: async (subscriptionId: string) =>
      (
        await ctx()
          .db.select()
          .from(chargePeriods)
          .where(eq(chargePeriods.subscriptionId, subscriptionId))
      ).reduce((sum, { startsAt, endsAt }) => sum + endsAt - startsAt, 0),
    notified: async (personId: string, kind: string) =>
      (
        await ctx()
          .db.select({ body: notifications.body })
          .from(notifications)
          .where(and(eq(notifications.personId, personId), eq(notifications.kind, kind)))
      ).map(({ body }) => body),
    /** Starts a vacation of `days` and shifts every subscription. */
    away: async (days: number): Promise<{ vacationId: string; endsAt: number }> => {
      const started = await startVacation(ctx(), { creatorId: of().seller.id, days });
      await of().world.drain();
      return started;
    },
    back: async (): Promise<void> => {
      await returnFromVacation(ctx(), { creatorId: of().seller.id });
      await of().world.drain();
    },
    wait: async (ms: number): Promise<void> => {
      await of().world.advance(ms);
      await of().world.tick();
    },
    /** Subscribes with a card. Returns the subscription's id. */
    byCard: async (fan: TestPerson): Promise<string> => {
      const { chargeId } = await startSubscription(ctx(), {
        memberId: fan.id,
        memberName: fan.name,
        planPriceId: of().seller.priceId,
        method: "card",
        cardToken: await cardToken(of().world),
      });
      await of().world.drain();
      return (await chargeRow(ctx(), { chargeId }))?.purchaseId ?? "";
    },
  };
}
