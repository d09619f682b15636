import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RuleViolation } from "#app/db/errors.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import {
  refreshPayout,
  retryPayout,
} from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { changeWithdrawalMethod } from "#app/domain/payouts/destinations/commands.server.ts";
import { BankPayoutsUnavailable } from "#app/domain/payouts/errors.ts";
import { creatorBalances, payoutHistory, payoutRow } from "#app/domain/payouts/queries.server.ts";
import {
  reviewCounts,
  reviewPayouts,
} from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { stalePayouts } from "#app/domain/payouts/batches/queries/due.server.ts";
import { nextTransferWindow } from "#app/domain/payouts/batches/rules/business-days.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { commit } from "#app/db/client.server.ts";
import { addDays, civilDate, DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from "#app/domain/time.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const GOOD = "237 1425 238069-2 checking";
const FAILS = "001 0001 999999-9 checking";
const RETURNS = "001 0001 888888-8 checking";
const to = (key: string) => ({ kind: "bank_account" as const, key });

let world: World;
let ana: Seller;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, ana.id));
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
});
afterEach(async () => {
  await world.console("/sandbox/chaos", {});
  await expectInvariantsToHold(world.ctx);
});

/** Advances the clock to an instant. */
const goTo = async (at: number) => await world.advance(at - world.ctx.now());
const saturday = () => {
  let day = instantOf(civilDate(world.ctx.now()), 12 * HOUR_MS);
  do day = addDays(day, 1);
  while (new Date(day).getUTCDay() !== 6);
  return day;
};
const opening = () => nextTransferWindow(world.ctx.now());

async function paidTo(key: string): Promise<void> {
  await changeWithdrawalMethod(world.ctx, { creatorId: ana.id, to: to(key) });
  await world.ctx.db
    .update(withdrawalMethods)
    .set({ holdUntil: null })
    .where(eq(withdrawalMethods.creatorId, ana.id));
}

async function asked(): Promise<string> {
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  await world.drain();
  return payoutId;
}

async function aWhile(ms = 10 * MINUTE_MS): Promise<void> {
  await world.advance(ms);
  await world.tick();
}

const stateOf = async (payoutId: string) => {
  const row = await payoutRow(world.ctx, { payoutId });
  return `${row?.status} ${row?.waitsFor} ${row?.amountCents}`;
};
const availableOf = async () =>
  (await creatorBalances(world.ctx, { creatorId: ana.id })).availableCents;
const transfersOf = async (payoutId: string) =>
  (
    await testEnv.PSP_DB.prepare("SELECT pix_key FROM transfers WHERE reference = ?")
      .bind(payoutId)
      .all<{ pix_key: string }>()
  ).results.map(({ pix_key: key }) => key);

