import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { resumeConfirmation } from "#app/domain/purchases/checkout/commands/payer-requests.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { advanceSubscription } from "#app/domain/subscriptions/renewals/commands/renew.server.ts";
import { SubscriptionMethodNotOffered } from "#app/domain/subscriptions/errors.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { inbox } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { delivery as asaasDelivery, openAsaas, tokens } from "#tests/integrations/asaas/asaas.ts";
import { openStripe, stripeCards } from "#tests/integrations/stripe/stripe.ts";
import { expectQuarantined, backdateReceived } from "#tests/support/quarantine.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { expectAppliedOnce, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { applyEvent } from "#workers/fees/apply-event.ts";
import { receiveWebhook } from "#workers/payment-webhooks/receive.ts";

let plain: World;
beforeEach(async () => {
  plain = await testContext({ webhooks: false });
});
afterEach(() => expectInvariantsToHold(plain.ctx));

const address = {
  cep: "01310100",
  street: "Avenida Paulista",
  number: "1",
  complement: "",
  district: "Bela Vista",
  city: "São Paulo",
  state: "SP",
};

type Sent = { rawBody: string; headers: Headers };
const post = (name: string, { rawBody, headers }: Sent) =>
  new Request(`https://coreto.test/webhooks/${name}`, { method: "POST", headers, body: rawBody });
const stored = (world: World, objectId: string) =>
  world.ctx.db.select().from(inbox).where(eq(inbox.objectId, objectId));

