import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { createCoupon } from "#app/domain/plans/commands/coupons.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { settleMandate } from "#app/domain/subscriptions/pix-mandates/commands/settle-mandate.server.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { recurringPix } from "#drizzle/schema/subscriptions.ts";
import { mandateOf, mandateCheckout, subscriptionRowOf } from "#tests/support/pix-mandates.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { createManualProviderWorld } from "#tests/support/chaos/manual-provider.ts";
import type { EventAbout, ManualProviderWorld } from "#tests/support/chaos/manual-provider.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { applyEvent } from "#workers/fees/apply-event.ts";

let on: ManualProviderWorld;
beforeEach(async () => {
  // Rows of other tests must not be due in the crons of this one.
  await cleanDatabase("DB", testEnv.DB, []);
  on = await createManualProviderWorld();
});
afterEach(() => expectInvariantsToHold(on.world.ctx));

/**
 * Applies an event, and runs `happens` right before the write. By then the event has read
 * everything, and its provider has answered.
 */
async function applyWhile(
  about: EventAbout,
  objectId: string,
  happens: () => Promise<unknown>,
): Promise<void> {
  const inboxId = await on.received(about, objectId);
  let isDone = false;
  const happened = async () => {
    await happens();
    isDone = true;
  };
  const slow = interleaveBeforeWrite(on.world.ctx, happened, /update "inbox"/i);
  await applyEvent(slow, { inboxId, about });
  const [row] = await on.world.ctx.db.select().from(inbox).where(eq(inbox.id, inboxId));
  expect({ isDone, handledAt: row?.handledAt }).toEqual({
    isDone: true,
    handledAt: expect.any(Number),
  });
}

describe("a Pix mandate", () => {
  type Code = Awaited<ReturnType<typeof mandateCheckout>>;
  let code: Code;
  beforeEach(async () => {
    const { world } = on;
    code = await mandateCheckout(
      world,
      await createPerson(world.ctx, "Clara"),
      await createSeller(world.ctx),
    );
    on.paidAtBank(code);
  });
  const standing = async () => ({
    subscription: await subscriptionRowOf(on.world, code),
    mandate: await mandateOf(on.world, code.mandateId),
  });
  /** The payer ends the mandate at their bank, and the webhook event is applied. */
  async function endedAtBank(): Promise<void> {
    const row = on.provider.recurring.get(code.recurringPixId);
    if (!row || !on.provider.endRecurring(row, "canceled"))
      throw new Error("the bank does not end it");
    await on.deliver("recurring_pix", code.recurringPixId);
  }

  test.each([
    ["the payment in its code", "charge", (of: Code) => of.providerChargeId],
    ["itself", "recurring_pix", (of: Code) => of.recurringPixId],
  ] as const)(
    "canceled at the bank while an event of %s attaches it does not attach to the subscription",
    async (_what, about, objectOf) => {
      // The checkout page settles the payment. No event of the mandate was applied.
      await settleCharge(on.world.ctx, code);
      await applyWhile(about, objectOf(code), endedAtBank);
      expect(await standing()).toMatchObject({
        subscription: { status: "active", recurringPixId: null },
        mandate: { status: "canceled", attachedAt: null },
      });
    },
  );

  test.each([
    ["the payment in its code", "charge", (of: Code) => of.providerChargeId],
    ["itself", "recurring_pix", (of: Code) => of.recurringPixId],
  ] as const)(
    "marked as ending while an event of %s starts its subscription does not attach, and is canceled at the provider",
    async (_what, about, objectOf) => {
      const toEnd = async () =>
        await on.world.ctx.db
          .update(recurringPix)
          .set({ endingAt: on.world.ctx.now() })
          .where(eq(recurringPix.id, code.mandateId));
      await applyWhile(about, objectOf(code), toEnd);
      expect(await standing()).toMatchObject({
        subscription: { status: "active", recurringPixId: null },
        mandate: { attachedAt: null },
      });
      // The cron does the same when the process that ends the mandate crashed.
      await settleMandate(on.world.ctx, code);
      expect([
        (await standing()).mandate.status,
        on.provider.recurring.get(code.recurringPixId)?.status,
      ]).toEqual(["canceled", "canceled"]);
    },
  );

  test("canceled at the bank while the payment in its code is applied leaves the payment succeeded", async () => {
    await applyWhile("charge", code.providerChargeId, endedAtBank);
    expect(await standing()).toMatchObject({
      subscription: { status: "active", recurringPixId: null },
      mandate: { status: "canceled" },
    });
    expect(await chargeRow(on.world.ctx, code)).toMatchObject({ status: "succeeded" });
  });

  test("is announced with the same message when it is attached with its payment or after it", async () => {
    const { world } = on;
    const dora = await createSeller(world.ctx);
    await createCoupon(world.ctx, {
      creatorId: dora.id,
      code: "METADE",
      percent: 50,
      amountCents: null,
      cycles: 1,
      usesLimit: null,
      expiresAt: null,
      planIds: null,
    });
    const bought = async (name: string) => {
      const of = await mandateCheckout(world, await createPerson(world.ctx, name), dora, {
        coupon: "METADE",
      });
      on.paidAtBank(of);
      return of;
    };
    const letterOf = async ({ mandateId }: Code) =>
      (
        await world.ctx.db
          .select()
          .from(outbox)
          .where(eq(outbox.id, `authorisation:${mandateId}:authorised`))
      )[0]?.payload ?? {};
    const [together, after] = [await bought("Bia"), await bought("Caio")];
    await on.deliver("charge", together.providerChargeId);
    await settleCharge(world.ctx, after);
    await settleMandate(world.ctx, after);
    const [one, other] = [await letterOf(together), await letterOf(after)];
    expect(one).toMatchObject({
      type: "subscription.automatic",
      what: "authorised",
      nextDebitOn: expect.any(String),
    });
    expect({ ...one, subscriptionId: "", fanId: "" }).toEqual({
      ...other,
      subscriptionId: "",
      fanId: "",
    });
    // The coupon applies only to the payment in the code.
    expect(one.amountCents).toBe((await subscriptionRowOf(world, together)).amountCents);
  });
});
