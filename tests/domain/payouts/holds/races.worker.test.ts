import { and, eq, ne, or, sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { payoutCanceledText, STOPPED_TEXT } from "#app/components/payouts/payout-labels.ts";
import type { Context } from "#app/domain/context.ts";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import {
  holdPayoutsOf,
  releasePayoutsOf,
} from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { creatorBalances, payoutHistory, payoutRow } from "#app/domain/payouts/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { ledgerAccounts, ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { refundsOfCharge } from "#tests/support/account-deletion.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { emailsTo } from "#tests/support/refund-transfers.ts";
import { testEnv } from "#tests/support/worker-env.ts";

/** Centavos of each sale: R$ 19,90 paid, R$ 1,00 of fee. */
const [GROSS_CENTS, FEE_CENTS, NET_CENTS] = [1_990, 100, 1_890];
const OF_A_PAYOUT = /^update "payouts"/i;

let world: World;
let carla: TestPerson;
let ana: Seller;
let sale: Charge;
let payoutId: string;

beforeEach(async () => {
  world = await testContext();
  carla = await createModerator(world.ctx);
  ana = await createSeller(world.ctx);
  await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "manual" });
  sale = await paidSubscription(world, await createPerson(world.ctx, "Bruno"), ana);
  await world.advance(9 * DAY_MS);
  await world.tick();
  ({ payoutId } = await requestPayout(world.ctx, { creatorId: ana.id }));
  world.queued.splice(0);
});
afterEach(() => expectInvariantsToHold(world.ctx));

/** Advances in two steps, and runs the crons and the provider after each. */
async function goesOn(): Promise<void> {
  for (const ms of [MINUTE_MS, 10 * MINUTE_MS]) {
    await world.advance(ms);
    await world.tick();
  }
}

const stateOf = async () => (await payoutRow(world.ctx, { payoutId }))?.status;
const sentTo = async () =>
  (
    await testEnv.PSP_DB.prepare(
      "SELECT pix_key AS place, status, amount_cents AS cents FROM transfers WHERE reference = ?",
    )
      .bind(payoutId)
      .all<{ place: string; status: string; cents: number }>()
  ).results;

/**
 * The ledger balances of the sale and the payout by account kind (centavos, debits positive).
 * Leaves out accounts at zero and the provider's own costs.
 */
async function finalBooks(): Promise<Record<string, number>> {
  const cents = sql<number>`SUM(${ledgerEntries.amountCents})`;
  const rows = await world.ctx.db
    .select({ kind: ledgerAccounts.kind, cents })
    .from(ledgerEntries)
    .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
    .innerJoin(ledgerAccounts, eq(ledgerAccounts.id, ledgerEntries.accountId))
    .where(
      and(
        or(eq(ledgerTransactions.chargeId, sale.id), eq(ledgerTransactions.payoutId, payoutId)),
        ne(ledgerTransactions.kind, "provider.cost"),
      ),
    )
    .groupBy(ledgerAccounts.kind)
    .having(sql`${cents} <> 0`);
  return Object.fromEntries(rows.map((row) => [row.kind, row.cents]));
}

const shown = async () =>
  (await payoutHistory(world.ctx, { creatorId: ana.id, cursor: null, limit: 1 })).items.map(
    ({ status, failureCode }) => [status, payoutCanceledText(failureCode)],
  );
const emails = async () =>
  (await emailsTo(world, ana)).flatMap(({ subject, body }) =>
    subject === "Seu saque foi cancelado" ? [body] : [],
  );

/** The creator has the net, and only our fee is left at the provider. */
const PAID_OUT = { provider_clearing: FEE_CENTS, platform_fees: -FEE_CENTS };
const NOT_PAID_OUT = {
  provider_clearing: GROSS_CENTS,
  creator_available: -NET_CENTS,
  platform_fees: -FEE_CENTS,
};

