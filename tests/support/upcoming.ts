import { eq } from "drizzle-orm";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import type { SubscriptionCheckout } from "#app/domain/subscriptions/checkout/commands/offer.server.ts";
import { grantComp } from "#app/domain/subscriptions/comps/commands.server.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { availableActions } from "#app/domain/subscriptions/overview/rules.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import type { World } from "./context.ts";
import { paidGift } from "./gifts.ts";
import { payAtBank } from "./payments.ts";
import { createPerson } from "./people.ts";
import type { Seller, TestPerson } from "./people.ts";
import { subscriptionOfId } from "./plan-changes.ts";

/** Commands and reads for the upcoming subscriptions of `fan` to `seller`. */
export function upcomingHelpers(of: () => { world: World; seller: Seller; fan: TestPerson }) {
  const ctx = () => of().world.ctx;
  const wish = (more: Partial<SubscriptionCheckout> = {}): SubscriptionCheckout => ({
    memberId: of().fan.id,
    memberName: of().fan.name,
    planPriceId: of().seller.priceId,
    method: "pix",
    cardToken: null,
    ...more,
  });
  const view = (subscriptionId: string) =>
    fanSubscription(ctx(), { fanId: of().fan.id, subscriptionId });
  const mails = () =>
    ctx().db.select().from(localMails).where(eq(localMails.recipient, of().fan.email));
  return {
    wish,
    row: (id: string) => subscriptionOfId(ctx(), id),
    /** Claims a one-month gift. Returns its subscription and when it ends. */
    given: async () => {
      const { code, gift } = await paidGift(
        of().world,
        await createPerson(ctx(), "Bruno Reis"),
        of().seller,
      );
      const { subscriptionId, accessUntil } = await claimGift(ctx(), {
        memberId: of().fan.id,
        memberName: of().fan.name,
        code,
      });
      await of().world.drain();
      return { id: subscriptionId, endsAt: accessUntil, giverId: gift.giverId };
    },
    /** Grants a complimentary subscription of one month. */
    comped: () =>
      grantComp(ctx(), {
        creatorId: of().seller.id,
        creatorName: of().seller.name,
        givenBy: of().seller.id,
        username: of().fan.username,
        planId: of().seller.planId,
        months: 1,
      }),
    /** Pays now for a subscription that starts at `beginsAt`. */
    followed: async (beginsAt: number) => {
      const { chargeId } = await startSubscription(ctx(), wish({ beginsAt }));
      const charge = await chargeRow(ctx(), { chargeId });
      await payAtBank(of().world, { providerChargeId: charge?.providerChargeId ?? "" });
      await of().world.drain();
      return { id: charge?.purchaseId ?? "", chargeId };
    },
    goTo: async (at: number): Promise<void> => {
      await of().world.advance(at - ctx().now());
      await of().world.tick();
      await of().world.tick();
    },
    badge: async (id: string) => (await view(id))?.badge,
    acts: async (id: string) => {
      const shown = await view(id);
      return shown ? availableActions(shown, ctx().now()) : [];
    },
    subjects: async () => (await mails()).map(({ subject }) => subject),
    email: async (about: RegExp) =>
      (await mails()).find(({ subject }) => about.test(subject))?.body,
    notices: async (personId: string) =>
      (await ctx().db.select().from(notifications).where(eq(notifications.personId, personId))).map(
        ({ body }) => body,
      ),
    counted: async () =>
      (
        await ctx()
          .db.select({ count: profiles.subscribersCount })
          .from(profiles)
          .where(eq(profiles.personId, of().seller.id))
      )[0]?.count,
    seats: async () =>
      (
        await ctx()
          .db.select({ taken: plans.seatsTaken })
          .from(plans)
          .where(eq(plans.id, of().seller.planId))
      )[0]?.taken,
  };
}
