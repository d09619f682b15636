import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refundConsequence } from "#app/domain/billing/refunds/queries/refund.server.ts";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { unusedRefunds } from "#app/domain/subscriptions/coverage/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { refunds } from "#drizzle/schema/payments.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { settleDeletion } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { decideDisputeAtProvider } from "#tests/support/disputes.ts";
import {
  interleaveBeforeNextWrite,
  refundHelpers,
  stubRefundError,
  commandRefusal,
} from "#tests/support/refunds.ts";

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

const { now, giveBack, regret, rowsOf, live, disputed, twoMonthsPaid } = refundHelpers(() => ({
  world,
  seller: ana,
  fan: bruno,
}));

describe("a full refund of one of two payments of a subscription", () => {
  test("ends the subscription when it covers the current period, and refunds the unused days of the other payment", async () => {
    const [given, other] = await twoMonthsPaid();
    const unused = (
      await unusedRefunds(ctx, {
        subscriptionId: given.purchaseId,
        at: ctx.now(),
        everything: false,
      })
    ).find(({ chargeId }) => chargeId === other.id)?.amountCents;
    expect(unused).toBeGreaterThan(0);
    expect(await refundConsequence(ctx, given)).toEqual({
      ends: "subscription",
      alsoCents: unused,
    });
    expect(await giveBack(given, 1_000)).toBe("succeeded");
    expect(await live()).toBeNull();
    await world.tick();
    expect(await now(given)).toMatchObject({ status: "refunded" });
    expect(await now(other)).toMatchObject({ refundedCents: unused });
    // No second refund follows.
    await closeSubscription(ctx, { subscriptionId: given.purchaseId, because: "creator_left" });
    expect(await rowsOf(other)).toHaveLength(1);
  });

  test("removes only the upcoming period when it covers no other", async () => {
    const [first, second] = await twoMonthsPaid();
    const endsAt = (await live())?.currentPeriodStartsAt;
    expect(await refundConsequence(ctx, second)).toEqual({ ends: "period", alsoCents: 0 });
    expect(await giveBack(second, 1_000)).toBe("succeeded");
    expect(await live()).toMatchObject({
      status: "active",
      currentPeriodEndsAt: endsAt,
      accessUntil: endsAt,
    });
    expect(await now(first)).toMatchObject({ refundedCents: 0 });
  });

  test("does not end the subscription while the other payment is under dispute", async () => {
    const [first, second] = await twoMonthsPaid();
    await disputed(second);
    await world.drain();
    expect(await refundConsequence(ctx, first)).toEqual({ ends: "nothing", alsoCents: 0 });
    await giveBack(first, 1_000);
    expect(await live()).toMatchObject({ status: "active" });
  });
});

describe("disputes of both payments of one subscription", () => {
  test("losing one ends the subscription; winning the other later refunds its unusable days", async () => {
    const [first, second] = await twoMonthsPaid();
    const [lost, won] = [await disputed(first), await disputed(second)];
    await world.drain();
    const unused = second.amountCents;
    await decideDisputeAtProvider(world, lost, "lose");
    expect(await live()).toBeNull();
    expect(await rowsOf(second)).toEqual([]);
    await world.advance(5 * DAY_MS);
    await decideDisputeAtProvider(world, won, "win");
    await world.tick();
    expect(await rowsOf(second)).toMatchObject([
      {
        status: "succeeded",
        amountCents: unused,
        reason: expect.stringContaining("outro pagamento dela voltou"),
      },
    ]);
    expect(await now(second)).toMatchObject({ status: "refunded" });
    expect(await creatorBalances(ctx, { creatorId: ana.id })).toMatchObject({
      pendingCents: 0,
      availableCents: 0,
      reservedCents: 0,
      owedCents: 0,
    });
  });

  test("winning both keeps both payments and the subscription", async () => {
    const [first, second] = await twoMonthsPaid();
    const disputesOpened = [await disputed(first), await disputed(second)];
    await world.drain();
    for (const dispute of disputesOpened) await decideDisputeAtProvider(world, dispute, "win");
    await world.tick();
    expect([...(await rowsOf(first)), ...(await rowsOf(second))]).toEqual([]);
    expect(await live()).toMatchObject({ status: "active" });
  });

  test("losing the current one first and the past one last refunds nothing twice", async () => {
    const [first, second] = await twoMonthsPaid();
    const [one, other] = [await disputed(first), await disputed(second)];
    await world.drain();
    await decideDisputeAtProvider(world, one, "lose");
    await decideDisputeAtProvider(world, other, "lose");
    await world.tick();
    expect([await now(first), await now(second)]).toMatchObject([
      { status: "dispute_lost" },
      { status: "dispute_lost" },
    ]);
    expect(await rowsOf(second)).toEqual([]);
  });
});

