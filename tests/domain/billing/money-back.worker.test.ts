import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { refundCharge } from "#app/domain/billing/commands/refund.server.ts";
import { regretPayment } from "#app/domain/billing/commands/regret.server.ts";
import { endingOf } from "#app/domain/billing/queries/refund.server.ts";
import { invariantFindings } from "#app/domain/ledger/queries.server.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import { balancesOf } from "#app/domain/payouts/queries.server.ts";
import { settleDispute } from "#app/domain/purchases/commands/settle.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/commands/close.server.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { unusedCharges } from "#app/domain/subscriptions/queries/closing.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { charges, disputes, inbox, refunds } from "#drizzle/schema/payments.ts";
import { expectBooksToHold } from "#tests/support/books.ts";
import { settle } from "#tests/support/closing.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { subscribed } from "#tests/support/money.ts";
import { person, seller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ctx: World["ctx"];
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ctx = world.ctx;
  ana = await seller(ctx, { amountCents: 1_000 });
  bruno = await person(ctx, "Bruno");
});
afterEach(() => expectBooksToHold(ctx));

const giveBack = (charge: { id: string }, amountCents: number, more: { refundId?: string; sellerId?: string | null } = {}) =>
  refundCharge(ctx, { sellerId: ana.id, decidedBy: ana.id, chargeId: charge.id, refundId: ctx.newId(), amountCents, reason: "", ...more });
const refusal = (work: Promise<unknown>) => work.then(() => "done", (error: Error) => error.message);
const rowsOf = (charge: { id: string }) => ctx.db.select().from(refunds).where(eq(refunds.chargeId, charge.id)).orderBy(refunds.createdAt, refunds.id);
const now = async (charge: { id: string }) => await chargeRow(ctx, { chargeId: charge.id });
const live = () => liveSubscription(ctx, { fanId: bruno.id, creatorId: ana.id });
const regret = (charge: { id: string }) => regretPayment(ctx, { payerId: bruno.id, chargeId: charge.id });

/** The provider answers this to refunds until told to be itself again. */
function refundsAnswer(error: Error): { itself(): void } {
  const { refund } = ctx.payments;
  ctx.payments.refund = () => Promise.reject(error);
  return { itself: () => void (ctx.payments.refund = refund) };
}

/** Somebody else comes between what the next command read and what it writes. */
function beforeNextWrite(intruder: () => Promise<unknown>): void {
  const { batch } = ctx.db;
  ctx.db.batch = (async (statements: Parameters<typeof batch>[0]) => {
    ctx.db.batch = batch;
    await intruder();
    return await batch.call(ctx.db, statements);
  }) as unknown as typeof batch;
}

async function disputed(charge: Charge): Promise<string> {
  const opened = await world.console(`/sandbox/charges/${charge.providerChargeId}/dispute`);
  expect(opened.status).toBe(200);
  return String(opened.body.id);
}

async function decided(disputeId: string, decision: "win" | "lose"): Promise<void> {
  expect((await world.console(`/sandbox/disputes/${disputeId}/${decision}`)).status).toBe(200);
  await world.drain();
}

/** A month paid, and the next one paid three days before it begins. */
async function twoMonthsPaid(): Promise<[Charge, Charge]> {
  const first = await subscribed(world, bruno, ana);
  await world.advance(28 * DAY_MS);
  await world.tick();
  const [renewal] = await ctx.db.select().from(charges).where(and(eq(charges.purchaseId, first.purchaseId), eq(charges.status, "awaiting_payment")));
  await world.console(`/sandbox/charges/${renewal?.providerChargeId}/pay`);
  await world.drain();
  const second = renewal && (await now(renewal));
  if (second?.status !== "succeeded") throw new Error("the renewal was not paid");
  return [first, second];
}

describe("all of one of two payments that cover a subscription", () => {
  test("ends it, when it covers what runs, and the other's unused days go back", async () => {
    const [given, other] = await twoMonthsPaid();
    const unused = (await unusedCharges(ctx, { subscriptionId: given.purchaseId, at: ctx.now(), everything: false })).find(({ chargeId }) => chargeId === other.id)?.amountCents;
    expect(unused).toBeGreaterThan(0);
    expect(await endingOf(ctx, given)).toEqual({ ends: "subscription", alsoCents: unused });
    expect(await giveBack(given, 1_000)).toBe("succeeded");
    expect(await live()).toBeNull();
    await world.tick();
    expect(await now(given)).toMatchObject({ status: "refunded" });
    expect(await now(other)).toMatchObject({ refundedCents: unused });
    // Nothing of it goes back a second time.
    await closeSubscription(ctx, { subscriptionId: given.purchaseId, because: "creator_left" });
    expect(await rowsOf(other)).toHaveLength(1);
  });

  test("takes only what did not begin, when that is all it covers", async () => {
    const [first, second] = await twoMonthsPaid();
    const endsAt = (await live())?.currentPeriodStartsAt;
    expect(await endingOf(ctx, second)).toEqual({ ends: "period", alsoCents: 0 });
    expect(await giveBack(second, 1_000)).toBe("succeeded");
    expect(await live()).toMatchObject({ status: "active", currentPeriodEndsAt: endsAt, accessUntil: endsAt });
    expect(await now(first)).toMatchObject({ refundedCents: 0 });
  });

  test("does not end it while the bank fights over the other", async () => {
    const [first, second] = await twoMonthsPaid();
    await disputed(second);
    await world.drain();
    expect(await endingOf(ctx, first)).toEqual({ ends: "nothing", alsoCents: 0 });
    await giveBack(first, 1_000);
    expect(await live()).toMatchObject({ status: "active" });
  });
});

