import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rejectDocuments } from "#app/domain/documents/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { DocumentModeratorRequired } from "#app/domain/documents/errors.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import {
  approvePayout as consent,
  refreshPayout,
  cancelPayout,
  cancelPayoutByStaff,
  holdPayoutsOf,
  releasePayoutsOf,
  retryPayout,
} from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import {
  changeSchedule,
  requestScheduledPayouts,
} from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { settlePayout } from "#app/domain/payouts/sending/commands/settle.server.ts";
import { changeWithdrawalMethod } from "#app/domain/payouts/destinations/commands.server.ts";
import {
  PayoutsAlreadyHeld,
  HeldByStaff,
  NotHeldForApproval,
  PayoutsNotHeld,
  PayoutApprovalConflict,
  PayoutReleaseConflict,
  PayoutNotSentToProvider,
  PayoutNotFailed,
  PayoutNotFound,
  PayoutInProgress,
  TooManyPayoutCancels,
} from "#app/domain/payouts/errors.ts";
import { releaseDueParts } from "#app/domain/payments/releases/commands/releases.server.ts";
import { releasesDue } from "#app/domain/payments/releases/queries.server.ts";
import { creatorBalances, payoutRow } from "#app/domain/payouts/queries.server.ts";
import { payoutBatchList } from "#app/domain/payouts/batches/queries/batches.server.ts";
import {
  reviewCounts,
  reviewedPayout,
  reviewPayouts,
  destinationSignature,
} from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { retryAfterText } from "#app/domain/rate-limits/rules.ts";
import { resumableHeldPayouts } from "#app/domain/payouts/batches/queries/due.server.ts";
import { civilDate, DAY_MS, HOUR_MS, instantOf, MINUTE_MS } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { floodCounts } from "#drizzle/schema/rate-limits.ts";
import {
  payoutActs,
  payoutBatches,
  payoutHolds,
  payouts,
  withdrawalMethods,
} from "#drizzle/schema/payouts.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import {
  createModerator,
  createPerson,
  createSeller,
  approveOpened,
} from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const NET_CENTS = 1_890;
let world: World;
let ana: Seller;
let carla: TestPerson;

beforeEach(async () => {
  world = await testContext();
  carla = await createModerator(world.ctx);
  ana = await earner();
});
afterEach(() => expectInvariantsToHold(world.ctx));

/** A creator with one released sale (R$ 18,90 net), whose payout schedule is manual. */
async function earner(): Promise<Seller> {
  const one = await createSeller(world.ctx);
  await changeSchedule(world.ctx, { creatorId: one.id, schedule: "manual" });
  await paidSubscription(world, await createPerson(world.ctx, "Bruno"), one);
  await world.advance(9 * DAY_MS);
  await world.tick();
  return one;
}

async function aWhile(ms = 10 * MINUTE_MS): Promise<void> {
  await world.advance(ms);
  await world.tick();
}

const asked = async (): Promise<string> => {
  const { payoutId } = await requestPayout(world.ctx, { creatorId: ana.id });
  world.queued.splice(0);
  return payoutId;
};
/** Approves the destination that the staff page shows. */
async function approvePayout(
  ctx: Context,
  act: { payoutId: string; moderatorId: string; seenCents: number },
): Promise<void> {
  const row = await payoutRow(ctx, act);
  await consent(ctx, { ...act, seenPlace: row ? await destinationSignature(ctx, row) : "" });
}
/** The same context with another approval limit (centavos). */
const limited = (payoutApprovalCents: number) => ({
  ...world.ctx,
  settings: { ...world.ctx.settings, payoutApprovalCents },
});
const stateOf = async (payoutId: string) => {
  const row = await payoutRow(world.ctx, { payoutId });
  return `${row?.status} ${row?.heldReason ?? ""} ${row?.amountCents}`.replaceAll("  ", " ");
};
const availableOf = async () =>
  (await creatorBalances(world.ctx, { creatorId: ana.id })).availableCents;
const subjectsTo = async (one: TestPerson) =>
  (await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, one.email)))
    .map(({ subject }) => subject)
    .filter((subject) => subject.includes("saque"));
