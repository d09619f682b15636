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
  holdPayoutsOf,
  releasePayoutsOf,
  retryPayout,
} from "#app/domain/payouts/staff-review/commands/staff-review.server.ts";
import { changeSchedule } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { settlePayout } from "#app/domain/payouts/sending/commands/settle.server.ts";
import { changeWithdrawalMethod } from "#app/domain/payouts/destinations/commands.server.ts";
import { NotHeldForApproval, PayoutApprovalConflict } from "#app/domain/payouts/errors.ts";
import { creatorBalances, payoutRow } from "#app/domain/payouts/queries.server.ts";
import {
  reviewCounts,
  destinationSignature,
} from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { resumableHeldPayouts } from "#app/domain/payouts/batches/queries/due.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { people } from "#drizzle/schema/identity.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { payoutActs, payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
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
  async function requestedForReview(): Promise<string> {
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
      "failed for a reason on our side",
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
      const stopped = await requestedForReview();
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
    const payoutId = await requestedForReview();
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
      "the database refuses another destination under an approval",
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