describe("a payout hold released in mid-flight", () => {
  const hold = async () => {
    await holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "Um momento." });
    world.queued.splice(0);
  };
  const release = () => releasePayoutsOf(world.ctx, { payoutId, moderatorId: carla.id });

  test("during a claim that read the hold before its end: the claim does nothing, and the next run pays once", async () => {
    await hold();
    await claimPayout(interleaveBeforeWrite(world.ctx, release, OF_A_PAYOUT), { payoutId });
    world.queued.splice(0);
    expect([await stateOf(), await finalBooks()]).toEqual(["held", NOT_PAID_OUT]);
    await goesOn();
    expect([await stateOf(), await finalBooks()]).toEqual(["paid", PAID_OUT]);
    expect(await sentTo()).toMatchObject([{ status: "paid", cents: NET_CENTS }]);
  });

  test("claimed at once by the release and by the cron: one claim, one transfer", async () => {
    await hold();
    await claimPayout(world.ctx, { payoutId });
    expect(await stateOf()).toBe("held");
    await release();
    world.queued.splice(0);
    await Promise.all([1, 2, 3].map(() => claimPayout(world.ctx, { payoutId })));
    await goesOn();
    expect([await stateOf(), await finalBooks()]).toEqual(["paid", PAID_OUT]);
    expect(await sentTo()).toHaveLength(1);
  });
});

describe("a payout held between claim and send", () => {
  const hold = () =>
    holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "Um momento." });
  const documentsReopened = () =>
    world.ctx.db
      .update(documents)
      .set({ status: "submitted" })
      .where(eq(documents.personId, ana.id));
  const ban = () =>
    world.ctx.db.update(people).set({ bannedAt: world.ctx.now() }).where(eq(people.id, ana.id));
  const all = async () =>
    (await payoutHistory(world.ctx, { creatorId: ana.id, cursor: null, limit: 9 })).items
      .map(({ status, heldReason, failureCode }) => [status, heldReason ?? failureCode])
      .toSorted();
  const GIVEN_BACK = ["failed", "held_before_sending"];
  const losing = ({ arrives }: { arrives: boolean }): Context => {
    const payments = world.ctx.payments as PaymentProvider;
    return {
      ...world.ctx,
      payments: {
        ...payments,
        transfer: async (request) => {
          if (arrives) await payments.transfer(request);
          throw new ProviderUnclear("lost");
        },
      },
    };
  };

  test.each([
    ["by a moderator", hold, [GIVEN_BACK, ["held", "moderation"]]],
    ["for documents under a new review", documentsReopened, [GIVEN_BACK, ["held", "documents"]]],
    ["by a ban", ban, [GIVEN_BACK]],
  ] as const)(
    "%s, while it waits for a business day, returns to the balance within a minute, and no transfer is made",
    async (_, happens, states) => {
      await claimPayout(world.ctx, { payoutId });
      await world.ctx.db
        .update(payouts)
        .set({ waitsFor: "business_day", waitsUntil: world.ctx.now() + 2 * DAY_MS })
        .where(eq(payouts.id, payoutId));
      await happens();
      world.queued.splice(0);
      await goesOn();
      expect([await all(), await finalBooks(), await sentTo()]).toEqual([states, NOT_PAID_OUT, []]);
      // A ban refunds unused days to the payers, out of that balance.
      await world.advance(3 * DAY_MS);
      await goesOn();
      expect([await all(), await sentTo()]).toEqual([states, []]);
      // The text is valid for a banned creator too, whose payout has no replacement.
      expect(STOPPED_TEXT).toContain("Se há um saque no lugar");
    },
  );

  test("is replaced, and after the release the replacement is paid once", async () => {
    await claimPayout(world.ctx, { payoutId });
    await hold();
    await world.drain();
    expect(await all()).toEqual([GIVEN_BACK, ["held", "moderation"]]);
    expect((await emailsTo(world, ana)).map(({ subject }) => subject)).toContain(
      "Seus saques estão retidos",
    );
    await releasePayoutsOf(world.ctx, { payoutId, moderatorId: carla.id });
    await goesOn();
    expect([await all(), await sentTo()]).toEqual([[GIVEN_BACK, ["paid", null]], []]);
    expect((await creatorBalances(world.ctx, { creatorId: ana.id })).availableCents).toBe(0);
  });

  test("right before the provider call: no transfer is made, and concurrent sends reverse it once", async () => {
    await claimPayout(world.ctx, { payoutId });
    await sendPayout(interleaveBeforeWrite(world.ctx, hold, OF_A_PAYOUT), { payoutId });
    expect([await stateOf(), await sentTo()]).toEqual(["claimed", []]);
    world.queued.splice(0);
    await Promise.all([1, 2, 3].map(() => sendPayout(world.ctx, { payoutId })));
    await goesOn();
    expect([await all(), await finalBooks(), await sentTo()]).toEqual([
      [GIVEN_BACK, ["held", "moderation"]],
      NOT_PAID_OUT,
      [],
    ]);
  });

  test("after a lost answer without a transfer: it is reversed only once the transfer can no longer arrive", async () => {
    await claimPayout(world.ctx, { payoutId });
    await expect(sendPayout(losing({ arrives: false }), { payoutId })).rejects.toThrow(
      ProviderUnclear,
    );
    await hold();
    world.queued.splice(0);
    await goesOn();
    expect([await stateOf(), await sentTo()]).toEqual(["claimed", []]);
    await expect(
      world.ctx.db
        .update(payouts)
        .set({ sendAskedAt: world.ctx.now() })
        .where(eq(payouts.id, payoutId)),
      "the database refuses to recover a debt from held money",
    ).rejects.toThrow("Failed query");
    await goesOn();
    expect([await all(), await finalBooks(), await sentTo()]).toEqual([
      [GIVEN_BACK, ["held", "moderation"]],
      NOT_PAID_OUT,
      [],
    ]);
  });

  test("after a lost answer with a transfer: it is paid once", async () => {
    await claimPayout(world.ctx, { payoutId });
    await expect(sendPayout(losing({ arrives: true }), { payoutId })).rejects.toThrow(
      ProviderUnclear,
    );
    await hold();
    world.queued.splice(0);
    await goesOn();
    expect([await all(), await finalBooks()]).toEqual([[["paid", null]], PAID_OUT]);
    expect(await sentTo()).toHaveLength(1);
  });
});

