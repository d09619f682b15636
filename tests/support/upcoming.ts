import { eq } from "drizzle-orm";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { claimGift } from "#app/domain/purchases/commands/claim-gift.server.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import type { Checkout } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { giveComp } from "#app/domain/subscriptions/commands/comp.server.ts";
import { subscriptionOf } from "#app/domain/subscriptions/queries.server.ts";
import { actsOn } from "#app/domain/subscriptions/rules.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import type { World } from "./context.ts";
import { gifted } from "./gifts.ts";
import { pay } from "./money.ts";
import { person } from "./people.ts";
import type { Seller, TestPerson } from "./people.ts";
import { subscriptionOfId } from "./plan-changes.ts";

/** What `fan` pays of `seller` before it begins, and what the tests look at. */
export function onUpcoming(of: () => { world: World; seller: Seller; fan: TestPerson }) {
  const ctx = () => of().world.ctx;
  const wish = (more: Partial<Checkout> = {}): Checkout => ({
    memberId: of().fan.id,
    memberName: of().fan.name,
    planPriceId: of().seller.priceId,
    method: "pix",
    cardToken: null,
    ...more,
  });
  const view = (subscriptionId: string) =>
    subscriptionOf(ctx(), { fanId: of().fan.id, subscriptionId });
  const mails = () =>
    ctx().db.select().from(localMails).where(eq(localMails.recipient, of().fan.email));
  return {
    wish,
    row: (id: string) => subscriptionOfId(ctx(), id),
    /** Opens a gift of a month; gives it, and when it ends. */
    given: async () => {
      const { code, gift } = await gifted(
        of().world,
        await person(ctx(), "Bruno Reis"),
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
    /** Is given a courtesy of a month. */
    comped: () =>
      giveComp(ctx(), {
        creatorId: of().seller.id,
        creatorName: of().seller.name,
        givenBy: of().seller.id,
        username: of().fan.username,
        planId: of().seller.planId,
        months: 1,
      }),
    /** Pays now for what begins then. */
    followed: async (beginsAt: number) => {
      const { chargeId } = await startSubscription(ctx(), wish({ beginsAt }));
      const charge = await chargeRow(ctx(), { chargeId });
      await pay(of().world, { providerChargeId: charge?.providerChargeId ?? "" });
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
      return shown ? actsOn(shown, ctx().now()) : [];
    },
    subjects: async () => (await mails()).map(({ subject }) => subject),
    letter: async (about: RegExp) =>
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