describe("a payout to a bank account", () => {
  test("requested on a Saturday waits in the balance, and is sent once when the banks open", async () => {
    await paidTo(GOOD);
    await goTo(saturday());
    const payoutId = await asked();
    const leaves = opening();
    expect([await stateOf(payoutId), await availableOf(), await transfersOf(payoutId)]).toEqual([
      "requested business_day 0",
      1_890,
      [],
    ]);
    expect(
      await stalePayouts(world.ctx, {
        statuses: ["requested"],
        before: world.ctx.now() + DAY_MS,
        limit: 9,
      }),
    ).not.toContain(payoutId);
    expect(
      (await payoutHistory(world.ctx, { creatorId: ana.id, cursor: null, limit: 1 })).items,
    ).toMatchObject([
      {
        waitsFor: "business_day",
        waitsUntil: leaves,
        to: "Bradesco · agência 1425 · conta •••9-2",
      },
    ]);
    await goTo(leaves);
    await world.tick();
    await aWhile();
    expect([await stateOf(payoutId), await availableOf(), await transfersOf(payoutId)]).toEqual([
      "paid null 1890",
      0,
      ["237 1425 238069-2"],
    ]);
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({
      ownerName: "Ana Maria Lira",
      ownerTaxId: expect.stringMatching(/^\d{11}$/),
    });
  });

  test("that waits for a business day is claimed at once after a change to a Pix key", async () => {
    await paidTo(GOOD);
    await goTo(saturday());
    const payoutId = await asked();
    await world.ctx.db
      .update(withdrawalMethods)
      .set({ pixKeyKind: "email", pixKey: ana.email })
      .where(eq(withdrawalMethods.creatorId, ana.id));
    await claimPayout(world.ctx, { payoutId });
    expect(await payoutRow(world.ctx, { payoutId })).toMatchObject({
      status: "claimed",
      pixKeyKind: "email",
      ownerTaxId: null,
      waitsFor: null,
      waitsUntil: null,
    });
  });

  test("that fails returns the money; a retry by staff goes to the account of that moment", async () => {
    await paidTo(FAILS);
    await goTo(opening());
    const payoutId = await asked();
    await aWhile();
    expect([await stateOf(payoutId), await availableOf()]).toEqual(["failed null 1890", 1_890]);
    expect((await payoutRow(world.ctx, { payoutId }))?.failureCode).toBe("account_not_found");
    await paidTo(GOOD);
    const { payoutId: again } = await retryPayout(world.ctx, {
      payoutId,
      moderatorId: (await createModerator(world.ctx)).id,
    });
    await world.drain();
    await goTo(opening());
    await world.tick();
    await aWhile();
    expect([await stateOf(again), await transfersOf(again)]).toEqual([
      "paid null 1890",
      ["237 1425 238069-2"],
    ]);
  });

  test("that the bank returns a day later goes back to the balance", async () => {
    await paidTo(RETURNS);
    await goTo(opening());
    const payoutId = await asked();
    await aWhile();
    expect(await stateOf(payoutId)).toBe("paid null 1890");
    await aWhile(DAY_MS);
    expect([await stateOf(payoutId), await availableOf()]).toEqual(["returned null 1890", 1_890]);
  });

  test("that waits for the provider's balance until the banks close is sent at the next opening, and shows that day", async () => {
    await paidTo(GOOD);
    await goTo(opening());
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    world.queued.splice(0);
    await claimPayout(world.ctx, { payoutId });
    await world.console("/sandbox/chaos", { no_balance: true });
    await sendPayout(world.ctx, { payoutId });
    expect(await stateOf(payoutId)).toBe("claimed balance 1890");
    await world.console("/sandbox/chaos", {});
    await goTo(saturday());
    await sendPayout(world.ctx, { payoutId });
    expect([await stateOf(payoutId), await transfersOf(payoutId)]).toEqual([
      "claimed business_day 1890",
      [],
    ]);
    const [shown] = (await payoutHistory(world.ctx, { creatorId: ana.id, cursor: null, limit: 1 }))
      .items;
    expect(shown).toMatchObject({ waitsUntil: opening(), arrivesAt: opening() });
    // It is looked up every hour, and not sent.
    const inLine = async () =>
      (
        await stalePayouts(world.ctx, { statuses: ["claimed"], before: world.ctx.now(), limit: 99 })
      ).includes(payoutId);
    expect(await inLine()).toBe(false);
    await goTo(world.ctx.now() + HOUR_MS);
    expect(await inLine()).toBe(true);
    await goTo(opening());
    await aWhile(0);
    await aWhile();
    expect([await stateOf(payoutId), (await transfersOf(payoutId)).length]).toEqual([
      "paid null 1890",
      1,
    ]);
  });

  test("sent before the banks closed with a lost answer is found at the provider on a Saturday", async () => {
    await paidTo(GOOD);
    await goTo(opening());
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    world.queued.splice(0);
    await claimPayout(world.ctx, { payoutId });
    await world.console("/sandbox/chaos", { timeouts: 1 });
    await expect(sendPayout(world.ctx, { payoutId })).rejects.toThrow(ProviderUnclear);
    await world.console("/sandbox/chaos", {});
    await goTo(saturday());
    await sendPayout(world.ctx, { payoutId });
    expect((await payoutRow(world.ctx, { payoutId }))?.waitsFor).toBeNull();
    expect([
      (await payoutRow(world.ctx, { payoutId }))?.status === "claimed",
      (await transfersOf(payoutId)).length,
    ]).toEqual([false, 1]);
  });

  test("with a lost answer is looked up with the same data, which the database does not let change", async () => {
    await paidTo(GOOD);
    await goTo(opening());
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    world.queued.splice(0);
    await claimPayout(world.ctx, { payoutId });
    await world.console("/sandbox/chaos", { timeouts: 1 });
    await expect(sendPayout(world.ctx, { payoutId })).rejects.toThrow(ProviderUnclear);
    for (const change of [{ ownerName: "Outra" }, { pixKey: FAILS }, { provider: "other" }]) {
      await expect(
        commit(world.ctx.db, [
          world.ctx.db.update(payouts).set(change).where(eq(payouts.id, payoutId)),
        ]),
      ).rejects.toThrow(RuleViolation);
    }
    await aWhile();
    await aWhile();
    expect([await stateOf(payoutId), (await transfersOf(payoutId)).length]).toEqual([
      "paid null 1890",
      1,
    ]);
  });

  test("is refused where no provider pays to accounts; the database refuses a malformed account", async () => {
    const can = new Set(
      [...world.ctx.payments.can].filter((one) => one !== "transfer_to_bank_account"),
    );
    await expect(
      changeWithdrawalMethod(
        { ...world.ctx, payments: { ...world.ctx.payments, can } },
        { creatorId: ana.id, to: to(GOOD) },
      ),
    ).rejects.toThrow(BankPayoutsUnavailable);
    for (const pixKey of ["", "237 1425", "237 1425 238069-2 pocket"]) {
      await expect(
        commit(world.ctx.db, [
          world.ctx.db
            .update(withdrawalMethods)
            .set({ pixKeyKind: "bank_account", pixKey })
            .where(eq(withdrawalMethods.creatorId, ana.id)),
        ]),
      ).rejects.toThrow(RuleViolation);
    }
  });

  test("is preceded by an email without the account number, and held for a day after the change", async () => {
    await changeWithdrawalMethod(world.ctx, { creatorId: ana.id, to: to(GOOD) });
    await world.drain();
    const notified = (
      await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, ana.email))
    ).find(({ subject }) => subject === "A conta dos seus saques mudou");
    expect(notified?.body).toContain("Bradesco · agência 1425 · conta •••9-2");
    expect(notified?.body).not.toContain("238069");
    await expect(requestPayout(world.ctx, { creatorId: ana.id })).rejects.toThrow(
      "A chave ou a conta mudou há pouco",
    );
  });
});

