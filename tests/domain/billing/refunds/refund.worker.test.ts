import { and, eq, isNotNull } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { requestPaymentCoolingOffRefund } from "#app/domain/billing/refunds/commands/cooling-off.server.ts";
import { transactionForViewer } from "#app/domain/billing/statements/queries/transaction.server.ts";
import { transactionFigures, sumEntries } from "#app/domain/billing/statements/rules/figures.ts";
import type {
  TransactionFigureName,
  TransactionSide,
} from "#app/domain/billing/statements/rules/figures.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { charges, refunds } from "#drizzle/schema/payments.ts";
import { follows } from "#drizzle/schema/profiles.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { paidPurchase, purchaseEndsOf, canSeePost, soldPost } from "#tests/support/purchases.ts";

let world: World;
let ctx: World["ctx"];
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
  ana = await createSeller(ctx, { amountCents: 1_000 });
  bruno = await createPerson(ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(ctx));

const wish = (
  charge: { id: string },
  amountCents: number,
  more: { refundId?: string; sellerId?: string | null; reason?: string } = {},
) => ({
  sellerId: ana.id,
  decidedBy: ana.id,
  chargeId: charge.id,
  refundId: ctx.newId(),
  amountCents,
  reason: "",
  ...more,
});
const rowsOf = (charge: { id: string }) =>
  ctx.db.select().from(refunds).where(eq(refunds.chargeId, charge.id)).orderBy(refunds.createdAt);
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: Error) => error.message,
  );

/** Makes the provider answer no refund until the test restores it. */
function unansweredRefunds(): { speak(): void } {
  const { refund } = ctx.payments;
  ctx.payments.refund = () => Promise.reject(new ProviderUnclear("silence"));
  return { speak: () => void (ctx.payments.refund = refund) };
}

describe("a refund by the seller", () => {
  test("of a part returns its share of the fee, keeps the subscription and tells the payer the reason", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    await refundCharge(ctx, wish(charge, 400, { reason: "O ensaio caiu." }));
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({
      status: "partially_refunded",
      refundedCents: 400,
      refundedFeeCents: 20,
    });
    expect(await rowsOf(charge)).toMatchObject([
      {
        amountCents: 400,
        feeShareCents: 20,
        status: "succeeded",
        decidedBy: ana.id,
        reason: "O ensaio caiu.",
      },
    ]);
    expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({ pendingCents: 570 });
    expect(await liveSubscription(ctx, { fanId: bruno.id, creatorId: ana.id })).toMatchObject({
      status: "active",
    });
  });

  test("of the current period ends the subscription at once; the member still follows the creator", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    await refundCharge(ctx, wish(charge, 1_000));
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({
      status: "refunded",
      refundedFeeCents: 50,
    });
    expect(await liveSubscription(ctx, { fanId: bruno.id, creatorId: ana.id })).toBeNull();
    expect(
      await ctx.db.$count(
        follows,
        and(eq(follows.followerId, bruno.id), eq(follows.creatorId, ana.id)),
      ),
    ).toBe(1);
    expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 0,
      availableCents: 0,
    });
  });

  test("of a past period does not affect the current one", async () => {
    const first = await paidSubscription(world, bruno, ana);
    await world.advance(29 * DAY_MS);
    await world.tick();
    const [renewal] = await ctx.db
      .select({ id: charges.providerChargeId })
      .from(charges)
      .where(and(eq(charges.payerId, bruno.id), isNotNull(charges.periodStartsAt)));
    await world.console(`/sandbox/charges/${renewal?.id}/pay`);
    await world.drain();
    await world.advance(10 * DAY_MS);
    await refundCharge(ctx, wish(first, 1_000));
    expect(await chargeRow(ctx, { chargeId: first.id })).toMatchObject({ status: "refunded" });
    expect(await liveSubscription(ctx, { fanId: bruno.id, creatorId: ana.id })).toMatchObject({
      status: "active",
    });
  });

  test("of a one-time purchase closes the post again", async () => {
    const { postId } = await soldPost(ctx, ana);
    const { charge } = await paidPurchase(world, bruno, postId);
    await refundCharge(ctx, wish(charge, charge.amountCents - 1));
    expect(await canSeePost(ctx, bruno, postId)).toBe(true);
    await refundCharge(ctx, wish(charge, 1));
    expect(await canSeePost(ctx, bruno, postId)).toBe(false);
    expect(await purchaseEndsOf(ctx, bruno)).toEqual(["refunded"]);
  });

  test("is not found for another seller's charge or for an unpaid one", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const other = await createSeller(ctx);
    expect(await refusal(refundCharge(ctx, wish(charge, 100, { sellerId: other.id })))).toBe(
      "Não encontramos esta transação.",
    );
    expect(await refusal(refundCharge(ctx, wish({ id: ctx.newId() }, 100)))).toBe(
      "Não encontramos esta transação.",
    );
    expect(await rowsOf(charge)).toEqual([]);
  });

  test("above the rest of the charge is refused at the amount field", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    await refundCharge(ctx, wish(charge, 600));
    await expect(refundCharge(ctx, wish(charge, 401))).rejects.toMatchObject({
      field: "amountCents",
      message: "É mais do que resta desta cobrança.",
    });
    await refundCharge(ctx, wish(charge, 400));
    expect(await refusal(refundCharge(ctx, wish(charge, 1)))).toBe(
      "Este pagamento já voltou inteiro.",
    );
  });

  test("in parts of 333, 333 and 333 returns the whole fee despite rounding", async () => {
    const charge = await paidSubscription(
      world,
      bruno,
      await createSeller(ctx, { amountCents: 999 }),
    );
    for (const amountCents of [333, 333, 333])
      await refundCharge(ctx, wish(charge, amountCents, { sellerId: null }));
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({
      status: "refunded",
      refundedFeeCents: charge.feeCents,
    });
  });

  test("can be made by a moderator for any charge", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    await refundCharge(ctx, wish(charge, 100, { sellerId: null }));
    expect(await rowsOf(charge)).toMatchObject([{ reason: "O Coreto devolveu este pagamento." }]);
  });
});

