import { and, asc, eq } from "drizzle-orm";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { addDays, MINUTE_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { charges } from "#drizzle/schema/payments.ts";
import type { World } from "./context.ts";
import { cardToken, payAtBank } from "./payments.ts";
import type { Seller, TestPerson } from "./people.ts";
import { subscriptionOfId } from "./plan-changes.ts";

/** Test cards: one is declined off session, one is stolen, one requires 3DS, one is approved. */
export const DECLINED_OFF_SESSION_CARD = "4000000000000341";
export const STOLEN_CARD = "4000000000009979";
export const ASKS_3DS_CARD = "4000002760003184";
export const APPROVED_CARD = "4242424242424242";

/** Subscribes `fan` with the card `number`. The renewal's period starts at `startsAt`. */
export async function subscribedByCard(
  world: World,
  fan: TestPerson,
  seller: Seller,
  number: string,
): Promise<{ subscriptionId: string; startsAt: number }> {
  const started = await startSubscription(world.ctx, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: seller.priceId,
    method: "card",
    cardToken: await cardToken(world, number),
  });
  const charge = await chargeRow(world.ctx, started);
  if (charge?.status === "requires_action")
    await payAtBank(world, { providerChargeId: charge.providerChargeId ?? "" });
  await world.drain();
  const subscriptionId = charge?.purchaseId ?? "";
  return {
    subscriptionId,
    startsAt: (await subscriptionOfId(world.ctx, subscriptionId)).currentPeriodEndsAt ?? 0,
  };
}

/** Commands and reads for the renewal at `startsAt`. */
export function renewalHelpers(
  of: () => { world: World; fan: TestPerson; subscriptionId: string; startsAt: number },
) {
  const db = () => of().world.ctx.db;
  return {
    row: () => subscriptionOfId(of().world.ctx, of().subscriptionId),
    attempts: () =>
      db()
        .select()
        .from(charges)
        .where(
          and(
            eq(charges.purchaseId, of().subscriptionId),
            eq(charges.periodStartsAt, of().startsAt),
          ),
        )
        .orderBy(asc(charges.createdAt)),
    emails: async (subjectPart: string) =>
      (
        await db()
          .select()
          .from(localMails)
          .where(eq(localMails.recipient, of().fan.email))
          .orderBy(asc(localMails.createdAt))
      ).filter(({ subject }) => subject.includes(subjectPart)),
    notified: async (kind: "subscription.renewal_failed" | "subscription.renewal_to_confirm") =>
      await db().$count(
        notifications,
        and(eq(notifications.personId, of().fan.id), eq(notifications.kind, kind)),
      ),
    goTo: async (days: number, ms = MINUTE_MS): Promise<void> => {
      const { world, startsAt } = of();
      await world.advance(addDays(startsAt, days) + ms - world.ctx.now());
      await world.tick();
    },
  };
}
