import { eq } from "drizzle-orm";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { PixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { recurringPix } from "#drizzle/schema/subscriptions.ts";
import type { World } from "./context.ts";
import type { Seller, TestPerson } from "./people.ts";
import { testEnv } from "./worker-env.ts";

type Code = {
  chargeId: string;
  subscriptionId: string;
  mandateId: string;
  /** The provider's id. */ recurringPixId: string;
  providerChargeId: string;
};

/** Starts a checkout by Pix Automático, which waits for its payment. */
export async function mandateCheckout(
  world: World,
  fan: TestPerson,
  seller: Seller,
  more: { coupon?: string } = {},
): Promise<Code> {
  const { chargeId } = await startSubscription(world.ctx, {
    memberId: fan.id,
    memberName: fan.name,
    planPriceId: seller.priceId,
    method: "pix",
    isAutomatic: true,
    cardToken: null,
    ...more,
  });
  return mandateCodeOf(world, chargeId);
}

/** Ids of a Pix Automático charge and its mandate, ours and the provider's. */
export async function mandateCodeOf(world: World, chargeId: string): Promise<Code> {
  const charge = await chargeRow(world.ctx, { chargeId });
  const mandate = await mandateOf(world, charge?.recurringPixId ?? "");
  if (!charge?.providerChargeId || !mandate.providerRecurringPixId)
    throw new Error("the provider never got the code");
  return {
    chargeId,
    subscriptionId: charge.purchaseId,
    mandateId: mandate.id,
    recurringPixId: mandate.providerRecurringPixId,
    providerChargeId: charge.providerChargeId,
  };
}

/** Subscribes `fan` by Pix Automático, pays and applies the webhook. */
export async function mandateSubscriber(
  world: World,
  fan: TestPerson,
  seller: Seller,
  more: { coupon?: string } = {},
): Promise<Code> {
  const code = await mandateCheckout(world, fan, seller, more);
  await atBank(world, `recurring/${code.recurringPixId}/approve`);
  await world.drain();
  const { status, recurringPixId } = await subscriptionRowOf(world, code);
  if (status !== "active" || recurringPixId !== code.mandateId)
    throw new Error(`the subscription is ${status}, debited from ${recurringPixId}`);
  return code;
}

/** Acts as the payer's bank through the sandbox console, such as `recurring/:id/cancel`. */
export async function atBank(world: World, path: string): Promise<void> {
  const { status, body } = await world.console(`/sandbox/${path}`);
  if (status !== 200)
    throw new Error(`/sandbox/${path} answered ${status}: ${JSON.stringify(body)}`);
}

export async function mandateOf(world: World, id: string): Promise<PixMandate> {
  const [row] = await world.ctx.db.select().from(recurringPix).where(eq(recurringPix.id, id));
  if (!row) throw new Error(`no authorisation ${id}`);
  return row;
}

export async function subscriptionRowOf(
  world: World,
  { subscriptionId }: Pick<Code, "subscriptionId">,
): Promise<Subscription> {
  const row = await subscriptionRow(world.ctx, { subscriptionId });
  if (!row) throw new Error("no subscription");
  return row;
}

/** All charges of a subscription, oldest first. */
export async function subscriptionChargesOf(
  world: World,
  { subscriptionId }: Pick<Code, "subscriptionId">,
): Promise<Charge[]> {
  return (await world.ctx.db
    .select()
    .from(charges)
    .where(eq(charges.purchaseId, subscriptionId))
    .orderBy(charges.createdAt, charges.id)) as Charge[];
}

/** The debits of a subscription, oldest first. */
export const debitsOf = async (world: World, of: Pick<Code, "subscriptionId">): Promise<Charge[]> =>
  (await subscriptionChargesOf(world, of)).filter(({ debitOn }) => debitOn !== null);

/** The provider's debit instructions for a charge, oldest first. */
export async function debitInstructionsOf(
  charge: Pick<Charge, "providerChargeId">,
): Promise<{ id: string; status: string; due_on: string }[]> {
  return (
    await testEnv.PSP_DB.prepare(
      "SELECT id, status, due_on FROM instructions WHERE charge_id = ? ORDER BY attempt",
    )
      .bind(charge.providerChargeId)
      .all<{ id: string; status: string; due_on: string }>()
  ).results;
}

/** Status of a Pix mandate at the provider. */
export async function mandateAtProvider({
  recurringPixId,
}: Pick<Code, "recurringPixId">): Promise<string> {
  return (
    (
      await testEnv.PSP_DB.prepare("SELECT status FROM recurring_pix WHERE id = ?")
        .bind(recurringPixId)
        .first<{ status: string }>()
    )?.status ?? "never made"
  );
}

/** Commands and reads for the subscriptions that `fan` pays by Pix Automático. */
export function mandateHelpers(of: () => { world: World; fan: TestPerson }) {
  const startsNext = async (code: Pick<Code, "subscriptionId">) =>
    (await subscriptionRowOf(of().world, code)).currentPeriodEndsAt ?? 0;
  return {
    startsNext,
    memberIds: ({ subscriptionId }: Pick<Code, "subscriptionId">) => ({
      fanId: of().fan.id,
      subscriptionId,
    }),
    emails: async (subjectPart: string) =>
      (
        await of()
          .world.ctx.db.select()
          .from(localMails)
          .where(eq(localMails.recipient, of().fan.email))
      ).filter(({ subject }) => subject.includes(subjectPart)),
    /** Advances to `days` from the start of the next period. */
    goTo: async (
      code: Pick<Code, "subscriptionId">,
      days: number,
      from?: number,
    ): Promise<void> => {
      const { world } = of();
      await world.advance((from ?? (await startsNext(code))) + days * DAY_MS - world.ctx.now());
      await world.tick();
      await world.tick();
    },
  };
}