const transfersOf = async (payoutId: string) =>
  (
    await testEnv.PSP_DB.prepare("SELECT COUNT(*) AS count FROM transfers WHERE reference = ?")
      .bind(payoutId)
      .first<{ count: number }>()
  )?.count;
const actsOn = async (payoutId: string) =>
  (await world.ctx.db.select().from(payoutActs).where(eq(payoutActs.payoutId, payoutId))).map(
    ({ act, moderatorId }) => `${act} ${moderatorId === carla.id}`,
  );

describe("a payout above the approval limit", () => {
  test("waits for a moderator who neither receives nor requested it, then pays the approved amount", async () => {
    const payoutId = await asked();
    await claimPayout(limited(NET_CENTS - 1), { payoutId });
    await claimPayout(limited(NET_CENTS - 1), { payoutId });
    await world.drain();
    expect([
      await stateOf(payoutId),
      await availableOf(),
      (await reviewCounts(world.ctx)).approval,
    ]).toEqual(["held approval 0", NET_CENTS, 1]);
    expect(await subjectsTo(ana)).toEqual(["Seu saque está retido"]);

    await world.ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, ana.id));
    await expect(
      approvePayout(world.ctx, { payoutId, moderatorId: ana.id, seenCents: NET_CENTS }),
    ).rejects.toThrow(PayoutApprovalConflict);
    await expect(
      approvePayout(world.ctx, {
        payoutId,
        moderatorId: (await createPerson(world.ctx)).id,
        seenCents: NET_CENTS,
      }),
    ).rejects.toThrow(DocumentModeratorRequired);
    await approvePayout(world.ctx, { payoutId, moderatorId: carla.id, seenCents: NET_CENTS - 500 });
    await expect(
      approvePayout(world.ctx, { payoutId, moderatorId: carla.id, seenCents: NET_CENTS }),
    ).rejects.toThrow(NotHeldForApproval);
    await claimPayout(limited(1), { payoutId });
    expect([await stateOf(payoutId), await availableOf()]).toEqual([
      `claimed ${NET_CENTS - 500}`,
      500,
    ]);
    expect(await actsOn(payoutId)).toEqual(["approve true"]);
    await aWhile(MINUTE_MS);
    await aWhile();
    expect([await stateOf(payoutId), await transfersOf(payoutId)]).toEqual([
      `paid ${NET_CENTS - 500}`,
      1,
    ]);
  });

  test("leaves approval when the limit covers the balance, and is canceled when the creator is banned", async () => {
    const payoutId = await asked();
    await claimPayout(limited(1), { payoutId });
    expect(
      await resumableHeldPayouts(limited(1), { now: world.ctx.now(), limit: 50 }),
    ).not.toContain(payoutId);
    expect(
      await resumableHeldPayouts(limited(NET_CENTS), { now: world.ctx.now(), limit: 50 }),
    ).toContain(payoutId);
    await world.ctx.db
      .update(people)
      .set({ bannedAt: world.ctx.now() })
      .where(eq(people.id, ana.id));
    expect(await resumableHeldPayouts(limited(1), { now: world.ctx.now(), limit: 50 })).toContain(
      payoutId,
    );
    await claimPayout(limited(1), { payoutId });
    expect(await stateOf(payoutId)).toBe("canceled approval 0");
  });

  /** A payout that the moderator Carla requested again after the first one failed. */
  async function askedAtDesk(): Promise<string> {
    await world.ctx.db
      .update(withdrawalMethods)
      .set({ pixKeyKind: "email", pixKey: "falha@coreto.test" })
      .where(eq(withdrawalMethods.creatorId, ana.id));
    const failed = await asked();
    await claimPayout(world.ctx, { payoutId: failed });
    await refreshPayout(world.ctx, { payoutId: failed, moderatorId: carla.id });
    await aWhile();
    const { payoutId } = await retryPayout(world.ctx, { payoutId: failed, moderatorId: carla.id });
    world.queued.splice(0);
    return payoutId;
  }

  test.each([
    [
      "held before it left",
      async (payoutId: string) => {
        await holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "Um momento." });
        await sendPayout(world.ctx, { payoutId });
        await releasePayoutsOf(world.ctx, { payoutId, moderatorId: carla.id });
      },
    ],
    [
      "failed for the house's sake",
      async (payoutId: string) => {
        await settlePayout(world.ctx, {
          payoutId,
          providerTransfer: {
            id: "",
            reference: payoutId,
            status: "failed",
            amountCents: NET_CENTS,
            failureCode: "daily_limit",
          },
        });
      },
    ],
  ])(
    "also refuses the moderator who retried it as approver of its replacement, after it was %s",
    async (_, ends) => {
      const stopped = await askedAtDesk();
      await claimPayout(world.ctx, { payoutId: stopped });
      await ends(stopped);
      world.queued.splice(0);
      const [instead] = await world.ctx.db
        .select()
        .from(payouts)
        .where(and(eq(payouts.creatorId, ana.id), eq(payouts.status, "requested")));
      const payoutId = instead?.id ?? "";
      await claimPayout(limited(1), { payoutId });
      expect(await stateOf(payoutId)).toBe("held approval 0");
      await expect(
        approvePayout(world.ctx, { payoutId, moderatorId: carla.id, seenCents: NET_CENTS }),
      ).rejects.toThrow(PayoutApprovalConflict);
      expect(await actsOn(payoutId)).toEqual(["retry true"]);
    },
  );

  test("refuses the approval of the moderator who retried it", async () => {
    const payoutId = await askedAtDesk();
    await claimPayout(limited(1), { payoutId });
    await expect(
      approvePayout(world.ctx, { payoutId, moderatorId: carla.id, seenCents: NET_CENTS }),
    ).rejects.toThrow(PayoutApprovalConflict);
    await approvePayout(world.ctx, {
      payoutId,
      moderatorId: (await createModerator(world.ctx)).id,
      seenCents: NET_CENTS,
    });
    world.queued.splice(0);
  });

  test("is approved once when two moderators approve at once; the other is refused", async () => {
    const payoutId = await asked();
    await claimPayout(limited(1), { payoutId });
    const both = await Promise.allSettled(
      [carla, await createModerator(world.ctx)].map(({ id }) =>
        approvePayout(world.ctx, { payoutId, moderatorId: id, seenCents: NET_CENTS }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await world.ctx.db.$count(payoutActs, eq(payoutActs.payoutId, payoutId))).toBe(1);
  });

  test("the database refuses an approval by the recipient, and a claim above the approved amount", async () => {
    const payoutId = await asked();
    await claimPayout(limited(1), { payoutId });
    const set = (values: Partial<typeof payouts.$inferInsert>) =>
      world.ctx.db.update(payouts).set(values).where(eq(payouts.id, payoutId));
    await expect(set({ approvedBy: ana.id, approvedCents: 5 })).rejects.toThrow("Failed query");
    await set({ approvedBy: carla.id, approvedCents: 5 });
    await expect(set({ status: "claimed", amountCents: 6 })).rejects.toThrow("Failed query");
    await set({ status: "canceled" });
  });
});