describe("two payments of one subscription that are fought over at once", () => {
  test("one lost ends it; the other, won later, gives back the days that nobody could use", async () => {
    const [first, second] = await twoMonthsPaid();
    const [lost, won] = [await disputed(first), await disputed(second)];
    await world.drain();
    const unused = second.amountCents;
    await decided(lost, "lose");
    expect(await live()).toBeNull();
    expect(await rowsOf(second)).toEqual([]);
    await world.advance(5 * DAY_MS);
    await decided(won, "win");
    await world.tick();
    expect(await rowsOf(second)).toMatchObject([{ status: "succeeded", amountCents: unused, reason: expect.stringContaining("outro pagamento dela voltou") }]);
    expect(await now(second)).toMatchObject({ status: "refunded" });
    expect(await balancesOf(ctx, { creatorId: ana.id })).toMatchObject({ pendingCents: 0, availableCents: 0, reservedCents: 0, owedCents: 0 });
  });

  test("both won: the seller keeps both, and it goes on", async () => {
    const [first, second] = await twoMonthsPaid();
    const disputesOpened = [await disputed(first), await disputed(second)];
    await world.drain();
    for (const dispute of disputesOpened) await decided(dispute, "win");
    await world.tick();
    expect([...(await rowsOf(first)), ...(await rowsOf(second))]).toEqual([]);
    expect(await live()).toMatchObject({ status: "active" });
  });

  test("the one that covers what is past is lost last: nothing goes back twice", async () => {
    const [first, second] = await twoMonthsPaid();
    const [one, other] = [await disputed(first), await disputed(second)];
    await world.drain();
    await decided(one, "lose");
    await decided(other, "lose");
    await world.tick();
    expect([await now(first), await now(second)]).toMatchObject([{ status: "dispute_lost" }, { status: "dispute_lost" }]);
    expect(await rowsOf(second)).toEqual([]);
  });
});

describe("a refund that the provider refuses", () => {
  test("when who sells decided it changes nothing, and says so", async () => {
    const charge = await subscribed(world, bruno, ana);
    const provider = refundsAnswer(new ProviderRefused("insufficient_balance"));
    expect(await refusal(giveBack(charge, 1_000))).toMatch(/^O provedor de pagamento não aceitou esta devolução\. Nada voltou e nada mudou\./);
    expect(await live()).toMatchObject({ status: "active" });
    expect(await rowsOf(charge)).toMatchObject([{ status: "failed" }]);
    provider.itself();
    expect(await giveBack(charge, 1_000)).toBe("succeeded");
    expect(await live()).toBeNull();
  });

  test("nothing ends before the provider confirmed, and a silent one is asked again", async () => {
    const charge = await subscribed(world, bruno, ana);
    const provider = refundsAnswer(new ProviderUnclear("silence"));
    expect(await giveBack(charge, 1_000)).toBe("requested");
    expect(await live()).toMatchObject({ status: "active" });
    provider.itself();
    await world.tick();
    expect(await live()).toBeNull();
    expect(await now(charge)).toMatchObject({ status: "refunded" });
  });

  test("after a regret: who paid is told, the staff see it in the books until it is made good", async () => {
    const charge = await subscribed(world, bruno, ana);
    const provider = refundsAnswer(new ProviderRefused("insufficient_balance"));
    await regret(charge);
    await settle(world, 1);
    const told = await ctx.db.select().from(notifications).where(and(eq(notifications.personId, bruno.id), eq(notifications.kind, "charge.refund_refused")));
    expect(told).toMatchObject([{ body: expect.stringMatching(/Ainda não conseguimos devolver R\$\s10,00/) }]);
    const broken = async () => (await invariantFindings(ctx)).filter(({ rows }) => rows.length > 0).map(({ name }) => name);
    expect(await broken()).toEqual(["refunds_answered"]);
    provider.itself();
    await giveBack(charge, 400, { sellerId: null });
    expect(await broken()).toEqual(["refunds_answered"]);
    await giveBack(charge, 600, { sellerId: null });
    expect(await broken()).toEqual([]);
    expect(await now(charge)).toMatchObject({ status: "refunded" });
  });

  test("a regret while all of it is on its way already ends the subscription, and asks for nothing twice", async () => {
    const charge = await subscribed(world, bruno, ana);
    const provider = refundsAnswer(new ProviderUnclear("silence"));
    await giveBack(charge, 1_000);
    await regret(charge);
    expect(await live()).toBeNull();
    provider.itself();
    await world.tick();
    expect(await rowsOf(charge)).toMatchObject([{ status: "succeeded", amountCents: 1_000 }]);
  });
});