describe("concurrent refunds", () => {
  test("repeated clicks of one form refund once", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const twice = wish(charge, 300);
    await Promise.all([
      refundCharge(ctx, twice),
      refundCharge(ctx, twice),
      refundCharge(ctx, twice),
    ]);
    await refundCharge(ctx, twice);
    expect(await rowsOf(charge)).toHaveLength(1);
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({ refundedCents: 300 });
  });

  test("a form for another charge with the same id changes nothing", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const other = await paidSubscription(world, await createPerson(ctx, "Carla"), ana);
    const made = wish(charge, 300);
    await refundCharge(ctx, made);
    expect(await refusal(refundCharge(ctx, { ...made, chargeId: other.id }))).toBe(
      "Não encontramos esta transação.",
    );
    expect(await rowsOf(other)).toEqual([]);
  });

  test("of two decisions one succeeds, and the other is refused because a refund is pending", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const silence = unansweredRefunds();
    const answers = await Promise.all([
      refusal(refundCharge(ctx, wish(charge, 700))),
      refusal(refundCharge(ctx, wish(charge, 700))),
    ]);
    expect(answers.toSorted()).toEqual([
      "Já há uma devolução deste pagamento a caminho. Espere ela ser confirmada para fazer outra.",
      "done",
    ]);
    silence.speak();
    await world.tick();
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({
      status: "partially_refunded",
      refundedCents: 700,
    });
  });

  test("a cooling-off refund during a pending partial refund takes the rest: both add up to the charge and its fee", async () => {
    const odd = await createSeller(ctx, { amountCents: 999 });
    const charge = await paidSubscription(world, bruno, odd);
    const silence = unansweredRefunds();
    await refundCharge(ctx, wish(charge, 333, { sellerId: odd.id }));
    await requestPaymentCoolingOffRefund(ctx, { payerId: bruno.id, chargeId: charge.id });
    expect((await rowsOf(charge)).map((row) => [row.amountCents, row.status])).toEqual([
      [333, "requested"],
      [666, "requested"],
    ]);
    silence.speak();
    await world.tick();
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({
      status: "refunded",
      refundedCents: 999,
      refundedFeeCents: charge.feeCents,
    });
  });

  test("a cooling-off refund after a partial refund takes the rest", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    await refundCharge(ctx, wish(charge, 400));
    await requestPaymentCoolingOffRefund(ctx, { payerId: bruno.id, chargeId: charge.id });
    expect(await chargeRow(ctx, { chargeId: charge.id })).toMatchObject({
      status: "refunded",
      refundedCents: 1_000,
    });
    expect(
      await refusal(requestPaymentCoolingOffRefund(ctx, { payerId: ana.id, chargeId: charge.id })),
    ).toBe("Não encontramos esta transação.");
  });
});