describe("a refund that the provider refuses", () => {
  test("changes nothing and shows an error when the seller decided it", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const provider = stubRefundError(ctx, new ProviderRefused("insufficient_balance"));
    expect(await commandRefusal(giveBack(charge, 1_000))).toMatch(
      /^O provedor de pagamento não aceitou esta devolução\. Nada voltou e nada mudou\./,
    );
    expect(await live()).toMatchObject({ status: "active" });
    expect(await rowsOf(charge)).toMatchObject([{ status: "failed" }]);
    provider.itself();
    expect(await giveBack(charge, 1_000)).toBe("succeeded");
    expect(await live()).toBeNull();
  });

  test("ends nothing before the provider confirms; an unanswered refund is requested again", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const provider = stubRefundError(ctx, new ProviderUnclear("silence"));
    expect(await giveBack(charge, 1_000)).toBe("requested");
    expect(await live()).toMatchObject({ status: "active" });
    provider.itself();
    await world.tick();
    expect(await live()).toBeNull();
    expect(await now(charge)).toMatchObject({ status: "refunded" });
  });

  test("after a cooling-off request, notifies the payer and stays an invariant violation until it is paid", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const provider = stubRefundError(ctx, new ProviderRefused("insufficient_balance"));
    await regret(charge);
    await settleDeletion(world, 1);
    const told = await ctx.db
      .select()
      .from(notifications)
      .where(
        and(eq(notifications.personId, bruno.id), eq(notifications.kind, "charge.refund_refused")),
      );
    expect(told).toMatchObject([
      { body: expect.stringMatching(/Ainda não conseguimos devolver R\$\s10,00/) },
    ]);
    const broken = async () =>
      (await invariantFindings(ctx)).filter(({ rows }) => rows.length > 0).map(({ name }) => name);
    expect(await broken()).toEqual(["refunds_answered"]);
    provider.itself();
    await giveBack(charge, 400, { sellerId: null });
    expect(await broken()).toEqual(["refunds_answered"]);
    await giveBack(charge, 600, { sellerId: null });
    expect(await broken()).toEqual([]);
    expect(await now(charge)).toMatchObject({ status: "refunded" });
  });

  test("a cooling-off request while a full refund is pending ends the subscription and requests no second refund", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const provider = stubRefundError(ctx, new ProviderUnclear("silence"));
    await giveBack(charge, 1_000);
    await regret(charge);
    expect(await live()).toBeNull();
    provider.itself();
    await world.tick();
    expect(await rowsOf(charge)).toMatchObject([{ status: "succeeded", amountCents: 1_000 }]);
  });
});

describe("a refund concurrent with a partial refund", () => {
  test("by cooling-off right, reads again and refunds the rest", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    interleaveBeforeNextWrite(ctx, () => giveBack(charge, 400));
    await regret(charge);
    expect((await rowsOf(charge)).map((row) => [row.amountCents, row.status])).toEqual([
      [400, "succeeded"],
      [600, "succeeded"],
    ]);
  });

  test("by decision, reads again and is refused when too little is left", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    interleaveBeforeNextWrite(ctx, () => giveBack(charge, 700));
    expect(await commandRefusal(giveBack(charge, 700))).toBe("É mais do que resta desta cobrança.");
    expect(await now(charge)).toMatchObject({ refundedCents: 700 });
  });

  test("by decision, is refused when a dispute opens meanwhile", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    interleaveBeforeNextWrite(ctx, async () => {
      await disputed(charge);
      await world.drain();
    });
    expect(await commandRefusal(giveBack(charge, 100))).toMatch(
      /^Este pagamento está em contestação no banco/,
    );
  });

  test("the database refuses more than the rest of the charge, whoever decides", async () => {
    const charge = await paidSubscription(world, bruno, ana);
    const row = {
      chargeId: charge.id,
      feeShareCents: 0,
      reason: "",
      status: "requested" as const,
      createdAt: ctx.now(),
    };
    const asked = (amountCents: number) =>
      commandRefusal(
        ctx.db
          .insert(refunds)
          .values({ ...row, id: ctx.newId(), amountCents })
          .run()
          .then(
            () => undefined,
            (error: Error) => Promise.reject(error.cause),
          ),
      );
    for (const amountCents of [1_001, 0, -1])
      expect(await asked(amountCents)).toMatch(/ledger_over_refund/);
    expect(await asked(600)).toBe("done");
    expect(await asked(401)).toMatch(/ledger_over_refund/);
    await world.tick();
    expect(await now(charge)).toMatchObject({ refundedCents: 600 });
  });
});