describe("beside a part that goes back at the same moment", () => {
  test("regret reads again and asks for the rest", async () => {
    const charge = await subscribed(world, bruno, ana);
    beforeNextWrite(() => giveBack(charge, 400));
    await regret(charge);
    expect((await rowsOf(charge)).map((row) => [row.amountCents, row.status])).toEqual([[400, "succeeded"], [600, "succeeded"]]);
  });

  test("a decision reads again, and is refused in words when too little is left", async () => {
    const charge = await subscribed(world, bruno, ana);
    beforeNextWrite(() => giveBack(charge, 700));
    expect(await refusal(giveBack(charge, 700))).toBe("É mais do que resta desta cobrança.");
    expect(await now(charge)).toMatchObject({ refundedCents: 700 });
  });

  test("a decision on what the bank took meanwhile is refused in words", async () => {
    const charge = await subscribed(world, bruno, ana);
    beforeNextWrite(async () => {
      await disputed(charge);
      await world.drain();
    });
    expect(await refusal(giveBack(charge, 100))).toMatch(/^Este pagamento está em contestação no banco/);
  });

  test("the database refuses more than what is left, whoever decides", async () => {
    const charge = await subscribed(world, bruno, ana);
    const row = { chargeId: charge.id, feeShareCents: 0, reason: "", status: "requested" as const, createdAt: ctx.now() };
    const asked = (amountCents: number) => refusal(ctx.db.insert(refunds).values({ ...row, id: ctx.newId(), amountCents }).run().then(() => undefined, (error: Error) => Promise.reject(error.cause)));
    for (const amountCents of [1_001, 0, -1]) expect(await asked(amountCents)).toMatch(/ledger_over_refund/);
    expect(await asked(600)).toBe("done");
    expect(await asked(401)).toMatch(/ledger_over_refund/);
    await world.tick();
    expect(await now(charge)).toMatchObject({ refundedCents: 600 });
  });
});

