import { eq } from "drizzle-orm";
import { startTrial } from "#app/domain/subscriptions/trials/commands/checkout.server.ts";
import type { TrialCheckout } from "#app/domain/subscriptions/trials/commands/start-trial.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { subscriptions, trialSetups } from "#drizzle/schema/subscriptions.ts";
import type { World } from "./context.ts";
import { cardToken } from "./payments.ts";
import type { Seller, TestPerson } from "./people.ts";
import { subscriptionOfId } from "./plan-changes.ts";

export const TEST_TRIAL_DAYS = 7;
export const TRIAL_PRICE_CENTS = 1_990;
/** Test cards: one requires 3DS, one is declined, one is declined only at later charges. */
export const TRIAL_3DS_CARD = "4000000000003220";
export const TRIAL_DECLINED_CARD = "4000000000000002";
export const TRIAL_DECLINED_LATER_CARD = "4000000000000341";

/** Commands and reads for the trials of `fan` with `seller`. */
export function trialHelpers(of: () => { world: World; seller: Seller; fan: TestPerson }) {
  const db = () => of().world.ctx.db;
  const wish = (more: Partial<TrialCheckout> = {}): TrialCheckout => ({
    memberId: of().fan.id,
    memberName: of().fan.name,
    planPriceId: of().seller.priceId,
    method: "pix",
    cardToken: null,
    trialDays: TEST_TRIAL_DAYS,
    amountCents: TRIAL_PRICE_CENTS,
    ...more,
  });
  const setups = () => db().select().from(trialSetups).where(eq(trialSetups.personId, of().fan.id));
  const row = (id: string) => subscriptionOfId(of().world.ctx, id);
  return {
    wish,
    setups,
    row,
    withCard: async (number?: string): Promise<TrialCheckout> =>
      wish({ method: "card", cardToken: await cardToken(of().world, number) }),
    rows: () => db().select().from(subscriptions).where(eq(subscriptions.fanId, of().fan.id)),
    chargesOf: (subscriptionId: string) =>
      db().select().from(charges).where(eq(charges.purchaseId, subscriptionId)),
    mails: async (subjectPart: string) =>
      (await db().select().from(localMails).where(eq(localMails.recipient, of().fan.email))).filter(
        ({ subject }) => subject.includes(subjectPart),
      ),
    seatsTaken: async () =>
      (
        await db()
          .select({ taken: plans.seatsTaken })
          .from(plans)
          .where(eq(plans.id, of().seller.planId))
      )[0]?.taken,
    began: async (checkout: TrialCheckout): Promise<string> => {
      const started = await startTrial(of().world.ctx, checkout);
      if (started.kind !== "began") throw new Error(`the trial is ${started.kind}`);
      await of().world.drain();
      return started.subscriptionId;
    },
    /** Answers the bank's 3DS check of the saved card. */
    confirmedBy: async (answer: "approve" | "refuse"): Promise<void> => {
      const [setup] = (await setups()).filter(({ status }) => status === "requires_action");
      await of().world.browse(`/save/${setup?.providerMethodId ?? ""}`, {
        method: "POST",
        body: new URLSearchParams({ decision: answer }),
      });
    },
    /** Advances to `days` from the end of the trial, and runs the crons. */
    goTo: async (subscriptionId: string, days: number): Promise<void> => {
      const { world } = of();
      await world.advance(
        ((await row(subscriptionId)).trialEndsAt ?? 0) + days * DAY_MS - world.ctx.now(),
      );
      await world.tick();
      await world.tick();
    },
  };
}
