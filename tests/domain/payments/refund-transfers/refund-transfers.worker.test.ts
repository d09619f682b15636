import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { saveBillingDetails } from "#app/domain/billing/details/commands.server.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { remindOfRefundKey } from "#app/domain/payments/refund-transfers/commands/refund-transfers.server.ts";
import {
  refundKeyPage,
  dueRefundKeyReminders,
} from "#app/domain/payments/refund-transfers/queries.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { sendRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { refunds, refundTransfers } from "#drizzle/schema/payments.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { deliverOutbox } from "#tests/support/disputes.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import {
  pendingTransferCents,
  FAILING_KEY,
  giveKey,
  GOOD_KEY,
  emailsTo,
  expiredTip,
  RETURNING_KEY,
  sentCentsAtProvider,
  sendRefundTransferTo,
  openRefundTransfer,
  signatureOf,
  statusesOf,
  transferTriesOf,
} from "#tests/support/refund-transfers.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import { paidTip } from "#tests/support/tips.ts";

let world: World;
let ctx: World["ctx"];
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  // Some tests move months ahead, and pending work of other tests would then be overdue.
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx);
  bruno = await createPerson(ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(ctx));

const now = async (charge: Charge) => await chargeRow(ctx, { chargeId: charge.id });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );

describe("refund of a Pix older than ninety days", () => {
  test("becomes a refund transfer when the provider refuses: leaves the seller's balance at once and goes to the payer's key", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = await openRefundTransfer(world, charge);
    expect(await now(charge)).toMatchObject({ status: "refunded", refundedCents: 2_000 });
    expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 0,
      availableCents: 0,
      owedCents: 0,
    });
    expect(await pendingTransferCents(world, refundId)).toBe(2_000);
    expect(await statusesOf(world, refundId)).toEqual(["awaiting_key"]);
    await sendRefundTransferTo(world, refundId);
    expect(await transferTriesOf(world, refundId)).toMatchObject([
      { status: "paid", pixKey: null, provider: "sandbox" },
    ]);
    expect([
      await pendingTransferCents(world, refundId),
      await sentCentsAtProvider(world, refundId),
    ]).toEqual([0, 2_000]);
    expect((await ctx.payments.chargeById(charge.providerChargeId ?? "")).refundedCents).toBe(0);
  });

  test("also works for a partial refund, and all parts stay within the amount paid", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const first = await openRefundTransfer(world, charge, 700);
    expect(await now(charge)).toMatchObject({ status: "partially_refunded", refundedCents: 700 });
    const second = await openRefundTransfer(world, charge, 1_300);
    expect(await refusal(openRefundTransfer(world, charge, 1))).toBe(
      "Este pagamento já voltou inteiro.",
    );
    await sendRefundTransferTo(world, second);
    await sendRefundTransferTo(world, first);
    expect(await now(charge)).toMatchObject({
      status: "refunded",
      refundedFeeCents: charge.feeCents,
    });
    expect(await sentCentsAtProvider(world, first)).toBe(700);
  });

  test("a younger Pix is refunded by its provider, and so is a card charge of any age", async () => {
    const { charge } = await paidTip(world, bruno, ana);
    await world.advance(89 * DAY_MS);
    const refundId = ctx.newId();
    expect(
      await refundCharge(ctx, {
        sellerId: ana.id,
        decidedBy: ana.id,
        chargeId: charge.id,
        refundId,
        amountCents: 2_000,
        reason: "",
      }),
    ).toBe("succeeded");
    expect(await transferTriesOf(world, refundId)).toEqual([]);
  });

  test("a lost answer from before the ninetieth day is no refusal: a refund the provider accepted is not sent again", async () => {
    const { charge } = await paidTip(world, bruno, ana);
    await world.advance(89 * DAY_MS);
    await world.console("/sandbox/chaos", { timeouts: 1 });
    const refundId = ctx.newId();
    expect(
      await refundCharge(ctx, {
        sellerId: ana.id,
        decidedBy: ana.id,
        chargeId: charge.id,
        refundId,
        amountCents: 2_000,
        reason: "",
      }),
    ).toBe("requested");
    await world.advance(3 * DAY_MS);
    expect(
      await refundCharge(ctx, {
        sellerId: ana.id,
        decidedBy: ana.id,
        chargeId: charge.id,
        refundId,
        amountCents: 2_000,
        reason: "",
      }),
    ).toBe("succeeded");
    expect(await transferTriesOf(world, refundId)).toEqual([]);
    expect((await ctx.payments.chargeById(charge.providerChargeId ?? "")).refundedCents).toBe(
      2_000,
    );
  });

  test("goes to a key too when the provider accepts the refund and then fails it", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = ctx.newId();
    const said = {
      id: "rf_1",
      reference: refundId,
      chargeId: charge.providerChargeId ?? "",
      amountCents: 2_000,
    };
    Object.assign(ctx.payments, {
      refund: async () => ({ ...said, status: "processing" }),
      refundById: async () => ({ ...said, status: "failed" }),
    });
    expect(
      await refundCharge(ctx, {
        sellerId: ana.id,
        decidedBy: ana.id,
        chargeId: charge.id,
        refundId,
        amountCents: 2_000,
        reason: "",
      }),
    ).toBe("requested");
    await sendRefund(ctx, { refundId });
    expect([
      await statusesOf(world, refundId),
      await pendingTransferCents(world, refundId),
    ]).toEqual([["awaiting_key"], 2_000]);
    await sendRefundTransferTo(world, refundId);
    expect(await sentCentsAtProvider(world, refundId)).toBe(2_000);
  });

  test("is completed when it was refunded on the provider's own pages, without an id unknown to the provider", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const { chargeById } = ctx.payments;
    ctx.payments.chargeById = async (id) => ({ ...(await chargeById(id)), refundedCents: 2_000 });
    const refundId = ctx.newId();
    expect(
      await refundCharge(ctx, {
        sellerId: ana.id,
        decidedBy: ana.id,
        chargeId: charge.id,
        refundId,
        amountCents: 2_000,
        reason: "",
      }),
    ).toBe("succeeded");
    expect(
      await ctx.db
        .select({ status: refunds.status, providerRefundId: refunds.providerRefundId })
        .from(refunds)
        .where(eq(refunds.id, refundId)),
    ).toEqual([{ status: "succeeded", providerRefundId: null }]);
    expect(await transferTriesOf(world, refundId)).toEqual([]);
  });

  test("the database refuses a refund made both by the provider and by transfer", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = await openRefundTransfer(world, charge);
    const [row] = await transferTriesOf(world, refundId);
    const cause = (work: PromiseLike<unknown>) =>
      Promise.resolve(work).then(
        () => "done",
        (error: Error) => String(error.cause),
      );
    expect(
      await cause(
        ctx.db.update(refunds).set({ providerRefundId: "rf_1" }).where(eq(refunds.id, refundId)),
      ),
    ).toMatch(/immutable_refund_twice/);
    expect(
      await cause(
        ctx.db
          .update(refundTransfers)
          .set({ status: "claimed" })
          .where(eq(refundTransfers.refundId, refundId)),
      ),
    ).toMatch(/unknown_state/);
    await sendRefundTransferTo(world, refundId);
    expect(
      await cause(
        ctx.db.insert(refundTransfers).values({
          ...row,
          id: "another",
          refundId,
          chargeId: charge.id,
          payerId: bruno.id,
          amountCents: 2_000,
          status: "awaiting_key",
          createdAt: ctx.now(),
        }),
      ),
    ).toMatch(/immutable_refund_twice/);
  });
});