describe("public failures of others", () => {
  test("concurrent refunds above the capture: together they never pass what was paid", async () => {
    const charge = await subscribed(world, bruno, ana);
    await Promise.all([refusal(giveBack(charge, 700)), refusal(giveBack(charge, 700, { sellerId: null })), refusal(regret(charge)), refusal(giveBack(charge, 500))]);
    await world.tick();
    const back = (await rowsOf(charge)).filter(({ status }) => status === "succeeded").reduce((sum, { amountCents }) => sum + amountCents, 0);
    expect(back).toBe(1_000);
    expect(await now(charge)).toMatchObject({ status: "refunded", refundedCents: 1_000, refundedFeeCents: charge.feeCents });
    expect(await ctx.payments.chargeById(charge.providerChargeId ?? "")).toMatchObject({ refundedCents: 1_000 });
    expect(await balancesOf(ctx, { creatorId: ana.id })).toMatchObject({ pendingCents: 0, availableCents: 0, owedCents: 0 });
  });

  test("a refund during a dispute counted twice: it waits for the bank, and when that gave everything back gives nothing more", async () => {
    const charge = await subscribed(world, bruno, ana);
    const provider = refundsAnswer(new ProviderUnclear("silence"));
    await regret(charge);
    const dispute = await disputed(charge);
    await world.drain();
    provider.itself();
    await world.tick();
    expect(await rowsOf(charge)).toMatchObject([{ status: "requested" }]);
    expect(await now(charge)).toMatchObject({ status: "disputed", refundedCents: 0, disputedCents: 1_000 });
    await decided(dispute, "lose");
    await settle(world, 1);
    expect(await rowsOf(charge)).toMatchObject([{ status: "failed" }]);
    expect(await now(charge)).toMatchObject({ status: "dispute_lost", refundedCents: 0, disputedCents: 1_000 });
    expect(await balancesOf(ctx, { creatorId: ana.id })).toMatchObject({ pendingCents: 0, availableCents: 0, reservedCents: 0, owedCents: 0 });
    const told = await ctx.db.select().from(notifications).where(and(eq(notifications.personId, bruno.id), eq(notifications.kind, "charge.refund_refused")));
    expect(told).toEqual([]);
  });

  test("a refund that waited out a dispute is given once it is won", async () => {
    const charge = await subscribed(world, bruno, ana);
    const provider = refundsAnswer(new ProviderUnclear("silence"));
    await regret(charge);
    const dispute = await disputed(charge);
    await world.drain();
    provider.itself();
    await decided(dispute, "win");
    await world.tick();
    expect(await now(charge)).toMatchObject({ status: "refunded", refundedCents: 1_000, disputedCents: 0 });
  });

  test("a refund that the provider refuses for a dispute we do not know of yet is not lost", async () => {
    const charge = await subscribed(world, bruno, ana);
    const dispute = await disputed(charge);
    await regret(charge);
    expect(await rowsOf(charge)).toMatchObject([{ status: "requested" }]);
    await world.drain();
    await decided(dispute, "win");
    await world.tick();
    expect(await now(charge)).toMatchObject({ status: "refunded" });
  });

  test("a dispute beside a refund of ours that is not confirmed yet is over the rest", async () => {
    const charge = await subscribed(world, bruno, ana);
    const { refund } = ctx.payments;
    // The provider gives it back, and its answer is lost.
    ctx.payments.refund = async (request) => {
      await refund(request);
      throw new ProviderUnclear("the answer was lost");
    };
    expect(await giveBack(charge, 400)).toBe("requested");
    ctx.payments.refund = refund;
    const dispute = await disputed(charge);
    await ctx.db.delete(inbox).where(eq(inbox.type, "refund"));
    await settleDispute(ctx, { provider: "sandbox", providerDisputeId: dispute });
    expect(await now(charge)).toMatchObject({ status: "disputed", refundedCents: 400, disputedCents: 600 });
    await world.drain();
    await decided(dispute, "lose");
    expect(await now(charge)).toMatchObject({ status: "dispute_lost", refundedCents: 400, disputedCents: 600 });
  });

  test("a dispute beside a refund that the provider still makes is tried again, never set aside", async () => {
    const charge = await subscribed(world, bruno, ana);
    const { refund, refundById } = ctx.payments;
    const slowly = async (said: ReturnType<typeof refundById>) => ({ ...(await said), status: "processing" as const });
    Object.assign(ctx.payments, { refund: (request: Parameters<typeof refund>[0]) => slowly(refund(request)), refundById: (id: string) => slowly(refundById(id)) });
    await giveBack(charge, 400);
    const dispute = await disputed(charge);
    await expect(settleDispute(ctx, { provider: "sandbox", providerDisputeId: dispute })).rejects.toThrow(ProviderUnclear);
    Object.assign(ctx.payments, { refund, refundById });
    expect(await settleDispute(ctx, { provider: "sandbox", providerDisputeId: dispute })).toBe("applied");
    expect(await now(charge)).toMatchObject({ status: "disputed", refundedCents: 400, disputedCents: 600 });
    await world.drain();
  });

  test("dispute closed before created: heard of first when it was decided, it goes through both steps once", async () => {
    const charge = await subscribed(world, bruno, ana);
    const dispute = await disputed(charge);
    world.queued.length = 0;
    await world.console(`/sandbox/disputes/${dispute}/lose`);
    const rows = await ctx.db.select().from(inbox).where(eq(inbox.objectId, dispute)).orderBy(inbox.receivedAt);
    expect(rows).toHaveLength(2);
    world.queued.splice(0, world.queued.length, { version: 1, type: "inbox.received", id: rows[1]?.id ?? "" });
    await world.drain();
    expect(await now(charge)).toMatchObject({ status: "dispute_lost", disputedCents: 1_000 });
    world.queued.push({ version: 1, type: "inbox.received", id: rows[0]?.id ?? "" });
    await world.drain();
    expect(await now(charge)).toMatchObject({ status: "dispute_lost", disputedCents: 1_000 });
    expect(await ctx.db.select().from(disputes).where(eq(disputes.chargeId, charge.id))).toMatchObject([{ status: "lost" }]);
    expect(await live()).toBeNull();
  });

  test("a payment lock never released: a worker that dies after deciding a refund holds up no other for ever", async () => {
    const charge = await subscribed(world, bruno, ana);
    const provider = refundsAnswer(new Error("the worker died"));
    await expect(giveBack(charge, 300)).rejects.toThrow("the worker died");
    provider.itself();
    expect(await refusal(giveBack(charge, 200))).toMatch(/^Já há uma devolução deste pagamento a caminho/);
    await world.tick();
    await giveBack(charge, 200);
    expect(await now(charge)).toMatchObject({ refundedCents: 500 });
  });
});