describe("a change of the withdrawal key", () => {
  const other = { kind: "email", key: "nova@exemplo.test" } as const;

  test("between request and claim holds the payout for a day, which then goes to the new key", async () => {
    const payoutId = await asked();
    await changeWithdrawalMethod(world.ctx, { creatorId: ana.id, to: other });
    await claimPayout(world.ctx, { payoutId });
    expect(await stateOf(payoutId)).toBe("held changed_method 0");
    await aWhile(DAY_MS - HOUR_MS);
    expect(await stateOf(payoutId)).toBe("held changed_method 0");
    await aWhile(HOUR_MS);
    await aWhile();
    expect(await stateOf(payoutId)).toBe(`paid ${NET_CENTS}`);
    expect((await payoutRow(world.ctx, { payoutId }))?.pixKey).toBe(other.key);
  });

  test("voids the approval given for the old key, also when no cron ran during the hold", async () => {
    const payoutId = await asked();
    await claimPayout(limited(1), { payoutId });
    await approvePayout(world.ctx, { payoutId, moderatorId: carla.id, seenCents: NET_CENTS });
    await changeWithdrawalMethod(world.ctx, { creatorId: ana.id, to: other });
    world.queued.splice(0);
    await world.advance(DAY_MS + MINUTE_MS);
    await claimPayout(limited(1), { payoutId });
    expect([
      await stateOf(payoutId),
      await availableOf(),
      (await reviewCounts(world.ctx)).approval,
    ]).toEqual(["held approval 0", NET_CENTS, 1]);
    await approvePayout(world.ctx, { payoutId, moderatorId: carla.id, seenCents: NET_CENTS });
    await claimPayout(limited(1), { payoutId });
    expect([await stateOf(payoutId), (await payoutRow(world.ctx, { payoutId }))?.pixKey]).toEqual([
      `claimed ${NET_CENTS}`,
      other.key,
    ]);
    world.queued.splice(0);
  });

  test("during the approval wait restarts the wait with the new key; the database refuses a third key", async () => {
    const payoutId = await asked();
    await claimPayout(limited(1), { payoutId });
    await changeWithdrawalMethod(world.ctx, { creatorId: ana.id, to: other });
    expect(await resumableHeldPayouts(limited(1), { now: world.ctx.now(), limit: 50 })).toContain(
      payoutId,
    );
    await claimPayout(limited(1), { payoutId });
    expect(
      await resumableHeldPayouts(limited(1), { now: world.ctx.now(), limit: 50 }),
    ).not.toContain(payoutId);
    expect([await stateOf(payoutId), (await payoutRow(world.ctx, { payoutId }))?.pixKey]).toEqual([
      "held changed_method 0",
      other.key,
    ]);
    await world.ctx.db
      .update(payouts)
      .set({ approvedBy: carla.id, approvedCents: NET_CENTS })
      .where(eq(payouts.id, payoutId));
    const claim = world.ctx.db
      .update(payouts)
      .set({ status: "claimed", amountCents: NET_CENTS, pixKey: "outra@exemplo.test" })
      .where(eq(payouts.id, payoutId));
    await expect(
      claim,
      "the database itself refuses another place under a consent",
    ).rejects.toThrow("Failed query");
    await world.ctx.db.update(payouts).set({ status: "canceled" }).where(eq(payouts.id, payoutId));
  });
});