describe("a provider with too little balance", () => {
  test("leaves the requested payout in the balance, shows it to staff, and pays once there is money", async () => {
    await world.console("/sandbox/chaos", { no_balance: true });
    const payoutId = await asked();
    expect([await stateOf(payoutId), await availableOf(), await transfersOf(payoutId)]).toEqual([
      "requested balance 0",
      1_890,
      [],
    ]);
    expect((await reviewCounts(world.ctx)).short).toBeGreaterThanOrEqual(1);
    expect(
      (await reviewPayouts(world.ctx, { view: "short", cursor: null, limit: 99 })).items.map(
        ({ payout }) => payout.id,
      ),
    ).toContain(payoutId);
    await aWhile();
    expect(await stateOf(payoutId)).toBe("requested balance 0");
    await world.console("/sandbox/chaos", {});
    await aWhile();
    await aWhile();
    expect([await stateOf(payoutId), (await transfersOf(payoutId)).length]).toEqual([
      "paid null 1890",
      1,
    ]);
  });

  test("between claim and send leaves the money in transit, and the payout is sent later under the same id", async () => {
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    world.queued.splice(0);
    await claimPayout(world.ctx, { payoutId });
    await world.console("/sandbox/chaos", { no_balance: true });
    await sendPayout(world.ctx, { payoutId });
    await refreshPayout(world.ctx, {
      payoutId,
      moderatorId: (await createModerator(world.ctx)).id,
    });
    expect([await stateOf(payoutId), await availableOf()]).toEqual(["claimed balance 1890", 0]);
    await world.console("/sandbox/chaos", {});
    await aWhile();
    await aWhile();
    expect([await stateOf(payoutId), (await transfersOf(payoutId)).length]).toEqual([
      "paid null 1890",
      1,
    ]);
  });

  test("by a centavo makes the payout wait, and with the exact amount it is claimed", async () => {
    const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
    world.queued.splice(0);
    const balance = (availableCents: number) => ({
      ...world.ctx,
      payments: {
        ...world.ctx.payments,
        balance: async () => ({ availableCents, pendingCents: 0 }),
      },
    });
    await claimPayout(balance(1_889), { payoutId });
    expect(await stateOf(payoutId)).toBe("requested balance 0");
    await claimPayout(balance(1_890), { payoutId });
    expect(await stateOf(payoutId)).toBe("claimed null 1890");
  });
});