describe("the refund key", () => {
  test("is requested from the payer through a signed address, and the payer is notified when the money is sent", async () => {
    const charge = await expiredTip(world, bruno, ana);
    const refundId = await openRefundTransfer(world, charge);
    await deliverOutbox(ctx);
    const signature = await signatureOf(world, refundId);
    const email = (await emailsTo(world, bruno)).find(({ subject }) =>
      /^Para onde devolvemos R\$\s20,00\?$/.test(subject),
    );
    expect(email?.body).toContain(`/refund/${refundId}/${signature}`);
    expect(email?.body).toContain("O dinheiro fica guardado até lá.");
    expect(await refundKeyPage(ctx, { refundId, signature: `${signature.slice(1)}A` })).toBeNull();
    await sendRefundTransferTo(world, refundId);
    await deliverOutbox(ctx);
    expect((await emailsTo(world, bruno)).map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^Devolvemos R\$\s20,00 por Pix$/),
    );
  });

  test("is requested again after 7, 30 and 90 days, then no more; nobody who gave one is reminded", async () => {
    const refundId = await openRefundTransfer(world, await expiredTip(world, bruno, ana));
    const reminded = async (days: number) => {
      await world.advance(days * DAY_MS);
      for (const transferId of await dueRefundKeyReminders(ctx, { limit: 100 }))
        await Promise.allSettled([
          remindOfRefundKey(ctx, { transferId }),
          remindOfRefundKey(ctx, { transferId }),
        ]);
      return (await transferTriesOf(world, refundId))[0]?.remindersCount;
    };
    expect([
      await reminded(6),
      await reminded(2),
      await reminded(10),
      await reminded(13),
      await reminded(60),
      await reminded(400),
    ]).toEqual([0, 1, 1, 2, 3, 3]);
    await deliverOutbox(ctx);
    expect(
      (await emailsTo(world, bruno)).filter(({ subject }) =>
        /^R\$\s20,00 ainda esperam a sua chave Pix$/.test(subject),
      ),
    ).toHaveLength(3);
    const other = await openRefundTransfer(world, await expiredTip(world, bruno, ana));
    await giveKey(world, other);
    await world.advance(8 * DAY_MS);
    expect(await dueRefundKeyReminders(ctx, { limit: 100 })).not.toContain(
      (await transferTriesOf(world, other))[0]?.id,
    );
    await sendRefundTransferTo(world, other);
  });

  test("of another person is refused when the payer gave a tax id", async () => {
    const address = {
      cep: "",
      street: "",
      number: "",
      complement: "",
      district: "",
      city: "",
      state: "",
    };
    await saveBillingDetails(ctx, {
      personId: bruno.id,
      details: { name: "Bruno", ...GOOD_KEY, ...address },
    });
    const refundId = await openRefundTransfer(world, await expiredTip(world, bruno, ana));
    expect(await refusal(giveKey(world, refundId, FAILING_KEY))).toMatch(
      /^A chave precisa ser o mesmo CPF ou CNPJ/,
    );
    expect(await statusesOf(world, refundId)).toEqual(["awaiting_key"]);
    expect(await refusal(giveKey(world, refundId, GOOD_KEY))).toBe("done");
  });

  test("can be changed until the transfer is sent, and not afterwards", async () => {
    const refundId = await openRefundTransfer(world, await expiredTip(world, bruno, ana));
    await giveKey(world, refundId, FAILING_KEY);
    await sendRefundTransferTo(world, refundId);
    expect(await statusesOf(world, refundId)).toEqual(["paid"]);
    expect(await refusal(giveKey(world, refundId))).toMatch(
      /^Esta devolução não espera mais uma chave/,
    );
  });

  test("unknown to the bank is requested again, and no money is doubled", async () => {
    const refundId = await openRefundTransfer(world, await expiredTip(world, bruno, ana));
    await sendRefundTransferTo(world, refundId, FAILING_KEY);
    expect(await transferTriesOf(world, refundId)).toMatchObject([
      { status: "failed", failureCode: "pix_key_not_found" },
      { status: "awaiting_key" },
    ]);
    expect(await pendingTransferCents(world, refundId)).toBe(2_000);
    await deliverOutbox(ctx);
    expect((await emailsTo(world, bruno)).map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^O Pix de R\$\s20,00 não chegou: confira a sua chave$/),
    );
    await sendRefundTransferTo(world, refundId);
    expect([await statusesOf(world, refundId), await sentCentsAtProvider(world, refundId)]).toEqual(
      [["failed", "paid"], 2_000],
    );
  });

  test("is requested again when the bank returns the money a day later, and the money goes to the next key", async () => {
    const refundId = await openRefundTransfer(world, await expiredTip(world, bruno, ana));
    await sendRefundTransferTo(world, refundId, RETURNING_KEY);
    expect(await statusesOf(world, refundId)).toEqual(["paid"]);
    await world.advance(2 * DAY_MS);
    await world.console("/sandbox/tick");
    await world.drain();
    expect(await statusesOf(world, refundId)).toEqual(["returned", "awaiting_key"]);
    expect(await pendingTransferCents(world, refundId)).toBe(2_000);
    await sendRefundTransferTo(world, refundId);
    expect([
      await pendingTransferCents(world, refundId),
      await sentCentsAtProvider(world, refundId),
    ]).toEqual([0, 2_000]);
  });
});

test("a refusal of a young Pix is still reported as a refusal, and becomes no transfer", async () => {
  const { charge } = await paidTip(world, bruno, ana);
  ctx.payments.refund = () => Promise.reject(new ProviderRefused("insufficient_balance"));
  expect(await refusal(openRefundTransfer(world, charge))).toMatch(
    /^O provedor de pagamento não aceitou esta devolução/,
  );
  expect(await now(charge)).toMatchObject({ status: "succeeded", refundedCents: 0 });
});