test("documents rejected between request and claim hold the payout until they are approved again", async () => {
  const payoutId = await asked();
  await world.ctx.db
    .update(documents)
    .set({ status: "submitted" })
    .where(eq(documents.personId, ana.id));
  await rejectDocuments(world.ctx, {
    moderatorId: carla.id,
    personId: ana.id,
    code: "other",
    note: "Confira o nome.",
  });
  await claimPayout(world.ctx, { payoutId });
  expect(await stateOf(payoutId)).toBe("held documents 0");
  await world.ctx.db
    .update(documents)
    .set({ status: "submitted" })
    .where(eq(documents.personId, ana.id));
  await approveOpened(world.ctx, { moderatorId: carla.id, personId: ana.id });
  await aWhile(MINUTE_MS);
  await aWhile();
  expect(await stateOf(payoutId)).toBe(`paid ${NET_CENTS}`);
});

test("documents submitted again after a payout approval void it: the moderator approved older ones", async () => {
  const payoutId = await asked();
  await claimPayout(limited(1), { payoutId });
  await approvePayout(world.ctx, { payoutId, moderatorId: carla.id, seenCents: NET_CENTS });
  await world.ctx.db
    .update(documents)
    .set({ status: "submitted" })
    .where(eq(documents.personId, ana.id));
  await claimPayout(limited(1), { payoutId });
  await approveOpened(world.ctx, { moderatorId: carla.id, personId: ana.id });
  await claimPayout(limited(1), { payoutId });
  expect(await stateOf(payoutId)).toBe("held approval 0");
  world.queued.splice(0);
});

