import { desc, eq, like } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { invariantFindings } from "#app/domain/audit/queries/invariants.server.ts";
import {
  ProviderRefused,
  ProviderUnauthorized,
  ProviderUnclear,
} from "#app/domain/payments/errors.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { settlePayout } from "#app/domain/payouts/sending/commands/settle.server.ts";
import { creatorBalances, payoutRow } from "#app/domain/payouts/queries.server.ts";
import { reviewPayouts } from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { checkBooks } from "#app/domain/audit/commands.server.ts";
import { isPayoutBlocking } from "#app/domain/audit/rules.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { runPayouts } from "#workers/payouts/run.ts";

// The tests write payouts in their states directly.
allowBrokenInvariants();

let world: World;
let asked = 0;
beforeEach(async () => {
  world = await testContext();
  asked = 0;
});

const holds = (availableCents: number) => {
  world.ctx.payments.balance = async () => {
    asked += 1;
    return { availableCents, pendingCents: 0 };
  };
};

describe("a claimed payout", () => {
  let ana: Seller;
  let payoutId: string;
  beforeEach(async () => {
    ana = await createSeller(world.ctx);
    await world.ctx.db
      .update(withdrawalMethods)
      .set({ schedule: "manual" })
      .where(eq(withdrawalMethods.creatorId, ana.id));
    await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
    await world.advance(9 * DAY_MS);
    await world.tick();
    ({ payoutId } = await requestPayout(world.ctx, { creatorId: ana.id }));
    world.queued.splice(0);
    await claimPayout(world.ctx, { payoutId });
  });
  const refuses = (code: string) => {
    world.ctx.payments.transfer = async () => Promise.reject(new ProviderRefused(code));
  };
  const state = async () => {
    const row = await payoutRow(world.ctx, { payoutId });
    return `${row?.status} ${row?.waitsFor}`;
  };
  const brokenFunds = async () =>
    (await invariantFindings(world.ctx))
      .filter(({ rows }) => rows.some(({ id }) => id === payoutId))
      .map(({ name }) => name);
  const emails = async (id = payoutId) =>
    (
      await world.ctx.db
        .select()
        .from(outbox)
        .where(eq(outbox.id, `payout:${id}:failed`))
    ).length;

  test("fails when its key is refused, even without balance, because a waiting payout cannot change its key", async () => {
    holds(0);
    refuses("pix_key_not_found");
    await sendPayout(world.ctx, { payoutId });
    expect([await state(), await emails()]).toEqual(["failed null", 1]);
    await expectInvariantsToHold(world.ctx);
  });

  test("waits when it is refused for insufficient balance, even if the balance seems to cover it", async () => {
    holds(1_890);
    refuses("insufficient_balance");
    await sendPayout(world.ctx, { payoutId });
    expect([await state(), await emails()]).toEqual(["claimed balance", 0]);
    await expectInvariantsToHold(world.ctx);
  });

  test("refused because of our account waits with the code for staff, and is paid once that is fixed", async () => {
    const { transfer } = world.ctx.payments;
    holds(1_890);
    refuses("account_forbidden");
    await sendPayout(world.ctx, { payoutId });
    expect([
      await state(),
      await emails(),
      (await payoutRow(world.ctx, { payoutId }))?.failureCode,
    ]).toEqual(["claimed provider", 0, "account_forbidden"]);
    expect(
      (await reviewPayouts(world.ctx, { view: "short", cursor: null, limit: 9 })).items.map(
        ({ payout }) => payout.id,
      ),
    ).toContain(payoutId);
    await runPayouts(world.ctx);
    expect(world.queued.filter(({ id }) => id === payoutId)).toEqual([]);
    await world.advance(HOUR_MS);
    expect(await brokenFunds()).toEqual(["payouts_accepted"]);
    await world.tick();
    expect(await state()).toBe("claimed provider");
    world.ctx.payments.transfer = transfer;
    await world.advance(HOUR_MS);
    await world.tick();
    await world.advance(HOUR_MS);
    await world.tick();
    expect([
      await state(),
      (await payoutRow(world.ctx, { payoutId }))?.failureCode,
      await brokenFunds(),
    ]).toEqual(["paid null", null, []]);
    await expectInvariantsToHold(world.ctx);
  });

  test("with a lost answer after a wait for balance is looked up, even with too little balance", async () => {
    holds(0);
    refuses("insufficient_balance");
    await sendPayout(world.ctx, { payoutId });
    expect(await state()).toBe("claimed balance");
    const real = (await testContext()).ctx.payments;
    world.ctx.payments.transfer = async (request) =>
      Promise.reject(new ProviderUnclear((await real.transfer(request)).id));
    holds(1_890);
    await expect(sendPayout(world.ctx, { payoutId })).rejects.toThrow(ProviderUnclear);
    expect(await state()).toBe("claimed null");
    // Writes a row that still waits for balance although its send was attempted.
    await world.ctx.db
      .update(payouts)
      .set({ waitsFor: "balance", waitsUntil: world.ctx.now() })
      .where(eq(payouts.id, payoutId));
    holds(0);
    await sendPayout(world.ctx, { payoutId });
    expect(["sent null", "paid null"]).toContain(await state());
  });

  test("that the provider fails later for insufficient balance is requested again without a notification", async () => {
    await settlePayout(world.ctx, {
      payoutId,
      providerTransfer: {
        id: "tr_1",
        reference: payoutId,
        status: "processing",
        amountCents: 1_890,
        failureCode: null,
        costCents: null,
      },
    });
    await settlePayout(world.ctx, {
      payoutId,
      providerTransfer: {
        id: "tr_1",
        reference: payoutId,
        status: "failed",
        amountCents: 1_890,
        failureCode: "insufficient_balance",
        costCents: null,
      },
    });
    const [again] = await world.ctx.db
      .select()
      .from(payouts)
      .where(eq(payouts.creatorId, ana.id))
      .orderBy(desc(payouts.id))
      .limit(1);
    expect([await state(), await emails(), again?.status, again?.waitsFor]).toEqual([
      "failed null",
      0,
      "requested",
      "balance",
    ]);
    await world.advance(HOUR_MS);
    await world.tick();
    expect((await creatorBalances(world.ctx, { creatorId: ana.id })).availableCents).toBe(0);
    expect((await payoutRow(world.ctx, { payoutId: again?.id ?? "" }))?.amountCents).toBe(1_890);
    await expectInvariantsToHold(world.ctx);
  });

  test("at a provider that rejects our API key waits, alerts staff once, and is paid once the key works", async () => {
    const { transfer } = world.ctx.payments;
    world.ctx.payments.transfer = async () => Promise.reject(new ProviderUnauthorized("401"));
    await sendPayout(world.ctx, { payoutId });
    expect([await state(), (await payoutRow(world.ctx, { payoutId }))?.failureCode]).toEqual([
      "claimed provider",
      "unauthorized",
    ]);
    await world.advance(HOUR_MS + MINUTE_MS);
    for (let twice = 0; twice < 2; twice += 1)
      await checkBooks(world.ctx, { moderatorIds: ["m1"] });
    const notifications = await world.ctx.db
      .select()
      .from(outbox)
      .where(like(outbox.payload, '%"m1"%recusa a nossa conta%'));
    expect(notifications).toHaveLength(1);
    world.ctx.payments.transfer = transfer;
    await world.tick();
    await world.advance(HOUR_MS);
    await world.tick();
    expect(await state()).toBe("paid null");
  });

  test("is looked up from the first unconfirmed send on, and not before any send", async () => {
    const since: unknown[] = [];
    const { transfer, transferByReference } = world.ctx.payments;
    world.ctx.payments.transfer = async (request) => {
      since.push(request.asked);
      return await transfer(request);
    };
    world.ctx.payments.transferByReference = async (reference, made) => {
      since.push(made?.asked);
      return await transferByReference(reference);
    };
    await settlePayout(world.ctx, { payoutId });
    expect(since).toEqual([]);
    world.ctx.payments.transfer = async (request) => {
      since.push(request.asked);
      throw since.length < 3
        ? new ProviderUnclear("no answer")
        : new ProviderRefused("daily_limit");
    };
    for (let twice = 0; twice < 2; twice += 1)
      await expect(sendPayout(world.ctx, { payoutId })).rejects.toThrow(ProviderUnclear);
    const { unsureSince: from, sendAskedAt } = (await payoutRow(world.ctx, { payoutId })) ?? {};
    expect([since[0], since[1], sendAskedAt === from]).toEqual([
      null,
      { from, until: from },
      false,
    ]);
    // A refusal leaves nothing unconfirmed, so that the lookup starts at this send.
    await sendPayout(world.ctx, { payoutId });
    const after = (await payoutRow(world.ctx, { payoutId })) ?? {
      unsureSince: null,
      sendAskedAt: null,
    };
    expect([since[2], after.unsureSince === after.sendAskedAt]).toEqual([
      { from, until: sendAskedAt },
      true,
    ]);
    await world.ctx.db
      .update(payouts)
      .set({ waitsFor: null, waitsUntil: null })
      .where(eq(payouts.id, payoutId));
    world.ctx.payments.transfer = transfer;
    await sendPayout(world.ctx, { payoutId });
  });
});

