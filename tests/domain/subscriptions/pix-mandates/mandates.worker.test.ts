import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { scheduledDebitDay } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import {
  atBank,
  mandateAtProvider,
  mandateOf,
  mandateCheckout,
  subscriptionChargesOf,
  mandateHelpers,
  subscriptionRowOf,
} from "#tests/support/pix-mandates.ts";
import { expectQuarantined } from "#tests/support/quarantine.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const { emails, goTo } = mandateHelpers(() => ({ world, fan: bruno }));

describe("one code for the first payment and the mandate", () => {
  test("paid and authorised, the subscription is active and its renewals are debited", async () => {
    const code = await mandateCheckout(world, bruno, ana);
    expect(await chargeRow(world.ctx, code)).toMatchObject({
      status: "awaiting_payment",
      amountCents: 1_990,
      recurringPixId: code.mandateId,
      debitOn: null,
    });
    expect((await chargeRow(world.ctx, code))?.pixCode).toMatch(/^000201/);
    await atBank(world, `recurring/${code.recurringPixId}/approve`);
    await world.drain();
    const row = await subscriptionRowOf(world, code);
    expect(row).toMatchObject({
      status: "active",
      method: "pix",
      recurringPixId: code.mandateId,
    });
    expect(await mandateOf(world, code.mandateId)).toMatchObject({
      status: "active",
      amountCents: 1_990,
      ceilingCents: 1_990,
      startsOn: scheduledDebitDay(row.currentPeriodEndsAt ?? 0),
      endingAt: null,
    });
    expect(world.changedTopics).toContain(`charge:${code.chargeId}`);
    await world.tick();
    expect(await emails("Pix Automático autorizado")).toHaveLength(1);
  });

  test("paid but not authorised, the subscription is active, renews by Pix codes, and the subscriber is notified", async () => {
    const code = await mandateCheckout(world, bruno, ana);
    await atBank(world, `recurring/${code.recurringPixId}/pay-only`);
    await world.drain();
    expect(await subscriptionRowOf(world, code)).toMatchObject({
      status: "active",
      recurringPixId: null,
    });
    expect(await mandateOf(world, code.mandateId)).toMatchObject({
      status: "rejected",
      attachedAt: null,
    });
    await world.tick();
    expect(await emails("está ativa, sem o Pix Automático")).toHaveLength(1);
    await goTo(code, -2.9);
    expect((await subscriptionChargesOf(world, code)).at(-1)).toMatchObject({
      status: "awaiting_payment",
      debitOn: null,
      recurringPixId: null,
    });
  });

  test("authorised but not paid, the subscription expires and the mandate is canceled at the provider", async () => {
    const code = await mandateCheckout(world, bruno, ana);
    await atBank(world, `recurring/${code.recurringPixId}/approve-only`);
    await world.drain();
    expect(await subscriptionRowOf(world, code)).toMatchObject({
      status: "expired",
      recurringPixId: null,
      holdsSeat: false,
    });
    await world.advance(2 * 60_000);
    await world.tick();
    expect(await mandateAtProvider(code)).toBe("canceled");
    expect(await mandateOf(world, code.mandateId)).toMatchObject({
      status: "canceled",
    });
  });

  test.each(["reject", "expire"])(
    "%s at the bank, the subscription expires and nothing is charged",
    async (act) => {
      const code = await mandateCheckout(world, bruno, ana);
      await atBank(world, `recurring/${code.recurringPixId}/${act}`);
      await world.drain();
      expect(await subscriptionRowOf(world, code)).toMatchObject({
        status: "expired",
        recurringPixId: null,
      });
      expect((await chargeRow(world.ctx, code))?.status).toBe("failed");
      expect(await mandateOf(world, code.mandateId)).toMatchObject({
        status: act === "reject" ? "rejected" : "expired",
      });
    },
  );

  test("unanswered, the charge and the mandate expire", async () => {
    const code = await mandateCheckout(world, bruno, ana);
    await world.advance(31 * 60_000);
    await world.tick();
    await world.tick();
    expect(await subscriptionRowOf(world, code)).toMatchObject({ status: "expired" });
    expect(["expired", "canceled"]).toContain((await mandateOf(world, code.mandateId)).status);
  });

  test.each([
    ["the payment first", (paid: string, agreed: string) => [paid, agreed]],
    ["the authorisation first", (paid: string, agreed: string) => [agreed, paid]],
    ["the payment alone, the authorisation lost", (paid: string) => [paid]],
    ["the authorisation alone, the payment lost", (_paid: string, agreed: string) => [agreed]],
    ["each twice", (paid: string, agreed: string) => [agreed, paid, paid, agreed]],
  ])("events of %s have the same result", async (_what, order) => {
    const quiet = await testContext({ webhooks: false });
    const code = await mandateCheckout(quiet, bruno, ana);
    await atBank(quiet, `recurring/${code.recurringPixId}/approve`);
    for (const [index, objectId] of order(code.providerChargeId, code.recurringPixId).entries()) {
      const id = quiet.ctx.newId();
      await quiet.ctx.db.insert(inbox).values({
        id,
        provider: "sandbox",
        providerEventId: `${id}-${index}`,
        type: objectId === code.recurringPixId ? "recurring_pix" : "charge",
        objectId,
        body: "{}",
        receivedAt: 0,
      });
      await quiet.ctx.queues.paymentEvents.send({ version: 1, type: "inbox.received", id });
      await quiet.drain();
    }
    expect(await subscriptionRowOf(quiet, code)).toMatchObject({
      status: "active",
      recurringPixId: code.mandateId,
    });
    expect(await quiet.ctx.db.$count(inbox, eq(inbox.objectId, code.recurringPixId))).toBe(
      order("", code.recurringPixId).filter((id) => id === code.recurringPixId).length,
    );
  });

  test("without any webhook event, the approval is found by a lookup", async () => {
    const quiet = await testContext({ webhooks: false });
    const code = await mandateCheckout(quiet, bruno, ana);
    await atBank(quiet, `recurring/${code.recurringPixId}/approve`);
    await quiet.advance(31 * 60_000);
    await quiet.tick();
    await quiet.tick();
    expect(await subscriptionRowOf(quiet, code)).toMatchObject({
      status: "active",
      recurringPixId: code.mandateId,
    });
  });

  test("an event of an unknown mandate is quarantined with its reason", async () => {
    const id = world.ctx.newId();
    const code = await mandateCheckout(world, bruno, ana);
    await world.env.DB.prepare("DELETE FROM recurring_pix WHERE id = ?").bind(code.mandateId).run();
    await world.ctx.db.insert(inbox).values({
      id,
      provider: "sandbox",
      providerEventId: id,
      type: "recurring_pix",
      objectId: code.recurringPixId,
      body: "{}",
      receivedAt: 0,
    });
    await world.ctx.queues.paymentEvents.send({ version: 1, type: "inbox.received", id });
    await world.drain();
    const [event] = await world.ctx.db.select().from(inbox).where(eq(inbox.id, id));
    expect(event).toMatchObject({ quarantineReason: "unknown_recurring_pix", handledAt: null });
    await expectQuarantined(world.ctx, ["unknown_recurring_pix"]);
  });

  test("a second tab gets the same code; another payment method cancels it, at the provider too", async () => {
    const code = await mandateCheckout(world, bruno, ana);
    const wish = {
      memberId: bruno.id,
      memberName: bruno.name,
      planPriceId: ana.priceId,
      method: "pix" as const,
      cardToken: null,
    };
    expect((await startSubscription(world.ctx, { ...wish, isAutomatic: true })).chargeId).toBe(
      code.chargeId,
    );
    const other = await startSubscription(world.ctx, wish);
    expect(other.chargeId).not.toBe(code.chargeId);
    expect(await mandateAtProvider(code)).toBe("canceled");
    expect((await chargeRow(world.ctx, code))?.status).toBe("failed");
    expect(await chargeRow(world.ctx, other)).toMatchObject({
      status: "awaiting_payment",
      recurringPixId: null,
    });
  });
});