describe("a moderator and payouts", () => {
  test("holds all payouts of a creator with a reason that the creator reads, and releases them", async () => {
    const payoutId = await asked();
    await holdPayoutsOf(world.ctx, {
      payoutId,
      moderatorId: carla.id,
      reason: "Recebemos uma denúncia sobre a página.",
    });
    await expect(
      holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "De novo." }),
    ).rejects.toThrow(PayoutsAlreadyHeld);
    await world.drain();
    expect([await stateOf(payoutId), await availableOf()]).toEqual([
      "held moderation 0",
      NET_CENTS,
    ]);
    expect(
      (await world.ctx.db.select().from(localMails).where(eq(localMails.recipient, ana.email))).at(
        -1,
      )?.body,
    ).toContain("Recebemos uma denúncia sobre a página.");
    expect(await subjectsTo(ana)).toEqual(["Seus saques estão retidos"]);
    await cancelPayout(world.ctx, { payoutId, creatorId: ana.id });
    await expect(requestPayout(world.ctx, { creatorId: ana.id })).rejects.toThrow(HeldByStaff);
    await world.ctx.db.update(people).set({ isModerator: true }).where(eq(people.id, ana.id));
    await expect(releasePayoutsOf(world.ctx, { payoutId, moderatorId: ana.id })).rejects.toThrow(
      PayoutReleaseConflict,
    );
    await expect(
      world.ctx.db
        .update(payoutHolds)
        .set({ endedBy: ana.id, endedAt: 1 })
        .where(eq(payoutHolds.creatorId, ana.id)),
    ).rejects.toThrow("Failed query");
    await releasePayoutsOf(world.ctx, { payoutId, moderatorId: carla.id });
    await expect(releasePayoutsOf(world.ctx, { payoutId, moderatorId: carla.id })).rejects.toThrow(
      PayoutsNotHeld,
    );
    await requestPayout(world.ctx, { creatorId: ana.id });
    await world.drain();
    expect(await actsOn(payoutId)).toEqual(["hold true", "release true"]);
  });

  test("holds and releases a creator without payout requests, who gets one notification of each", async () => {
    const whose = { creatorId: ana.id, moderatorId: carla.id };
    const both = await Promise.allSettled(
      [1, 2].map((n) => holdPayoutsOf(world.ctx, { ...whose, reason: `Motivo ${n}` })),
    );
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await aWhile();
    expect(await subjectsTo(ana)).toEqual(["Seus saques estão retidos"]);
    const [letter] = await world.ctx.db
      .select()
      .from(localMails)
      .where(
        and(
          eq(localMails.recipient, ana.email),
          eq(localMails.subject, "Seus saques estão retidos"),
        ),
      );
    expect(letter?.body).toMatch(/Motivo [12]\. O dinheiro continua no seu saldo/);
    await releasePayoutsOf(world.ctx, whose);
    await aWhile();
    expect(await subjectsTo(ana)).toEqual([
      "Seus saques estão retidos",
      "Seus saques estão liberados",
    ]);
    await holdPayoutsOf(world.ctx, { ...whose, reason: "De novo." });
    await aWhile();
    expect(await subjectsTo(ana)).toHaveLength(3);
  });

  test("a hold placed between a claim's read and its commit stops the payout", async () => {
    const payoutId = await asked();
    const slow = await testContext({
      database: (binding) =>
        heldMeanwhile(binding, async () =>
          holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "Um momento." }),
        ),
    });
    await claimPayout(slow.ctx, { payoutId });
    expect([await stateOf(payoutId), await availableOf()]).toEqual([
      "held moderation 0",
      NET_CENTS,
    ]);
  });

  test("cancels a payout that was not sent, and cannot cancel one already claimed", async () => {
    const payoutId = await asked();
    await cancelPayoutByStaff(world.ctx, {
      payoutId,
      moderatorId: carla.id,
      reason: "Pedido em dobro.",
    });
    await world.drain();
    expect([await stateOf(payoutId), await availableOf()]).toEqual(["canceled 0", NET_CENTS]);
    expect(await subjectsTo(ana)).toContain("Seu saque foi cancelado");
    await claimPayout(world.ctx, { payoutId });
    expect(await stateOf(payoutId)).toBe("canceled 0");
    const next = await asked();
    await claimPayout(world.ctx, { payoutId: next });
    await expect(
      cancelPayoutByStaff(world.ctx, { payoutId: next, moderatorId: carla.id, reason: "Tarde." }),
    ).rejects.toThrow(PayoutInProgress);
    await expect(cancelPayout(world.ctx, { payoutId: next, creatorId: ana.id })).rejects.toThrow(
      PayoutInProgress,
    );
    await expect(cancelPayout(world.ctx, { payoutId: next, creatorId: carla.id })).rejects.toThrow(
      PayoutNotFound,
    );
    expect(await actsOn(next)).toEqual([]);
  });

  test("refuses a creator who requests and cancels payouts too often for a while", async () => {
    for (let round = 0; round < 5; round += 1)
      await cancelPayout(world.ctx, { payoutId: await asked(), creatorId: ana.id });
    const payoutId = await asked();
    await expect(cancelPayout(world.ctx, { payoutId, creatorId: ana.id })).rejects.toThrow(
      TooManyPayoutCancels,
    );
    // One hour later the daily limit still refuses, and the message says until when.
    const dayBegan = world.ctx.now() - HOUR_MS;
    await world.ctx.db
      .update(floodCounts)
      .set({ count: 15, windowStartedAt: dayBegan })
      .where(eq(floodCounts.key, `cancel-payout:${ana.id}:${DAY_MS}`));
    await world.advance(HOUR_MS);
    await expect(cancelPayout(world.ctx, { payoutId, creatorId: ana.id })).rejects.toMatchObject({
      constructor: TooManyPayoutCancels,
      message: expect.stringContaining(retryAfterText(dayBegan + DAY_MS)) as string,
    });
    expect(await stateOf(payoutId)).toBe("requested 0");
  });

  test("queries the provider about an unconfirmed payout, and retries a failed one", async () => {
    await world.ctx.db
      .update(withdrawalMethods)
      .set({ pixKeyKind: "email", pixKey: "falha@coreto.test" })
      .where(eq(withdrawalMethods.creatorId, ana.id));
    const payoutId = await asked();
    await expect(refreshPayout(world.ctx, { payoutId, moderatorId: carla.id })).rejects.toThrow(
      PayoutNotSentToProvider,
    );
    await claimPayout(world.ctx, { payoutId });
    await expect(retryPayout(world.ctx, { payoutId, moderatorId: carla.id })).rejects.toThrow(
      PayoutNotFailed,
    );
    await refreshPayout(world.ctx, { payoutId, moderatorId: carla.id });
    await aWhile();
    expect(await stateOf(payoutId)).toBe(`failed ${NET_CENTS}`);
    await world.ctx.db
      .update(withdrawalMethods)
      .set({ pixKey: "boa@exemplo.test" })
      .where(eq(withdrawalMethods.creatorId, ana.id));
    const again = await retryPayout(world.ctx, { payoutId, moderatorId: carla.id });
    await world.drain();
    await aWhile();
    expect(await stateOf(again.payoutId)).toBe(`paid ${NET_CENTS}`);
    expect([await actsOn(payoutId), await actsOn(again.payoutId)]).toEqual([
      ["ask true", "retry true"],
      ["retry true"],
    ]);
  });

  test("sees each payout in the right view, with the recorded staff acts", async () => {
    const payoutId = await asked();
    await claimPayout(limited(1), { payoutId });
    const inView = async (view: "approval" | "held" | "under_way" | "back" | "all") =>
      (await reviewPayouts(world.ctx, { view, cursor: null, limit: 50 })).items
        .filter(({ payout }) => payout.id === payoutId)
        .map(({ availableCents, username }) => [availableCents, username]);
    const row = [[NET_CENTS, ana.username]];
    expect([
      await inView("approval"),
      await inView("held"),
      await inView("under_way"),
      await inView("back"),
      await inView("all"),
    ]).toEqual([row, row, [], [], row]);
    await holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "Conferindo." });
    expect(await reviewedPayout(world.ctx, { payoutId })).toMatchObject({
      hold: { reason: "Conferindo." },
      acts: [{ act: "hold", note: "Conferindo.", moderatorName: carla.name }],
    });
    expect(await reviewedPayout(world.ctx, { payoutId: "none" })).toBeNull();
  });

  test("an ended hold cannot be reopened, and holds and staff acts cannot be deleted", async () => {
    const payoutId = await asked();
    await holdPayoutsOf(world.ctx, { payoutId, moderatorId: carla.id, reason: "Um." });
    await releasePayoutsOf(world.ctx, { payoutId, moderatorId: carla.id });
    await expect(
      world.ctx.db
        .update(payoutHolds)
        .set({ endedAt: null })
        .where(eq(payoutHolds.creatorId, ana.id)),
    ).rejects.toThrow("Failed query");
    await expect(
      world.ctx.db.delete(payoutHolds).where(eq(payoutHolds.creatorId, ana.id)),
    ).rejects.toThrow("Failed query");
    await expect(
      world.ctx.db.delete(payoutActs).where(eq(payoutActs.payoutId, payoutId)),
    ).rejects.toThrow("Failed query");
  });
});