test("a payout that waits a day for balance alerts staff, and blocks no other payout", async () => {
  const requestedAt = world.ctx.now() - DAY_MS;
  const row = {
    id: world.ctx.newId(),
    creatorId: "creator-late",
    amountCents: 0,
    status: "requested",
    pixKeyKind: "email",
    pixKey: "a@coreto.test",
    provider: world.ctx.payments.name,
    requestedAt,
  };
  await world.ctx.db
    .insert(payouts)
    .values({ ...row, waitsFor: "balance", waitsUntil: requestedAt + 2 * DAY_MS });
  const funded = async () =>
    (await invariantFindings(world.ctx))
      .find(({ name }) => name === "payouts_funded")
      ?.rows.map(({ id }) => id);
  await world.advance(1_000);
  expect([await funded(), isPayoutBlocking("payouts_funded")]).toEqual([[row.id], false]);
  await checkBooks(world.ctx, { moderatorIds: ["carla"] });
  expect(
    (await world.ctx.db.select().from(outbox).where(eq(outbox.type, "ledger.broken")))
      .map(({ payload }) => JSON.stringify(payload))
      .filter((notification) => notification.includes("carla")),
  ).toEqual([expect.stringContaining("espera por saldo")]);
  await world.ctx.db
    .update(payouts)
    .set({ status: "canceled", waitsFor: null, waitsUntil: null })
    .where(eq(payouts.id, row.id));
  expect(await funded()).toEqual([]);
});