describe("Stripe", () => {
  function withStripe() {
    const stripe = openStripe();
    return { ...stripe, world: { ...plain, ctx: { ...plain.ctx, payments: stripe.provider } } };
  }

  test("sells a Pix whose webhook event is delivered twice and applied once", async () => {
    const { world, harness } = withStripe();
    const ana = await createSeller(world.ctx);
    const bruno = await createPerson(world.ctx, "Bruno");
    const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
    expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({
      provider: "stripe",
      status: "awaiting_payment",
      pixCode: expect.stringMatching(/^000201/),
    });
    await harness.pay(providerChargeId);
    const sent = await harness.delivery({ type: "charge", id: providerChargeId }, "current");
    const answers = [
      await receiveWebhook(world.ctx, post("stripe", sent)),
      await receiveWebhook(world.ctx, post("stripe", sent)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [row, ...more] = await stored(world, providerChargeId);
    expect(more).toEqual([]);
    await Promise.all([1, 2, 3].map(() => applyEvent(world.ctx, { inboxId: row?.id ?? "" })));
    await plain.drain();
    await expectAppliedOnce(world, { chargeId, fan: bruno, seller: ana });
  });

  test.each(["declines", "asks_3ds"] as const)(
    "keeps its card page open after a card that %s there, and the next card pays",
    async (does) => {
      const { world, harness, account } = withStripe();
      const ana = await createSeller(world.ctx);
      const bruno = await createPerson(world.ctx, "Bruno");
      const { chargeId } = await startSubscription(world.ctx, {
        memberId: bruno.id,
        memberName: bruno.name,
        planPriceId: ana.priceId,
        method: "card",
        cardToken: null,
      });
      const page = await chargeRow(world.ctx, { chargeId });
      expect(page).toMatchObject({
        status: "requires_action",
        providerChargeId: expect.stringMatching(/^cs_/),
        nextActionUrl: expect.stringContaining("/checkout"),
      });
      async function tried(card: string): Promise<void> {
        const { id } = await account.asked("tryCard", { id: page?.providerChargeId ?? "", card });
        const sent = await harness.delivery({ type: "charge", id: String(id) }, "current");
        await receiveWebhook(world.ctx, post("stripe", sent));
        await applyEvent(world.ctx, {
          inboxId: (await stored(world, String(id))).at(-1)?.id ?? "",
        });
      }
      await tried(stripeCards[does]);
      expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({
        status: "requires_action",
        failureCode: null,
        providerChargeId: page?.providerChargeId,
        nextActionUrl: page?.nextActionUrl,
      });
      await tried(stripeCards.approves);
      expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({
        status: "succeeded",
        providerChargeId: expect.stringMatching(/^pi_/),
      });
      expect(
        await liveSubscription(world.ctx, { fanId: bruno.id, creatorId: ana.id }),
      ).toMatchObject({ status: "active" });
      expect(
        (await stored(world, page?.providerChargeId ?? "")).filter(
          ({ quarantinedAt }) => quarantinedAt !== null,
        ),
      ).toEqual([]);
    },
  );

  test("opens a new card page for a renewal whose page expired, and the renewal is paid there", async () => {
    const { world, harness, account } = withStripe();
    const { ctx } = world;
    const [ana, bruno] = [await createSeller(ctx), await createPerson(ctx, "Bruno")];
    const first = await startSubscription(ctx, {
      memberId: bruno.id,
      memberName: bruno.name,
      planPriceId: ana.priceId,
      method: "card",
      cardToken: null,
    });
    const pageOf = async (chargeId: string) =>
      (await chargeRow(ctx, { chargeId }))?.providerChargeId ?? "";
    async function told(objectId: string): Promise<void> {
      await receiveWebhook(
        ctx,
        post("stripe", await harness.delivery({ type: "charge", id: objectId }, "current")),
      );
      await applyEvent(ctx, { inboxId: (await stored(world, objectId)).at(-1)?.id ?? "" });
    }
    await told(
      String(
        (
          await account.asked("tryCard", {
            id: await pageOf(first.chargeId),
            card: stripeCards.approves,
          })
        )["id"],
      ),
    );
    // The renewal needs a card at Stripe's page: the subscription has no saved card.
    await ctx.db
      .update(subscriptions)
      .set({ savedMethodId: null })
      .where(eq(subscriptions.fanId, bruno.id));
    const subscription = await liveSubscription(ctx, { fanId: bruno.id, creatorId: ana.id });
    await world.advance((subscription?.currentPeriodEndsAt ?? 0) - ctx.now() + 1_000);
    const { chargeId } = await advanceSubscription(ctx, { subscriptionId: subscription?.id ?? "" });
    const renewal = { chargeId: chargeId ?? "" };
    const yesterdays = await pageOf(renewal.chargeId);
    expect(await chargeRow(ctx, renewal)).toMatchObject({
      status: "requires_action",
      nextActionUrl: expect.stringContaining(yesterdays),
    });
    await account.act("runOut", { id: yesterdays });
    await told(yesterdays);
    expect(await chargeRow(ctx, renewal)).toMatchObject({
      status: "requires_action",
      providerChargeId: yesterdays,
      nextActionUrl: null,
    });
    expect(
      (await resumeConfirmation(ctx, { ...renewal, memberId: bruno.id })).nextActionUrl,
    ).toContain(await pageOf(renewal.chargeId));
    expect(await pageOf(renewal.chargeId)).not.toBe(yesterdays);
    await told(
      String(
        (
          await account.asked("tryCard", {
            id: await pageOf(renewal.chargeId),
            card: stripeCards.approves,
          })
        )["id"],
      ),
    );
    expect(await chargeRow(ctx, renewal)).toMatchObject({ status: "succeeded" });
    expect(await liveSubscription(ctx, { fanId: bruno.id, creatorId: ana.id })).toMatchObject({
      status: "active",
      currentPeriodStartsAt: subscription?.currentPeriodEndsAt,
    });
  });

  test("refuses a forged event without storing it, and another provider's address answers 404", async () => {
    const { world, harness } = withStripe();
    const forged = await harness.delivery({ type: "charge", id: "pi_forged" }, "forged");
    expect((await receiveWebhook(world.ctx, post("stripe", forged))).status).toBe(401);
    const sent = await harness.delivery({ type: "charge", id: "pi_forged" }, "current");
    expect((await receiveWebhook(world.ctx, post("asaas", sent))).status).toBe(404);
    expect(await stored(world, "pi_forged")).toEqual([]);
  });
});

describe("Asaas", () => {
  function withAsaas() {
    const asaas = openAsaas();
    return { ...asaas, world: { ...plain, ctx: { ...plain.ctx, payments: asaas.provider } } };
  }

  test.each([
    [
      "a payment that is not ours",
      { event: "PAYMENT_RECEIVED", payment: { id: "pay_of_nobody" } },
      "pay_of_nobody",
      "not_there:not_found",
    ],
    [
      "an authorisation that we do not know",
      {
        event: "PIX_AUTOMATIC_RECURRING_AUTHORIZATION_ACTIVATED",
        authorization: { id: "aut_of_nobody" },
      },
      "aut_of_nobody",
      "not_there:not_found",
    ],
    [
      "an order that we do not know",
      {
        event: "PIX_AUTOMATIC_RECURRING_PAYMENT_INSTRUCTION_REFUSED",
        paymentInstruction: { id: "ins_of_nobody" },
      },
      "ins_of_nobody",
      "not_there:not_found",
    ],
    [
      "an event of another kind",
      { event: "INVOICE_SYNCHRONIZED", invoice: { id: "inv" } },
      "INVOICE_SYNCHRONIZED",
      "unknown_type",
    ],
  ])(
    "%s is stored, answered 200, and quarantined with its reason",
    async (_what, body, objectId, reason) => {
      const { world } = withAsaas();
      const sent = asaasDelivery({ id: `evt_${objectId}&1`, ...body }, tokens.current);
      expect((await receiveWebhook(world.ctx, post("asaas", sent))).status).toBe(200);
      const [row] = await stored(world, objectId);
      await backdateReceived(row?.id ?? "", 10 * MINUTE_MS);
      await applyEvent(world.ctx, { inboxId: row?.id ?? "" });
      expect((await stored(world, objectId))[0]).toMatchObject({
        quarantineReason: reason,
        handledAt: null,
      });
      await expectQuarantined(world.ctx, reason === "unknown_type" ? [] : [reason]);
    },
  );

  test("sells a Pix to a payer with a CPF in the billing details, and applies its webhook event once", async () => {
    const { world, harness } = withAsaas();
    const ana = await createSeller(world.ctx);
    const bruno = await createPerson(world.ctx, "Bruno");
    await world.ctx.db.insert(billingDetails).values({
      ...address,
      personId: bruno.id,
      taxKind: "cpf",
      taxId: "52998224725",
      name: "Bruno Teste",
      createdAt: 1,
      updatedAt: 1,
    });
    const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
    await harness.pay(providerChargeId);
    const sent = await harness.delivery({ type: "charge", id: providerChargeId }, "current");
    expect((await receiveWebhook(world.ctx, post("asaas", sent))).status).toBe(200);
    await applyEvent(world.ctx, { inboxId: (await stored(world, providerChargeId))[0]?.id ?? "" });
    await plain.drain();
    await expectAppliedOnce(world, { chargeId, fan: bruno, seller: ana });
  });

  test("refuses a checkout without a CPF, with a message about what is missing, and makes no call", async () => {
    const { world, account } = withAsaas();
    const ana = await createSeller(world.ctx);
    const bruno = await createPerson(world.ctx, "Bruno");
    await expect(pixCheckout(world, bruno, ana)).rejects.toThrow("CPF ou CNPJ");
    expect((await account.received()).filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("offers no card, and a card checkout is refused", async () => {
    const { world } = withAsaas();
    const ana = await createSeller(world.ctx);
    const bruno = await createPerson(world.ctx, "Bruno");
    const checkout = {
      memberId: bruno.id,
      memberName: bruno.name,
      planPriceId: ana.priceId,
      method: "card" as const,
      cardToken: null,
    };
    await expect(startSubscription(world.ctx, checkout)).rejects.toBeInstanceOf(
      SubscriptionMethodNotOffered,
    );
  });

  test("answers 200 to sixteen unreadable events, so that its webhook queue goes on", async () => {
    const { world } = withAsaas();
    const headers = new Headers({ "asaas-access-token": tokens.previous });
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        receiveWebhook(world.ctx, post("asaas", { headers, rawBody: `{broken ${index}` })),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(16).fill(200));
    const rows = await stored(world, "unreadable");
    expect(rows).toHaveLength(16);
    for (const { id } of rows) await applyEvent(world.ctx, { inboxId: id });
    expect(
      (await stored(world, "unreadable")).map(({ quarantineReason }) => quarantineReason),
    ).toEqual(Array(16).fill("unknown_type"));
  });

  test("stores nothing without the webhook token", async () => {
    const { world } = withAsaas();
    const sent = asaasDelivery(
      { id: "evt_x&1", event: "PAYMENT_RECEIVED", payment: { id: "pay_x" } },
      tokens.forged,
    );
    expect((await receiveWebhook(world.ctx, post("asaas", sent))).status).toBe(401);
    expect(await stored(world, "pay_x")).toEqual([]);
  });
});