describe("payout schedules", () => {
  // The tests of this file share a database, and each Monday has one batch.
  beforeEach(async () => void (await world.ctx.db.delete(payoutBatches)));

  /** Advances to 10:00 of the next Monday. */
  async function toMonday(): Promise<void> {
    const now = world.ctx.now();
    const date = civilDate(now);
    const weekday = new Date(Date.UTC(date.year, date.month - 1, date.day)).getUTCDay();
    await world.advance(
      instantOf({ ...date, day: date.day + ((8 - weekday) % 7 || 7) }, 10 * HOUR_MS) - now,
    );
  }
  const statusesOf = async () =>
    (
      await world.ctx.db
        .select({ status: payouts.status })
        .from(payouts)
        .where(eq(payouts.creatorId, ana.id))
    ).map(({ status }) => status);

  test("weekly schedules make one batch on a Monday, which includes balances released later that day", async () => {
    await changeSchedule(world.ctx, { creatorId: ana.id, schedule: "weekly" });
    await toMonday();
    expect(await requestScheduledPayouts(world.ctx)).toBe(1);
    const late = await earnerOf("weekly");
    expect(await requestScheduledPayouts(world.ctx)).toBe(0);
    await world.advance(HOUR_MS);
    expect(await requestScheduledPayouts(world.ctx)).toBe(1);
    await world.advance(HOUR_MS);
    expect(await requestScheduledPayouts(world.ctx)).toBe(0);
    await world.drain();
    await aWhile();
    const { items } = await payoutBatchList(world.ctx, { beforeDay: null, limit: 5 });
    expect(items).toMatchObject([
      {
        finishedAt: expect.any(Number),
        parts: [{ status: "paid", count: 2, cents: NET_CENTS + late.cents }],
      },
    ]);
    expect(
      (await payoutBatchList(world.ctx, { beforeDay: items[0]?.day ?? "", limit: 5 })).items,
    ).toEqual([]);
  });

  test("a manual schedule requests no payout on a Monday", async () => {
    await toMonday();
    expect(await requestScheduledPayouts(world.ctx)).toBe(0);
    expect(await statusesOf()).toEqual([]);
  });

  test("a weekly schedule pays a balance below the minimum after it is thirty days old", async () => {
    const small = await earnerOf("weekly", 900);
    await toMonday();
    expect(await requestScheduledPayouts(world.ctx)).toBe(0);
    await world.advance(42 * DAY_MS);
    expect(await requestScheduledPayouts(world.ctx)).toBe(1);
    await world.drain();
    await aWhile();
    expect((await creatorBalances(world.ctx, { creatorId: small.id })).availableCents).toBe(0);
  });

  /** A creator with the net of a first sale, released just now. */
  async function earnerOf(
    schedule: "weekly",
    amountCents = 1_990,
  ): Promise<{ id: string; cents: number }> {
    const one = await createSeller(world.ctx, { amountCents });
    await changeSchedule(world.ctx, { creatorId: one.id, schedule });
    await paidSubscription(world, await createPerson(world.ctx, "Davi"), one);
    const { pendingCents } = await creatorBalances(world.ctx, { creatorId: one.id });
    const soon = { ...world.ctx, now: () => world.ctx.now() + 9 * DAY_MS };
    for (const releaseId of await releasesDue(soon, { now: soon.now(), limit: 50 }))
      await releaseDueParts(soon, { releaseIds: [releaseId] });
    return { id: one.id, cents: pendingCents };
  }
});

/** A binding that runs `act` once, between the first read batch and the first commit. */
function heldMeanwhile(binding: D1Database, act: () => Promise<void>): D1Database {
  let isDone = false;
  return new Proxy(binding, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== "batch") return typeof value === "function" ? value.bind(target) : value;
      return async (statements: D1PreparedStatement[]) => {
        const answer = await target.batch(statements);
        if (!isDone && statements.length > 1) {
          isDone = true;
          await act();
        }
        return answer;
      };
    },
  });
}