describe("the figures of a payment", () => {
  const SIGN: Record<TransactionFigureName, 1 | -1> = {
    paid: 1,
    spent: 1,
    gross: 1,
    returned: -1,
    refunded: -1,
    recovered: -1,
    disputed: -1,
    fee: -1,
    net: -1,
    released: -1,
  };
  async function figures(charge: Charge, personId: string): Promise<Record<string, number>> {
    const detail = await transactionForViewer(ctx, {
      chargeId: charge.id,
      personId,
      isOwn: true,
      isModerator: false,
    });
    if (!detail) throw new Error("nothing to see");
    const shown = transactionFigures(detail.side, { ...detail.charge, ...detail });
    // Every figure is the sum of its own entries.
    for (const figure of shown)
      expect([figure.name, sumEntries(figure.entries)]).toEqual([
        figure.name,
        figure.cents === 0 ? 0 : SIGN[figure.name] * figure.cents,
      ]);
    return Object.fromEntries(shown.map((figure) => [figure.name, figure.cents]));
  }

  test("match their ledger entries, from the payment to the release and a partial refund", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    expect(await figures(charge, ana.id)).toEqual({ gross: 1_000, fee: 50, net: 950 });
    await world.advance(9 * DAY_MS);
    await world.tick();
    await refundCharge(ctx, wish(charge, 400));
    expect(await figures(charge, ana.id)).toEqual({
      gross: 1_000,
      refunded: 400,
      fee: 30,
      net: 570,
      released: 950,
    });
    expect(await figures(charge, bruno.id)).toEqual({ paid: 1_000, returned: 400, spent: 600 });
  });

  test.each([
    ["open", null, { gross: 1_000, disputed: 1_000, fee: 0, net: 0 }, { paid: 1_000 }],
    [
      "lost",
      "lose",
      { gross: 1_000, disputed: 1_000, fee: 0, net: 0 },
      { paid: 1_000, recovered: 1_000, spent: 0 },
    ],
    ["won", "win", { gross: 1_000, fee: 50, net: 950 }, { paid: 1_000 }],
  ])("match their ledger entries when a dispute is %s", async (_, decision, sellers, payers) => {
    const charge = await paidSubscription(world, bruno, ana);
    const opened = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
    await world.drain();
    if (decision) await world.console(`/sandbox/disputes/${String(opened.body.id)}/${decision}`);
    await world.drain();
    expect(await figures(charge, ana.id)).toEqual(sellers);
    expect(await figures(charge, bruno.id)).toEqual(payers);
  });

  test("show the payer the amount and the refunds without the seller's side, and show others nothing", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const seen = async (
      personId: string,
      more: { isOwn?: boolean; isModerator?: boolean; memberId?: string } = {},
    ): Promise<TransactionSide | null> =>
      (
        await transactionForViewer(ctx, {
          chargeId: charge.id,
          personId,
          isOwn: true,
          isModerator: false,
          ...more,
        })
      )?.side ?? null;
    expect(await seen(bruno.id)).toBe("payer");
    expect(await seen(ana.id)).toBe("seller");
    expect(await seen(ana.id, { isOwn: false })).toBe("seller");
    expect(await seen(bruno.id, { isOwn: false })).toBeNull();
    expect(await seen((await createPerson(ctx)).id)).toBeNull();
    expect(await seen((await createPerson(ctx)).id, { isModerator: true })).toBe("moderation");
    // A moderator who acts for another's page does not see their own payment as staff.
    const elsewhere = { isOwn: false, isModerator: true };
    expect(
      await seen((await createPerson(ctx)).id, { ...elsewhere, memberId: bruno.id }),
    ).toBeNull();
    expect(
      await seen((await createPerson(ctx)).id, {
        ...elsewhere,
        memberId: (await createPerson(ctx)).id,
      }),
    ).toBe("moderation");
    const detail = await transactionForViewer(ctx, {
      chargeId: charge.id,
      personId: bruno.id,
      isOwn: true,
      isModerator: false,
    });
    expect(detail?.entries.map((entry) => entry.accountKind)).toEqual(["provider_clearing"]);
  });
});