test("fifty waiting payouts read the provider balance once a run, and the oldest that fit are queued", async () => {
  const now = world.ctx.now();
  const ids = Array.from({ length: 50 }, (_, index) => ({ id: world.ctx.newId(), index }));
  for (const { id, index } of ids) {
    const row = {
      id,
      creatorId: `creator-${index}`,
      amountCents: 1_000,
      status: "claimed",
      pixKeyKind: "email",
      pixKey: "a@coreto.test",
      provider: world.ctx.payments.name,
      requestedAt: now - DAY_MS + index,
      claimedAt: now - DAY_MS + index,
    };
    await world.ctx.db.insert(documents).values({
      personId: row.creatorId,
      status: "approved",
      cpf: String(index).padStart(11, "0"),
      fullName: "Ana Lira",
      birthDate: "1990-01-31",
      submittedAt: now,
    });
    await world.ctx.db.insert(payouts).values({ ...row, waitsFor: "balance", waitsUntil: now - 1 });
  }
  holds(0);
  await runPayouts(world.ctx);
  expect([asked, world.queued]).toEqual([1, []]);
  await runPayouts(world.ctx);
  expect(asked).toBe(1);
  holds(2_500);
  await world.advance(HOUR_MS);
  await runPayouts(world.ctx);
  expect(asked).toBe(2);
  expect(world.queued.map(({ id }) => id)).toEqual(ids.slice(0, 2).map(({ id }) => id));
});