describe("a payout held for rejected documents", () => {
  const sendsBack = async (code: "unreadable" | "underage") => {
    await world.ctx.db
      .update(documents)
      .set({ status: "submitted" })
      .where(eq(documents.personId, ana.id));
    await rejectDocuments(world.ctx, {
      moderatorId: carla.id,
      personId: ana.id,
      code,
      bornOn: code === "underage" ? "2010-06-01" : null,
    });
    await claimPayout(world.ctx, { payoutId });
  };
  test("is canceled with a notification after thirty days without new documents, and the balance keeps the money", async () => {
    await sendsBack("unreadable");
    await world.advance(29 * DAY_MS);
    await world.tick();
    expect([await stateOf(), await finalBooks()]).toEqual(["held", NOT_PAID_OUT]);
    await world.advance(DAY_MS);
    await goesOn();
    expect([await stateOf(), await finalBooks(), await sentTo()]).toEqual([
      "canceled",
      NOT_PAID_OUT,
      [],
    ]);
    expect([await shown(), await emails()]).toEqual([
      [["canceled", expect.stringContaining("há 30 dias")]],
      [expect.stringContaining("mande os documentos de novo")],
    ]);
    expect((await creatorBalances(world.ctx, { creatorId: ana.id })).availableCents).toBe(
      NET_CENTS,
    );
  });

  test("is canceled at once when the creator is under 18, and the payer is refunded in full", async () => {
    await sendsBack("underage");
    expect([await stateOf(), await finalBooks()]).toEqual(["canceled", NOT_PAID_OUT]);
    await goesOn();
    expect([await stateOf(), await finalBooks(), await sentTo()]).toEqual(["canceled", {}, []]);
    expect(await refundsOfCharge(world.ctx, sale.id)).toEqual([
      { status: "succeeded", amountCents: GROSS_CENTS },
    ]);
    expect([await shown(), await emails()]).toEqual([
      [["canceled", expect.stringContaining("volta para quem pagou")]],
      [expect.stringContaining("volta para quem pagou")],
    ]);
  });

  test("is canceled even under a moderator's hold when the creator is under 18", async () => {
    await holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "Um momento." });
    await claimPayout(world.ctx, { payoutId });
    expect(await stateOf()).toBe("held");
    await world.ctx.db
      .update(documents)
      .set({ status: "submitted" })
      .where(eq(documents.personId, ana.id));
    await rejectDocuments(world.ctx, {
      moderatorId: carla.id,
      personId: ana.id,
      code: "underage",
      bornOn: "2010-06-01",
    });
    await goesOn();
    expect([await stateOf(), await finalBooks(), await sentTo()]).toEqual(["canceled", {}, []]);
  });
});
